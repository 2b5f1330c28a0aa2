package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.document.Json;
import dev.carillon.gate.Slots;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.lambda.ApiHandler;
import dev.carillon.lambda.Carillon;
import dev.carillon.lambda.CheckerHandler;
import dev.carillon.lambda.IngestHandler;
import dev.carillon.lambda.MasterHandler;
import dev.carillon.lambda.ReportHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Scenarios in which each function makes every AWS call that it ever makes. Each function has its
 * own observed clients, on the tables and queues of the template.
 */
final class EveryCall implements AutoCloseable {

  static final String MASTER = "MasterFunction";
  static final String INGEST = "IngestFunction";
  static final String CHECKER = "CheckerFunction";
  static final String API = "ApiFunction";
  static final String REPORT = "ReportFunction";

  private static final String TARGET = "carillon-target-work";
  private static final String SCHEDULE = "/v1/namespaces/{ns}/schedules/{name}";
  private static final String CALENDAR = "/v1/namespaces/{ns}/calendars/{name}";
  private static final String POOLS = "/v1/namespaces/{ns}/pools";
  private static final String PROGRAM = "/v1/namespaces/{ns}/programs/{program}";
  private static final String RESOURCE = "/v1/namespaces/{ns}/resources/{name}";
  private static final String APP = "/v1/namespaces/{ns}/apps/{app}";
  private static final String SECONDLY = "{\"type\": \"rate\", \"every\": \"PT1S\"}";
  private static final int MORE_IDS_THAN_ONE_ITEM_KEEPS = 1_200;

  /** The recorded calls of each function, by logical name. */
  final Map<String, Recorder> recorders = new HashMap<>();

  private final BareStack stack = BareStack.of(Path.of("../template.yaml"));
  private final List<Carillon> open = new ArrayList<>();
  private final SqsClient sqs;
  private final MasterHandler master = new MasterHandler(function(MASTER));
  private final IngestHandler ingest = new IngestHandler(function(INGEST));
  private final CheckerHandler checker = new CheckerHandler(function(CHECKER));
  private final ApiHandler api = new ApiHandler(function(API));
  private final ReportHandler report = new ReportHandler(function(REPORT));
  private String backfill = "";
  private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  EveryCall() {
    sqs = LocalAccount.sqs(endpointOfSqs());
    sqs.createQueue(create -> create.queueName(TARGET));
    users();
    events();
    launches();
    limits();
    runs();
    manyRuns();
    queuedReports();
    pooled();
    suspensions();
    ticks();
  }

  private URI endpointOfSqs() {
    return URI.create(stack.environment().get("AWS_ENDPOINT_URL_SQS"));
  }

  /** A function as on AWS, where functions create no queues. */
  private Carillon function(String name) {
    Recorder recorder = new Recorder();
    recorders.put(name, recorder);
    Map<String, String> environment = new HashMap<>(stack.environment());
    environment.put("CREATE_TARGET_QUEUES", "false");
    DynamoDbClient dynamoDb = LocalAccount.dynamoDb(stack.dynamoDb(), recorder);
    SqsClient watched = LocalAccount.sqs(endpointOfSqs(), recorder);
    Carillon carillon = Carillon.of(environment, dynamoDb, watched, () -> now);
    open.add(carillon);
    return carillon;
  }

  @Override
  public void close() {
    open.forEach(Carillon::close);
    sqs.close();
    stack.close();
  }

  // ---- the API

