package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.carillon.command.Main;
import dev.carillon.document.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateCommandTest {

  private static final Path SCENARIOS = Path.of("../docs/scenarios");
  private static final String DAYLIGHT_SAVING =
      SCENARIOS.resolve("daylight-saving.json").toString();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(SCENARIOS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void everyScenarioOfTheDocumentsIsPlayed(Path scenario) {
    assertThat(run("simulate", scenario.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("sent to ");
  }

  @Test
  void aScenarioIsPrintedAsATimeline() {
    assertThat(run("simulate", DAYLIGHT_SAVING)).isZero();
    assertThat(out.toString())
        .contains("2026-03-29T01:00:00.000Z", "default/etl", "FAILED")
        .contains("sent to carillon-target-etl: {\"date\":\"2026-03-28\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "wide", "json", "yaml", "name"})
  void onlyDataIsPrintedToTheStandardOutput(String format) {
    assertThat(run("simulate", DAYLIGHT_SAVING, "-o", format)).isZero();
    assertThat(out.toString()).doesNotContain("3 jobs");
    assertThat(err.toString()).isEqualTo("3 jobs" + System.lineSeparator());
  }

  @Test
  void aScenarioIsPrintedInTheFormatThatAnOptionNames() throws IOException {
    assertThat(run("simulate", "--output", "JSON", DAYLIGHT_SAVING)).isZero();
    JsonNode timeline = Json.read(out.toString());
    List<String> ids = timeline.path("jobs").findValuesAsText("jobId");
    assertThat(ids).hasSize(3);
    out.getBuffer().setLength(0);
    assertThat(run("simulate", "-o", "yaml", DAYLIGHT_SAVING)).isZero();
    assertThat(out.toString()).startsWith("jobs:\n");
    assertThat(new YAMLMapper().readTree(out.toString())).isEqualTo(timeline);
    out.getBuffer().setLength(0);
    assertThat(run("simulate", "-o", "name", DAYLIGHT_SAVING)).isZero();
    assertThat(out.toString().lines()).containsExactlyElementsOf(ids);
  }

  @Test
  void aFormatThatDoesNotExistIsRefused() {
    assertThat(run("simulate", DAYLIGHT_SAVING, "-o", "xml")).isEqualTo(64);
    assertThat(err.toString()).contains("give one of table, wide, json, yaml, name");
  }

  @Test
  void aScenarioInYamlIsPlayed() throws IOException {
    Path file = directory.resolve("scenario.yaml");
    Files.writeString(
        file,
        """
        # A comment.
        from: 2026-03-01T00:00:00Z
        to: 2026-03-02T00:00:00Z
        schedules:
          default/nightly:
            trigger: {type: cron, expression: "0 0 3 * * ?"}
            target: {queue: exports, template: {date: "${yesterdaysDate}", price: 1.50}}
        """);
    assertThat(run("simulate", file.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("2026-03-01T03:00:00.000Z  default/nightly")
        .contains("exports: {\"date\":\"2026-02-28\",\"price\":1.50}");
  }

  @Test
  void controlCharactersOfAScenarioDoNotReachTheScreen() throws IOException {
    Path file = directory.resolve("control.json");
    String scenario = Files.readString(Path.of(DAYLIGHT_SAVING));
    Files.writeString(file, scenario.replace("\"date\"", "\"date\u009b\""));
    assertThat(run("simulate", file.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("{\"date?\":");
  }

  @Test
  void anOutputThatIsNotWrittenWholeEndsWithOne() {
    PrintWriter full =
        new PrintWriter(
            new Writer() {
              @Override
              public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("no space is left");
              }

              @Override
              public void flush() {}

              @Override
              public void close() {}
            });
    int code =
        Main.commandLine()
            .setOut(full)
            .setErr(new PrintWriter(err, true))
            .execute("simulate", DAYLIGHT_SAVING);
    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("the output could not be written whole");
  }

  @Test
  void theOutputIsUtf8WithAnyLocale() throws Exception {
    Path file = directory.resolve("other.json");
    String scenario = Files.readString(Path.of(DAYLIGHT_SAVING));
    Files.writeString(file, scenario.replace("\"date\"", "\"größe\""));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=US-ASCII",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "simulate",
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(printed).contains("{\"größe\":");
  }

  @Test
  void everyFaultIsReported() throws IOException {
    Path file = directory.resolve("wrong.json");
    Files.writeString(file, "{\"to\": \"tomorrow\", \"steps\": {}}");
    assertThat(run("simulate", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("/from: ", "/to: ", "/steps: ");
  }

  @Test
  void aFileThatIsNoScenarioIsNamed() throws IOException {
    Path missing = directory.resolve("missing.json");
    assertThat(run("simulate", missing.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(missing + ": it cannot be read; name an existing file");
    Path binary = directory.resolve("binary.json");
    Files.write(binary, new byte[] {(byte) 0xff});
    assertThat(run("simulate", binary.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(binary + " is not a text in UTF-8");
    Path text = directory.resolve("text.json");
    Files.writeString(text, "{\"from\": ");
    assertThat(run("simulate", text.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(text + " is not JSON at line 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from: [1              | :1: column 9: while parsing a flow sequence: expected ',' or ']', but got <stream end>",
        "from: {a: ${b}}       | :1: column 12: while parsing a flow mapping: expected ',' or '}', but got {; put the value in quotes",
        "from: */5 * * * *     | :1: column 8: while scanning an alias: unexpected character found /(47); put the value in quotes",
        "from:\\n\\ta: 1        | :2: column 1: ",
        "from: 1\\nfrom: 2      | :2: Duplicate field 'from'",
        "from: &a 1\\nto: *a    | :2: the alias *a is not supported; write the value itself",
        "from: 1\\n---\\nfrom: 2 | :3: a second document begins here; give one document"
      })
  void aFaultOfYamlIsNamedWithItsLine(String text, String fault) throws IOException {
    Path file = directory.resolve("scenario.yaml");
    Files.writeString(file, text.translateEscapes());
    assertThat(run("simulate", file.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("carillon: " + file + fault);
  }

  @Test
  void aTabIsToBeASpace() throws IOException {
    Path file = Files.writeString(directory.resolve("scenario.yaml"), "from:\n\ta: 1\n");
    assertThat(run("simulate", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("; use spaces instead of tabs");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
