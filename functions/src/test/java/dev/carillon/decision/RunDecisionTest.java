package dev.carillon.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.decision.RunDecision.Repeated;
import dev.carillon.decision.RunDecision.Result;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.run.Claim;
import dev.carillon.run.Operation;
import dev.carillon.run.OperationState;
import dev.carillon.run.Report;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of reports and callers on a tracked job of two attempts, launched at noon. */
class RunDecisionTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant NOW = NOON.plusSeconds(30);
  private static final String TOKEN = "t1";
  private static final RunPolicy POLICY =
      new RunPolicy(
          Tracking.USUAL,
          new RetryPolicy(2, Duration.ofSeconds(10), 2, Duration.ofHours(1)),
          List.of(
              new Operation("load", "copy", List.of()),
              new Operation("check", null, List.of("load")),
              new Operation("store", "copy", List.of("check"))));

  private static Job leased() {
    return NewJob.dueFire(JobId.ofFire(REPORT, 1, NOON), 1, "exporter")
        .tracked(POLICY)
        .launching(NOON, NOON.plusSeconds(15));
  }

  private static Job in(JobState state) {
    Job enqueued = leased().enqueued(NOON, null, NOON.plusSeconds(900));
    Claim claim = new Claim("w1", TOKEN, NOON, null);
    Job claimed = TrackedJob.claimed(enqueued, claim, NOON, NOON.plusSeconds(60));
    Run started = claimed.run().with(claim.started(NOON));
    Job running = TrackedJob.goesOn(claimed, started, NOON, NOON.plusSeconds(60));
    Reason reason = Reason.of(ReasonCode.FAILURE_REPORTED, "w1", "boom");
    return switch (state) {
      case PENDING_LAUNCH -> leased();
      case ENQUEUED -> enqueued;
      case CLAIMED -> claimed;
      case RUNNING -> running;
      case RETRY_WAIT -> running.retried(started.failed(null, "boom"), NOW, NOW, reason);
      case PENDING_CONSTRAINT -> leased().refused(NOON, reason);
      default -> running.ended(state, NOW, reason);
    };
  }

  private static Report.Heartbeat beat(String token, Map<String, OperationState> operations) {
    return new Report.Heartbeat(token, null, operations);
  }

  private static Result succeed(Job job, String token) {
    return RunDecision.succeed(job, new Report.Success(token, null), NOW);
  }

  private static Result fail(Job job, String token, String error, boolean mayRetry) {
    return RunDecision.fail(job, new Report.Failure(token, error, true), mayRetry, NOW);
  }

  private static String shown(Result result) {
    if (result instanceof Refused refused) {
      return refused.why().name();
    }
    return result instanceof Accepted accepted ? accepted.after().state().name() : "repeated";
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING_CONSTRAINT, w1, 1, NOT_YET",
    "PENDING_LAUNCH,     w1, 1, CLAIMED",
    "ENQUEUED,           w1, 1, CLAIMED",
    "ENQUEUED,           w1, 2, CLAIMED",
    "CLAIMED,            w1, 1, repeated",
    "CLAIMED,            w2, 1, SUPERSEDED",
    "RUNNING,            w1, 1, repeated",
    "RUNNING,            w2, 1, SUPERSEDED",
    "RETRY_WAIT,         w1, 1, SUPERSEDED",
    "RETRY_WAIT,         w1, 2, NOT_YET",
    "SUCCEEDED,          w1, 1, SUPERSEDED",
    "FAILED,             w2, 1, SUPERSEDED",
    "CANCELLED,          w2, 1, SUPERSEDED"
  })
  void claims(JobState state, String worker, int attempt, String result) {
    assertThat(shown(RunDecision.claim(in(state), worker, attempt, "t2", NOW))).isEqualTo(result);
  }

  @Test
  void aClaimProvesThatTheRequestWasSent() {
    Job claimed = after(RunDecision.claim(leased(), "w1", 1, TOKEN, NOW));
    assertThat(claimed.launchedAt()).isEqualTo(NOW);
    assertThat(claimed.reportBy()).isEqualTo(NOW.plusSeconds(60));
  }

  @ParameterizedTest
  @CsvSource({
    "ENQUEUED,   t1, STALE",
    "CLAIMED,    t1, RUNNING",
    "CLAIMED,    t2, STALE",
    "RUNNING,    t1, RUNNING",
    "RUNNING,    t2, STALE",
    "RETRY_WAIT, t1, STALE",
    "SUCCEEDED,  t1, STALE",
    "CANCELLED,  t1, STALE"
  })
  void heartbeats(JobState state, String token, String result) {
    assertThat(shown(RunDecision.heartbeat(in(state), beat(token, Map.of()), null, NOW)))
        .isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource({
    "CLAIMED,    t1, SUCCEEDED",
    "RUNNING,    t1, SUCCEEDED",
    "RUNNING,    t2, STALE",
    "RETRY_WAIT, t1, STALE",
    "FAILED,     t1, STALE"
  })
  void successes(JobState state, String token, String result) {
    assertThat(shown(succeed(in(state), token))).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource({
    "CLAIMED, t1, true,  RETRY_WAIT",
    "RUNNING, t1, true,  RETRY_WAIT",
    "RUNNING, t1, false, FAILED",
    "RUNNING, t2, true,  STALE"
  })
  void failures(JobState state, String token, boolean mayRetry, String result) {
    assertThat(shown(fail(in(state), token, "boom", mayRetry))).isEqualTo(result);
  }

  @Test
  void theLastAttemptThatFailsEndsTheJob() {
    Job second = again(in(JobState.RETRY_WAIT));
    assertThat(second.attempt()).isEqualTo(2);
    Job failed = after(fail(second, "t2", "boom", true));
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.isConcluding()).isTrue();
  }

  private static Job again(Job waiting) {
    Job sent =
        waiting.launching(NOW, NOW.plusSeconds(15)).enqueued(NOW, null, NOW.plusSeconds(900));
    return TrackedJob.claimed(sent, new Claim("w2", "t2", NOW, null), NOW, NOW.plusSeconds(60));
  }

  @Test
  void finalReportsAreRepeatedOnlyAsTheyWere() {
    Job succeeded = after(succeed(in(JobState.RUNNING), TOKEN));
    assertThat(succeed(succeeded, TOKEN)).isEqualTo(new Repeated());
    assertThat(fail(succeeded, TOKEN, null, true)).isEqualTo(new Refused(Refusal.STALE));
    Job waiting = after(fail(in(JobState.RUNNING), TOKEN, "x", true));
    assertThat(fail(waiting, TOKEN, "x", true)).isEqualTo(new Repeated());
    assertThat(fail(again(waiting), TOKEN, "x", true)).isEqualTo(new Repeated());
  }

  private static Job reporting(Job job, String token, Map<String, OperationState> operations) {
    return after(RunDecision.heartbeat(job, beat(token, operations), null, NOW));
  }

  private static List<String> ready(Job job) {
    return job.run().operations().ready().stream().map(Operation::id).toList();
  }

  @Test
  void theNextAttemptKnowsWhichOperationsAreDone() {
    Job begun = in(JobState.RUNNING);
    assertThat(ready(begun)).containsExactly("load");
    Job loaded = reporting(begun, TOKEN, Map.of("load", OperationState.SUCCEEDED));
    assertThat(ready(loaded)).containsExactly("check");
    Job checking = reporting(loaded, TOKEN, Map.of("check", OperationState.RUNNING));
    assertThat(ready(checking)).isEmpty();

    Job second = again(after(fail(checking, TOKEN, "boom", true)));
    assertThat(second.run().operations().reported())
        .isEqualTo(Map.of("load", OperationState.SUCCEEDED));
    assertThat(ready(second)).containsExactly("check");
  }

  @Test
  void aFailedOperationCanRunAgain() {
    Job failed = reporting(in(JobState.RUNNING), TOKEN, Map.of("load", OperationState.FAILED));
    Job second = again(after(fail(failed, TOKEN, "boom", true)));
    assertThat(second.run().operations().reported())
        .isEqualTo(Map.of("load", OperationState.FAILED));
    assertThat(ready(second)).containsExactly("load");
    assertThat(second.run().operations().counts())
        .isEqualTo(Map.of(OperationState.FAILED, 1, OperationState.WAITING, 2));
  }

  @Test
  void anOperationThatTheJobDoesNotHaveIsRefusedWhole() {
    Map<String, OperationState> states =
        Map.of("load", OperationState.SUCCEEDED, "laod", OperationState.SUCCEEDED);
    assertThat(RunDecision.heartbeat(in(JobState.RUNNING), beat(TOKEN, states), null, NOW))
        .isEqualTo(new Refused(Refusal.UNKNOWN_OPERATION));
    assertThat(RunDecision.heartbeat(in(JobState.RUNNING), beat("t2", states), null, NOW))
        .isEqualTo(new Refused(Refusal.STALE));
  }

  @ParameterizedTest
  @CsvSource({"0, 30", "20, 50", "30, 60", "40, 60"})
  void aHeartbeatOfTheQueueExtendsFromItsSending(int sentSecond, int untilSecond) {
    Job running = reporting(in(JobState.RUNNING), TOKEN, Map.of());
    Instant start = NOW;
    assertThat(running.reportBy()).isEqualTo(start.plusSeconds(60));
    Instant now = start.plusSeconds(30);
    Instant sent = start.plusSeconds(sentSecond);
    Job after = after(RunDecision.heartbeat(running, beat(TOKEN, Map.of()), sent, now));
    assertThat(after.reportBy()).isEqualTo(start.plusSeconds(untilSecond + 30));
  }

  @Test
  void aHeartbeatOfTheQueueNeverOutlivesTheRunTimeout() {
    Claim claim = new Claim("w1", TOKEN, NOON, null);
    Job sent = leased().enqueued(NOON, null, NOON.plusSeconds(900));
    Job claimed = TrackedJob.claimed(sent, claim, NOON, NOON.plus(Duration.ofHours(10)));
    Job running = after(RunDecision.heartbeat(claimed, beat(TOKEN, Map.of()), NOW, NOW));
    assertThat(running.reportBy()).isEqualTo(NOW.plus(Duration.ofHours(6)));
  }

  @Test
  void aHeartbeatNeverOutlivesTheRunTimeout() {
    Instant late = NOON.plus(Duration.ofHours(6)).minusSeconds(10);
    Job running =
        after(RunDecision.heartbeat(in(JobState.RUNNING), beat(TOKEN, Map.of()), null, late));
    assertThat(running.reportBy()).isEqualTo(NOON.plus(Duration.ofHours(6)));
  }

  @ParameterizedTest
  @CsvSource({
    "ENQUEUED, true,  CLAIM_MISSING",
    "CLAIMED,  true,  START_MISSING",
    "RUNNING,  true,  HEARTBEAT_MISSING",
    "RUNNING,  false, HEARTBEAT_MISSING"
  })
  void missingReports(JobState state, boolean isWanted, ReasonCode why) {
    JobDecision decision = RunEnding.withoutReport(in(state), isWanted, NOON.plusSeconds(900));
    if (isWanted) {
      assertThat(decision).isInstanceOf(JobDecision.Retry.class);
      assertThat(((JobDecision.Retry) decision).reason().code()).isEqualTo(why);
    } else {
      assertThat(decision).isInstanceOf(JobDecision.End.class);
      assertThat(((JobDecision.End) decision).state()).isEqualTo(JobState.FAILED);
      assertThat(((JobDecision.End) decision).reason().code()).isEqualTo(why);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING_CONSTRAINT, CANCELLED",
    "PENDING_LAUNCH,     BUSY",
    "ENQUEUED,           CANCELLED",
    "CLAIMED,            CLAIMED",
    "RUNNING,            RUNNING",
    "RETRY_WAIT,         CANCELLED",
    "SUCCEEDED,          ENDED",
    "CANCELLED,          repeated"
  })
  void cancellations(JobState state, String result) {
    assertThat(shown(CallerDecision.cancel(in(state), "ann", NOW))).isEqualTo(result);
  }

  @Test
  void anUntrackedJobThatWasSentCannotBeCancelled() {
    Job sent =
        NewJob.launchingFire(
                JobId.ofFire(REPORT, 1, NOON), 1, "exporter", NOON, NOON.plusSeconds(15))
            .enqueued(NOON, null, NOON.plusSeconds(900));
    assertThat(shown(CallerDecision.cancel(sent, "ann", NOW))).isEqualTo("SENT_UNTRACKED");
  }

  @Test
  void aWorkerThatWasAskedToStopEndsTheJobWithItsFailure() {
    Job asked = after(CallerDecision.cancel(in(JobState.RUNNING), "ann", NOW));
    assertThat(CallerDecision.cancel(asked, "ann", NOW)).isEqualTo(new Repeated());
    assertThat(after(fail(asked, TOKEN, null, true)).state()).isEqualTo(JobState.CANCELLED);
    assertThat(after(succeed(asked, TOKEN)).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(
            ((JobDecision.End) RunEnding.withoutReport(asked, true, NOON.plusSeconds(900))).state())
        .isEqualTo(JobState.CANCELLED);
  }

  @ParameterizedTest
  @CsvSource({
    "FAILED,    true,  RETRY_WAIT",
    "CANCELLED, true,  RETRY_WAIT",
    "FAILED,    false, UNWANTED",
    "SUCCEEDED, true,  NOT_FAILED",
    "RUNNING,   true,  NOT_FAILED"
  })
  void retriesManually(JobState state, boolean isWanted, String result) {
    Job job = in(state);
    Job announced = job.isEnded() ? job.concluded() : job;
    assertThat(shown(CallerDecision.retry(announced, "ann", isWanted, NOW))).isEqualTo(result);
  }

  @Test
  void anEndThatIsBeingAnnouncedIsNotRetried() {
    assertThat(CallerDecision.retry(in(JobState.FAILED), "ann", true, NOW))
        .isEqualTo(new Refused(Refusal.BUSY));
  }

  private static Job after(Result result) {
    return ((Accepted) result).after();
  }
}