  private void users() {
    put("beat", SECONDLY);
    put("beat", SECONDLY);
    put("wait", partition("sales"));
    put("wait", partition("returns"));
    put("wait", partition("sales"));
    put("other", partition("sales"));
    put("soon", partition("sales").replace("100000", "1"));
    put(
        "mixed",
        "{\"type\": \"and\", \"triggers\": [" + SECONDLY + ", " + partition("sales") + "]}");
    call("GET", SCHEDULE, "beat", 200);
    call("GET", SCHEDULE + "/preview", "beat", 200);
    call("GET", SCHEDULE + "/explain", "wait", 200);
    call("POST", SCHEDULE + "/skip", "beat", 200);
    call("POST", SCHEDULE + "/suspend", "beat", 200);
    call("POST", SCHEDULE + "/resume", "beat", 200);
    call("GET", SCHEDULE + "/jobs", "beat", 200);
    call("GET", "/v1/namespaces/{ns}/schedules", "", 200);
    request(
        "GET",
        "/v1/namespaces/{ns}/schedules",
        Map.of(),
        "eventKey",
        "partition:default.sales",
        null,
        200);
    call("POST", "/v1/namespaces/{ns}/events", "", "{\"events\": [{\"eventType\": \"a\"}]}", 202);
    call("POST", "/v1/preview", "", "{\"schedule\": " + document(SECONDLY, TARGET) + "}", 200);
    call("GET", "/v1/openapi.json", "", 200);
    put("deleted", SECONDLY);
    call("DELETE", SCHEDULE, "deleted", 204);
    Map<String, String> app = Map.of("app", "sales");
    String deployment =
        "{\"programs\": [\"report\"], \"schedules\": {\"report\": %s}}"
            .formatted(document(SECONDLY, TARGET));
    request("PUT", APP, app, null, null, deployment, 201);
    request("GET", APP, app, null, null, null, 200);
    request("DELETE", APP, app, null, null, null, 204);
    call("PUT", CALENDAR, "closed", "{\"dates\": [\"2026-12-25\"]}", 201);
    call("GET", CALENDAR, "closed", 200);
    call("GET", "/v1/namespaces/{ns}/calendars", "", 200);
    call("DELETE", CALENDAR, "closed", 204);
    pools();
    Map<String, String> program = Map.of("program", "beat");
    request("GET", PROGRAM, program, null, null, null, 200);
    request("GET", PROGRAM + "/jobs", program, null, null, null, 200);
    put("last", SECONDLY);
    request("DELETE", PROGRAM, Map.of("program", "last"), null, null, null, 200);
    call("PUT", RESOURCE, "disk", "{\"value\": 3}", 201);
    call("PUT", RESOURCE, "disk", "{\"value\": 4}", 200);
    call("GET", RESOURCE, "disk", 200);
    call("GET", "/v1/namespaces/{ns}/resources", "", 200);
    call("DELETE", RESOURCE, "disk", 204);
    request("GET", "/v1/namespaces/{ns}/schedules", Map.of(), "broken", "true", null, 200);
    String job = launch("beat");
    request("GET", "/v1/namespaces/{ns}/jobs/{id}", Map.of("id", job), null, null, null, 200);
    request(
        "GET", "/v1/namespaces/{ns}/jobs/{id}/explain", Map.of("id", job), null, null, null, 200);
    call("GET", "/v1/status", "", 200);
    String range = "{\"from\": \"%s\", \"to\": \"%s\"}".formatted(now.minusSeconds(30), now);
    put("past", SECONDLY.replace("}", ", \"anchor\": \"2026-01-01T00:00:00Z\"}"));
    backfill =
        Json.readObject(call("POST", SCHEDULE + "/backfill", "past", range).getBody())
            .path("backfillId")
            .textValue();
    Map<String, String> path = Map.of("name", "past", "id", backfill);
    request("GET", SCHEDULE + "/backfills/{id}", path, null, null, null, 200);
  }

  private void pools() {
    Map<String, String> pool = Map.of("pool", "encode");
    request("PUT", POOLS + "/{pool}", pool, null, null, "{\"depth\": 20, \"queue\": \"a\"}", 201);
    request("PUT", POOLS + "/{pool}", pool, null, null, "{\"paused\": true}", 200);
    request("GET", POOLS + "/{pool}", pool, null, null, null, 200);
    request("POST", POOLS + "/{pool}/next", pool, null, null, "{\"worker\": \"w\"}", 200);
    request("GET", POOLS, Map.of(), null, null, null, 200);
    request("DELETE", POOLS + "/{pool}", pool, null, null, null, 204);
  }

