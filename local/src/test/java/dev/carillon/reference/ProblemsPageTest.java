package dev.carillon.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of problems lists the types of the OpenAPI document, which a test holds to the code. */
class ProblemsPageTest {

  private static final Path PAGE = Path.of("../docs/reference/problems.md");
  private static final String PREFIX = "urn:carillon:problem:";
  private static final Pattern SECTION =
      Pattern.compile(
          "(?ms)^## (\\S+)\\n\\n`(\\S+)` · (\\S+) · ([^\\n]+)\\n\\n\\*\\*Cause\\.\\*\\* [^\\n]+\\n\\n(?:\\* [^\\n]+\\n+)*"
              + "\\*\\*Remedy\\.\\*\\* [^\\n]+\\n\\n```json\\n([^`]+)\\n```");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void eachTypeHasCauseRemedyAndExample() throws IOException {
    Map<String, JsonNode> examples = new TreeMap<>();
    Matcher section = SECTION.matcher(Files.readString(PAGE));
    while (section.find()) {
      JsonNode example = JSON.readTree(section.group(5));
      assertThat(section.group(2)).isEqualTo(PREFIX + section.group(1));
      assertThat(example.path("type").asText()).isEqualTo(section.group(2));
      assertThat(example.path("title").asText()).isEqualTo(section.group(4));
      assertThat(example.path("status").asText(section.group(3))).isEqualTo(section.group(3));
      assertThat(example.path("detail").asText()).isNotBlank();
      assertThat(example.path("errors").isArray()).isTrue();
      examples.put(section.group(2), example);
    }
    Set<String> documented = new TreeSet<>();
    ApiReference.document()
        .at("/components/schemas/Problem/properties/type/enum")
        .forEach(type -> documented.add(type.asText()));
    assertThat(examples.keySet()).isEqualTo(documented);
    assertTitlesOfTheGateway(examples);
  }

  private static void assertTitlesOfTheGateway(Map<String, JsonNode> examples) throws IOException {
    for (JsonNode response :
        ApiReference.document().path("x-amazon-apigateway-gateway-responses")) {
      String template = response.at("/responseTemplates/application~1json").asText();
      JsonNode problem = JSON.readTree(template.replace("$context.error.messageString", "\"why\""));
      assertThat(problem.path("title"))
          .isEqualTo(examples.get(problem.path("type").asText()).path("title"));
      assertThat(problem.path("status"))
          .isEqualTo(examples.get(problem.path("type").asText()).path("status"));
    }
  }
}
