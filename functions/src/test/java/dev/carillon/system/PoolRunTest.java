package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.job.Transition;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.Taker;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that wait in a pool, from READY to their end. */
class PoolRunTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  private static final String QUEUE = "arn:aws:sqs:us-east-1:000000000000:encoding";
  private static final String ONE = "{\"queue\": \"encoding\", \"depth\": 1}";

  @Test
  void aJobGoesThroughThePoolToItsEnd() {
    pooled.pool(ONE);
    pooled.schedule("acme", "");
    pooled.arrive("acme", 1);
    world.runFor(Duration.ofSeconds(2));

    LaunchRequest request = pooled.claim();
    assertThat(request.queueArn()).endsWith(":encoding");
    pooled.succeed(request);
    assertThat(pooled.only("acme").transitions().stream().map(Transition::state))
        .containsExactly(
            JobState.PENDING_TRIGGER,
            JobState.PENDING_CONSTRAINT,
            JobState.READY,
            JobState.PENDING_LAUNCH,
            JobState.ENQUEUED,
            JobState.CLAIMED,
            JobState.SUCCEEDED);
    world.runFor(Duration.ofMinutes(20));
    assertThat(pooled.moved()).isEmpty();
  }

  @Test
  void aFireGoesThroughThePool() {
    pooled.pool(ONE);
    world.put(
        "nightly",
        """
        {"trigger": {"type": "cron", "expression": "0 * * * * ?"}, "state": "ACTIVE",
         "pool": "encode", "target": {"template": {}}}
        """);
    world.runFor(Duration.ofSeconds(32));
    assertThat(pooled.moved()).containsExactly("nightly");
    assertThat(pooled.in(JobState.ENQUEUED)).hasSize(1);
  }

  @Test
  void customersTakeTurns() {
    pooled.pool(ONE);
    List.of("a", "b", "c").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 5);
    pooled.arrive("b", 1);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.drain(2)).containsExactly("a", "b", "a");
    pooled.arrive("c", 1);
    assertThat(pooled.drain(2)).containsExactly("c", "a");
  }

  @Test
  void threeCustomersShareEqually() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    List.of("a", "b", "c").forEach(customer -> pooled.schedule(customer, ""));
    List.of("a", "b", "c").forEach(customer -> pooled.arrive(customer, 3));
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).isEmpty();
    pooled.pool(ONE);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.drain(8)).containsExactly("a", "b", "c", "a", "b", "c", "a", "b", "c");
  }

  @Test
  void theQueueIsKeptAtItsDepth() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 5}");
    pooled.schedule("a", "");
    pooled.arrive("a", 3);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).hasSize(3);
    pooled.arrive("a", 7);
    world.runFor(Duration.ofMinutes(3));
    assertThat(pooled.moved()).hasSize(2);
    assertThat(pooled.in(JobState.READY)).hasSize(5);
    pooled.claim();
    assertThat(pooled.moved()).hasSize(1);
  }

  @Test
  void aFailedMoveCostsNoTurnAndNoJob() {
    pooled.pool(ONE);
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.arrive("b", 2);
    pooled.arrive("a", 2);
    world.targets.refuse(QUEUE, "no answer");
    pooled.claim();
    assertThat(pooled.moved()).isEmpty();
    assertThat(pooled.in(JobState.READY)).hasSize(4);
    world.targets.accept(QUEUE);
    world.runFor(Duration.ofMinutes(1));
    assertThat(pooled.drain(3)).containsExactly("b", "a", "b", "a");
  }

  @Test
  void limitsOfACustomerHoldUntilItsJobsEnd() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 9, \"maxInFlight\": {\"default\": 2}}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 4);
    pooled.arrive("b", 1);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactlyInAnyOrder("a", "a", "b");
    LaunchRequest first = pooled.claim();
    assertThat(pooled.moved()).isEmpty();
    pooled.succeed(first);
    assertThat(pooled.moved()).containsExactly("a");
  }

  /** Otherwise it would keep its customer at the limit for ever: an older job is the next one. */
  @Test
  void aRefusedJobIsMovedAfterTheStateOfItsPoolWasReplaced() {
    String limited = "\"queue\": \"encoding\", \"depth\": 9, \"maxInFlight\": {\"default\": 1}";
    pooled.pool("{" + limited + ", \"paused\": true}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    Pools pools = world.gates.pools();
    PoolRow older = PoolQueue.row(pooled.in(JobState.READY).get(0), Order.FAIR);
    pools.remove(List.of(older));
    world.targets.refuse(QUEUE, "no answer");
    pooled.pool("{" + limited + "}");
    world.runFor(Duration.ofSeconds(10));
    pools.put(List.of(older));
    PoolState state = pools.state(Pooled.ENCODE).orElseThrow();
    assertThat(state.leaving()).hasSize(1);
    PoolState replaced = PoolState.standIn(pools.activity(Pooled.ENCODE), world.now());
    assertThat(pools.update(state, replaced)).isTrue();
    world.targets.accept(QUEUE);
    world.runFor(Duration.ofMinutes(5));
    assertThat(pooled.moved()).containsExactly("a");
    pooled.succeed(pooled.claim());
    assertThat(pooled.moved()).containsExactly("a");
  }

  /** The record of a turn in a round of the lost state does not cost a turn in a later round. */
  @Test
  void customersHaveEqualSharesAfterTheStateOfTheirPoolWasReplaced() {
    pooled.pool(ONE);
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 5);
    pooled.arrive("b", 5);
    world.runFor(Duration.ofSeconds(2));
    pooled.drain(1);
    var pools = world.gates.pools();
    pools.put(List.of(new Served(Pooled.ENCODE, 5, "a", 3)));
    PoolState replaced = PoolState.standIn(pools.activity(Pooled.ENCODE), world.now());
    assertThat(pools.update(pools.state(Pooled.ENCODE).orElseThrow(), replaced)).isTrue();
    pooled.claim();
    world.runFor(Duration.ofMinutes(3));
    assertThat(pooled.drain(6)).containsExactly("a", "b", "a", "b", "a", "b", "a");
  }

  /** A state that an earlier version has replaced counts the rounds from 1 again. */
  @Test
  void aCustomerWithTheRecordOfALaterRoundHasItsTurn() {
    pooled.pool(ONE);
    pooled.schedule("a", "");
    pooled.arrive("a", 3);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.drain(1)).hasSize(2);
    world.gates.pools().put(List.of(new Served(Pooled.ENCODE, 5, "a", 3)));
    pooled.claim();
    assertThat(pooled.moved()).containsExactly("a");
  }

  @Test
  void aRetryWaitsInThePoolAgain() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", ", \"retry\": {\"backoff\": \"PT5S\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.fail(pooled.claim());
    world.runFor(Duration.ofSeconds(30));
    assertThat(pooled.moved()).containsExactly("a");
    LaunchRequest second = pooled.claim();
    assertThat(second.attempt()).isEqualTo(2);
    pooled.succeed(second);
    assertThat(pooled.only("a").state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aRequestThatIsNotClaimedLeavesRoomForTheNext() {
    pooled.pool(ONE);
    pooled.schedule(
        "a", ", \"tracking\": {\"enqueueTimeout\": \"PT1M\"}, \"retry\": {\"maxAttempts\": 1}");
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(30));
    assertThat(pooled.moved()).hasSize(1);
    world.runFor(Duration.ofSeconds(40));
    assertThat(pooled.moved()).hasSize(1);
    assertThat(pooled.in(JobState.FAILED)).hasSize(1);
  }

  @Test
  void aJobTimesOutInThePool() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    pooled.schedule("a", ", \"timeout\": {\"after\": \"PT5M\", \"action\": \"discard\"}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(4));
    assertThat(pooled.only("a").state()).isEqualTo(JobState.READY);
    world.runFor(Duration.ofMinutes(2));
    Job job = pooled.only("a");
    assertThat(job.state()).isEqualTo(JobState.TIMED_OUT);
    assertThat(job.lastReason()).contains("waited in the pool encode");
    assertThat(world.rejected.all()).as("events that are no status").isEmpty();
    assertThat(rows()).isZero();
  }

  @Test
  void aSuspendedScheduleGetsNoTurnAndLosesNoJob() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    ScheduleId a = pooled.schedule("a", "");
    pooled.schedule("b", "");
    pooled.arrive("a", 1);
    pooled.arrive("b", 1);
    world.keep(a, SuspendMode.BACKLOG, null);
    pooled.pool(ONE);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("b");
    assertThat(pooled.only("a").state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    world.resume(a);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.only("a").state()).isEqualTo(JobState.READY);
    assertThat(pooled.drain(1)).containsExactly("a");
  }

  @Test
  void nothingLeavesAPoolAfterItsScheduleIsDeleted() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    ScheduleId a = pooled.schedule("a", "");
    pooled.schedule("b", "");
    pooled.arrive("a", 2);
    pooled.arrive("b", 1);
    world.delete(a);
    pooled.pool("{\"queue\": \"encoding\"}");
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("b");
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(2);
  }

  @Test
  void jobsOfADeletedPoolEndIfTheirScheduleWasChanged() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    ScheduleId a = pooled.schedule("a", "");
    pooled.schedule("b", "");
    pooled.arrive("a", 1);
    pooled.arrive("b", 1);
    world.delete(a);
    var pools = world.gates.pools();
    pools.delete(pools.find(List.of(Pooled.ENCODE)).get(Pooled.ENCODE));
    world.pools().choose(Pooled.ENCODE);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.only("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(pooled.only("b").state()).isEqualTo(JobState.READY);
    pooled.pool(ONE);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).containsExactly("b");
  }

  @Test
  void aChangeOfTheOrderMovesThoseThatWait() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 3);
    pooled.arrive("b", 2);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"order\": \"fifo\"}");
    world.runFor(Duration.ofSeconds(3));
    assertThat(pooled.drain(2)).containsExactly("a", "a", "a");
    pooled.pool(ONE);
    pooled.arrive("a", 2);
    assertThat(pooled.drain(4)).containsExactly("a", "b", "a", "b");
  }

  @ParameterizedTest
  @CsvSource({"fifo, fair, a a b b", "fair, fifo, b a b a"})
  void jobsThatEnterBetweenTwoChangesOfTheOrderHaveTheirPlace(
      String order, String meanwhile, String moved) {
    String document = "{\"queue\": \"encoding\", \"depth\": 1, \"order\": \"%s\", \"paused\": %s}";
    put(document.formatted(order, false));
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    world.loseChecks();
    put(document.formatted(meanwhile, true));
    world.repair();
    pooled.arrive("a", 2);
    pooled.arrive("b", 2);
    put(document.formatted(order, false));
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.drain(4)).containsExactlyElementsOf(List.of(("a " + moved).split(" ")));
  }

  private void put(String document) {
    world.request(
        "PUT",
        "/v1/namespaces/{ns}/pools/{pool}",
        Map.of("ns", "default", "pool", "encode"),
        document);
  }

  @Test
  void jobsThatEnterWhileAPoolIsPausedHaveTheirPlaceInTheNextOrder() {
    pooled.pool("{\"queue\": \"encoding\", \"order\": \"fifo\", \"paused\": true}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.pool("{\"queue\": \"encoding\", \"order\": \"fifo\", \"depth\": 1}");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    world.runFor(Duration.ofSeconds(2));
    pooled.arrive("b", 2);
    pooled.arrive("a", 2);
    pooled.pool("{\"queue\": \"encoding\", \"order\": \"fifo\", \"depth\": 1}");
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.drain(4)).containsExactly("a", "b", "b", "a", "a");
  }

  @Test
  void aJobGoesToTheFirstPoolWhosePatternMatchesOrFails() {
    pooled.pool("{\"queue\": \"encoding\", \"match\": {\"of\": [\"video\"]}}");
    for (String kind : List.of("video", "audio")) {
      world.put(
          kind,
          """
          {"trigger": {"type": "partition", "dataset": "%s", "count": 1}, "state": "ACTIVE",
           "pool": "match", "target": {"template": {"of": "%s"}}}
          """
              .formatted(kind, kind));
      world.partitions(kind, 1);
    }
    world.runFor(Duration.ofSeconds(3));
    assertThat(pooled.moved()).containsExactly("video");
    Job unmatched = pooled.only("audio");
    assertThat(unmatched.state()).isEqualTo(JobState.FAILED);
    assertThat(unmatched.newestReason().code()).isEqualTo(ReasonCode.POOL_MISSING);
  }

  @Test
  void aRequestThatCanNeverBeSentFailsForThatReasonWhateverThePatterns() {
    pooled.pool("{\"queue\": \"encoding\", \"match\": {\"of\": [\"video\"]}}");
    ScheduleId video =
        world.put(
            "video",
            """
            {"trigger": {"type": "manual"}, "state": "ACTIVE", "pool": "match",
             "target": {"template": {"of": "video", "data": "${payload.data}"}}}
            """);
    ObjectNode body = Json.object();
    body.putObject("payload").put("data", "x".repeat(1 << 20));
    world.checking(List.of(world.triggered(video, world.now(), body))).run();
    Job large = pooled.only("video");
    assertThat(large.state()).isEqualTo(JobState.FAILED);
    assertThat(large.newestReason().code()).isEqualTo(ReasonCode.REQUEST_IMPOSSIBLE);
  }

  @Test
  void ofSeveralPoolsWhosePatternsMatchTheFirstByNameGetsTheJob() {
    pooled.pool(new PoolId("default", "b"), "{\"match\": {\"of\": [\"video\"]}}");
    pooled.pool(new PoolId("default", "a"), "{\"match\": {\"of\": [\"video\"]}}");
    world.put(
        "video",
        """
        {"trigger": {"type": "partition", "dataset": "video", "count": 1}, "state": "ACTIVE",
         "pool": "match", "target": {"template": {"of": "video"}}}
        """);
    pooled.arrive("video", 1);
    assertThat(pooled.only("video").place().pool()).isEqualTo("a");
  }

  /** The job was chosen by a pull that died; SQS does not yet count its request. */
  @Test
  void theQueueIsKeptAtItsDepthByAJobThatAPullHadChosen() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    var pools = world.gates.pools();
    var pool = pools.find(List.of(Pooled.ENCODE)).get(Pooled.ENCODE).pool();
    var state = pools.state(Pooled.ENCODE).orElse(PoolState.begin(Pooled.ENCODE));
    var queue = new PoolQueue(pools);
    var puller = new Taker(true, 0, world.now());
    var chosen = queue.choose(pool, state, 1, Set.of(), puller, world.now());
    assertThat(queue.store(pool, state, chosen, List.of(), chosen.next())).isTrue();

    world.countsLate = true;
    pooled.pool(ONE);
    world.runFor(Duration.ofSeconds(30));
    assertThat(pooled.moved()).containsExactly("a");
  }

  @Test
  void slotsAreHeldInThePool() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    pooled.schedule("a", ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(3));
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).hasSize(1);
    pooled.pool(ONE);
    world.runFor(Duration.ofSeconds(2));
    pooled.succeed(pooled.claim());
    assertThat(pooled.moved()).containsExactly("a");
  }

  /** The state of the pool is lost while a checker sends a job, and the checker dies. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"a\": 1}"})
  void aJobThatWasBeingSentIsSentAlthoughItsPoolDoesNotKnowIt(String limits) {
    String document = "{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": %s%s}";
    pooled.pool(document.formatted(limits, ", \"paused\": true"));
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    lease(pooled.only("a"));
    pooled.pool(document.formatted(limits, ""));
    world.runFor(Duration.ofMinutes(2));

    assertThat(pooled.moved()).containsExactly("a");
    pooled.succeed(pooled.claim());
    assertThat(rows()).isZero();
  }

  private void lease(Job ready) {
    Job leased = TrackedJob.counted(ready.launching(world.now(), world.now().plusSeconds(15)));
    assertThat(world.jobs.update(List.of(new Jobs.Update(ready, leased))).get(0)).isEmpty();
    world.gates.pools().put(List.of(PoolQueue.inFlight(leased)));
  }

  /** It keeps its customer at the limit, so no choice comes to it behind the older job. */
  @Test
  void aJobThatWasBeingSentIsSentBeforeAnOlderJobOfItsCustomer() {
    String document = "{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": {\"a\": 1}%s}";
    pooled.pool(document.formatted(", \"paused\": true"));
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    List<Job> waiting = new ArrayList<>(pooled.in(JobState.READY));
    waiting.sort(Comparator.comparing(job -> Objects.requireNonNull(job.place()).since()));
    lease(waiting.get(1));
    pooled.pool(document.formatted(""));
    world.runFor(Duration.ofMinutes(2));

    LaunchRequest first = pooled.claim();
    assertThat(first.job()).isEqualTo(waiting.get(1).id());
    pooled.succeed(first);
    pooled.succeed(pooled.claim());
    assertThat(rows()).isZero();
  }

  private long rows() {
    return world.gates.pools().rows(Pooled.ENCODE, "ready#", "ready$", 100).stream()
        .filter(ReadyJob.class::isInstance)
        .count();
  }

  /** The check of the job fails five times, because the store takes no row of a pool. */
  @Test
  void aJobWhoseChecksFailKeepsItsSlotsWhileItIsReady() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 9}");
    pooled.schedule("a", ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    world.faults.failAll("Pools.put");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(6));
    Job first = pooled.in(JobState.READY).get(0);
    assertThat(first.transitions().toString()).contains(ReasonCode.CHECKS_FAILED.name());
    world.faults.heal();
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(1));
    assertThat(pooled.moved()).hasSize(1);
    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).hasSize(1);
  }

  /** Its checks fail five times. It has the place of its first attempt, but no slot. */
  @Test
  void aRetryWhoseChecksFailPassesTheGatesAgain() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 9}");
    pooled.schedule(
        "a",
        ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}],"
            + " \"retry\": {\"backoff\": \"PT1S\"}");
    pooled.arrive("a", 1);
    pooled.fail(pooled.claim());
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMillis(100));
    assertThat(pooled.in(JobState.ENQUEUED)).hasSize(1);
    assertThat(pooled.in(JobState.RETRY_WAIT)).hasSize(1);
    world.faults.failAll("Gates.find");
    world.faults.failAll("Gates.commit");
    world.runFor(Duration.ofMinutes(8));
    world.faults.heal();
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.in(JobState.ENQUEUED)).hasSize(1);
    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).hasSize(1);
  }

  @Test
  void aScheduleThatDeletesItselfWaitsForAJobThatWaitsInItsPool() {
    pooled.pool(ONE);
    ScheduleId once =
        world.put(
            "once",
            """
            {"trigger": {"type": "at", "time": "2026-03-01T10:01:00Z"}, "state": "ACTIVE",
             "pool": "encode", "target": {"template": {}}, "afterCompletion": "delete"}
            """);
    world.runUntil("2026-03-01T10:01:05Z");
    world.launchNow(once);
    world.runFor(Duration.ofSeconds(3));
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    pooled.succeed(pooled.claim());
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    assertThat(world.schedules.find(once)).isPresent();
    pooled.pool(ONE);
    world.runFor(Duration.ofSeconds(2));
    pooled.succeed(pooled.claim());
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.in(JobState.SUCCEEDED)).hasSize(2);
    assertThat(world.schedules.find(once)).isEmpty();
  }

  /**
   * The deletion of a schedule dies before it sends the check of its job. The pass over the pool
   * then ends the job, or leaves its row, however little time is left.
   */
  @ParameterizedTest
  @ValueSource(ints = {500, 600, 700, 800, 900, 1_000})
  void aJobOfADeletedScheduleThatIsNotEndedInTimeKeepsItsRow(int millisPerCall) {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"paused\": true}");
    ScheduleId deleted =
        pooled.schedule("a", ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    pooled.arrive("a", 1);
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    world.delete(deleted);
    pooled.pool(ONE);
    world.pause(Pools.PAUSE);
    world.takePerCall(Duration.ofMillis(millisPerCall));
    world.handleChecks();
    world.takePerCall(Duration.ZERO);
    world.runFor(Duration.ofMinutes(3));
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(1);
  }
}