  private void put(String name, String trigger) {
    String body = document(trigger, TARGET);
    int status = call("PUT", SCHEDULE, name, body).getStatusCode();
    if (status != 200 && status != 201) {
      throw new AssertionError("PUT " + name + " answers " + status);
    }
  }

  private static String document(String trigger, String queue) {
    return "{\"trigger\": %s, \"state\": \"ACTIVE\", \"target\": {\"queue\": \"%s\", \"template\": {}}}"
        .formatted(trigger, queue);
  }

  private static String partition(String dataset) {
    return "{\"type\": \"partition\", \"dataset\": \"default.%s\", \"count\": 100000}"
        .formatted(dataset);
  }

  private String launch(String name) {
    return Json.readObject(call("POST", SCHEDULE + "/launch", name).getBody())
        .path("jobId")
        .textValue();
  }

  private void call(String method, String resource, String name, int status) {
    request(method, resource, Map.of("name", name), null, null, null, status);
  }

  private void call(String method, String resource, String name, String body, int status) {
    request(method, resource, Map.of("name", name), null, null, body, status);
  }

  private APIGatewayProxyResponseEvent call(String method, String resource, String name) {
    return call(method, resource, name, null);
  }

  private APIGatewayProxyResponseEvent call(
      String method, String resource, String name, String body) {
    return answer(method, resource, Map.of("name", name), null, null, body);
  }

  private void request(
      String method,
      String resource,
      Map<String, String> path,
      String parameter,
      String value,
      String body,
      int status) {
    APIGatewayProxyResponseEvent answer = answer(method, resource, path, parameter, value, body);
    if (answer.getStatusCode() != status) {
      throw new AssertionError(method + " " + resource + " answers " + answer.getBody());
    }
  }

  private APIGatewayProxyResponseEvent answer(
      String method,
      String resource,
      Map<String, String> path,
      String parameter,
      String value,
      String body) {
    Map<String, String> parameters = new HashMap<>(path);
    parameters.put("ns", "default");
    APIGatewayProxyRequestEvent event =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withResource(resource)
            .withPathParameters(parameters)
            .withBody(body);
    if (parameter != null) {
      event.withQueryStringParameters(Map.of(parameter, value));
    }
    return api.handleRequest(event, context());
  }

  // ---- ingest

  private void events() {
    now = now.plusSeconds(2);
    count(IntStream.range(0, MORE_IDS_THAN_ONE_ITEM_KEEPS).mapToObj(i -> sale("e" + i)).toList());
    count(List.of(sale("later"), "this is no event"));
    recorders.get(INGEST).refused = EveryCall::isForOther;
    count(List.of(sale("that the schedule other cannot count")));
    recorders.get(INGEST).refused = request -> false;
    put("wait", partition("returns"));
    call("GET", SCHEDULE + "/explain", "other", 200);
    count(List.of(sale("that finds a schedule changed")));
  }

  private static boolean isForOther(SdkRequest request) {
    return request.toString().contains("default/other")
        && !(request.toString().contains("BatchGet"))
        && Permission.of(request).stream().anyMatch(it -> it.action().equals("dynamodb:PutItem"));
  }

  private static String sale(String id) {
    return "{\"id\": \"%s\", \"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"default.sales\", \"numPartitions\": 1}}"
        .formatted(id);
  }

  private void count(List<String> bodies) {
    ingest.handleRequest(messages(bodies, 1), context());
  }

  // ---- the checker

