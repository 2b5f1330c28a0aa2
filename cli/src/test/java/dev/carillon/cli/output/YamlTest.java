package dev.carillon.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.apply.SourceFile;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written as YAML, {@code apply} reads as the same value. */
class YamlTest {

  @TempDir private Path directory;

  private JsonNode readBack(JsonNode value) throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), Yaml.text(value));
    return SourceFile.read(file).tree();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "1.50",
        "1e5",
        "1234e56",
        "1_000",
        "017",
        "0x1F",
        "0b101",
        ".inf",
        ".nan",
        "1:30",
        "12:30.5",
        "-190:20:30.5",
        "",
        "~",
        "null",
        "true",
        "on",
        "2026-03-01",
        "1e5\n2"
      })
  void aStringReadsBackAsItself(String text) throws IOException {
    ObjectNode value = Json.object().put("a", text);
    value.putArray("list").add(text);
    value.put(text, "b");
    assertThat(readBack(value)).isEqualTo(value);
  }

  @Test
  void onlyWhatReadsAsAnotherTypeIsQuoted() {
    ObjectNode value = Json.object().put("cron", "0 0 3 * * ?").put("at", "2026-03-01T03:00:00Z");
    value.put("id", "1e5").put("length", "12:30.5").put("max", 3);
    assertThat(Yaml.text(value))
        .isEqualTo(
            "cron: 0 0 3 * * ?\nat: 2026-03-01T03:00:00Z\nid: \"1e5\"\nlength: \"12:30.5\"\nmax: 3\n");
  }
}
