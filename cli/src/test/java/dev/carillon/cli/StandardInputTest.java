package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import dev.carillon.command.Main;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The name {@code -} of a file is the standard input. */
@Isolated
@Timeout(600)
class StandardInputTest extends EngineCommands {

  private static final String SCENARIO =
      "{from: 2026-03-01T00:00:00Z, to: 2026-03-02T00:00:00Z, schedules: {}}";

  private Result run(String line, byte[] input) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input));
    try {
      return call.run(line);
    } finally {
      System.setIn(before);
    }
  }

  private Result run(String line, String input) {
    return run(line, input.getBytes(StandardCharsets.UTF_8));
  }

  private Result good(String line, String input) {
    Result result = run(line, input);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  @Test
  void documentsAreApplied() {
    good("apply --yes -f -", "name: a\n" + YEARLY);
    good(
        "apply --yes -f -",
        "- {name: b, trigger: {type: manual}, target: {queue: work, template: ö}}");
    assertThat(good("schedules list -o name").lines()).containsExactly("a", "b");
    assertThat(good("schedules show b").out()).contains("ö");
    assertThat(good("apply -f -", good("schedules list -o json").out()).err())
        .contains("2 unchanged");
  }

  @Test
  void aDocumentNamesItself() {
    Result refused = run("apply --yes -f -", YEARLY);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            """
            carillon: nothing was changed, because files have faults:
            -:1: the document has no file that names it; add the member 'name'
            """);
    assertThat(run("diff -f -", "- {}").err())
        .contains("-:1: /0: a document of a list needs the member 'name'");
  }

  @Test
  void aPipeDoesNotNameItsDocumentEither() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process writer =
        new ProcessBuilder("sh", "-c", "echo 'trigger: {type: manual}' >" + pipe).start();

    assertThat(call.run("diff -f " + pipe).err())
        .contains("pipe:1: the document has no file that names it; add the member 'name'");
    assertThat(writer.waitFor()).isZero();
  }

  @Test
  void aFaultOfTheInputIsNamed() {
    assertThat(run("diff -f -", "a: 1\na: 2\n").err()).contains("-:2: Duplicate field 'a'");
    assertThat(run("diff -f -", new byte[] {(byte) 0xC3, (byte) 0x28}).err())
        .contains("-:1: it is not a text in UTF-8");
  }

  @Test
  void everyCommandWithAFileReadsIt() {
    good("calendars put closed -", "{zone: UTC, dates: [2030-12-25]}");
    good("pools put enc -", "queue: work");
    good("apps deploy exports -", "{\"programs\": [], \"schedules\": {}}");
    good("events send -", "{eventType: a, payload: {}}");
    good("simulate -", SCENARIO);
  }

  @Test
  void aCheckoutSimulatesItToo() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(SCENARIO.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(Main.commandLine().execute("simulate", "-")).isZero();
    } finally {
      System.setIn(before);
    }
  }
}
