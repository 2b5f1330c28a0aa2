package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Api;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.Tables;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Carillon;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the API does with items that cannot be read: others are shown, and each is replaced. */
class DamagedItemsApiTest {

  private static final String ROOT = "/v1/namespaces/{ns}/";
  private static final String SCHEDULES = ROOT + "schedules";
  private static final String CALENDARS = ROOT + "calendars";
  private static final String POOLS = ROOT + "pools";
  private static final String RESOURCES = ROOT + "resources";
  private static final String APP = ROOT + "apps/{app}";

  private final Tables tables = Servers.tables();
  private final Carillon carillon =
      Carillon.of(
          Servers.environment(tables), Servers.dynamoDb(), Servers.sqs(), Clock.systemUTC());
  private final Api api = carillon.api();

  private APIGatewayProxyResponseEvent call(String method, String route, String name, String body) {
    Map<String, String> path =
        Map.of("ns", "default", "name", name, "app", name, "program", name, "pool", name);
    return api.handle(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withResource(route)
            .withPathParameters(path)
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody(body));
  }

  private APIGatewayProxyResponseEvent dryRun(String route, String name, String body) {
    return api.handle(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod("PUT")
            .withResource(route)
            .withPathParameters(Map.of("ns", "default", "name", name, "pool", name))
            .withQueryStringParameters(Map.of("dryRun", "true"))
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody(body));
  }

  private String is(int status, APIGatewayProxyResponseEvent answer) {
    assertThat(answer.getStatusCode()).as(answer.getBody()).isEqualTo(status);
    return String.valueOf(answer.getBody());
  }

  private static String document(String more) {
    return "{\"trigger\": {\"type\": \"event\", \"key\": \"done\"}, \"target\": {\"queue\":"
        + " \"carillon-target-a\", \"template\": {}}"
        + more
        + "}";
  }

  private void putSchedule(String name, String more) {
    assertThat(call("PUT", SCHEDULES + "/{name}", name, document(more)).getStatusCode())
        .isIn(200, 201);
  }

  private static void damage(String table, String hash, String key, String item, String attribute) {
    Map<String, AttributeValue> both =
        Map.of(hash, AttributeValue.fromS(key), "item", AttributeValue.fromS(item));
    Map<String, AttributeValue> stored =
        new HashMap<>(Servers.dynamoDb().getItem(it -> it.tableName(table).key(both)).item());
    assertThat(stored).containsKey(attribute);
    stored.put(attribute, AttributeValue.fromS("!"));
    Servers.dynamoDb().putItem(it -> it.tableName(table).item(stored));
  }

  private void damageSchedule(String item, String attribute) {
    damage(tables.schedules(), "schedule", "default/bad", item, attribute);
  }

