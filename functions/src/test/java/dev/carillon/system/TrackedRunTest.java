package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.decision.RunDecision.Repeated;
import dev.carillon.decision.RunDecision.Result;
import dev.carillon.document.Json;
import dev.carillon.gate.Slots;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Report;
import dev.carillon.system.World.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are tracked: claims, reports, time-outs and retries. */
class TrackedRunTest {

  private static final String TRACKED = "\"program\": \"p\", \"tracking\": {}";

  private static final String ONE_OR_SKIP =
      ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1, \"onUnmet\": \"skip\"}]";

  private final World world = new World("2026-03-01T10:00:30Z", room());

  /** Determines how many slots a gate's item takes. */
  Slots room() {
    return Slots.NONE;
  }

  private ScheduleId onData(String name, String more) {
    return world.put(name, active(partition(name, 1), more));
  }

  private JobId launchedOne(String more) {
    onData("a", more);
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    return world.arrivals.get(0).request().job();
  }

  private void run(Duration duration) {
    world.runFor(duration);
  }

  private Reported claim(JobId job, String worker) {
    int attempt = world.arrivals.get(world.arrivals.size() - 1).request().attempt();
    return world.reports().claim(job, worker, attempt, "token of " + worker).orElseThrow();
  }

  private Result heartbeat(JobId job, String worker) {
    return world
        .reports()
        .report(job, new Report.Heartbeat("token of " + worker, null, Map.of()))
        .orElseThrow()
        .result();
  }

  private Result succeed(JobId job, String worker) {
    return world
        .reports()
        .report(job, new Report.Success("token of " + worker, null))
        .orElseThrow()
        .result();
  }

  private Result fail(JobId job, String worker, boolean isRetriable) {
    return world
        .reports()
        .report(job, new Report.Failure("token of " + worker, "boom", isRetriable))
        .orElseThrow()
        .result();
  }

  private JobState state(JobId job) {
    return world.job(job).state();
  }

  private List<JobState> states(JobId job) {
    return world.job(job).transitions().stream().map(Transition::state).toList();
  }

  private List<Integer> attempts() {
    return world.arrivals.stream().map(Arrival::request).map(request -> request.attempt()).toList();
  }

  private ReasonCode lastReason(JobId job) {
    return world.job(job).newestReason().code();
  }

  @Test
  void aRunGoesFromItsClaimToItsReportedEnd() {
    JobId job = launchedOne(TRACKED);
    assertThat(state(job)).isEqualTo(JobState.ENQUEUED);
    claim(job, "w");
    heartbeat(job, "w");
    succeed(job, "w");
    run(Duration.ofMinutes(20));

    assertThat(states(job))
        .containsExactly(
            JobState.PENDING_TRIGGER,
            JobState.PENDING_CONSTRAINT,
            JobState.PENDING_LAUNCH,
            JobState.ENQUEUED,
            JobState.CLAIMED,
            JobState.RUNNING,
            JobState.SUCCEEDED);
    assertThat(world.job(job).waitsFor()).isNull();
    assertThat(attempts()).containsExactly(1);
  }

  @Test
  void aFireIsTrackedLikeAnyOtherJob() {
    world.put("nightly", active(cron("0 * * * * ?"), TRACKED));
    run(Duration.ofSeconds(31));
    JobId job = world.arrivals.get(0).request().job();
    assertThat(state(job)).isEqualTo(JobState.ENQUEUED);
    claim(job, "w");
    succeed(job, "w");
    assertThat(states(job))
        .containsExactly(
            JobState.PENDING_LAUNCH, JobState.ENQUEUED, JobState.CLAIMED, JobState.SUCCEEDED);
  }

  @Test
  void startAndEndAreEventsOfTheProgram() {
    onData("a", TRACKED);
    String each = "{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"%s\"]}";
    world.put("started", active(each.formatted("STARTED")));
    world.put("succeeded", active(each.formatted("SUCCEEDED")));
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    JobId job = world.arrivals.get(0).request().job();
    claim(job, "w");
    run(Duration.ofSeconds(1));
    assertThat(launchesOf("started")).isZero();
    heartbeat(job, "w");
    heartbeat(job, "w");
    run(Duration.ofSeconds(1));
    assertThat(launchesOf("started")).isOne();
    assertThat(launchesOf("succeeded")).isZero();
    succeed(job, "w");
    run(Duration.ofMinutes(2));
    assertThat(launchesOf("started")).isOne();
    assertThat(launchesOf("succeeded")).isOne();
  }