  private void launches() {
    put("once", "{\"type\": \"at\", \"time\": \"" + now.plusSeconds(3) + "\"}");
    String last = document("{\"type\": \"at\", \"time\": \"" + now.plusSeconds(3) + "\"}", TARGET);
    call(
        "PUT",
        SCHEDULE,
        "vanishing",
        last.replace(
            "{\"trigger",
            "{\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}],"
                + " \"afterCompletion\": \"delete\", \"trigger"),
        201);
    call("PUT", SCHEDULE, "nowhere", document(SECONDLY, "carillon-target-missing"), 201);
    String manual = launch("beat");
    now = now.plusSeconds(4);
    check(1, JobId.parse(manual));
    check(1, fire("once", now.minusSeconds(1)), fire("vanishing", now.minusSeconds(1)));
    check(1, fire("nowhere", now.minusSeconds(1)), fire("mixed", now.minusSeconds(1)));
    check(5, fire("beat", now.minusSeconds(2)), fire("beat", now.minusSeconds(1)));
    Instant old = now.minus(Duration.ofHours(1));
    check(5, old, fire("beat", old), fire("beat", old.plusSeconds(1)));
    check(1, now.plusSeconds(60), fire("beat", now.plusSeconds(60)));
    BackfillId past = new BackfillId(new ScheduleId("default", "past"), backfill);
    String body = CheckJson.write(Check.of(now, List.of(past)).get(0));
    checker.handleRequest(messages(List.of(body), 1), context());
    checker.handleRequest(messages(List.of("not a check"), 60), context());
    Map<String, String> path = Map.of("name", "past", "id", backfill);
    request("DELETE", SCHEDULE + "/backfills/{id}", path, null, null, null, 204);
  }

  /** One job launches and one waits for its slot; the end of the first run releases the second. */
  private void limits() {
    String limited = "{\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}], \"trigger";
    String manual = document("{\"type\": \"manual\"}", TARGET);
    call("PUT", SCHEDULE, "limited", manual.replace("{\"trigger", limited), 201);
    String first = launch("limited");
    String second = launch("limited");
    String third = launch("limited");
    check(1, JobId.parse(first));
    check(1, JobId.parse(second), JobId.parse(third));
    count(List.of(end(third)));
    count(List.of(end(first)));
    String gate = CheckJson.write(new Check(now, List.of(GateKey.ofProgram("default", "limited"))));
    checker.handleRequest(messages(List.of(gate), 1), context());
    count(List.of(end(second)));
  }

  /** One run ends by a report, and one by its time-out. */
  private void runs() {
    String tracked =
        "{\"constraints\": [{\"type\": \"concurrency\", \"max\": 2}], \"tracking\": {},"
            + " \"retry\": {\"maxAttempts\": 1}, \"trigger";
    String manual = document("{\"type\": \"manual\"}", TARGET);
    call("PUT", SCHEDULE, "tracked", manual.replace("{\"trigger", tracked), 201);
    String reported = launch("tracked");
    String forgotten = launch("tracked");
    check(1, JobId.parse(reported), JobId.parse(forgotten));
    String claim =
        Json.readObject(answered("claim", reported, "{\"worker\": \"w\"}").getBody())
            .path("claimToken")
            .textValue();
    String token = "{\"claimToken\": \"%s\"}".formatted(claim);
    answered("heartbeat", reported, token);
    answered("succeed", reported, token);
    now = now.plus(Duration.ofMinutes(16));
    RunId overdue = new RunId(JobId.parse(forgotten), 1, false);
    for (int i = 0; i < 2; i++) {
      String body = CheckJson.write(new Check(now, List.of(overdue)));
      checker.handleRequest(messages(List.of(body), 1), context());
    }
    answered("retry", forgotten, "{}");
    answered("cancel", forgotten, "{}");
    String jobs = "/v1/namespaces/{ns}/jobs";
    request("GET", jobs, Map.of(), "state", "CLAIMED", null, 200);
    request("GET", jobs, Map.of(), "linkId", "order", null, 200);
    request("POST", jobs + "/retry", Map.of(), null, null, "{\"program\": \"tracked\"}", 200);
  }

  private APIGatewayProxyResponseEvent answered(String report, String job, String body) {
    String resource = "/v1/namespaces/{ns}/jobs/{id}/" + report;
    APIGatewayProxyResponseEvent answer =
        answer("POST", resource, Map.of("id", job), null, null, body);
    if (answer.getStatusCode() != 200) {
      throw new AssertionError(report + " answers " + answer.getBody());
    }
    return answer;
  }

