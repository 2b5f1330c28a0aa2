package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolStatus;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Sleeper;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tests run at noon on Tuesday, 10 March 2026. */
class PoolRoutesTest {

  private static final String POOLS = "/v1/namespaces/default/pools";
  private static final PoolId ENCODE = new PoolId("default", "encode");
  private static final String FILLED = "{\"queue\": \"encode\", \"depth\": 20}";

  private final Caller caller = new Caller();

  private Reply put(String name, String document) {
    return put(name, document, Map.of());
  }

  private Reply put(String name, String document, Map<String, String> headers) {
    return caller.send("PUT", POOLS + "/" + name, document, headers);
  }

  private Reply delete(String name) {
    return caller.send("DELETE", POOLS + "/" + name, null, Map.of());
  }

  @Test
  void theNameThatMeansAnyMatchingPoolIsRefused() {
    Reply refused = put("match", "{}").is(400);
    assertThat(refused.json().at("/errors/0/pointer").asText()).isEqualTo("/path/pool");
    assertThat(refused.json().at("/errors/0/detail").asText()).contains("choose another name");
  }

  @Test
  void aHundredPoolsOfANamespaceCanHaveAPattern() {
    String matching = "{\"match\": {\"kind\": [\"video\"]}}";
    for (int i = 0; i < 100; i++) {
      put("p" + i, matching).is(201);
    }
    Reply refused = put("more", matching).is(400);
    assertThat(refused.json().at("/errors/0/pointer").asText()).isEqualTo("/match");
    assertThat(refused.json().at("/errors/0/detail").asText()).startsWith("100 pools");
    put("more", "{}").is(201);
    put("p7", "{\"match\": {\"kind\": [\"audio\"]}}").is(200);
    caller.send("PUT", "/v1/namespaces/other/pools/first", matching, Map.of()).is(201);
  }

  @Test
  void aPoolIsCreatedReadReplacedAndDeleted() {
    Reply created = put("encode", FILLED).is(201);
    assertThat(created.json().path("namespace").asText()).isEqualTo("default");
    assertThat(created.json().path("name").asText()).isEqualTo("encode");
    assertThat(created.json().path("createdBy").asText()).isEqualTo("local");
    assertThat(created.json().path("etag").asText()).isEqualTo(created.etag());
    assertThat(created.json().path("pool"))
        .isEqualTo(
            Json.readObject(
                """
                {"description": "", "queue": "encode", "depth": 20, "order": "fair",
                 "weights": {}, "maxInFlight": {}, "match": null, "paused": false, "reason": null}
                """));
    Reply read = caller.get(POOLS + "/encode").is(200);
    assertThat(read.json().path("pool")).isEqualTo(created.json().path("pool"));
    assertThat(read.etag()).isEqualTo(created.etag());

    assertThat(put("encode", FILLED).is(200).body()).isEqualTo(created.body());
    caller.world.runFor(Duration.ofSeconds(1));
    Reply replaced = put("encode", "{\"paused\": true, \"reason\": \"repair\"}").is(200);
    assertThat(replaced.etag()).isNotEqualTo(created.etag());
    assertThat(replaced.json().path("createdAt")).isEqualTo(created.json().path("createdAt"));
    assertThat(replaced.json().path("updatedAt").asText()).isEqualTo("2026-03-10T12:00:01.000Z");
    assertThat(replaced.json().at("/pool/queue").isNull()).isTrue();

    delete("encode").is(204);
    assertThat(caller.get(POOLS + "/encode").is(404).json().path("detail").asText())
        .isEqualTo("there is no pool encode in namespace default");
    delete("encode").is(404);
  }

  @Test
  void aDryRunAnswersAsTheRequestWouldAndChangesNothing() {
    String dryRun = "encode?dryRun=true";
    Reply created = put(dryRun, FILLED).is(201);
    assertThat(created.json().at("/pool/order").asText()).isEqualTo("fair");
    caller.get(POOLS + "/encode").is(404);
    Reply stored = put("encode", FILLED).is(201);
    assertThat(put(dryRun, "{\"order\": \"fifo\"}").is(200).json().at("/pool/order").asText())
        .isEqualTo("fifo");
    assertThat(put(dryRun, FILLED).is(200).body()).isEqualTo(stored.body());
    put(dryRun, "{\"depth\": 0, \"queue\": \"encode\"}").is(400);
    put(dryRun, FILLED, Map.of("If-Match", "\"1\"")).is(412);
    put("encode?dryRun=yes", FILLED).is(400);
    assertThat(caller.get(POOLS + "/encode").is(200).etag()).isEqualTo(stored.etag());
  }

