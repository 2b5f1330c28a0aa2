package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadmeTest {

  /** Each page, and the number of the example that it shows. */
  @ParameterizedTest
  @CsvSource({"README.md, 1", "../README.md, 1", "../docs/guide/write-a-worker.md, 2"})
  void itShowsTheCodeThatIsCompiled(String page, int number) throws IOException {
    String code = Files.readString(Path.of("src/test/java/dev/carillon/worker/Example.java"));
    String example = code.split("// begin\n")[number].split("    // end")[0];
    assertThat(Files.readString(Path.of(page)))
        .contains("```java\n" + example.replaceAll("(?m)^ {4}", "") + "```");
  }
}
