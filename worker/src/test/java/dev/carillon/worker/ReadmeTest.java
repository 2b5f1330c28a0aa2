package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeTest {

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "../README.md"})
  void itShowsTheCodeThatIsCompiled(String readme) throws IOException {
    String code = Files.readString(Path.of("src/test/java/dev/carillon/worker/Example.java"));
    String example = code.substring(code.indexOf("// begin") + 9, code.indexOf("    // end"));
    assertThat(Files.readString(Path.of(readme)))
        .contains("```java\n" + example.replaceAll("(?m)^ {4}", "") + "```");
  }
}
