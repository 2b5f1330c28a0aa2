package dev.carillon.reference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The reference page of the API, rendered from the OpenAPI document. */
final class ApiReference {

  static final Path DOCUMENT =
      Path.of("../functions/src/main/resources/dev/carillon/api/openapi.yaml");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** More values than this are a list below the table, as a cell would be too long. */
  private static final int MOST_IN_A_CELL = 8;

  /** Many codes in a description, of a member that can get further codes. */
  private static final Pattern CODES = Pattern.compile("((?:[A-Z_]{5,}, ){8,}[A-Z_]{5,})\\.");

  private final JsonNode document;
  private final StringBuilder page = new StringBuilder();

  private ApiReference(JsonNode document) {
    this.document = document;
  }

  static String render() throws IOException {
    return new ApiReference(document()).page();
  }

  static JsonNode document() throws IOException {
    Object read =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(DOCUMENT));
    return JSON.valueToTree(read);
  }

  private String page() {
    line("# API reference");
    line("");
    line("<!-- Rendered from the OpenAPI document by ApiReferenceTest; change that document. -->");
    line("");
    line(
        "The paths follow the output `ApiUrl` of the stack, or `http://localhost:8080` of"
            + " `./carillon local`. Requests to a stack are"
            + " [signed](../guide/curl-sigv4.md). Refusals are [problems](problems.md).");
    line("");
    line(
        "Instants in answers are UTC and always have milliseconds, like"
            + " `2030-01-31T08:00:00.000Z`; requests can leave these out, or name another offset."
            + " Durations are ISO-8601, of days or less, like `PT6H`. Examples leave out members"
            + " that are null.");
    line("");
    routes();
    line("## Schemas");
    line("");
    document
        .at("/components/schemas")
        .properties()
        .forEach(it -> schema(it.getKey(), it.getValue()));
    return page.toString().stripTrailing() + "\n";
  }

  private void routes() {
    line("## Routes");
    line("");
    line("| route | |");
    line("|---|---|");
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        String id = method.getValue().path("operationId").asText();
        line(
            "| [`%s %s`](#%s) | %s |"
                .formatted(
                    upper(method.getKey()),
                    path.getKey(),
                    id.toLowerCase(Locale.ROOT),
                    method.getValue().path("summary").asText()));
      }
    }
    line("");
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        operation(upper(method.getKey()), path.getKey(), method.getValue());
      }
    }
  }

  private static String upper(String method) {
    return method.toUpperCase(Locale.ROOT);
  }

  private void operation(String method, String path, JsonNode operation) {
    line("### " + operation.path("operationId").asText());
    line("");
    line("`" + method + " " + path + "`");
    line("");
    line(operation.path("description").asText());
    line("");
    parameters(operation.path("parameters"));
    JsonNode body = operation.at("/requestBody/content/application~1json");
    if (body.isObject()) {
      boolean isRequired = operation.at("/requestBody/required").asBoolean();
      line("Body%s: %s.".formatted(isRequired ? "" : " (optional)", link(body.path("schema"))));
      line("");
      example(body.path("example"));
    }
    answers(operation.path("responses"));
  }

  private void parameters(JsonNode parameters) {
    if (parameters.isEmpty()) {
      return;
    }
    line("| parameter | in | | example |");
    line("|---|---|---|---|");
    for (JsonNode reference : parameters) {
      JsonNode parameter = resolved(reference);
      String example =
          parameter.has("example") ? "`" + parameter.path("example").asText() + "`" : "";
      line(
          "| `%s`%s | %s | %s | %s |"
              .formatted(
                  parameter.path("name").asText(),
                  parameter.path("required").asBoolean() ? " (required)" : "",
                  parameter.path("in").asText(),
                  cell(parameter.path("description").asText()),
                  example));
    }
    line("");
  }

  private void answers(JsonNode responses) {
    line("| status | answer |");
    line("|---|---|");
    JsonNode shown = null;
    for (Map.Entry<String, JsonNode> response : responses.properties()) {
      line("| %s | %s |".formatted(response.getKey(), answer(response.getValue())));
      JsonNode content = response.getValue().at("/content/application~1json");
      boolean hasExample = content.has("example") || content.has("examples");
      shown = shown == null && hasExample ? content : shown;
    }
    line("");
    if (shown != null && shown.has("example")) {
      line("An answer:");
      line("");
      example(shown.path("example"));
    } else if (shown != null) {
      for (JsonNode named : shown.path("examples")) {
        line("An answer. " + named.path("summary").asText() + ":");
        line("");
        example(named.path("value"));
      }
    }
  }

  private static String answer(JsonNode response) {
    List<String> parts = new ArrayList<>();
    parts.add(cell(response.path("description").asText()));
    for (Map.Entry<String, JsonNode> content : response.path("content").properties()) {
      if (!content.getKey().equals("application/problem+json")) {
        parts.add(link(content.getValue().path("schema")));
      }
    }
    response
        .path("headers")
        .properties()
        .forEach(
            it ->
                parts.add(
                    "`%s`: %s"
                        .formatted(it.getKey(), cell(it.getValue().path("description").asText()))));
    return String.join("; ", parts);
  }

  private void example(JsonNode example) {
    line("```json");
    try {
      line(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(example));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    line("```");
    line("");
  }

  private void schema(String name, JsonNode schema) {
    line("### " + name);
    line("");
    line(schema.path("description").asText());
    line("");
    if (!schema.has("properties")) {
      return;
    }
    List<String> required =
        schema.path("required").valueStream().map(JsonNode::asText).collect(Collectors.toList());
    line("| member | type | |");
    line("|---|---|---|");
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      JsonNode node = member.getValue();
      line(
          "| `%s`%s | %s | %s%s |"
              .formatted(
                  member.getKey(),
                  required.contains(member.getKey()) ? " (required)" : "",
                  type(node),
                  cell(described(node)),
                  values(node)));
    }
    line("");
    schema.path("properties").properties().forEach(it -> list(it.getKey(), it.getValue()));
  }

  private static String described(JsonNode node) {
    return CODES
        .matcher(node.path("description").asText())
        .replaceFirst("The codes are below the table.");
  }

  /** Lists the values of a member that has many. */
  private void list(String member, JsonNode node) {
    List<String> values = new ArrayList<>();
    if (node.path("enum").size() > MOST_IN_A_CELL) {
      node.path("enum").forEach(it -> values.add(it.asText()));
    }
    Matcher codes = CODES.matcher(node.path("description").asText());
    if (codes.find()) {
      values.addAll(List.of(codes.group(1).split(", ")));
    }
    if (!values.isEmpty()) {
      line("Values of `" + member + "`:");
      line("");
      values.forEach(it -> line("* `" + it + "`"));
      line("");
    }
  }

  private static String values(JsonNode node) {
    if (node.path("enum").size() > MOST_IN_A_CELL) {
      return " The values are below the table.";
    }
    return node.has("enum")
        ? " One of "
            + node.path("enum")
                .valueStream()
                .map(it -> "`" + it.asText() + "`")
                .collect(Collectors.joining(", "))
            + "."
        : "";
  }

  private static String type(JsonNode node) {
    if (node.has("$ref")) {
      return link(node);
    }
    String type = node.path("type").asText("any");
    if (type.equals("array")) {
      type = "list of " + type(node.path("items"));
    } else if (node.has("additionalProperties")) {
      type = "by name " + type(node.path("additionalProperties"));
    }
    return type + (node.path("nullable").asBoolean() ? " or null" : "");
  }

  private static String link(JsonNode reference) {
    String name = reference.path("$ref").asText().replaceAll(".*/", "");
    return "[%s](#%s)".formatted(name, name.toLowerCase(Locale.ROOT));
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
  }

  private static String cell(String text) {
    return text.strip().replace("|", "\\|");
  }

  private void line(String text) {
    page.append(text).append('\n');
  }
}
