package dev.carillon.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ApiReferenceTest {

  private static final Path PAGE = Path.of("../docs/reference/api.md");
  private static final String WRITE = "api.reference";

  /** With {@code -Dapi.reference=write} it writes the page. */
  @Test
  void thePageIsThatOfTheOpenApiDocument() throws IOException {
    String rendered = ApiReference.render();
    if ("write".equals(System.getProperty(WRITE))) {
      Files.writeString(PAGE, rendered);
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as(
            "docs/reference/api.md is out of date; write it by: mvn -pl local -am test"
                + " -Dtest=ApiReferenceTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dapi.reference=write")
        .isEqualTo(rendered);
  }
}