  @Test
  void theOutputOfARunTravelsWithTheLaunchThatItTriggers() {
    onData("a", TRACKED);
    world.put(
        "next",
        """
        {"trigger": {"type": "programStatus", "program": "p", "statuses": ["SUCCEEDED"]},
         "target": {"queue": "work",
           "template": {"one": "${events[0].payload.output}", "all": "${trigger}"}},
         "state": "ACTIVE"}
        """);
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    JobId job = world.arrivals.get(0).request().job();
    claim(job, "w");
    TextNode output = TextNode.valueOf("x".repeat(8_000));
    world.reports().report(job, new Report.Success("token of w", output));
    run(Duration.ofSeconds(5));
    JsonNode body = Json.readObject(world.arrivals.get(1).request().body());
    assertThat(body.path("one")).isEqualTo(output);
    assertThat(body.at("/all/events/0/payload/output")).isEqualTo(output);
    assertThat(body.at("/all/events/0/payload/runId").asText()).isEqualTo(job.toString());
  }

  private long launchesOf(String schedule) {
    return world.arrivals.stream()
        .filter(arrival -> arrival.request().job().schedule().name().equals(schedule))
        .count();
  }

  @Test
  void aRequestThatNoWorkerClaimsIsSentAgain() {
    JobId job = launchedOne(TRACKED);
    run(Duration.ofMinutes(15).minusSeconds(2));
    assertThat(attempts()).containsExactly(1);
    run(Duration.ofSeconds(15));
    assertThat(attempts()).containsExactly(1, 2);
    assertThat(world.arrivals.get(1).request().job()).isEqualTo(job);
    assertThat(world.job(job).transitions())
        .filteredOn(one -> one.state() == JobState.RETRY_WAIT)
        .extracting(one -> one.reason().code())
        .containsExactly(ReasonCode.CLAIM_MISSING);
  }

  @Test
  void aWorkerThatDiesAfterItsClaimIsReplaced() {
    JobId job = launchedOne(TRACKED);
    claim(job, "dead");
    run(Duration.ofSeconds(59));
    assertThat(attempts()).containsExactly(1);
    run(Duration.ofSeconds(15));
    assertThat(attempts()).containsExactly(1, 2);
    assertThat(claim(job, "w").result()).isInstanceOf(Accepted.class);
    succeed(job, "w");
    assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aRunWhoseHeartbeatsStopIsReplacedAndItsLateReportChangesNothing() {
    JobId job = launchedOne(TRACKED);
    claim(job, "slow");
    for (int i = 0; i < 10; i++) {
      heartbeat(job, "slow");
      run(Duration.ofSeconds(30));
    }
    run(Duration.ofSeconds(29));
    assertThat(state(job)).isEqualTo(JobState.RUNNING);
    run(Duration.ofSeconds(13));
    assertThat(attempts()).containsExactly(1, 2);
    claim(job, "w");
    Job before = world.job(job);
    assertThat(succeed(job, "slow")).isEqualTo(new Refused(Refusal.STALE));
    assertThat(heartbeat(job, "slow")).isEqualTo(new Refused(Refusal.STALE));
    assertThat(fail(job, "slow", true)).isEqualTo(new Refused(Refusal.STALE));
    assertThat(world.job(job)).isEqualTo(before);
  }

  @Test
  void aRunThatTakesTooLongIsReplacedThoughItsWorkerReports() {
    JobId job = launchedOne("\"tracking\": {\"runTimeout\": \"PT5M\"}");
    claim(job, "w");
    for (int i = 0; i < 12; i++) {
      heartbeat(job, "w");
      run(Duration.ofSeconds(30));
    }
    assertThat(attempts()).containsExactly(1, 2);
    assertThat(world.job(job).transitions())
        .extracting(one -> one.reason() == null ? null : one.reason().code())
        .contains(ReasonCode.RUN_TOO_LONG);
  }

  @Test
  void ofTwoClaimsOneIsAcceptedAndRepeatedWithTheSameToken() {
    JobId job = launchedOne(TRACKED);
    assertThat(claim(job, "one").result()).isInstanceOf(Accepted.class);
    assertThat(claim(job, "two").result()).isEqualTo(new Refused(Refusal.SUPERSEDED));
    Reported again = world.reports().claim(job, "one", 1, "another").orElseThrow();
    assertThat(again.result()).isEqualTo(new Repeated());
    assertThat(again.job().claim().token()).isEqualTo("token of one");
  }

  @Test
  void failuresAreRetriedWithGrowingDelaysAndEndTheJobAtLast() {
    JobId job =
        launchedOne(
            "\"tracking\": {}, \"retry\": {\"maxAttempts\": 4, \"backoff\": \"PT10S\","
                + " \"rate\": 10, \"maxBackoff\": \"PT2M\"}");
    for (int attempt = 1; attempt <= 4; attempt++) {
      assertThat(world.job(job).attempt()).isEqualTo(attempt);
      claim(job, "w" + attempt);
      Instant failedAt = world.now();
      fail(job, "w" + attempt, true);
      run(Duration.ofMinutes(3));
      if (attempt < 4) {
        Duration longest = Duration.ofSeconds(Math.min(120, Math.round(Math.pow(10, attempt))));
        Duration delay = Duration.between(failedAt, world.arrivals.get(attempt).at());
        assertThat(delay).isLessThanOrEqualTo(longest.plusSeconds(1));
      }
    }
    assertThat(state(job)).isEqualTo(JobState.FAILED);
    assertThat(attempts()).containsExactly(1, 2, 3, 4);
    assertThat(world.job(job).run().error()).isEqualTo("boom");
  }

  @Test
  void aFailureThatIsNotRetriableEndsTheJob() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    fail(job, "w", false);
    assertThat(fail(job, "w", false)).isEqualTo(new Repeated());
    run(Duration.ofMinutes(5));
    assertThat(state(job)).isEqualTo(JobState.FAILED);
    assertThat(attempts()).containsExactly(1);
  }

