package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The OpenAPI document and its description of requests and responses. */
final class OpenApi {

  static final Path FILE = Path.of("src/main/resources/dev/carillon/api/openapi.yaml");
  static final JsonNode DOCUMENT = read();

  /** The only schema that does not list all members, because they depend on the type. */
  private static final JsonNode TRIGGER = DOCUMENT.at("/components/schemas/Trigger");

  private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  private static final Pattern ONE_FORM =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");

  private OpenApi() {}

  /** An operation of a path. */
  record Operation(String method, String path, JsonNode node) {

    List<JsonNode> parameters(String in) {
      return node.path("parameters")
          .valueStream()
          .map(OpenApi::resolved)
          .filter(parameter -> parameter.path("in").asText().equals(in))
          .toList();
    }

    Set<String> names(String in) {
      Set<String> names = new TreeSet<>();
      parameters(in).forEach(parameter -> names.add(parameter.path("name").asText()));
      return names;
    }

    Set<Integer> statuses() {
      Set<Integer> statuses = new TreeSet<>();
      node.path("responses").fieldNames().forEachRemaining(it -> statuses.add(Integer.valueOf(it)));
      return statuses;
    }

    /** The members that its body can have; empty if it accepts no body. */
    Set<String> members() {
      return OpenApi.names(
          resolved(node.at("/requestBody/content/application~1json/schema")).path("properties"));
    }

    boolean takesBody() {
      return node.has("requestBody");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        operations.add(
            new Operation(
                method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()));
      }
    }
    return operations;
  }

  static List<String> paths() {
    return List.copyOf(names(DOCUMENT.path("paths")));
  }

  /** Asserts that the document describes the response: its status, its type and its body. */
  static void assertKnows(String method, String path, Caller.Reply reply) {
    JsonNode operation = DOCUMENT.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
    if (operation.isMissingNode()) {
      assertThat(reply.status()).as("an undocumented response is a 404 or 405").isIn(404, 405);
      return;
    }
    String what = method + " " + path + " " + reply.status();
    JsonNode response = operation.path("responses").path(Integer.toString(reply.status()));
    assertThat(response.isMissingNode()).as(what + " is not documented").isFalse();
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      assertThat(reply.body()).as(what).isEmpty();
      return;
    }
    String type = reply.headers().get("Content-Type");
    assertThat(names(content)).as(what).containsExactly(type);
    assertThat(reply.headers().keySet()).as(what).containsAll(names(response.path("headers")));
    List<String> faults = new ArrayList<>();
    check(reply.json(), content.path(type).path("schema"), "", faults);
    checkInstants(reply.json(), "", faults);
    assertThat(faults).as(what + " " + reply.body()).isEmpty();
  }

  /** The examples of an answer by name; one that is alone has an empty name. */
  static Map<String, JsonNode> examples(JsonNode content) {
    Map<String, JsonNode> examples = new LinkedHashMap<>();
    if (content.has("example")) {
      examples.put("", content.path("example"));
    }
    content
        .path("examples")
        .properties()
        .forEach(it -> examples.put(it.getKey(), it.getValue().path("value")));
    return examples;
  }

  /** The faults of an example; it leaves out members that are null. */
  static List<String> faultsOfExample(JsonNode example, JsonNode schema) {
    List<String> faults = new ArrayList<>();
    check(example, schema, "", faults);
    checkInstants(example, "", faults);
    faults.removeIf(fault -> fault.endsWith(" is missing") && isNullable(fault, schema));
    return faults;
  }

  /** Whether the member at the pointer that begins a fault can be null. */
  private static boolean isNullable(String fault, JsonNode schema) {
    JsonNode at = resolved(schema);
    for (String name : fault.substring(1, fault.indexOf(' ')).split("/")) {
      at = resolved(name.matches("\\d+") ? at.path("items") : at.path("properties").path(name));
    }
    return at.path("nullable").asBoolean();
  }

  /**
   * Adds a fault for each member that the schema does not know, and for each missing required
   * member.
   */
  private static void check(JsonNode value, JsonNode schema, String pointer, List<String> faults) {
    JsonNode rule = resolved(schema);
    if (value.isNull() && rule.path("nullable").asBoolean()) {
      return;
    }
    String type = rule.path("type").asText("any");
    if (!isOf(type, value)) {
      faults.add(pointer + " is no " + type);
      return;
    }
    if (rule.has("enum") && rule.path("enum").valueStream().noneMatch(value::equals)) {
      faults.add(pointer + " is none of " + rule.path("enum"));
    }
    if (rule.has("pattern")
        && !Pattern.compile(rule.path("pattern").asText()).matcher(value.asText()).find()) {
      faults.add(pointer + " is not like " + rule.path("pattern"));
    }
    if (value.isNumber() && isOutside(value.decimalValue(), rule)) {
      faults.add(pointer + " is not within the bounds");
    }
    if (rule.has("maxLength") && value.asText().length() > rule.path("maxLength").asInt()) {
      faults.add(pointer + " is longer than " + rule.path("maxLength"));
    }
    rule.path("required")
        .valueStream()
        .filter(name -> !value.has(name.asText()))
        .forEach(name -> faults.add(pointer + "/" + name.asText() + " is missing"));
    if (rule.has("properties")) {
      checkMembers(value, rule, pointer, faults);
    }
    if (rule.has("items")) {
      for (int index = 0; index < value.size(); index++) {
        check(value.get(index), rule.path("items"), pointer + "/" + index, faults);
      }
    }
  }

  private static boolean isOutside(BigDecimal number, JsonNode rule) {
    return (rule.has("minimum") && number.compareTo(rule.path("minimum").decimalValue()) < 0)
        || (rule.has("maximum") && number.compareTo(rule.path("maximum").decimalValue()) > 0);
  }

  /** Instants have one form, except those that documents and examples of requests hold. */
  private static void checkInstants(JsonNode value, String pointer, List<String> faults) {
    boolean isInstant = value.isTextual() && INSTANT.matcher(value.asText()).matches();
    if (isInstant
        && !pointer.contains("/schedule/")
        && !pointer.contains("/example")
        && !ONE_FORM.matcher(value.asText()).matches()) {
      faults.add(pointer + " has another form than other instants");
    }
    value
        .properties()
        .forEach(it -> checkInstants(it.getValue(), pointer + "/" + it.getKey(), faults));
    for (int index = 0; value.isArray() && index < value.size(); index++) {
      checkInstants(value.get(index), pointer + "/" + index, faults);
    }
  }

  private static void checkMembers(
      JsonNode value, JsonNode rule, String pointer, List<String> faults) {
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      JsonNode known = rule.path("properties").path(member.getKey());
      String at = pointer + "/" + member.getKey();
      if (!known.isMissingNode()) {
        check(member.getValue(), known, at, faults);
      } else if (rule != TRIGGER) {
        faults.add(at + " is not documented");
      }
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      default -> true;
    };
  }

  static JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isTextual() ? DOCUMENT.at(reference.asText().substring(1)) : node;
  }

  static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode read() {
    try {
      String text = Files.readString(FILE);
      Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      return new ObjectMapper().valueToTree(read);
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }
}
