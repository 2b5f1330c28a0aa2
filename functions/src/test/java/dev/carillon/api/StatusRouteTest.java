package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.JobId;
import dev.carillon.memory.MemoryApps;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusRouteTest {

  private static final String UNTIL_SENT =
      "; they have no effect until they are sent again, see Dead letters";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private JsonNode status() {
    return caller.get("/v1/status").is(200).json();
  }

  private static List<String> troubles(JsonNode status) {
    return status.path("troubles").valueStream().map(JsonNode::asText).toList();
  }

  private String claim(String job) {
    return report(job, "claim", "worker", "w").path("claimToken").asText();
  }

  private JsonNode report(String job, String report, String member, String text) {
    String path = "/v1/namespaces/default/jobs/" + job + "/" + report;
    String body = "{\"%s\": \"%s\"}".formatted(member, text);
    return caller.send("POST", path, body, Map.of()).is(200).json();
  }

  @Test
  void theStatusIsAvailableBeforeTheFirstTick() {
    assertThat(status())
        .isEqualTo(
            Caller.json(
                """
                {"lastProcessedTime": null, "lagSeconds": null, "oldestDueAgeSeconds": 0,
                 "jobs": {},
                 "queues": {"ingest": {"url": "http://localhost/ingest", "visible": 3},
                            "checkDeadLetters": {"url": "http://localhost/dead", "visible": 0}},
                 "troubles": ["the master has never completed a tick; check that its rule is enabled, and read its log"]}
                """));
  }

  @Test
  void thereAreNoTroublesAfterATick() {
    caller.put("a", Docs.active(Docs.MINUTELY));
    world.runFor(Duration.ofSeconds(90));
    JsonNode status = status();

    assertThat(status.path("lastProcessedTime").asText()).isEqualTo("2026-03-10T12:01:00.000Z");
    assertThat(status.path("lagSeconds").asLong()).isEqualTo(30);
    assertThat(status.path("oldestDueAgeSeconds").asLong()).isZero();
    assertThat(troubles(status)).isEmpty();
  }

  @Test
  void aStoppedMasterIsATrouble() {
    world.status.advance(Instant.parse("2026-03-10T11:57:59Z"));
    assertThat(troubles(status()))
        .singleElement()
        .asString()
        .contains("no tick since 2026-03-10T11:57:59.000Z");
    world.status.advance(Instant.parse("2026-03-10T11:58:00Z"));
    assertThat(troubles(status())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"PT1H, 2026-03-10T10:59:00Z", "P1D, 2026-03-09T11:59:00Z"})
  void aMasterThatRunsSeldomIsATroubleAMinuteAfterItsNextRunIsDue(
      Duration period, Instant longestAgo) {
    Caller seldom =
        new Caller(new World(Caller.NOW), new MemoryApps(), UnaryOperator.identity(), period);
    seldom.world.status.advance(longestAgo.minusMillis(1));
    assertThat(troubles(seldom.get("/v1/status").is(200).json()))
        .singleElement()
        .asString()
        .startsWith("the master has completed no tick since");
    seldom.world.status.advance(longestAgo);
    assertThat(troubles(seldom.get("/v1/status").is(200).json())).isEmpty();
  }

  @Test
  void theOldestDueAgeDistinguishesAStoppedMasterFromAnIdleOne() {
    caller.put("a", Docs.active(Docs.DAILY));
    world.sleepUntil("2026-03-11T03:00:10Z");
    assertThat(status().path("oldestDueAgeSeconds").asLong()).isEqualTo(10);
  }

  @Test
  void overdueJobsCountForTheOldestDueAge() {
    caller.put("a", Docs.of(Docs.DAILY));
    caller.act("a", "launch", "{}").is(202);
    world.sleepUntil("2026-03-10T12:00:50Z");
    JsonNode status = status();

    assertThat(status.path("oldestDueAgeSeconds").asLong()).isEqualTo(30);
    assertThat(status.path("jobs")).isEqualTo(Caller.json("{\"PENDING_CONSTRAINT\": 1}"));
  }

  @Test
  void runsCountWithTheJobsThatWait() {
    caller.put(
        "tracked", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\", \"tracking\": {}"));
    List<String> launched =
        IntStream.range(0, 4)
            .mapToObj(i -> caller.act("tracked", "launch", "{}").is(202).json())
            .map(job -> job.path("jobId").asText())
            .toList();
    world.runFor(Duration.ofSeconds(2));
    claim(launched.get(0));
    report(launched.get(1), "heartbeat", "claimToken", claim(launched.get(1)));
    report(launched.get(2), "succeed", "claimToken", claim(launched.get(2)));
    caller.act("tracked", "launch", "{}").is(202);

    assertThat(status().path("jobs"))
        .isEqualTo(
            Caller.json(
                """
                {"PENDING_CONSTRAINT": 1, "ENQUEUED": 1, "CLAIMED": 1, "RUNNING": 1}
                """));
  }

  @Test
  void requestsThatNoWorkerClaimsAreATroubleUntilOneDoes() {
    caller.put(
        "tracked",
        Docs.of(
            "{\"type\": \"manual\"}",
            ", \"state\": \"ACTIVE\", \"tracking\": {\"enqueueTimeout\": \"PT30S\"}"));
    String first = launched("tracked");
    String second = launched("tracked");
    world.runFor(Duration.ofSeconds(25));
    assertThat(troubles(status())).isEmpty();
    world.runFor(Duration.ofSeconds(25));
    assertThat(troubles(status()))
        .containsExactly(
            "tracked jobs that were sent again because no worker claimed them: 2, for example "
                + first
                + "; check that workers receive from the target queue, and look in its dead-letter queue");
    assertThat(summary(first))
        .contains("; the request of attempt 1 is still in its target queue if no worker");
    report(first, "heartbeat", "claimToken", claim(first));
    claim(second);
    assertThat(troubles(status())).isEmpty();
    assertThat(summary(first)).doesNotContain("dead-letter");
    world.runFor(Duration.ofMinutes(10));
    assertThat(summary(second))
        .startsWith("it failed: no worker claimed it within PT30S")
        .contains("; the request of attempt 3 is still in its target queue if no worker");
  }

  private String launched(String schedule) {
    String job = caller.act(schedule, "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofSeconds(2));
    return job;
  }

  private String summary(String job) {
    String path = "/v1/namespaces/default/jobs/" + job + "/explain";
    return caller.get(path).is(200).json().path("summary").asText();
  }

  @Test
  void movesIntoTheQueueOfAPoolThatAreRefusedAreATrouble() {
    String queue = "arn:aws:sqs:us-east-1:000000000000:work";
    world.targets.lose(queue);
    String pool = "/v1/namespaces/default/pools/encode";
    caller.send("PUT", pool, "{\"queue\": \"work\", \"depth\": 2}", Map.of()).is(201);
    String document =
        """
        {"trigger": {"type": "manual"}, "state": "ACTIVE", "pool": "encode",
         "target": {"template": {}}}
        """;
    caller.put("a", document).is(201);
    for (int i = 0; i < 3; i++) {
      launched("a");
    }
    world.runFor(Duration.ofMinutes(20));
    assertThat(troubles(status()))
        .singleElement()
        .asString()
        .startsWith("jobs in READY: 3; some moves into queues of pools are refused")
        .contains(
            "default~", "of the schedule default/a in the pool encode: the queue does not exist");

    world.targets.accept(queue);
    world.runFor(Duration.ofMinutes(10));
    assertThat(status().at("/jobs/READY").asInt()).isEqualTo(1);
    assertThat(troubles(status())).isEmpty();
  }

  @Test
  void refusedCallbacksAreATroubleUntilTheirQueueAcceptsThem() {
    String queue = "arn:aws:sqs:us-east-1:000000000000:ends";
    world.targets.lose(queue);
    caller.put(
        "a",
        Docs.of(
            "{\"type\": \"manual\"}",
            ", \"state\": \"ACTIVE\", \"onEnd\": {\"queue\": \"ends\", \"template\": {}}"));
    String job = launched("a");
    world.runFor(Duration.ofMinutes(20));
    assertThat(status().path("jobs")).isEmpty();
    assertThat(troubles(status()))
        .containsExactly(
            "some callbacks are refused, for example that of "
                + job
                + ", of the schedule default/a to the queue ends: the queue does not exist; create it");
    caller.put("a", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\""));
    assertThat(troubles(status()))
        .singleElement()
        .asString()
        .contains("to the queue of its former definition: the queue does not exist");

    world.targets.accept(queue);
    world.runFor(Duration.ofMinutes(10));
    assertThat(troubles(status())).isEmpty();
  }

  @Test
  void refusedLaunchesAreATroubleButJobsAboutToLaunchAreNot() {
    String queue = "arn:aws:sqs:us-east-1:000000000000:work";
    world.targets.lose(queue);
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:05Z")));
    caller.put("b", Docs.active(Docs.at("2026-03-10T12:00:05Z")));
    world.runFor(Duration.ofMinutes(20));
    assertThat(troubles(status()))
        .singleElement()
        .asString()
        .startsWith("jobs in PENDING_CONSTRAINT: 2")
        .contains(
            "default~", "of the schedule default/", " to the queue work: the queue does not exist");

    world.targets.accept(queue);
    world.runFor(Duration.ofMinutes(10));
    assertThat(troubles(status())).isEmpty();
    caller.act("a", "launch", "{}").is(202);
    JsonNode launching = status();
    assertThat(launching.path("jobs").path("PENDING_CONSTRAINT").asInt()).isEqualTo(1);
    assertThat(troubles(launching)).isEmpty();
  }

  @Test
  void anUnreadableJobIsATroubleWithItsNameButNotAFailure() {
    caller.put("a", Docs.of(Docs.DAILY)).is(201);
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    world.status.advance(world.now());
    caller.unreadable.add(JobId.parse(job));
    assertThat(troubles(status())).containsExactly(unreadable(job));

    world.sleepUntil("2026-03-10T12:00:50Z");
    JsonNode overdue = status();
    assertThat(overdue.path("oldestDueAgeSeconds").asLong()).isEqualTo(30);
    assertThat(troubles(overdue)).containsExactly(unreadable(job));
    caller.unreadable.clear();
    assertThat(troubles(status())).isEmpty();
  }

  private static String unreadable(String job) {
    return "jobs that cannot be read: 1, for example "
        + job
        + ". They are damaged, or a newer version stored them; deploy that version, or repair their items in the table of jobs";
  }

  @Test
  void deadLettersAndRejectedEventsAreATrouble() {
    world.status.advance(world.now());
    caller.depths =
        List.of(
            new Queues.Depth("check", "u", 5),
            new Queues.Depth("ingestDeadLetters", "u", 2),
            new Queues.Depth("rejected", "u", 1));
    assertThat(troubles(status()))
        .containsExactly(
            "messages in the queue ingestDeadLetters: 2" + UNTIL_SENT,
            "messages in the queue rejected: 1" + UNTIL_SENT);
  }

  @Test
  void unreadableQueuesAreATroubleButNotAFailure() {
    world.status.advance(world.now());
    caller.depths =
        new AbstractList<>() {
          @Override
          public Queues.Depth get(int index) {
            throw new IllegalStateException("no connection");
          }

          @Override
          public int size() {
            return 1;
          }
        };
    assertThat(troubles(status()))
        .containsExactly(
            "the depths of the queues could not be read; find the cause in the log of the function api");
  }
}