  private JsonNode status() {
    return caller.get(POOLS + "/encode").is(200).json().path("status");
  }

  @Test
  void aDocumentWithAnUnknownPoolIsRefusedWithItsOtherFaults() {
    String document =
        """
        {"trigger": {"type": "manual"}, "pool": "none", "target": {"template": {}, "queue": "a"}}
        """;
    Caller.Reply reply = caller.put("s", document).is(400);
    assertThat(reply.json().path("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/target/queue", "/pool");
  }

  @Test
  void aPoolThatNothingEnteredIsEmpty() {
    put("encode", FILLED).is(201);
    assertThat(status())
        .isEqualTo(
            Json.readObject(
                """
                {"depth": 20, "visible": 0, "inFlight": null, "moved": 0, "claimed": 0,
                 "nextChoiceAt": "2026-03-10T12:00:00.000Z", "oldestReadyAt": null,
                 "waiting": {"jobs": 0, "isAtLeast": false, "customers": 0, "byCustomer": []},
                 "servedSince": null, "servedLastHour": [], "servedOthers": 0}
                """));
    put("encode", "{\"maxInFlight\": {\"acme\": 3}}").is(200);
    assertThat(status().path("depth").isNull()).isTrue();
    assertThat(status().path("inFlight").asInt(-1)).isZero();
  }

  @Test
  void aPoolSaysWhatWaitsInItAndWhatLeftIt() {
    put("encode", "{\"queue\": \"encode\", \"maxInFlight\": {\"acme\": 3}}").is(201);
    Instant now = caller.world.now();
    for (int number = 0; number < 24; number++) {
      int jobs = number == 7 ? 3 : 1;
      for (int job = 0; job < jobs; job++) {
        enter("c" + (10 + number), now.minusSeconds(100 * number + job));
      }
    }
    enter("", now.minusSeconds(1));
    enter("", now.minusSeconds(2));
    pools().put(List.of(new Served(ENCODE, 0, "former", 3), new Newcomer(ENCODE, 5, "c10")));
    pools()
        .put(
            List.of(
                new InFlight(ENCODE, "acme", now, job(now)),
                new InFlight(ENCODE, "x", now, job(now))));
    PoolState begin = PoolState.begin(ENCODE);
    pools().update(begin, begin.next(Map.of(), List.of(), 9));
    pools().claimed(ENCODE, 4);
    pools().planChoice(ENCODE, now.plusSeconds(5));

    JsonNode status = status();
    assertThat(status.path("depth").asInt()).isEqualTo(100);
    assertThat(status.path("visible").asInt()).isEqualTo(5);
    assertThat(status.path("moved").asInt()).isEqualTo(9);
    assertThat(status.path("claimed").asInt()).isEqualTo(4);
    assertThat(status.path("inFlight").asInt()).isEqualTo(2);
    assertThat(status.path("nextChoiceAt").asText()).isEqualTo("2026-03-10T12:00:05.000Z");
    assertThat(status.path("oldestReadyAt").asText()).isEqualTo("2026-03-10T11:21:40.000Z");
    assertThat(status.at("/waiting/jobs").asInt()).isEqualTo(28);
    assertThat(status.at("/waiting/isAtLeast").asBoolean()).isFalse();
    assertThat(status.at("/waiting/customers").asInt()).isEqualTo(25);
    JsonNode customers = status.at("/waiting/byCustomer");
    assertThat(customers).hasSize(20);
    assertThat(customers.findValuesAsText("jobs").subList(0, 3)).containsExactly("3", "2", "1");
    assertThat(customers.findValuesAsText("customer").subList(0, 4))
        .containsExactly("c17", "null", "c10", "c11");

    caller.world.runFor(Duration.ofSeconds(6));
    assertThat(status().path("nextChoiceAt").isNull()).isTrue();
  }

  @Test
  void aPoolSaysWhichShareOfTheLastHourEachCustomerHad() {
    put("encode", FILLED).is(201);
    Instant now = caller.world.now();
    List<ReadyJob> chosen = new ArrayList<>();
    for (String customer : List.of("umbrella", "acme", "", "acme", "x".repeat(500), "acme")) {
      chosen.add(new ReadyJob(ENCODE, 5, customer, now, job(now)));
    }
    PoolState begin = PoolState.begin(ENCODE);
    pools().update(begin, begin.next(Map.of(), List.of(), 6).serving(chosen, now));
    JsonNode status = status();
    assertThat(status.path("servedSince").asText()).isEqualTo("2026-03-10T11:30:00.000Z");
    assertThat(status.path("servedLastHour"))
        .isEqualTo(
            Json.readObject(
                    """
                    {"served": [{"customer": "acme", "jobs": 3, "share": 0.5},
                     {"customer": null, "jobs": 1, "share": 0.167},
                     {"customer": "umbrella", "jobs": 1, "share": 0.167}]}
                    """)
                .path("served"));
    assertThat(status.path("servedOthers").asInt()).isEqualTo(1);
    caller.world.runFor(Duration.ofHours(1));
    assertThat(status().path("servedLastHour")).isEmpty();
  }

  @Test
  void atMostTenThousandRowsAreCounted() {
    put("encode", FILLED).is(201);
    Instant now = caller.world.now();
    for (int number = 0; number < PoolStatus.MOST_ROWS - 1; number++) {
      enter("a", now.plusSeconds(number));
    }
    assertThat(status().at("/waiting/jobs").asInt()).isEqualTo(9_999);
    assertThat(status().at("/waiting/isAtLeast").asBoolean()).isFalse();
    enter("a", now.minusSeconds(1));
    enter("b", now.minusSeconds(2));
    assertThat(status().at("/waiting/jobs").asInt()).isEqualTo(10_000);
    assertThat(status().at("/waiting/isAtLeast").asBoolean()).isTrue();
    assertThat(status().at("/waiting/customers").asInt()).isEqualTo(1);
  }

  private Pools pools() {
    return caller.world.gates.pools();
  }

  private void enter(String customer, Instant since) {
    pools().put(List.of(new ReadyJob(ENCODE, 5, customer, since, job(since))));
  }

  private static JobId job(Instant at) {
    return JobId.ofFire(new ScheduleId("default", "a"), 1, at);
  }

  @Test
  void preconditionsOfTheCallerAreChecked() {
    put("encode", FILLED, Map.of("If-Match", "*")).is(412);
    Reply created = put("encode", FILLED, Map.of("If-None-Match", "*")).is(201);
    assertThat(put("encode", "{}", Map.of("If-None-Match", "*")).is(412).body()).contains("pool");
    put("encode", "{}", Map.of("If-Match", "\"1\"")).is(412);
    put("encode", "{}", Map.of("If-Match", created.etag())).is(200);
    caller.send("DELETE", POOLS + "/encode", null, Map.of("If-Match", created.etag())).is(412);
  }

  @Test
  void poolsAreListedByName() {
    for (String name : List.of("c", "a", "b")) {
      put(name, FILLED).is(201);
    }
    caller.send("PUT", "/v1/namespaces/other/pools/d", "{}", Map.of()).is(201);
    JsonNode first = caller.get(POOLS + "?limit=2").is(200).json();
    assertThat(first.path("pools").findValuesAsText("name")).containsExactly("a", "b");
    JsonNode last = caller.get(POOLS + "?next=" + first.path("next").asText()).json();
    assertThat(last.path("pools").findValuesAsText("name")).containsExactly("c");
    assertThat(last.path("next").isNull()).isTrue();
    String ofOthers = Cursor.seal("calendars default", "a");
    assertThat(caller.get(POOLS + "?next=" + ofOthers).is(400).pointers())
        .containsExactly("/query/next");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"depth": 0, "queue": "a", "order": "lifo"}      | /depth /order
          {"depth": 100001, "queue": "a"}                  | /depth
          {"depth": 5}                                     | /depth
          {"weights": {"acme": 0, "umbrella": -1}}         | /weights/acme /weights/umbrella
          {"maxInFlight": {"default": 0}}                  | /maxInFlight/default
          {"match": {"payload": "encode"}}                 | /match/payload
          {"order": "fifo", "weights": {"acme": 2}}        | /weights
          {"reason": "why", "size": 3}                     | /reason /size
          {"paused": "yes", "queue": "carillon-check"}     | /paused /queue
          {"queue": "arn:aws:sqs:us-east-1:000000000000:a"} | /queue
          {"queue": "arn:aws:sqs:eu-west-1:111111111111:a"} | /queue
          {"queue": "no queue"}                            | /queue
          {"queue": 7}                                     | /queue
          []                                               | ''
          """)
  void allFaultsOfADocumentAreReportedAtOnce(String document, String pointers) {
    assertThat(put("encode", document).is(400).pointers().stream().sorted().toList())
        .isEqualTo(List.of(pointers.split(" ")));
    caller.get(POOLS + "/encode").is(404);
  }

  @Test
  void theQueueMustBeAnAllowedTarget() {
    assertThat(put("encode", "{\"queue\": \"" + Caller.RESERVED_ARN + "\"}").is(400).body())
        .contains("is reserved for Carillon itself; give another queue");
    assertThat(
            put("encode", "{\"queue\": \"arn:aws:sqs:eu-west-1:111111111111:a\"}").is(400).body())
        .contains("is not an allowed target; the allowed targets are");
  }

  @Test
  void aBadNameIsRefused() {
    assertThat(put("a%20b", "{}").is(400).pointers()).containsExactly("/path/pool");
  }

  @Test
  void aPoolThatSchedulesNameCannotBeDeleted() {
    put("encode", FILLED).is(201);
    put("other", FILLED).is(201);
    IntStream.range(10, 22).forEach(number -> storeNaming("encode", "s" + number));
    assertThat(delete("encode").is(409).json().path("detail").asText())
        .isEqualTo(
            "the pool encode is still in use; remove it from: s10, s11, s12, s13, s14, s15, s16, s17,"
                + " s18, s19 and 2 more");
    assertThat(
            caller
                .get(Caller.SCHEDULES + "?eventKey=pool:encode&limit=2")
                .json()
                .path("schedules")
                .findValuesAsText("name"))
        .containsExactly("s10", "s11");
    delete("other").is(204);
    caller.get(POOLS + "/encode").is(200);
  }

  private Reply pull(String document) {
    return caller.send("POST", POOLS + "/encode/next", document, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"worker": "w", "count": 0}                               | /count
          {"worker": "w", "count": 26}                              | /count
          {"worker": "w", "count": 1.5}                             | /count
          {"worker": "w", "waitSeconds": -1}                        | /waitSeconds
          {"worker": "w", "waitSeconds": 21}                        | /waitSeconds
          {"worker": "w", "requestId": ""}                          | /requestId
          {"worker": "w", "requestId": "a b"}                       | /requestId
          {"count": 1}                                              | /worker
          {"worker": "w", "wait": 5}                                | /wait
          {"worker": "w", "count": 26, "waitSeconds": 21, "requestId": "#"} | /count /requestId /waitSeconds
          """)
  void allFaultsOfAPullAreReportedAtOnceAndNothingIsChosen(String document, String pointers) {
    put("encode", "{}").is(201);
    enter("acme", caller.world.now());
    assertThat(pull(document).is(400).pointers().stream().sorted().toList())
        .isEqualTo(List.of(pointers.split(" ")));
    assertThat(pools().state(ENCODE)).isEmpty();
  }

