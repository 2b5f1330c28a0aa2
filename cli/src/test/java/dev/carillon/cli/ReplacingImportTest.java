package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import into a namespace that has schedules of the same apps and names. */
@Timeout(600)
class ReplacingImportTest extends EngineCommands {

  private static final String HOLD =
      ", \"suspended\": {\"mode\": \"hold\", \"reason\": \"cleaning\", \"until\": null}";

  private String namespace;

  private void use(String name) {
    namespace = name;
    call.in(name);
  }

  /**
   * A line of an export.
   *
   * @param document JSON with single quotes
   * @param rest more members
   */
  private String line(String kind, String name, String document, String rest) {
    return "{\"kind\": \"%s\", \"namespace\": \"%s\", \"name\": \"%s\", \"document\": %s%s}\n"
        .formatted(kind, namespace, name, document.replace('\'', '"'), rest);
  }

  private String schedule(String trigger, String state, String rest) {
    String document =
        "{'trigger': %s, 'target': {'queue': 'work', 'template': 'x'}, 'state': '%s'}";
    return line("schedule", "s", document.formatted(trigger, state), rest);
  }

  private Result imports(String lines) throws IOException {
    Path file = Files.writeString(directory.resolve("lines.ndjson"), lines);
    return call.run("import carillon " + file + " --apply --yes");
  }

  private void importAll(String lines) throws IOException {
    Result result = imports(lines);
    assertThat(result.code()).as(result.err()).isZero();
  }

  private void assertHeld() {
    JsonNode suspended = json("schedules show s").path("suspended");
    assertThat(suspended.path("mode").asText()).isEqualTo("hold");
    assertThat(suspended.path("reason").asText()).isEqualTo("cleaning");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anImportedAppDeletesNoScheduleThatNamesIt(boolean isDeployed) throws IOException {
    use("replacing-app-" + isDeployed);
    if (isDeployed) {
      importAll(line("app", "exports", "{'programs': ['p']}", ""));
    }
    // More than one page of the list, of two programs that the app does not list.
    String document =
        "{'app': 'exports', 'program': 'q%d', 'trigger': {'type': 'manual'},"
            + " 'target': {'queue': 'work', 'template': 'x'}, 'state': 'ACTIVE'}";
    importAll(
        IntStream.range(0, 101)
            .mapToObj(
                it -> line("schedule", "s%03d".formatted(it), document.formatted(it / 100), ""))
            .collect(Collectors.joining()));
    String before = good("schedules list --limit 0 -o json").out();

    importAll(line("app", "exports", "{'programs': ['p']}", ""));
    assertThat(good("schedules list --limit 0 -o name").lines()).hasSize(101);
    assertThat(good("schedules list --limit 0 -o json").out()).isEqualTo(before);
    assertThat(json("apps show exports").path("programs").toString())
        .isEqualTo("[\"p\",\"q0\",\"q1\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "backlog", "drain"})
  void aSuspensionKeepsTheJobsThatItsModeKeeps(String mode) throws IOException {
    use("replacing-" + mode);
    String pair = "{'type': 'partition', 'dataset': 'd', 'count': 2}";
    importAll(schedule(pair, "ACTIVE", ""));
    good(
        "events send --type PARTITION --payload"
            + " {\"datasetId\":\"d\",\"partitionKeys\":[\"a\"]}");
    JsonNode collecting;
    do {
      collecting = json("schedules explain s").path("collecting");
    } while (collecting.isNull());
    assertThat(collecting.at("/leaves/0/have").asInt()).isEqualTo(1);

    importAll(schedule(pair, "SUSPENDED", HOLD.replace("hold", mode)));
    JsonNode explained = json("schedules explain s");
    assertThat(explained.at("/suspended/mode").asText()).isEqualTo(mode);
    assertThat(explained.at("/suspended/reason").asText()).isEqualTo("cleaning");
    assertThat(explained.path("collecting")).isEqualTo(collecting);
  }

  @Test
  void aSuspendedDocumentReplacesAnActiveOne() throws IOException {
    use("replacing-definition");
    importAll(schedule("{'type': 'manual'}", "ACTIVE", ""));
    importAll(schedule("{'type': 'event', 'key': 'k'}", "SUSPENDED", HOLD));
    assertHeld();
    assertThat(json("schedules show s").at("/schedule/trigger/type").asText()).isEqualTo("event");
  }

  @Test
  void aSuspendedDocumentReplacesACompletedOne() throws IOException {
    use("replacing-completed");
    String soon = Instant.now().plusSeconds(5).truncatedTo(ChronoUnit.SECONDS).toString();
    importAll(schedule("{'type': 'at', 'time': '" + soon + "'}", "ACTIVE", ""));
    String state;
    do {
      state = json("schedules show s").path("state").asText();
    } while (!state.equals("COMPLETED"));
    importAll(schedule("{'type': 'at', 'time': '2090-01-01T00:00:00Z'}", "SUSPENDED", HOLD));
    assertHeld();
  }

  @Test
  void aDocumentThatIsRefusedSuspendsNothing() throws IOException {
    use("replacing-refused");
    importAll(schedule("{'type': 'manual'}", "ACTIVE", ""));
    Result refused =
        imports(schedule("{'type': 'cron', 'expression': '0 0 0 31 2 ?'}", "SUSPENDED", HOLD));
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("not stored: schedule replacing-refused/s: /trigger");
    assertThat(json("schedules show s").path("state").asText()).isEqualTo("ACTIVE");
  }
}
