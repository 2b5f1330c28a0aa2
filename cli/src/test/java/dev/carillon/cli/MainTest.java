package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line in a process of its own. */
@Timeout(60)
class MainTest {

  private static final String GAUGE =
      """
      {"namespace": "default", "name": "disk", "value": 12.5, "known": true, "waiting": 0,
       "reportedAt": "2030-01-01T00:00:00Z", "reportedBy": "ann",
       "expiresAt": "2030-01-01T01:00:00Z"}
      """;

  /** The process switches off most of the library's converters. */
  @Test
  void aDurationIsReadInAProcessToo(@TempDir Path directory) throws Exception {
    try (Stub stub = new Stub().answers(200, GAUGE)) {
      String output =
          run(directory, "resources", "put", "disk", "12.5", "--ttl", "PT1H", "--url", stub.uri());

      assertThat(output).contains("Expires");
      assertThat(stub.requests).containsExactly("PUT /v1/namespaces/default/resources/disk");
      assertThat(run(directory, "resources", "put", "disk", "1", "--ttl", "long"))
          .contains("'long' is not a value of --ttl; give a duration like PT1H");
    }
  }

  private static String run(Path directory, Object... words)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder();
    builder
        .command()
        .addAll(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    for (Object word : words) {
      builder.command().add(word.toString());
    }
    builder.environment().put("CARILLON_CONFIG", directory.resolve("none.yaml").toString());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
