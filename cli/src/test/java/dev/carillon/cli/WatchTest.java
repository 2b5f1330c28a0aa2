package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job is followed to its end, however long its history is. */
@Timeout(60)
class WatchTest {

  private static final String TRANSITION =
      "{\"at\": \"2026-03-10T12:00:%02dZ\", \"state\": \"%s\", \"reason\": \"number %d\"}";

  private Stub stub;

  @BeforeEach
  void answerWithMoreAndMoreTransitions() throws IOException {
    stub =
        new Stub()
            .answers(200, job("CLAIMED", kept(28), "RUNNING"))
            .answers(200, job("CLAIMED", kept(32), "RUNNING"))
            .answers(200, job("CLAIMED", kept(32), "RUNNING"))
            .answers(200, job("FAILED", kept(40), "FAILED"));
  }

  @AfterEach
  void close() {
    stub.close();
  }

  /** The numbers of the transitions that are kept of so many: the first 10 and the last 20. */
  private static Collection<Integer> kept(int count) {
    return IntStream.range(0, count)
        .filter(number -> number < 10 || number >= count - 20)
        .boxed()
        .toList();
  }

  private static String job(String state, Collection<Integer> numbers, String lastState) {
    int last = numbers.stream().mapToInt(Integer::intValue).max().orElseThrow();
    String history =
        numbers.stream()
            .map(it -> TRANSITION.formatted(it, it == last ? lastState : "RUNNING", it))
            .collect(Collectors.joining(","));
    return """
        {"jobId": "j1", "namespace": "default", "schedule": "a", "program": null, "customer": null,
         "priority": 5, "generation": 1, "state": "%s", "attempt": 10, "version": 1,
         "transitions": [%s]}
        """
        .formatted(state, history);
  }

  @Test
  void eachTransitionIsPrintedOnce() {
    Result watched = Call.to(stub.uri()).run("jobs watch j1");
    assertThat(watched.code()).isEqualTo(1);
    assertThat(watched.lines()).hasSize(40).last().asString().contains("FAILED: number 39");
    assertThat(watched.lines().stream().map(line -> line.replaceAll(".*number ", "")))
        .containsExactlyElementsOf(IntStream.range(0, 40).mapToObj(String::valueOf).toList());
    assertThat(watched.err()).isEqualTo("j1 is FAILED\n");
  }

  @Test
  void aTransitionIsOneDocument() {
    assertThat(Call.to(stub.uri()).run("jobs watch j1 -o json").lines())
        .hasSize(40)
        .allSatisfy(line -> assertThat(line).startsWith("{\"at\":").endsWith("}"));
  }

  @Test
  void aTransitionIsOneDocumentOfYamlAndOneState() {
    assertThat(Call.to(stub.uri()).run("jobs watch j1 -o yaml").out())
        .startsWith("---\nat: ")
        .contains("state: FAILED\n");
    assertThat(Call.to(stub.uri()).run("jobs watch j1 -o name").lines()).last().isEqualTo("FAILED");
  }

  @Test
  void aTerminalShowsTheJobInPlace() {
    Result watched = Call.to(stub.uri()).on(new FakeTerminal(true, 80)).run("jobs watch j1");
    List<String> screens = Stream.of(watched.out().split("\u001b\\[H\u001b\\[2J")).toList();
    assertThat(screens).hasSize(5);
    assertThat(screens.get(4)).contains("Attempt", "FAILED", "number 39");
  }
}
