package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import into a namespace that has schedules of the same apps and names. */
@Timeout(600)
class ReplacingImportTest extends EngineCommands {

  private String namespace;

  private void use(String name) {
    namespace = name;
    call.in(name);
  }

  /**
   * A line of an export.
   *
   * @param document JSON with single quotes
   */
  private String line(String kind, String name, String document) {
    return "{\"kind\": \"%s\", \"namespace\": \"%s\", \"name\": \"%s\", \"document\": %s}\n"
        .formatted(kind, namespace, name, document.replace('\'', '"'));
  }

  private Result imports(String lines) throws IOException {
    Path file = Files.writeString(directory.resolve("lines.ndjson"), lines);
    return call.run("import carillon " + file + " --apply --yes");
  }

  private void importAll(String lines) throws IOException {
    Result result = imports(lines);
    assertThat(result.code()).as(result.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anImportedAppDeletesNoScheduleThatNamesIt(boolean isDeployed) throws IOException {
    use("replacing-app-" + isDeployed);
    if (isDeployed) {
      importAll(line("app", "exports", "{'programs': ['p']}"));
    }
    // More than one page of the list, of two programs that the app does not list.
    String document =
        "{'app': 'exports', 'program': 'q%d', 'trigger': {'type': 'manual'},"
            + " 'target': {'queue': 'work', 'template': 'x'}, 'state': 'ACTIVE'}";
    importAll(
        IntStream.range(0, 101)
            .mapToObj(it -> line("schedule", "s%03d".formatted(it), document.formatted(it / 100)))
            .collect(Collectors.joining()));
    String before = good("schedules list --limit 0 -o json").out();

    importAll(line("app", "exports", "{'programs': ['p']}"));
    assertThat(good("schedules list --limit 0 -o name").lines()).hasSize(101);
    assertThat(good("schedules list --limit 0 -o json").out()).isEqualTo(before);
    assertThat(json("apps show exports").path("programs").toString())
        .isEqualTo("[\"p\",\"q0\",\"q1\"]");
  }
}