  @ParameterizedTest
  @CsvSource({
    "head, state",
    "head, version",
    "head, generation",
    "def, document",
    "def, generation"
  })
  void aScheduleIsReplacedOrDeletedWhateverItHolds(String item, String attribute) {
    putSchedule("good", "");
    for (String method : List.of("PUT", "DELETE")) {
      putSchedule("bad", ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
      damageSchedule(item, attribute);
      if (item.equals("def")) {
        damageSchedule("head", attribute);
      }

      assertThat(is(500, call("GET", SCHEDULES + "/{name}", "bad", null)))
          .contains("default/bad", "cannot be read");
      assertThat(is(200, call("GET", SCHEDULES, "", null))).contains("\"good\"");
      is(500, call("POST", SCHEDULES + "/{name}/suspend", "bad", "{}"));
      is(201, dryRun(SCHEDULES + "/{name}", "bad", document("")));
      is(200, call("GET", ROOT + "programs/{program}", "good", null));

      String body = method.equals("PUT") ? document("") : null;
      int status = call(method, SCHEDULES + "/{name}", "bad", body).getStatusCode();
      assertThat(status).isIn(200, 201, 204);
      assertThat(call("GET", SCHEDULES + "/{name}", "bad", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  @Test
  void theListOfJobsLeavesOutJobsThatCannotBeRead() {
    putSchedule("good", ", \"state\": \"ACTIVE\"");
    putSchedule("bad", ", \"state\": \"ACTIVE\"");
    String good = launch("good");
    String bad = launch("bad");
    assertThat(is(200, call("GET", ROOT + "jobs", "", null))).contains(good, bad);
    damage(tables.jobs(), "schedule", "default/bad", "job#" + JobId.parse(bad).sortKey(), "h");

    assertThat(is(200, call("GET", ROOT + "jobs", "", null))).contains(good).doesNotContain(bad);
    String all = "{\"schedule\": \"bad\"}";
    assertThat(is(200, call("POST", ROOT + "jobs/cancel", "", all))).contains("\"matched\":0");
  }

  private String launch(String name) {
    return Json.readObject(is(202, call("POST", SCHEDULES + "/{name}/launch", name, "{}")))
        .path("jobId")
        .asText();
  }

  @Test
  void aDocumentThatCannotBeParsedIsReplacedOrDeleted() {
    for (String method : List.of("PUT", "DELETE")) {
      putSchedule("bad", "");
      damageSchedule("def", "document");
      String unheardOf = "{\"trigger\": {\"type\": \"unheardOf\"}}";
      Map<String, AttributeValue> key =
          Map.of(
              "schedule", AttributeValue.fromS("default/bad"), "item", AttributeValue.fromS("def"));
      Map<String, AttributeValue> stored =
          new HashMap<>(
              Servers.dynamoDb().getItem(it -> it.tableName(tables.schedules()).key(key)).item());
      stored.put("document", AttributeValue.fromS(unheardOf));
      Servers.dynamoDb().putItem(it -> it.tableName(tables.schedules()).item(stored));

      String body = method.equals("PUT") ? document("") : null;
      assertThat(call(method, SCHEDULES + "/{name}", "bad", body).getStatusCode())
          .isIn(200, 201, 204);
      assertThat(call("GET", SCHEDULES + "/{name}", "bad", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  /** An item of a slot that does not show since when its job runs still counts. */
  @Test
  void slotsWithItemsOfTheirOwnAreCountedAgain() {
    String limit = ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1000}]";
    putSchedule("many", limit);
    DynamoGates gates =
        new DynamoGates(Servers.dynamoDb(), tables, 4, Duration.ofDays(90), Servers.fanout());
    GateKey key = GateKey.ofProgram("default", "many");
    Gate read = gates.find(List.of(key)).get(key);
    Gate full = read;
    List<JobId> jobs = new ArrayList<>();
    for (int number = 0; number < Slots.ROOM + 3; number++) {
      ScheduleId schedule = new ScheduleId("default", "many");
      jobs.add(JobId.ofFire(schedule, 1, Samples.NOW.plusSeconds(number)));
      full = full.taken(jobs.get(number), new Counted(true, 0, Duration.ZERO), Samples.NOW);
    }
    assertThat(gates.update(read, full)).isTrue();
    JobId last = jobs.get(jobs.size() - 1);
    String local = last.toString().substring("default~".length());
    damage(tables.gates(), "gate", key.toString(), "gate", "s");
    damage(tables.gates(), "gate", key.toString(), "slot#" + local, "t");

    putSchedule("many", limit);
    Gate repaired = gates.finding(gates.find(List.of(key)).get(key), jobs);
    assertThat(repaired.slots().size()).isEqualTo(3);
    assertThat(repaired.limits()).hasSize(1);
    assertThat(gates.slots(repaired)).first().isEqualTo(new Slot(last, Instant.EPOCH));
    assertThat(gates.update(repaired, repaired.freed(last))).isTrue();
    assertThat(gates.slotsApart(key)).hasSize(2);

    String next = jobs.get(Slots.ROOM).toString().substring("default~".length());
    Servers.dynamoDb()
        .deleteItem(
            it ->
                it.tableName(tables.gates())
                    .key(
                        Map.of(
                            "gate",
                            AttributeValue.fromS(key.toString()),
                            "item",
                            AttributeValue.fromS("slot#" + next))));
    assertThat(gates.find(List.of(key)).get(key).slots().size()).isEqualTo(2);
    putSchedule("many", limit);
    assertThat(gates.find(List.of(key)).get(key).slots().size()).isEqualTo(1);
  }

  @Test
  void aCalendarIsReplacedOrDeleted() {
    is(201, call("PUT", CALENDARS + "/{name}", "good", "{}"));
    for (String method : List.of("PUT", "DELETE")) {
      assertThat(call("PUT", CALENDARS + "/{name}", "bad", "{}").getStatusCode()).isIn(200, 201);
      damage(tables.schedules(), "schedule", "default#calendars", "bad", "version");

      assertThat(is(500, call("GET", CALENDARS + "/{name}", "bad", null)))
          .contains("default/bad", "cannot be read");
      assertThat(is(200, call("GET", CALENDARS, "", null)))
          .contains("\"good\"")
          .doesNotContain("\"bad\"");

      String body = method.equals("PUT") ? "{\"dates\": [\"2026-12-25\"]}" : null;
      assertThat(call(method, CALENDARS + "/{name}", "bad", body).getStatusCode()).isIn(200, 204);
      assertThat(call("GET", CALENDARS + "/{name}", "bad", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  @Test
  void schedulesThatExcludeAnUnreadableCalendarAreListedAndCanBeStored() {
    is(201, call("PUT", CALENDARS + "/{name}", "us", "{}"));
    String daily =
        document("")
            .replace(
                "{\"type\": \"event\", \"key\": \"done\"}",
                "{\"type\": \"rate\", \"every\": \"P1D\", \"exclude\": [\"us\"]}");
    is(201, call("PUT", SCHEDULES + "/{name}", "daily", daily));
    damage(tables.schedules(), "schedule", "default#calendars", "us", "current");

    assertThat(is(200, call("GET", SCHEDULES, "", null))).contains("\"daily\"");
    is(200, call("GET", SCHEDULES + "/{name}", "daily", null));
    is(200, call("PUT", SCHEDULES + "/{name}", "daily", daily));
    is(201, call("PUT", SCHEDULES + "/{name}", "another", daily));
    assertThat(is(500, call("GET", SCHEDULES + "/{name}/preview", "daily", null)))
        .contains("store the calendars us again");
  }

  @Test
  void aPoolIsReplacedOrDeleted() {
    is(201, call("PUT", POOLS + "/{pool}", "good", "{}"));
    for (String method : List.of("PUT", "DELETE")) {
      assertThat(call("PUT", POOLS + "/{pool}", "bad", "{}").getStatusCode()).isIn(200, 201);
      damage(tables.gates(), "gate", "default#pools", "bad", "v");

      assertThat(is(500, call("GET", POOLS + "/{pool}", "bad", null)))
          .contains("default#pool:bad", "cannot be read");
      assertThat(is(200, call("GET", POOLS, "", null)))
          .contains("\"good\"")
          .doesNotContain("\"bad\"");
      is(200, dryRun(POOLS + "/{pool}", "bad", "{}"));

      String body = method.equals("PUT") ? "{\"depth\": 20, \"queue\": \"a\"}" : null;
      assertThat(call(method, POOLS + "/{pool}", "bad", body).getStatusCode()).isIn(200, 204);
      assertThat(call("GET", POOLS + "/{pool}", "bad", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  @Test
  void aResourceIsReplacedOrDeleted() {
    is(201, call("PUT", RESOURCES + "/{name}", "good", "{\"value\": 1}"));
    for (String method : List.of("PUT", "DELETE")) {
      assertThat(call("PUT", RESOURCES + "/{name}", "bad", "{\"value\": 1}").getStatusCode())
          .isIn(200, 201);
      damage(tables.gates(), "gate", "default#resource:bad", "gate", "g");

      assertThat(is(500, call("GET", RESOURCES + "/{name}", "bad", null)))
          .contains("cannot be read");
      assertThat(is(200, call("GET", RESOURCES, "", null)))
          .contains("\"good\"")
          .doesNotContain("\"bad\"");

      String body = method.equals("PUT") ? "{\"value\": 2}" : null;
      assertThat(call(method, RESOURCES + "/{name}", "bad", body).getStatusCode())
          .isIn(200, 201, 204);
      assertThat(call("GET", RESOURCES + "/{name}", "bad", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  /** Stored again as it is, each schedule that sets a limit at a gate repairs it. */
  @ParameterizedTest
  @ValueSource(strings = {"program:bad", "group:db"})
  void aGateIsReplacedByAPutOfAScheduleThatLimitsIt(String gate) {
    String limited =
        ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1, \"group\": \"db\"}]";
    putSchedule("bad", limited);
    putSchedule("good", "");
    damage(tables.gates(), "gate", "default#" + gate, "gate", "v");
    is(500, call("GET", ROOT + "programs/{program}", "bad", null));
    is(200, call("GET", ROOT + "programs/{program}", "good", null));

    is(200, call("PUT", SCHEDULES + "/{name}", "bad", document(limited)));

    assertThat(is(200, call("GET", ROOT + "programs/{program}", "bad", null)))
        .contains("\"concurrency\"", "group db");
    is(204, call("DELETE", SCHEDULES + "/{name}", "bad", null));
    is(404, call("GET", ROOT + "programs/{program}", "bad", null));
  }

  @Test
  void anAppIsDeployedOrDeleted() {
    String request = "{\"programs\": [\"p\"], \"schedules\": {\"member\": %s}}";
    String member = document(", \"program\": \"p\"");
    for (String method : List.of("PUT", "DELETE")) {
      assertThat(call("PUT", APP, "exports", request.formatted(member)).getStatusCode())
          .isIn(200, 201);
      damage(tables.schedules(), "schedule", "default/apps/exports", "app", "deployedAt");

      assertThat(is(500, call("GET", APP, "exports", null))).contains("cannot be read");
      String body = method.equals("PUT") ? request.formatted(member) : null;
      assertThat(call(method, APP, "exports", body).getStatusCode()).isIn(200, 201, 204);
      assertThat(call("GET", APP, "exports", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
      assertThat(call("GET", SCHEDULES + "/{name}", "member", null).getStatusCode())
          .isEqualTo(method.equals("PUT") ? 200 : 404);
    }
  }

  @ParameterizedTest
  @CsvSource({"head, state", "head, version", "def, document"})
  void aDeploymentReplacesOrDeletesAMemberThatCannotBeRead(String item, String attribute) {
    String request = "{\"programs\": [\"p\"], \"schedules\": {%s}}";
    String member = document(", \"program\": \"p\"");
    String both = request.formatted("\"bad\": " + member + ", \"good\": " + member);
    is(201, call("PUT", APP, "exports", both));
    damageMember(item, attribute);

    String without = both.replace("]", "], \"updateSchedules\": false");
    JsonNode kept = json(is(200, call("PUT", APP, "exports", without)));
    assertThat(kept.path("unchanged")).hasToString("[\"bad\",\"good\"]");
    is(500, call("GET", SCHEDULES + "/{name}", "bad", null));
    assertThat(json(is(200, call("GET", APP, "exports", null))).path("schedules"))
        .hasToString("[\"bad\",\"good\"]");

    JsonNode repaired = json(is(200, call("PUT", APP, "exports", both)));
    assertThat(repaired.path("replaced")).hasToString("[\"bad\"]");
    assertThat(repaired.path("unchanged")).hasToString("[\"good\"]");
    is(200, call("GET", SCHEDULES + "/{name}", "bad", null));

    damageMember(item, attribute);
    JsonNode deleted =
        json(is(200, call("PUT", APP, "exports", request.formatted("\"good\": " + member))));
    assertThat(deleted.path("deleted")).hasToString("[\"bad\"]");
    is(404, call("GET", SCHEDULES + "/{name}", "bad", null));

    is(200, call("PUT", APP, "exports", both));
    damageMember(item, attribute);
    is(204, call("DELETE", APP, "exports", null));
    is(404, call("GET", SCHEDULES + "/{name}", "bad", null));
    is(404, call("GET", SCHEDULES + "/{name}", "good", null));
  }

  @ParameterizedTest
  @CsvSource({"head, state", "def, document"})
  void aDeploymentDoesNotTakeOverAnUnreadableScheduleThatItDoesNotHave(
      String item, String attribute) {
    putSchedule("bad", "");
    damageMember(item, attribute);
    String member = document(", \"program\": \"p\"");
    String request =
        "{\"programs\": [\"p\"], \"schedules\": {\"bad\": %s, \"good\": %s}}"
            .formatted(member, member);

    assertThat(is(409, call("PUT", APP, "exports", request)))
        .contains("/schedules/bad", "cannot be read");
    is(404, call("GET", SCHEDULES + "/{name}", "good", null));
    is(500, call("GET", SCHEDULES + "/{name}", "bad", null));
  }

  @Test
  void aScheduleThatReplacesAnUnreadableOneLeavesItsApp() {
    putSchedule("bad", ", \"app\": \"exports\"");
    damageSchedule("head", "state");
    putSchedule("bad", "");

    is(201, call("PUT", APP, "exports", "{\"programs\": [], \"schedules\": {}}"));
    is(200, call("GET", SCHEDULES + "/{name}", "bad", null));
    assertThat(json(is(200, call("GET", APP, "exports", null))).path("schedules")).isEmpty();
  }

  private void damageMember(String item, String attribute) {
    damageSchedule(item, attribute);
    if (item.equals("def")) {
      damageSchedule("head", attribute);
    }
  }

  private static JsonNode json(String text) {
    return Json.readObject(text);
  }
}