  @Test
  void anAttemptThatFailedFreesItsSlotAndTheNextOneTakesItAgain() {
    JobId first =
        launchedOne(TRACKED + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    claim(first, "w");
    fail(first, "w", true);
    run(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(2);
    JobId second = world.arrivals.get(1).request().job();
    assertThat(second).isNotEqualTo(first);
    run(Duration.ofSeconds(30));
    assertThat(world.arrivals).hasSize(2);
    claim(second, "w2");
    succeed(second, "w2");
    run(Duration.ofSeconds(15));
    assertThat(world.arrivals).hasSize(3);
    assertThat(world.arrivals.get(2).request().job()).isEqualTo(first);
    assertThat(world.arrivals.get(2).request().attempt()).isEqualTo(2);
  }

  /** The check of the job is left over from the end of the first attempt's lease. */
  @Test
  void aRetryIsSentOnceIfOnePassChecksTheJobAndItsRun() {
    String one = ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    ScheduleId id = world.put("by-hand", active("{\"type\": \"manual\"}", TRACKED + one));
    JobId job = world.triggered(id, world.now(), Json.object());
    world.checking(List.of(job)).run();
    claim(job, "w");
    fail(job, "w", true);
    world.sleepUntil(world.now().plusSeconds(15).toString());
    world.checking(List.of(job, new RunId(job, 2, false))).run();
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void aRunOfAnOldDefinitionFinishesWithoutRetry() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    onData("a", TRACKED + ", \"priority\": 1");
    fail(job, "w", true);
    run(Duration.ofMinutes(5));
    assertThat(state(job)).isEqualTo(JobState.FAILED);
    assertThat(attempts()).containsExactly(1);
  }

  @Test
  void aRunOfAnOldDefinitionThatStopsReportingFails() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    onData("a", TRACKED + ", \"priority\": 1");
    run(Duration.ofMinutes(5));
    assertThat(state(job)).isEqualTo(JobState.FAILED);
    assertThat(lastReason(job)).isEqualTo(ReasonCode.START_MISSING);
  }

  @Test
  void aChangeCancelsAJobThatWaitsForItsRetry() {
    JobId job =
        launchedOne(
            "\"tracking\": {}, \"retry\": {\"backoff\": \"PT1H\", \"maxBackoff\": \"PT1H\"}");
    claim(job, "w");
    fail(job, "w", true);
    world.delete(job.schedule());
    run(Duration.ofHours(2));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(attempts()).containsExactly(1);
  }

  @Test
  void aMessageOfAnEarlierAttemptIsSuperseded() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    fail(job, "w", true);
    assertThat(world.reports().claim(job, "x", 1, "t").orElseThrow().result())
        .isEqualTo(new Refused(Refusal.SUPERSEDED));
    run(Duration.ofSeconds(15));
    assertThat(world.reports().claim(job, "x", 1, "t").orElseThrow().result())
        .isEqualTo(new Refused(Refusal.SUPERSEDED));
    assertThat(world.reports().claim(job, "x", 2, "t").orElseThrow().result())
        .isInstanceOf(Accepted.class);
  }