  @Test
  void theBoundsOfAPullAreTaken() {
    put("encode", "{}").is(201);
    String longest = "{\"worker\": \"w\", \"requestId\": \"%s\"}".formatted("a".repeat(64));
    pull(longest).is(200);
    pull("{\"worker\": \"w\", \"count\": 1, \"waitSeconds\": 0}").is(200);
    pull("{\"worker\": \"w\", \"count\": 25, \"waitSeconds\": 20}").is(200);
    assertThat(pull(longest.replace("aaa", "aaaa")).is(400).pointers())
        .containsExactly("/requestId");
  }

  @Test
  void aPullFromAnEmptyPoolWaitsAsLongAsItAsks() {
    put("encode", "{}").is(201);
    Reply answer = pull("{\"worker\": \"w\", \"waitSeconds\": 20}").is(200);
    assertThat(answer.json()).hasToString("{\"jobs\":[]}");
    assertThat(caller.paused).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void aPullWhoseWaitIsBrokenOffEndsWithoutJobs() {
    put("encode", "{}").is(201);
    caller.onPause =
        () -> {
          throw new Sleeper.Interrupted(new InterruptedException());
        };
    Reply answer = pull("{\"worker\": \"w\", \"waitSeconds\": 20}").is(200);
    assertThat(answer.json()).hasToString("{\"jobs\":[]}");
    assertThat(caller.paused).isEqualTo(Duration.ofSeconds(1));
  }

  /** Stores a schedule with the index entry of one that names a pool. */
  private void storeNaming(String pool, String name) {
    ScheduleId id = new ScheduleId("default", name);
    Schedule schedule =
        caller.parser.parse(id, Json.readObject(Docs.of(Docs.DAILY)), caller.world.now());
    Change creation = Lifecycle.create(null, schedule, caller.world.now(), "test");
    Set<String> keys = Set.of(Schedule.poolKey(pool));
    caller.world.schedules.save(
        new Change(null, creation.after(), creation.definition(), Set.of(), keys, List.of()));
  }
}