  /** More runs than the item of a gate has room for; some end, two of them with their names. */
  private void manyRuns() {
    String limited = "{\"constraints\": [{\"type\": \"concurrency\", \"max\": 40}], \"trigger";
    String manual = document("{\"type\": \"manual\"}", TARGET);
    call("PUT", SCHEDULE, "crowded", manual.replace("{\"trigger", limited), 201);
    List<JobId> runs = new ArrayList<>();
    for (int number = 0; number < Slots.ROOM + 4; number++) {
      runs.add(JobId.parse(launch("crowded")));
    }
    check(1, runs.toArray(Subject[]::new));
    String last = end(runs.get(runs.size() - 1).toString()).replace("limited", "crowded");
    String next = end(runs.get(runs.size() - 2).toString()).replace("limited", "crowded");
    String unnamed =
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"crowded\", \"status\": \"FAILED\"}}";
    count(List.of(last, next, unnamed));
  }

  /** Runs succeed, of which some have slots with items; one fails; one message is no report. */
  private void queuedReports() {
    String tracked =
        "{\"constraints\": [{\"type\": \"concurrency\", \"max\": 40}], \"tracking\": {}, \"trigger";
    String manual = document("{\"type\": \"manual\"}", TARGET);
    call("PUT", SCHEDULE, "queued", manual.replace("{\"trigger", tracked), 201);
    List<String> runs = new ArrayList<>();
    for (int number = 0; number < Slots.ROOM + 2; number++) {
      runs.add(launch("queued"));
    }
    check(1, runs.stream().map(JobId::parse).toArray(Subject[]::new));
    List<String> reports = new ArrayList<>(List.of("no report"));
    reports.add(queued("fail", runs.remove(0)));
    for (String run : runs) {
      reports.add(queued("succeed", run));
    }
    report.handleRequest(messages(reports, 1), context());
  }

  /** A job is moved and claimed, one pulled and ended by a queued report; the queue is counted. */
  private void pooled() {
    String definition = "{\"queue\": \"%s\", \"depth\": 1, \"maxInFlight\": {\"default\": 3}}";
    Map<String, String> path = Map.of("pool", "feed");
    request("PUT", POOLS + "/{pool}", path, null, null, definition.formatted(TARGET), 201);
    String fed =
        "{\"trigger\": {\"type\": \"manual\"}, \"state\": \"ACTIVE\", \"pool\": \"feed\","
            + " \"target\": {\"template\": {}}}";
    call("PUT", SCHEDULE, "fed", fed, 201);
    String moved = launch("fed");
    check(1, JobId.parse(moved));
    PoolId feed = new PoolId("default", "feed");
    check(1, feed);
    check(1, JobId.parse(launch("fed")), JobId.parse(launch("fed")));
    now = now.plus(Duration.ofMinutes(2));
    check(1, feed);
    answered("claim", moved, "{\"worker\": \"w\"}");
    String request = "{\"worker\": \"w\", \"requestId\": \"r\"}";
    String answer = answer("POST", POOLS + "/{pool}/next", path, null, null, request).getBody();
    JsonNode pulled = Json.readObject(answer).path("jobs").path(0);
    String end =
        report("succeed", pulled.path("jobId").asText(), pulled.path("claimToken").asText());
    report.handleRequest(messages(List.of(end), 1), context());
  }

  private String queued(String kind, String job) {
    String token =
        Json.readObject(answered("claim", job, "{\"worker\": \"w\"}").getBody())
            .path("claimToken")
            .textValue();
    return report(kind, job, token);
  }

  private static String report(String kind, String job, String token) {
    return "{\"report\": \"%s\", \"namespace\": \"default\", \"jobId\": \"%s\", \"claimToken\": \"%s\"}"
        .formatted(kind, job, token);
  }

