package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.OpenApi.Operation;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Schedules;
import dev.carillon.system.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the handler to the OpenAPI document. Every response of every test in this package is
 * checked too.
 */
class OpenApiTest {

  private static final String NAME = "thing";
  private static final Pattern KNOWN = Pattern.compile("the known fields are (.*)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

  /** The statuses that API Gateway itself returns, or that only a broken function returns. */
  private static final Set<Integer> OF_THE_GATEWAY = Set.of(403, 429, 500, 502, 504);

  static List<Operation> operations() {
    return OpenApi.operations();
  }

  @Test
  void routesAndDocumentedPathsAreTheSame() {
    Map<String, Set<String>> documented = new TreeMap<>();
    operations()
        .forEach(
            it -> documented.computeIfAbsent(it.path(), p -> new TreeSet<>()).add(it.method()));
    assertThat(new Caller().api.routes()).isEqualTo(documented);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void parametersInThePathAreDocumented(Operation operation) {
    Set<String> inPath = new TreeSet<>();
    Pattern.compile("\\{(\\w+)}")
        .matcher(operation.path())
        .results()
        .forEach(match -> inPath.add(match.group(1)));
    assertThat(operation.names("path")).isEqualTo(inPath);
    assertThat(operation.parameters("path"))
        .allMatch(parameter -> parameter.path("required").asBoolean());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theQueryAcceptsExactlyTheDocumentedParameters(Operation operation) {
    Attempt attempt = new Attempt(operation);
    Caller.Reply reply = attempt.query("?zzzzzzzz=1").is(400);
    assertThat(reply.pointers()).containsExactly("/query/zzzzzzzz");
    assertThat(known(reply, "/query/zzzzzzzz")).isEqualTo(operation.names("query"));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theBodyAcceptsExactlyTheDocumentedMembers(Operation operation) {
    Caller.Reply reply = new Attempt(operation).body("{\"zzzzzzzz\": 1}");
    assertThat(known(reply, "/zzzzzzzz")).isEqualTo(operation.members());
  }

  /** The names that a refusal lists as known; empty if none is known or all are ignored. */
  private static Set<String> known(Caller.Reply reply, String pointer) {
    Set<String> names = new TreeSet<>();
    if (reply.status() != 400) {
      return names;
    }
    for (JsonNode error : reply.json().path("errors")) {
      var listed = KNOWN.matcher(error.path("detail").asText());
      if (error.path("pointer").asText().equals(pointer) && listed.find()) {
        QUOTED.matcher(listed.group(1)).results().forEach(name -> names.add(name.group(1)));
      }
    }
    return names;
  }

  @ParameterizedTest
  @MethodSource("operations")
  void preconditionsAreAcceptedWhereTheyAreDocumented(Operation operation) {
    boolean holds = new Attempt(operation).headers(Map.of("If-Match", "\"other\"")).status() == 412;
    assertThat(operation.names("header"))
        .isEqualTo(holds ? Set.of("If-Match", "If-None-Match") : Set.of());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void exactlyTheDocumentedStatusesOccur(Operation operation) {
    Set<Integer> answered = new TreeSet<>();
    for (Provocation provocation : PROVOCATIONS) {
      answered.add(provocation.of(operation).status());
    }
    Set<Integer> documented = operation.statuses();
    assertThat(documented).containsAll(OF_THE_GATEWAY).containsAll(answered);
    answered.removeAll(OF_THE_GATEWAY);
    documented.removeAll(OF_THE_GATEWAY);
    assertThat(answered).isEqualTo(documented);
  }

  @FunctionalInterface
  private interface Provocation {
    Caller.Reply of(Operation operation);
  }

  /** An app with two schedules, which change with the description. */
  private static String app(String name, String description) {
    String more = ", \"program\": \"exporter\", \"description\": \"" + description + "\"";
    String document = Docs.of(Docs.DAILY, more);
    return "{\"programs\": [\"exporter\"], \"schedules\": {\"%s1\": %s, \"%s2\": %s}}"
        .formatted(name, document, name, document);
  }

  private static String backfill(boolean dryRun) {
    return "{\"from\": \"2026-01-01T00:00:00Z\", \"to\": \"2026-01-01T00:10:00Z\", \"dryRun\": %b}"
        .formatted(dryRun);
  }

  /** All situations that an operation can meet. */
  private static final List<Provocation> PROVOCATIONS =
      List.of(
          operation -> new Attempt(operation).plain(),
          operation -> new Attempt(operation, new Caller()).without(NAME).plain(),
          operation -> new Attempt(operation).in("b@d"),
          operation -> new Attempt(operation).query("?zzzzzzzz=1"),
          operation -> new Attempt(operation).body("{"),
          operation -> new Attempt(operation).body(" ".repeat(7 * 1024 * 1024)),
          operation -> new Attempt(operation).headers(Map.of("Content-Type", "text/plain")),
          operation -> new Attempt(operation).headers(Map.of("If-Match", "\"other\"")),
          operation -> new Attempt(operation).suspended().plain(),
          operation -> new Attempt(operation).crowded().plain(),
          operation -> new Attempt(operation).waitingForData().plain(),
          operation -> new Attempt(operation).tracked(JobState.ENQUEUED).plain(),
          operation -> new Attempt(operation).tracked(JobState.CLAIMED).plain(),
          operation -> new Attempt(operation).tracked(JobState.FAILED).plain(),
          operation -> new Attempt(operation).body(backfill(true)),
          operation -> new Attempt(operation).withoutIngestQueue().plain(),
          operation -> new Attempt(operation).losingCalendarRaces().plain(),
          operation -> new Attempt(operation).losingPoolRaces().plain(),
          operation -> new Attempt(operation).losingGateRaces().plain(),
          operation -> new Attempt(operation).losingBackfillRaces().plain(),
          operation -> racing(operation, attempt -> attempt),
          operation -> racing(operation, Attempt::suspended),
          OpenApiTest::slow,
          OpenApiTest::lagging,
          operation -> failing(operation, Caller.Throttled::new),
          operation -> failing(operation, () -> new IllegalStateException("broken")));

  private static Caller.Reply racing(Operation operation, UnaryOperator<Attempt> before) {
    Breakable breakable = new Breakable();
    Attempt attempt = new Attempt(operation, new Caller(new World(Caller.NOW), breakable::around));
    before.apply(attempt);
    breakable.losesRaces = true;
    return attempt.plain();
  }

  /** Makes each change so slow that there is no time for a second one. */
  private static Caller.Reply slow(Operation operation) {
    Breakable breakable = new Breakable();
    World world = new World(Caller.NOW);
    Attempt attempt = new Attempt(operation, new Caller(world, breakable::around));
    breakable.beforeSave = () -> world.setClock(world.now().plusSeconds(30).toString());
    return attempt.plain();
  }

  /** Keeps stored schedules out of the index. */
  private static Caller.Reply lagging(Operation operation) {
    Breakable breakable = new Breakable();
    Caller caller = new Caller(new World(Caller.NOW), breakable::around);
    Attempt attempt = new Attempt(operation, caller).waitingForData();
    String id = operation.node().path("operationId").asText();
    if (id.equals("resumeSchedule")) {
      attempt.suspended();
    }
    breakable.hidesIndex = true;
    return switch (id) {
      case "putSchedule" -> attempt.body(Docs.active(Docs.partition("e", 1)));
      case "suspendSchedule" -> attempt.body("{\"mode\": \"backlog\"}");
      default -> attempt.plain();
    };
  }

  private static Caller.Reply failing(Operation operation, Supplier<RuntimeException> failure) {
    Breakable breakable = new Breakable();
    Attempt attempt = new Attempt(operation, new Caller(new World(Caller.NOW), breakable::around));
    breakable.failure = failure;
    return attempt.plain();
  }

  /** Schedules that fail, or whose changes lose every race. */
  private static final class Breakable {
    private @Nullable Supplier<RuntimeException> failure;
    private boolean losesRaces;
    private boolean hidesIndex;
    private Runnable beforeSave = () -> {};

    Schedules around(Schedules stored) {
      return (Schedules)
          Proxy.newProxyInstance(
              Schedules.class.getClassLoader(),
              new Class<?>[] {Schedules.class},
              (proxy, method, arguments) -> answer(stored, method, arguments));
    }

    private Object answer(Schedules stored, Method method, Object[] arguments) throws Throwable {
      if (failure != null) {
        throw failure.get();
      }
      if (hidesIndex && method.getName().equals("indexShows")) {
        return false;
      }
      if (method.getName().equals("save")) {
        beforeSave.run();
      }
      if (losesRaces && method.getName().equals("save")) {
        return false;
      }
      try {
        return method.invoke(stored, arguments);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }
  }

  /** A valid request, to be made invalid in one way. */
  private static final class Attempt {
    private static final String OF_PROGRAM = ", \"program\": \"" + NAME + "\"";

    private final Operation operation;
    private final Caller caller;
    private final String job;
    private final String backfill;
    private String name = NAME;

    Attempt(Operation operation) {
      this(operation, new Caller());
    }

    Attempt(Operation operation, Caller caller) {
      this.operation = operation;
      this.caller = caller;
      caller.put(NAME, Docs.active(Docs.MINUTELY)).is(201);
      caller.put("second", Docs.of(Docs.DAILY, OF_PROGRAM)).is(201);
      caller
          .send("PUT", "/v1/namespaces/default/apps/" + NAME, app(NAME, "stored"), Map.of())
          .is(201);
      caller.send("PUT", "/v1/namespaces/default/calendars/" + NAME, "{}", Map.of()).is(201);
      caller.send("PUT", "/v1/namespaces/default/pools/" + NAME, "{}", Map.of()).is(201);
      caller
          .send("PUT", "/v1/namespaces/default/resources/" + NAME, "{\"value\": 1}", Map.of())
          .is(201);
      this.job = caller.act(NAME, "launch", "").is(202).json().path("jobId").asText();
      this.backfill =
          caller.act(NAME, "backfill", backfill(false)).is(202).json().path("backfillId").asText();
    }

    Attempt without(String absent) {
      name = "no-" + absent;
      return this;
    }

    /** If the operation concerns a program, makes more schedules launch it than one list merges. */
    Attempt crowded() {
      int more = operation.path().contains("/programs/") ? ProgramRoutes.MOST_MERGED : 0;
      for (int i = 0; i < more; i++) {
        caller.put("s" + i, Docs.of(Docs.DAILY, OF_PROGRAM)).is(201);
      }
      return this;
    }

    Attempt suspended() {
      caller.act(NAME, "suspend", "").is(200);
      return this;
    }

    Attempt waitingForData() {
      caller.put(NAME, Docs.active(Docs.partition("d", 1))).is(200);
      return this;
    }

    Attempt tracked(JobState state) {
      TrackedJobs.put(caller.world, JobId.parse(job), state);
      return this;
    }

    Attempt losingCalendarRaces() {
      caller.calendarsLoseRaces = true;
      return this;
    }

    Attempt losingPoolRaces() {
      caller.poolsLoseRaces = true;
      return this;
    }

    Attempt losingGateRaces() {
      caller.gatesLoseRaces = true;
      return this;
    }

    Attempt losingBackfillRaces() {
      caller.backfillsLoseRaces = true;
      return this;
    }

    Attempt withoutIngestQueue() {
      caller.ingestFails = true;
      return this;
    }

    Caller.Reply plain() {
      return send("default", "", operation.takesBody() ? usualBody() : null, Map.of());
    }

    Caller.Reply in(String namespace) {
      return send(namespace, "", operation.takesBody() ? usualBody() : null, Map.of());
    }

    Caller.Reply query(String query) {
      return send("default", query, operation.takesBody() ? usualBody() : null, Map.of());
    }

    Caller.Reply body(String body) {
      return send("default", "", body, Map.of());
    }

    Caller.Reply headers(Map<String, String> headers) {
      return send("default", "", operation.takesBody() ? usualBody() : null, headers);
    }

    private String usualBody() {
      return switch (operation.node().path("operationId").asText()) {
        case "putSchedule" -> Docs.active(Docs.DAILY);
        case "putCalendar" -> "{\"dates\": [\"2026-12-25\"]}";
        case "nextJobs" -> "{\"worker\": \"w\"}";
        case "putPool" -> "{\"queue\": \"work\"}";
        case "putResource" -> "{\"value\": 3, \"ttl\": \"PT1H\"}";
        case "putApp" -> app(name, "wanted");
        case "startBackfill" -> backfill(false);
        case "claimJob" -> "{\"worker\": \"another\"}";
        case "reportHeartbeat", "reportSuccess", "reportFailure" ->
            "{\"claimToken\": \"" + TrackedJobs.TOKEN + "\"}";
        case "retryJobs", "cancelJobs" -> "{\"schedule\": \"" + name + "\"}";
        case "sendEvents" -> "{\"events\": [{\"eventType\": \"a\"}]}";
        case "previewDocument", "previewNamedDocument" ->
            "{\"schedule\": " + Docs.of(Docs.DAILY) + "}";
        case "simulate" -> "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-02T00:00:00Z\"}";
        default -> "{}";
      };
    }

    private Caller.Reply send(
        String namespace, String query, @Nullable String body, Map<String, String> headers) {
      String path =
          operation
              .path()
              .replace("{ns}", namespace)
              .replace("{name}", name)
              .replace("{app}", name)
              .replace("{program}", name)
              .replace("{pool}", name)
              .replace("backfills/{id}", "backfills/" + (name.equals(NAME) ? backfill : name))
              .replace("{id}", name.equals(NAME) ? job : name);
      return caller.send(operation.method(), path + query, body, headers);
    }
  }

  @Test
  void theApiServesTheDocumentWithoutExtensionsForApiGateway() {
    JsonNode served = new Caller().get("/v1/openapi.json").is(200).json();
    assertThat(served.toString()).doesNotContain("x-amazon-apigateway").doesNotContain("Fn::");
    assertThat(OpenApi.names(served.path("paths"))).isEqualTo(Set.copyOf(OpenApi.paths()));
    assertThat(served.at("/components/schemas"))
        .isEqualTo(OpenApi.DOCUMENT.at("/components/schemas"));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationRequiresASignatureAndInvokesTheAlias(Operation operation) {
    JsonNode node = operation.node();
    assertThat(node.path("security").toString()).isEqualTo("[{\"sigv4\":[]}]");
    JsonNode integration = node.path("x-amazon-apigateway-integration");
    assertThat(integration.path("type").asText()).isEqualTo("aws_proxy");
    assertThat(integration.path("httpMethod").asText()).isEqualTo("POST");
    assertThat(integration.path("uri").path("Fn::Sub").asText())
        .endsWith("/functions/${ApiFunction.Alias}/invocations");
  }

  @Test
  void operationIdsAreUnique() {
    Set<String> seen = new HashSet<>();
    assertThat(operations()).allMatch(it -> seen.add(it.node().path("operationId").asText()));
  }

  /**
   * Checks the known restrictions of API Gateway's import, because no test can call API Gateway
   * itself.
   */
  @Test
  void apiGatewayCanImportIt() throws Exception {
    Predicate<String> schemaName = Pattern.compile("[A-Za-z0-9]+").asMatchPredicate();
    assertThat(OpenApi.names(OpenApi.DOCUMENT.at("/components/schemas"))).allMatch(schemaName);
    Predicate<String> path = Pattern.compile("(/([a-z0-9.-]+|\\{\\w+}))+").asMatchPredicate();
    assertThat(OpenApi.paths()).allMatch(path);
    assertThat(OpenApi.names(OpenApi.DOCUMENT)).doesNotContain("security");
    String text = Files.readString(OpenApi.FILE);
    assertThat(text)
        .as("functions in their long form only")
        .doesNotContainPattern("(?m): +!\\w")
        .as("YAML anchors")
        .doesNotContainPattern("(?m): +[&*]\\w")
        .as("JSON Schema's words that models do not know")
        .doesNotContainPattern("\\b(oneOf|anyOf|discriminator|readOnly|exclusiveMinimum)\\b:");
    assertThat(OpenApi.DOCUMENT.findValues("responses"))
        .allMatch(responses -> responses.valueStream().noneMatch(it -> it.has("$ref")));
  }

  @Test
  void gatewayResponsesAreProblemDocuments() {
    JsonNode responses = OpenApi.DOCUMENT.path("x-amazon-apigateway-gateway-responses");
    assertThat(OpenApi.names(responses)).contains("DEFAULT_4XX", "DEFAULT_5XX", "THROTTLED");
    for (JsonNode response : responses) {
      assertThat(
              response
                  .path("responseParameters")
                  .path("gatewayresponse.header.Content-Type")
                  .asText())
          .isEqualTo("'application/problem+json'");
      JsonNode body =
          Caller.json(
              response
                  .at("/responseTemplates/application~1json")
                  .asText()
                  .replace("$context.error.messageString", "\"why\""));
      assertThat(body.path("type").asText()).startsWith("urn:carillon:problem:");
      assertThat(body.path("detail").asText()).isNotEmpty();
      assertThat(body.path("errors").isArray()).isTrue();
      assertThat(body.path("status")).isEqualTo(response.path("statusCode"));
    }
  }

  /** The document is embedded in the template, and CloudFormation refuses null. */
  @Test
  void theDocumentContainsNoNullBecauseCloudFormationRefusesIt() {
    List<String> nulls = new ArrayList<>();
    addNulls(OpenApi.DOCUMENT, "", nulls);
    assertThat(nulls).isEmpty();
  }

  private static void addNulls(JsonNode node, String pointer, List<String> nulls) {
    if (node.isNull()) {
      nulls.add(pointer);
    }
    node.properties()
        .forEach(member -> addNulls(member.getValue(), pointer + "/" + member.getKey(), nulls));
    if (node.isArray()) {
      node.forEach(element -> addNulls(element, pointer + "/-", nulls));
    }
  }

  @Test
  void theInfrastructureFolderHoldsTheSameFile() throws Exception {
    assertThat(Files.isSameFile(Path.of("../infrastructure/openapi.yaml"), OpenApi.FILE)).isTrue();
  }

  @Test
  void knowsEachStateOfAJob() {
    JsonNode states = OpenApi.DOCUMENT.at("/components/schemas/Job/properties/state/enum");
    assertThat(states)
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrderElementsOf(Stream.of(JobState.values()).map(Enum::name).toList());
  }
}