  @Test
  void anEventEndsNoTrackedRun() {
    JobId job =
        launchedOne(TRACKED + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    claim(job, "w");
    for (String run : List.of(", \"runId\": \"" + job + "\"", "")) {
      world.event(
          "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"FAILED\"%s}}"
              .formatted(run));
      run(Duration.ofSeconds(1));
    }
    assertThat(state(job)).isEqualTo(JobState.CLAIMED);
  }

  @Test
  void anEndIsAnnouncedByItsCheckIfTheReportCouldNotAnnounceIt() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    heartbeat(job, "w");
    run(Duration.ofSeconds(1));
    world.faults.failAll("IngestQueue.send");
    succeed(job, "w");
    assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
    assertThat(world.job(job).isConcluding()).isTrue();
    world.faults.heal();
    world.put(
        "succeeded",
        active("{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"SUCCEEDED\"]}"));
    run(Duration.ofMinutes(2));
    assertThat(world.job(job).waitsFor()).isNull();
    assertThat(launchesOf("succeeded")).isOne();
  }

  @Test
  void aCancelledRunEndsWithItsNextReport() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    heartbeat(job, "w");
    world.reports().cancel(job, "ann");
    assertThat(state(job)).isEqualTo(JobState.RUNNING);
    Reported next =
        world
            .reports()
            .report(job, new Report.Heartbeat("token of w", null, Map.of()))
            .orElseThrow();
    assertThat(next.job().run().isCancelRequested()).isTrue();
    fail(job, "w", true);
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aCancelledRunWhoseWorkerIsSilentEndsAtItsTimeout() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    heartbeat(job, "w");
    world.reports().cancel(job, "ann");
    run(Duration.ofMinutes(2));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(attempts()).containsExactly(1);
  }

  @Test
  void aCancelledRequestCannotBeClaimed() {
    JobId job = launchedOne(TRACKED);
    world.reports().cancel(job, "ann");
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(claim(job, "w").result()).isEqualTo(new Refused(Refusal.SUPERSEDED));
  }

  @Test
  void aCallerRetriesAJobThatFailed() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    fail(job, "w", false);
    run(Duration.ofSeconds(1));
    assertThat(world.reports().retry(job, "ann").orElseThrow().result())
        .isInstanceOf(Accepted.class);
    run(Duration.ofSeconds(5));
    assertThat(attempts()).containsExactly(1, 2);
    claim(job, "w");
    succeed(job, "w");
    assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
    assertThat(world.reports().retry(job, "ann").orElseThrow().result())
        .isEqualTo(new Refused(Refusal.NOT_FAILED));
  }

  @Test
  void aScheduleThatDeletesItselfWaitsForTheRetriesOfItsLastJob() {
    ScheduleId id =
        world.put(
            "once",
            active(
                "{\"type\": \"at\", \"time\": \"2026-03-01T10:01:00Z\"}",
                TRACKED + ", \"afterCompletion\": \"delete\""));
    run(Duration.ofSeconds(31));
    JobId job = world.arrivals.get(0).request().job();
    claim(job, "w");
    fail(job, "w", true);
    run(Duration.ofSeconds(15));
    assertThat(attempts()).containsExactly(1, 2);
    claim(job, "w2");
    succeed(job, "w2");
    run(Duration.ofMinutes(2));
    assertThat(world.schedules.find(id).map(it -> it.head().isDeleted()).orElse(true)).isTrue();
    assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
  }

  /** The message that is processed then has the only wake-up of the job. */
  @Test
  void aHeartbeatThatWinsAgainstItsTimeoutLosesNoWakeUp() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    heartbeat(job, "w");
    Instant reportBy = world.job(job).reportBy();
    AtomicInteger readings = new AtomicInteger();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          boolean hasRead = calls.get(calls.size() - 1).equals("Jobs.find");
          boolean isDue = !world.now().isBefore(reportBy);
          // The first reading is that of other jobs.
          if (hasRead && isDue && readings.incrementAndGet() == 2) {
            heartbeat(job, "w");
          }
        });
    run(Duration.ofSeconds(90));
    assertThat(readings).hasValueGreaterThan(1);
    assertThat(state(job)).isEqualTo(JobState.RUNNING);
    run(Duration.ofSeconds(60));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theErrorOfARunIsThatOfItsLastAttempt(int maxAttempts) {
    JobId job =
        launchedOne(
            "\"tracking\": {}, \"retry\": {\"maxAttempts\": %d, \"backoff\": \"PT1S\"}"
                .formatted(maxAttempts));
    for (int attempt = 1; attempt < maxAttempts; attempt++) {
      claim(job, "w");
      fail(job, "w", true);
      run(Duration.ofSeconds(10));
    }
    claim(job, "w2");
    heartbeat(job, "w2");
    run(Duration.ofMinutes(3));
    assertThat(state(job)).isEqualTo(JobState.FAILED);
    assertThat(world.job(job).run().error()).contains("w2").doesNotContain("boom");
  }

  @Test
  void theFirstReportCanMoveTheTimeoutNearer() {
    JobId job =
        launchedOne("\"tracking\": {\"claimTimeout\": \"PT1H\", \"heartbeatTimeout\": \"PT10S\"}");
    claim(job, "w");
    heartbeat(job, "w");
    run(Duration.ofSeconds(9));
    assertThat(state(job)).isEqualTo(JobState.RUNNING);
    run(Duration.ofSeconds(20));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void aClaimThatIsStoredAfterItsTimeoutIsFoundAgain() {
    JobId job = launchedOne("\"tracking\": {\"claimTimeout\": \"PT1S\"}");
    AtomicBoolean isLate = new AtomicBoolean();
    world.faults.around(
        () -> {
          List<String> calls = world.faults.calls();
          boolean hasSent =
              calls.size() > 1
                  && calls
                      .subList(calls.size() - 2, calls.size())
                      .equals(List.of("Jobs.find", "CheckQueue.send"));
          if (hasSent && !isLate.getAndSet(true)) {
            run(Duration.ofSeconds(3));
          }
        },
        () -> {});
    claim(job, "w");
    assertThat(isLate).isTrue();
    assertThat(state(job)).isEqualTo(JobState.CLAIMED);
    run(Duration.ofMinutes(1));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void theNextAttemptPassesARateThatATimeoutHadSetAside() {
    JobId job =
        launchedOne(
            "\"tracking\": {}, \"timeout\": {\"after\": \"PT10S\", \"action\": \"launch\"},"
                + " \"constraints\": [{\"type\": \"rate\", \"max\": 1, \"per\": \"PT5M\"}]");
    claim(job, "w");
    run(Duration.ofSeconds(15));
    fail(job, "w", true);
    run(Duration.ofMinutes(3));
    assertThat(attempts()).containsExactly(1);
    run(Duration.ofMinutes(3));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void aJobOfABackfillThatHasCountedItsFailureIsNotRetried() {
    ScheduleId id = world.put("daily", active(cron("0 0 3 * * ?"), TRACKED));
    world.backfill(id, "2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z", 1);
    run(Duration.ofSeconds(5));
    JobId job = world.arrivals.get(0).request().job();
    claim(job, "w");
    fail(job, "w", false);
    run(Duration.ofMinutes(2));
    assertThat(world.reports().retry(job, "ann").orElseThrow().result())
        .isEqualTo(new Refused(Refusal.UNWANTED));
    assertThat(state(job)).isEqualTo(JobState.FAILED);
  }

  @Test
  void aScheduleWhoseLastJobIsCancelledDeletesItself() {
    ScheduleId id =
        world.put(
            "once",
            active(
                "{\"type\": \"at\", \"time\": \"2026-03-01T10:01:00Z\"}",
                "\"afterCompletion\": \"delete\","
                    + " \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT1H\"}]"));
    run(Duration.ofSeconds(31));
    JobId job = world.jobs.all().get(0).id();
    world.reports().cancel(job, "ann");
    run(Duration.ofMinutes(1));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(world.schedules.find(id).map(it -> it.head().isDeleted()).orElse(true)).isTrue();
  }

  /** The job has no slot then, and its program may be limited. */
  @Test
  void aTimeoutIsKeptIfAnotherScheduleLimitsTheProgramSince() {
    launchedOne(TRACKED);
    onData("b", "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 5}]");
    run(Duration.ofMinutes(15).plusSeconds(15));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void aRetryFarAheadIsCarriedByTheIndexAlone() {
    String day = "\"backoff\": \"P1D\", \"maxBackoff\": \"P1D\"";
    JobId job = launchedOne("\"tracking\": {}, \"retry\": {" + day + "}");
    claim(job, "w");
    fail(job, "w", true);
    Instant retryAt = world.job(job).notBefore();
    assertThat(retryAt).isAfter(world.now().plus(Duration.ofMinutes(15)));
    run(Duration.between(world.now(), retryAt).minusSeconds(1));
    assertThat(attempts()).containsExactly(1);
    run(Duration.ofSeconds(2));
    assertThat(attempts()).containsExactly(1, 2);
  }

  @Test
  void aRunWhoseFirstReportIsAFailureHasStarted() {
    world.put(
        "started",
        active("{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"STARTED\"]}"));
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    fail(job, "w", true);
    run(Duration.ofSeconds(2));
    assertThat(launchesOf("started")).isOne();
  }

  @Test
  void aRunWhoseFirstReportIsItsSuccessStartsAndEnds() {
    String each = "{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"%s\"]}";
    world.put("started", active(each.formatted("STARTED")));
    world.put("succeeded", active(each.formatted("SUCCEEDED")));
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    succeed(job, "w");
    run(Duration.ofMinutes(2));
    assertThat(launchesOf("started")).isOne();
    assertThat(launchesOf("succeeded")).isOne();
  }

  @Test
  void theRequestsOfAClaimAndOfASuccessThatIsItsFirstReport() {
    JobId job = launchedOne(TRACKED);
    assertThat(calls(() -> claim(job, "w")))
        .containsExactly("Jobs.find", "CheckQueue.send", "Jobs.update");
    assertThat(calls(() -> succeed(job, "w")))
        .containsExactly("Jobs.find", "Jobs.update", "IngestQueue.send", "Jobs.update");
  }

  @Test
  void anEndHasACheckOfItsOwnIfThatOfItsClaimIsLate() {
    JobId job = launchedOne("\"tracking\": {\"claimTimeout\": \"PT2M\"}");
    claim(job, "w");
    assertThat(calls(() -> succeed(job, "w"))).startsWith("Jobs.find", "CheckQueue.send");
  }

  /** The time-out of the claim has passed without effect, so its message may be lost. */
  @Test
  void anEndAfterTheTimeOutOfItsClaimHasACheckOfItsOwn() {
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    world.pause(Duration.ofMinutes(2));
    assertThat(calls(() -> succeed(job, "w"))).startsWith("Jobs.find", "CheckQueue.send");
  }

  @Test
  void aJobWhoseAttemptHasFailedWaitsAtAGateThatSkipsNewJobs() {
    JobId first = launchedOne(TRACKED + ONE_OR_SKIP);
    claim(first, "w");
    fail(first, "w", true);
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    JobId second = world.arrivals.get(1).request().job();
    assertThat(second).isNotEqualTo(first);
    run(Duration.ofSeconds(30));
    assertThat(world.job(first).waitsAt()).isNotNull();
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    assertThat(world.jobs.all())
        .filteredOn(job -> job.state() == JobState.SKIPPED)
        .extracting(Job::id)
        .hasSize(1)
        .doesNotContain(first);
    claim(second, "w2");
    succeed(second, "w2");
    run(Duration.ofSeconds(15));
    claim(first, "w3");
    succeed(first, "w3");
    assertThat(state(first)).isEqualTo(JobState.SUCCEEDED);
  }

  /** The refusal has made it a tracked job, and frees its slot. */
  @Test
  void aJobThatIsSkippedAfterItsRequestWasRefusedIsNoRun() {
    world.targets.refuse("arn:aws:sqs:us-east-1:000000000000:work", "not now");
    onData("a", TRACKED + ONE_OR_SKIP);
    world.put("b", active(partition("b", 1), TRACKED + ONE_OR_SKIP).replace("work", "other"));
    world.partitions("a", 1);
    run(Duration.ofMillis(500));
    JobId refused = world.jobs.all().get(0).id();
    assertThat(world.job(refused).isRefused()).isTrue();
    world.partitions("b", 1);
    run(Duration.ofMinutes(2));
    assertThat(state(refused)).isEqualTo(JobState.SKIPPED);
    assertThat(world.job(refused).waitsFor()).isNull();
    assertThat(world.rejected.all()).isEmpty();
  }

  /** A schedule that each end of a run launches. */
  private void watchEnds() {
    world.put(
        "ends",
        active(
            """
            {"type": "programStatus", "program": "p",
             "statuses": ["SUCCEEDED", "FAILED", "CANCELLED"]}
            """));
  }

  @Test
  void aJobThatIsCancelledBeforeItsTargetAcceptsARequestIsNoRun() {
    String work = "arn:aws:sqs:us-east-1:000000000000:work";
    watchEnds();
    world.targets.refuse(work, "not now");
    onData("a", TRACKED);
    world.partitions("a", 1);
    run(Duration.ofSeconds(1));
    JobId job = world.jobs.all().get(0).id();
    world.reports().cancel(job, "ann");
    run(Duration.ofMinutes(1));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    world.reports().retry(job, "ann");
    run(Duration.ofSeconds(2));
    world.reports().cancel(job, "ann");
    world.targets.accept(work);
    run(Duration.ofMinutes(2));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(world.job(job).waitsFor()).isNull();
    assertThat(launchesOf("ends")).isZero();
  }

  @Test
  void aJobWhoseRequestCanNeverBeSentIsNoRun() {
    watchEnds();
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "program": "p",
         "target": {"queue": "work", "template": "${events[0].payload.a}${events[0].payload.b}"}, "tracking": {}, "state": "ACTIVE"}
        """);
    world.partitions("a", 1);
    run(Duration.ofMinutes(2));
    Job job = world.jobs.all().get(0);
    assertThat(job.newestReason().code()).isEqualTo(ReasonCode.REQUEST_IMPOSSIBLE);
    assertThat(job.waitsFor()).isNull();
    assertThat(launchesOf("ends")).isZero();
  }

  @Test
  void aRetryThatIsCancelledBeforeItIsSentEndsTheRun() {
    watchEnds();
    JobId job = launchedOne(TRACKED);
    claim(job, "w");
    fail(job, "w", true);
    world.reports().cancel(job, "ann");
    run(Duration.ofMinutes(2));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(launchesOf("ends")).isOne();
  }

  @Test
  void aCallerEndsARunWhoseTimeoutMessageWasLost() {
    JobId job = launchedOne(TRACKED);
    world.loseChecks();
    claim(job, "w");
    run(Duration.ofHours(1));
    assertThat(state(job)).isEqualTo(JobState.CLAIMED);
    world.reports().cancel(job, "ann");
    run(Duration.ofSeconds(1));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aRepeatedCancellationEndsARunWhoseTimeoutMessagesWereLost() {
    JobId job = launchedOne(TRACKED);
    world.loseChecks();
    claim(job, "w");
    world.loseChecks();
    world.reports().cancel(job, "ann");
    run(Duration.ofHours(1));
    assertThat(state(job)).isEqualTo(JobState.CLAIMED);
    assertThat(world.reports().cancel(job, "ann").orElseThrow().result()).isEqualTo(new Repeated());
    run(Duration.ofSeconds(1));
    assertThat(state(job)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aLateReportRestoresATimeoutMessageThatWasLost() {
    JobId job = launchedOne(TRACKED);
    world.loseChecks();
    claim(job, "w");
    run(Duration.ofHours(1));
    heartbeat(job, "w");
    assertThat(state(job)).isEqualTo(JobState.RUNNING);
    run(Duration.ofMinutes(2));
    assertThat(attempts()).containsExactly(1, 2);
  }

  private List<String> calls(Runnable reported) {
    int before = world.faults.calls().size();
    reported.run();
    List<String> all = world.faults.calls();
    return List.copyOf(all.subList(before, all.size()));
  }
}
