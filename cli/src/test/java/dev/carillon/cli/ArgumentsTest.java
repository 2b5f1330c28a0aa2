package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An argument is what it is written as, whatever its first character. */
@Timeout(60)
class ArgumentsTest {

  private static final String LAUNCHED = "{\"jobId\": \"j\", \"heldBy\": []}";

  @TempDir private Path directory;

  @Test
  void anAtSignBeginsATextAndNamesNoFileOfArguments() throws IOException {
    Path file =
        Files.writeString(directory.resolve("payload"), "a --priority 0 --ignore-constraints");

    for (Object named : List.of(file, directory.resolve("absent"))) {
      try (Stub stub = new Stub().answers(202, LAUNCHED)) {
        Result launch =
            Call.to(stub.uri()).run(List.of("schedules", "launch", "a", "--payload", "@" + named));

        assertThat(launch.code()).as(launch.err()).isZero();
        assertThat(stub.bodies).containsExactly("{\"payload\":\"@" + named + "\"}");
      }
    }
  }

  @Test
  void aFileOfArgumentsIsNotReadBySubcommandsEither() throws IOException {
    Path file = Files.writeString(directory.resolve("words"), "list");

    Result result = Call.to("http://localhost:1").run(List.of("schedules", "@" + file));
    assertThat(result.code()).isEqualTo(64);
    assertThat(result.err()).contains("there is no command '@" + file + "'");
  }
}
