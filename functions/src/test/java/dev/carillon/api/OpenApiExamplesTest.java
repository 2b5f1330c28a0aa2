package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.api.OpenApi.Operation;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything in the OpenAPI document is described, and its examples work: the handler accepts each
 * request, and each answer fits its schema.
 */
class OpenApiExamplesTest {

  private static final String NAMESPACE = "/v1/namespaces/default";

  /** The state of the job before the examples about its run. */
  private static final Map<String, JobState> TRACKED =
      Map.of(
          "claimJob", JobState.ENQUEUED,
          "reportHeartbeat", JobState.CLAIMED,
          "reportSuccess", JobState.CLAIMED,
          "reportFailure", JobState.CLAIMED,
          "retryJob", JobState.FAILED);

  static List<Operation> operations() {
    return OpenApi.operations();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theHandlerAcceptsTheExampleRequest(Operation operation) {
    send(operation, "", Map.of());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theHandlerAcceptsTheExampleOfEachParameter(Operation operation) {
    for (JsonNode parameter : operation.parameters("query")) {
      if (parameter.has("example")) {
        String name = parameter.path("name").asText();
        send(operation, "?" + name + "=" + parameter.path("example").asText(), Map.of());
      }
    }
    for (JsonNode parameter : operation.parameters("header")) {
      String name = parameter.path("name").asText();
      send(operation, "", Map.of(name, parameter.path("example").asText()));
    }
  }

  private static void send(Operation operation, String query, Map<String, String> headers) {
    Caller caller = prepared(operation);
    int status =
        caller
            .send(operation.method(), path(operation) + query, request(operation), headers)
            .status();
    assertThat(status).as(operation + query).isBetween(200, 299);
  }

  private static @Nullable String request(Operation operation) {
    return operation.takesBody()
        ? operation.node().at("/requestBody/content/application~1json/example").toString()
        : null;
  }

  private static String path(Operation operation) {
    String path = operation.path();
    for (JsonNode parameter : operation.parameters("path")) {
      String name = "{" + parameter.path("name").asText() + "}";
      path = path.replace(name, parameter.path("example").asText());
    }
    return path;
  }

  /** A world that holds all that the examples name. */
  private static Caller prepared(Operation operation) {
    Caller caller = new Caller();
    for (String stored :
        List.of("putCalendar", "putPool", "putResource", "putSchedule", "putApp")) {
      Operation put = operation(stored);
      caller.send("PUT", path(put), request(put), Map.of()).is(201);
    }
    caller.act("hourly-export", "resume", "").is(200);
    caller.act("hourly-export", "launch", "").is(202);
    caller.world.runFor(Duration.ofSeconds(2));
    for (String begun : List.of("launchSchedule", "startBackfill")) {
      Operation post = operation(begun);
      caller.post(path(post), request(post)).is(202);
    }
    caller.world.runFor(Duration.ofSeconds(2));
    String id = operation.node().path("operationId").asText();
    if (id.equals("deleteCalendar")) {
      caller.delete("nightly-export").is(204);
    }
    if (id.equals("deletePool")) {
      caller.delete("hourly-export").is(204);
    }
    JobState tracked = TRACKED.get(id);
    if (tracked != null) {
      TrackedJobs.put(caller.world, JobId.parse(job()), tracked);
    }
    return caller;
  }

  private static String job() {
    return OpenApi.DOCUMENT.at("/components/parameters/JobId/example").asText();
  }

  private static Operation operation(String id) {
    return operations().stream()
        .filter(one -> one.node().path("operationId").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theExamplesNameWhatIsThere() {
    Caller caller = prepared(operation("getJob"));
    assertThat(caller.get(NAMESPACE + "/schedules/nightly-export/jobs").is(200).body())
        .as("the example of the parameter JobId")
        .contains(job());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void exampleAnswersFitTheirSchemas(Operation operation) {
    for (JsonNode response : operation.node().path("responses")) {
      for (JsonNode content : response.path("content")) {
        for (JsonNode example : OpenApi.examples(content).values()) {
          assertThat(OpenApi.faultsOfExample(example, content.path("schema")))
              .as(operation.toString())
              .isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void requestsAndAnswersHaveExamples(Operation operation) {
    if (operation.takesBody()) {
      assertThat(operation.node().at("/requestBody/content/application~1json").has("example"))
          .isTrue();
    }
    for (Map.Entry<String, JsonNode> response : operation.node().path("responses").properties()) {
      JsonNode content = response.getValue().at("/content/application~1json");
      if (content.isObject() && !operation.path().endsWith("openapi.json")) {
        assertThat(OpenApi.examples(content)).as(operation + " " + response.getKey()).isNotEmpty();
      }
    }
  }

  @Test
  void examplesOfRequestsShowEachMember() {
    Set<String> shown = new TreeSet<>();
    Set<String> all = new TreeSet<>();
    for (Operation operation : operations()) {
      JsonNode body = operation.node().at("/requestBody/content/application~1json");
      ShownMembers.addShown(body.path("example"), body.path("schema"), shown);
      ShownMembers.addAll(body.path("schema"), all);
    }
    all.removeAll(shown);
    assertThat(all).isEmpty();
  }

  @Test
  void everythingIsDescribed() {
    List<String> bare = new ArrayList<>();
    for (Operation operation : operations()) {
      require(operation.node(), operation.toString(), bare);
      operation
          .node()
          .path("responses")
          .properties()
          .forEach(it -> require(it.getValue(), operation + " " + it.getKey(), bare));
    }
    OpenApi.DOCUMENT
        .at("/components/parameters")
        .properties()
        .forEach(it -> require(it.getValue(), it.getKey(), bare));
    for (Map.Entry<String, JsonNode> schema :
        OpenApi.DOCUMENT.at("/components/schemas").properties()) {
      require(schema.getValue(), schema.getKey(), bare);
      for (Map.Entry<String, JsonNode> member : schema.getValue().path("properties").properties()) {
        require(member.getValue(), schema.getKey() + "." + member.getKey(), bare);
      }
    }
    assertThat(bare).as("these have no description").isEmpty();
  }

  private static void require(JsonNode node, String name, List<String> bare) {
    if (node.path("description").asText().isBlank()) {
      bare.add(name);
    }
  }

  /** The values of gauges: documents and reports name their own. */
  private static final Set<String> UNBOUNDED =
      Set.of(
          "ResourceReport.value",
          "Resource.value",
          "Limit.bound",
          "Limit.now",
          "Gate.value",
          "ScenarioReport.value");

  @Test
  void eachNumberHasABound() {
    Set<String> unbounded = new TreeSet<>();
    for (Map.Entry<String, JsonNode> schema :
        OpenApi.DOCUMENT.at("/components/schemas").properties()) {
      for (Map.Entry<String, JsonNode> member : schema.getValue().path("properties").properties()) {
        JsonNode rule = member.getValue();
        boolean isNumber = Set.of("integer", "number").contains(rule.path("type").asText());
        if (isNumber && !rule.has("minimum") && !rule.has("maximum")) {
          unbounded.add(schema.getKey() + "." + member.getKey());
        }
      }
    }
    assertThat(unbounded).isEqualTo(new TreeSet<>(UNBOUNDED));
  }

  /** Instants and time zones, whose form is their bound. */
  private static final Pattern FORMS =
      Pattern.compile("(at|from|to|until|after|zone|mode|namespace)");

  @Test
  void eachTextOfARequestHasABound() {
    Set<String> members = new TreeSet<>();
    operations()
        .forEach(
            it ->
                ShownMembers.addAll(
                    it.node().at("/requestBody/content/application~1json/schema"), members));
    assertThat(members).isNotEmpty();
    assertThat(members)
        .filteredOn(
            it -> {
              String name = it.substring(it.lastIndexOf('/') + 1);
              String schema = it.substring(1, it.lastIndexOf('/'));
              JsonNode rule = OpenApi.DOCUMENT.at(schema).path("properties").path(name);
              boolean isBounded =
                  rule.has("maxLength")
                      || rule.has("enum")
                      || rule.has("pattern")
                      || rule.path("description").asText().matches(".*\\d.*");
              return rule.path("type").asText().equals("string")
                  && !isBounded
                  && !FORMS.matcher(name).matches();
            })
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theHandlerRefusesWhatIsOutsideTheBounds(Operation operation) {
    JsonNode body = operation.node().at("/requestBody/content/application~1json");
    for (Map.Entry<String, JsonNode> member :
        OpenApi.resolved(body.path("schema")).path("properties").properties()) {
      for (JsonNode outside : outside(member.getValue())) {
        ObjectNode request = body.path("example").deepCopy();
        request.set(member.getKey(), outside);
        Caller.Reply reply =
            prepared(operation)
                .send(operation.method(), path(operation), request.toString(), Map.of());
        assertThat(reply.status()).as(operation + " " + member.getKey()).isEqualTo(400);
        assertThat(reply.json().path("errors"))
            .extracting(error -> error.path("pointer").asText())
            .contains("/" + member.getKey());
      }
    }
  }

  private static List<JsonNode> outside(JsonNode rule) {
    List<JsonNode> values = new ArrayList<>();
    if (rule.has("maxLength")) {
      values.add(TextNode.valueOf("x".repeat(rule.path("maxLength").asInt() + 1)));
    }
    if (rule.has("minimum")) {
      values.add(LongNode.valueOf(rule.path("minimum").asLong() - 1));
    }
    if (rule.has("maximum")) {
      values.add(LongNode.valueOf(rule.path("maximum").asLong() + 1));
    }
    return values;
  }

  /** A model with an example makes API Gateway refuse the whole document. */
  @Test
  void noSchemaHoldsAnExample() {
    assertThat(OpenApi.DOCUMENT.at("/components/schemas").findValues("example")).isEmpty();
  }

  @Test
  void itStaysFarBelowTheMegabyteOfATemplate() throws Exception {
    assertThat(Files.size(OpenApi.FILE)).isLessThan(400_000);
  }

  @Test
  void theTypesOfProblemsAreThoseOfTheCodeAndOfTheGateway() {
    Set<String> used = new TreeSet<>();
    for (ProblemType type : ProblemType.values()) {
      used.add(type.uri());
    }
    for (JsonNode response : OpenApi.DOCUMENT.path("x-amazon-apigateway-gateway-responses")) {
      String template = response.at("/responseTemplates/application~1json").asText();
      used.add(
          Caller.json(template.replace("$context.error.messageString", "\"why\""))
              .path("type")
              .asText());
    }
    assertThat(documentedTypes()).isEqualTo(used);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void answersNameTheirProblems(Operation operation) {
    Set<String> names =
        documentedTypes().stream()
            .map(uri -> uri.substring(uri.lastIndexOf(':') + 1))
            .collect(Collectors.toSet());
    for (Map.Entry<String, JsonNode> response : operation.node().path("responses").properties()) {
      if (response.getKey().charAt(0) >= '4') {
        for (String part :
            response.getValue().path("description").asText().split("; (?=[a-z-]+:)")) {
          assertThat(names)
              .as(operation + " " + response.getKey())
              .contains(part.substring(0, part.indexOf(':')));
        }
      }
    }
  }

  private static Set<String> documentedTypes() {
    return OpenApi.DOCUMENT
        .at("/components/schemas/Problem/properties/type/enum")
        .valueStream()
        .map(JsonNode::asText)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