  /** One fire is held back; the suspension ends at its {@code until} and releases it. */
  private void suspensions() {
    put("kept", SECONDLY);
    now = now.plusSeconds(2);
    String until = "{\"mode\": \"hold\", \"until\": \"" + now.plusSeconds(10) + "\"}";
    call("POST", SCHEDULE + "/suspend", "kept", until, 200);
    check(1, fire("kept", now.minusSeconds(1)));
    now = now.plusSeconds(11);
    check(1, new SuspensionEnd(new ScheduleId("default", "kept")));
    call("POST", SCHEDULE + "/suspend", "beat", "{\"mode\": \"backlog\"}", 200);
    now = now.plus(Duration.ofMinutes(10));
    call("POST", SCHEDULE + "/resume", "beat", 200);
  }

  private static String end(String job) {
    return "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"limited\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
        .formatted(job);
  }

  private static JobId fire(String name, Instant at) {
    return JobId.ofFire(new ScheduleId("default", name), 1, at);
  }

  private void check(int receives, Subject... subjects) {
    check(receives, now, subjects);
  }

  private void check(int receives, Instant due, Subject... subjects) {
    String body = CheckJson.write(new Check(due, List.of(subjects)));
    checker.handleRequest(messages(List.of(body), receives), context());
  }

  // ---- the master

  private void ticks() {
    String missing = document("{\"type\": \"rate\", \"every\": \"PT1H\"}", TARGET);
    call(
        "PUT",
        SCHEDULE,
        "missing",
        missing.replace("{\"trigger", "{\"catchUp\": {\"policy\": \"none\"}, \"trigger"),
        201);
    tick();
    damagedDefinition();
    String deadLetters = stack.environment().get("CHECK_DEAD_LETTERS_URL");
    sqs.sendMessage(send -> send.queueUrl(deadLetters).messageBody("{\"due\": 0, \"jobs\": []}"));
    for (String secondly : List.of("beat", "nowhere", "mixed", "kept")) {
      call("DELETE", SCHEDULE, secondly, 204);
    }
    now = now.plus(Duration.ofDays(2));
    tick();
    tick();
  }

  /**
   * Damages the definition of an active schedule. The definition is too large for the item of its
   * head, so the audit cannot take it from there and queries the items of the schedule.
   */
  private void damagedDefinition() {
    String large = "{\"text\": \"" + "x".repeat(3_000) + "\"}";
    String manual = document("{\"type\": \"manual\"}", TARGET);
    call(
        "PUT",
        SCHEDULE,
        "damaged",
        manual.replace("\"template\": {}", "\"template\": " + large),
        201);
    Map<String, AttributeValue> definition =
        Map.of(
            "schedule", AttributeValue.fromS("default/damaged"),
            "item", AttributeValue.fromS("def"));
    try (DynamoDbClient unobserved = LocalAccount.dynamoDb(stack.dynamoDb())) {
      unobserved.updateItem(
          update ->
              update
                  .tableName(stack.environment().get("SCHEDULES_TABLE"))
                  .key(definition)
                  .updateExpression("SET document = :damaged")
                  .expressionAttributeValues(Map.of(":damaged", AttributeValue.fromS("{"))));
    }
  }

  private void tick() {
    master.handleRequest(new ScheduledEvent(), context());
  }

  // ---- invocations

  private static SQSEvent messages(List<String> bodies, int receives) {
    SQSEvent event = new SQSEvent();
    event.setRecords(
        IntStream.range(0, bodies.size())
            .mapToObj(i -> message("m" + i, bodies.get(i), receives))
            .toList());
    return event;
  }

  private static SQSMessage message(String id, String body, int receives) {
    SQSMessage message = new SQSMessage();
    message.setMessageId(id);
    message.setBody(body);
    message.setAttributes(Map.of("ApproximateReceiveCount", Integer.toString(receives)));
    return message;
  }

  private static Context context() {
    int plenty = (int) Duration.ofMinutes(5).toMillis();
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                method.getName().equals("getRemainingTimeInMillis") ? plenty : null);
  }
}
