package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.pool.PoolPlace;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.Pools;
import dev.carillon.run.Report;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Explanations of jobs that wait in a pool. The tests run at noon on Tuesday, 10 March 2026. */
class ExplainPoolTest {

  private static final PoolId ENCODE = new PoolId("default", "encode");
  private static final String PAUSED =
      "{\"queue\": \"work\", \"depth\": 1, \"paused\": true, \"reason\": \"repair\"}";
  private static final String ONE = "{\"queue\": \"work\", \"depth\": 1}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private void pool(String document) {
    caller.send("PUT", "/v1/namespaces/default/pools/encode", document, Map.of());
    world.runFor(Duration.ofSeconds(2));
  }

  private void schedule(String name, String customer, String more) {
    String document =
        """
        {"trigger": {"type": "manual"}, "state": "ACTIVE", "target": {"template": {}},
         "pool": "encode", "customer": "%s"%s}
        """
            .formatted(customer, more);
    caller.put(name, document).is(201);
  }

  private String launched(String name) {
    String job = caller.act(name, "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofSeconds(2));
    return job;
  }

  private JsonNode explained(String job) {
    return caller.get("/v1/namespaces/default/jobs/" + job + "/explain").is(200).json();
  }

  @Test
  void aJobInAPausedPoolNamesThePoolItsPlaceAndTheReason() {
    pool(PAUSED);
    schedule("a", "acme", ", \"timeout\": {\"after\": \"PT1H\", \"action\": \"discard\"}");
    schedule("urgent", "umbrella", ", \"priority\": 1");
    schedule("b", "umbrella", "");
    launched("a");
    String second = launched("a");
    launched("urgent");
    launched("b");
    JsonNode explanation = explained(second);
    assertThat(explanation.path("state").asText()).isEqualTo("READY");
    assertThat(explanation.path("summary").asText())
        .isEqualTo(
            "it has waited in the pool encode since 2026-03-10T12:00:04.000Z: the pool is paused: repair");
    assertThat(explanation.path("waitsBecause").asText()).isEqualTo("the pool is paused: repair");
    assertThat(explanation.path("timesOut"))
        .isEqualTo(Caller.json("{\"at\": \"2026-03-10T13:00:04.000Z\", \"action\": \"discard\"}"));
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T13:00:04.000Z");
    assertThat(explanation.path("pool"))
        .isEqualTo(
            Caller.json(
                """
                {"name": "encode", "since": "2026-03-10T12:00:04.000Z", "customer": "acme",
                 "priority": 5, "stoppedBy": "PAUSED", "isChosen": false,
                 "rule": "the most urgent priority first, and each ten minutes of waiting count as one step; of one priority each customer in turn",
                 "moreUrgent": {"jobs": 1, "isAtLeast": false},
                 "ofCustomer": {"jobs": 1, "isAtLeast": false},
                 "turn": {"number": 4, "isAtLeast": false,
                  "before": [{"customer": "umbrella", "jobs": 2}, {"customer": "acme", "jobs": 1}]},
                 "nextChoiceAt": null, "expectedAt": null}
                """));
  }

  @Test
  void aJobOfAFullPoolIsStoppedUntilAWorkerClaims() {
    pool(ONE);
    schedule("a", "acme", "");
    String first = launched("a");
    String second = launched("a");
    assertThat(explained(first).path("state").asText()).isEqualTo("ENQUEUED");
    assertThat(explained(first).has("pool")).isFalse();
    JsonNode explanation = explained(second);
    assertThat(explanation.at("/pool/stoppedBy").asText()).isEqualTo("FULL");
    assertThat(explanation.path("waitsBecause").asText())
        .isEqualTo(
            "the queue of the pool is full; jobs that wait in it for a worker or are chosen for it:"
                + " 1 of at most 1");
    assertThat(explanation.path("timesOut").isNull()).isTrue();
  }

  @Test
  void aJobWhoseChecksFailedSaysWhenItIsCheckedAgain() {
    pool("{}");
    schedule("a", "acme", "");
    JobId job = JobId.parse(launched("a"));
    world.checkReceivedOften(job);
    assertThat(explained(job.toString()).path("waitsBecause").asText())
        .matches("its check failed [0-9]+ times; it is checked again at .*")
        .endsWith(ScheduleView.text(world.job(job).notBefore()));
  }

  @Test
  void aJobWhoseMoveWasRefusedSaysWhyAndWhenItIsMovedAgain() {
    world.targets.lose("arn:aws:sqs:us-east-1:000000000000:work");
    pool(ONE);
    schedule("a", "acme", "");
    String refused = launched("a");
    String next = launched("a");
    JsonNode explanation = explained(refused);
    String retryAt = ScheduleView.text(world.job(JobId.parse(refused)).notBefore());
    assertThat(explanation.path("waitsBecause").asText())
        .isEqualTo(
            "its move into the queue of the pool was refused: the queue does not exist; create it;"
                + " it is moved again at "
                + retryAt);
    assertThat(explanation.path("summary").asText())
        .endsWith(explanation.path("waitsBecause").asText());
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo(retryAt);
    assertThat(explained(next).path("waitsBecause").asText())
        .isEqualTo(
            "the queue of the pool is full; jobs that wait in it for a worker or are chosen for it:"
                + " 1 of at most 1");

    pool(PAUSED);
    assertThat(explained(refused).path("waitsBecause").asText())
        .isEqualTo("the pool is paused: repair");
    pool("{}");
    assertThat(explained(refused).path("waitsBecause").asText())
        .isEqualTo("no worker has pulled it yet");
  }

  @Test
  void aJobOfACustomerAtItsLimitIsStoppedUntilOneOfItsJobsEnds() {
    pool("{\"queue\": \"work\", \"maxInFlight\": {\"acme\": 1}, \"weights\": {\"acme\": 2}}");
    schedule("a", "acme", "");
    String first = launched("a");
    String second = launched("a");
    assertThat(explained(first).path("state").asText()).isEqualTo("ENQUEUED");
    JsonNode explanation = explained(second);
    assertThat(explanation.at("/pool/stoppedBy").asText()).isEqualTo("CUSTOMER_LIMIT");
    assertThat(explanation.path("waitsBecause").asText())
        .isEqualTo("its customer is at its limit of jobs in flight: 1");
    assertThat(explanation.at("/pool/rule").asText()).endsWith("the customers by their weights");
  }

  @Test
  void aJobThatIsOnlyPulledWaitsForAWorker() {
    pool("{\"order\": \"fifo\"}");
    schedule("a", "acme", "");
    schedule("b", "umbrella", "");
    launched("b");
    String job = launched("a");
    JsonNode explanation = explained(job);
    assertThat(explanation.at("/pool/stoppedBy").isNull()).isTrue();
    assertThat(explanation.at("/pool/ofCustomer/jobs").asInt()).isEqualTo(1);
    assertThat(explanation.at("/pool/rule").asText()).endsWith("the oldest job first");
    assertThat(explanation.path("waitsBecause").asText()).isEqualTo("no worker has pulled it yet");
  }

  @Test
  void aJobOfAMissingPoolSaysSo() {
    pool(PAUSED);
    schedule("a", "acme", "");
    String job = launched("a");
    Pools pools = world.gates.pools();
    pools.delete(pools.find(List.of(ENCODE)).get(ENCODE));
    JsonNode explanation = explained(job);
    assertThat(explanation.at("/pool/stoppedBy").asText()).isEqualTo("MISSING");
    assertThat(explanation.at("/pool/moreUrgent").isNull()).isTrue();
    assertThat(explanation.path("summary").asText()).endsWith(": there is no such pool");
  }

  @Test
  void aJobThatItsRequestLeadsToAPoolNamesThePoolBeforeItEnters() {
    caller
        .put(
            "a",
            """
            {"trigger": {"type": "manual"}, "state": "ACTIVE", "pool": "match",
             "target": {"template": {"kind": "video"}}}
            """)
        .is(201);
    String homeless = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    assertThat(explained(homeless).path("summary").asText())
        .startsWith("its next check ends it as FAILED: no pool matches its request");
    pool("{\"queue\": \"work\", \"match\": {\"kind\": [\"video\"]}}");
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    assertThat(explained(job).path("summary").asText())
        .isEqualTo("its trigger is satisfied; it is about to enter the pool encode");
  }

  @Test
  void aJobOfASuspendedScheduleSaysWhenItLeaves() {
    pool(PAUSED);
    schedule("a", "acme", "");
    String job = launched("a");
    caller.act("a", "suspend", "{\"mode\": \"backlog\"}").is(200);
    assertThat(explained(job).path("summary").asText())
        .isEqualTo(
            "its schedule is suspended: it leaves the pool encode when it is its turn, and waits"
                + " until the schedule is resumed");
  }

  @Test
  void theNextChoiceIsTheNextCheck() {
    pool(PAUSED);
    schedule("a", "acme", "");
    String job = launched("a");
    world.gates.pools().planChoice(ENCODE, world.now().plusSeconds(5));
    JsonNode explanation = explained(job);
    assertThat(explanation.at("/pool/nextChoiceAt").asText()).isEqualTo("2026-03-10T12:00:09.000Z");
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T12:00:09.000Z");
  }

  @Test
  void anOldJobOfALesserPriorityIsMoreUrgent() {
    pool(PAUSED);
    schedule("patient", "acme", ", \"priority\": 9");
    schedule("a", "acme", "");
    launched("patient");
    world.runFor(Duration.ofMinutes(39));
    String job = launched("a");
    assertThat(explained(job).at("/pool/moreUrgent/jobs").asInt()).isZero();
    world.runFor(Duration.ofMinutes(1));
    assertThat(explained(job).at("/pool/moreUrgent/jobs").asInt()).isEqualTo(1);
  }

  @Test
  void atMostAThousandRowsAreCounted() {
    pool(PAUSED);
    schedule("a", "acme", "");
    String job = launched("a");
    enter("acme", 0, PoolPlace.MOST_ROWS + 1);
    enter("acme", 5, PoolPlace.MOST_ROWS - 1);
    JsonNode pool = explained(job).path("pool");
    assertThat(pool.path("moreUrgent"))
        .isEqualTo(Caller.json("{\"jobs\": 1000, \"isAtLeast\": true}"));
    assertThat(pool.path("ofCustomer"))
        .isEqualTo(Caller.json("{\"jobs\": 999, \"isAtLeast\": false}"));
  }

  /** Each customer has one turn in a round; a job without a customer is shown with null. */
  @Test
  void theTurnCountsTheJobsOfOtherCustomersInBetween() {
    pool(PAUSED);
    schedule("a", "acme", "");
    enter("", 5, 3);
    enter("umbrella", 5, 3);
    String first = launched("a");
    String second = launched("a");
    assertThat(explained(first).at("/pool/turn/number").asInt()).isEqualTo(1);
    assertThat(explained(first).at("/pool/turn/before")).isEmpty();
    JsonNode turn = explained(second).at("/pool/turn");
    assertThat(turn.path("isAtLeast").asBoolean()).isFalse();
    assertThat(turn.path("before"))
        .isEqualTo(
            Caller.json(
                """
                [{"customer": null, "jobs": 2}, {"customer": "acme", "jobs": 1},
                 {"customer": "umbrella", "jobs": 1}]
                """));
    assertThat(turn.path("number").asInt()).isEqualTo(5);
  }

  @Test
  void atMostAHundredTurnsAreExamined() {
    pool(PAUSED);
    schedule("a", "acme", "");
    enter("acme", 5, 99);
    String last = launched("a");
    String behind = launched("a");
    assertThat(explained(last).at("/pool/turn"))
        .isEqualTo(
            Caller.json(
                "{\"number\": 100, \"isAtLeast\": false, \"before\": [{\"customer\": \"acme\", \"jobs\": 99}]}"));
    assertThat(explained(behind).at("/pool/turn"))
        .isEqualTo(
            Caller.json(
                "{\"number\": 101, \"isAtLeast\": true, \"before\": [{\"customer\": \"acme\", \"jobs\": 100}]}"));
  }

  @Test
  void aJobThatALimitKeepsBackHasNoTurn() {
    pool("{\"paused\": true, \"maxInFlight\": {\"acme\": 2}}");
    schedule("a", "acme", "");
    launched("a");
    String second = launched("a");
    String third = launched("a");
    assertThat(explained(second).at("/pool/turn/number").asInt()).isEqualTo(2);
    assertThat(explained(third).at("/pool/turn").isNull()).isTrue();
  }

  @Test
  void aTurnByFifoNamesNoCustomers() {
    pool("{\"paused\": true, \"order\": \"fifo\"}");
    schedule("a", "acme", "");
    launched("a");
    JsonNode turn = explained(launched("a")).at("/pool/turn");
    assertThat(turn)
        .isEqualTo(Caller.json("{\"number\": 2, \"isAtLeast\": false, \"before\": []}"));
  }

  /** Other jobs wait in the pool, all since an hour before. */
  private void enter(String customer, int priority, int jobs) {
    Instant since = world.now().minus(Duration.ofHours(1));
    ScheduleId others = new ScheduleId("default", "others");
    world
        .gates
        .pools()
        .put(
            IntStream.range(0, jobs)
                .mapToObj(
                    number ->
                        new ReadyJob(
                            ENCODE,
                            priority,
                            customer,
                            since.plusMillis(number),
                            JobId.ofFire(others, 1, since.plusSeconds(number))))
                .toList());
  }

  @Test
  void theExpectedChoiceFollowsThePaceOfItsCustomer() {
    pool(ONE);
    schedule("a", "acme", "");
    world.runFor(Duration.ofMinutes(29));
    for (int number = 0; number < 20; number++) {
      finish(launched("a"));
    }
    String running = launched("a");
    String next = launched("a");
    String last = launched("a");
    assertThat(explained(next).at("/pool/expectedAt").isNull()).isTrue();
    world.sleepUntil("2026-03-10T12:42:00Z");
    assertThat(explained(running).path("state").asText()).isEqualTo("ENQUEUED");
    // 21 jobs in the 42 minutes since noon: one in two minutes.
    assertThat(explained(next).at("/pool/expectedAt").asText())
        .isEqualTo("2026-03-10T12:44:00.000Z");
    assertThat(explained(last).at("/pool/expectedAt").asText())
        .isEqualTo("2026-03-10T12:46:00.000Z");
  }

  private void finish(String job) {
    Job sent = world.job(JobId.parse(job));
    world.reports().claim(sent.id(), "w", 1, "token " + job).orElseThrow();
    world.reports().report(sent.id(), new Report.Success("token " + job, null)).orElseThrow();
  }
}
