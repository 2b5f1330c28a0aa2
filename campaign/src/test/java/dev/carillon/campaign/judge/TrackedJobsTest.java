package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hand-written histories of tracked jobs: each deviation is found, and nothing else. */
class TrackedJobsTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final Tracking TRACKING =
      new Tracking(20_000, 10_000, 5_000, 30_000, 2, 4_000, 2, 8_000);
  private static final ScheduleSpec TRACKED =
      new ScheduleSpec(1, Join.ANY, List.of(new Cron("0 1 10 * * ?")), false)
          .limitedBy(new Limits("p", Ends.NONE, List.of()))
          .trackedBy(TRACKING);
  private static final ScheduleSpec WATCHER =
      new ScheduleSpec(
          2,
          Join.ANY,
          List.of(
              new Whole(
                  new Reported("p", List.of("STARTED", "SUCCEEDED", "FAILED", "CANCELLED"), 1))),
          false);

  private final List<Operation> operations = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<StoredJob> jobs = new ArrayList<>();
  private final List<RunCall> calls = new ArrayList<>();
  private long faultsTo = START;

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private static String text(double second) {
    return Instant.ofEpochMilli(at(second)).toString();
  }

  private void did(String schedule, History.Kind kind, ScheduleSpec spec, double second) {
    operations.add(
        new Operation(
            schedule, kind, operations.size() + 1, spec, at(second), at(second + 0.1), true, null));
  }

  private void sent(int attempt, double second) {
    String body =
        """
        {"v": 1, "at": "%s",
         "trigger": {"leaves": [{"leaf": 0, "actual": 1, "scheduledFor": "%s"}]}}
        """
            .formatted(text(60), text(60));
    arrivals.add(new Arrival(at(second), "j", attempt, "s", body, at(second), false));
  }

  private void counted(String status, double second) {
    String body =
        """
        {"v": 2, "at": "%s", "trigger": {"leaves": [{"leaf": 0, "actual": 1}],
         "events": [{"id": "e", "payload": {"runId": "j", "status": "%s"}}]}}
        """
            .formatted(text(second), status);
    String job = "y" + arrivals.size();
    arrivals.add(new Arrival(at(second), job, 1, "y", body, at(second), false));
  }

  private void claimed(int attempt, String worker, double second) {
    called(RunCall.Kind.CLAIM, attempt, worker, "token-" + worker, second, "");
  }

  private void reported(RunCall.Kind kind, String worker, double second) {
    called(kind, 0, worker, "token-" + worker, second, "");
  }

  private void refused(
      RunCall.Kind kind, int attempt, String worker, double second, String problem) {
    String token = kind == RunCall.Kind.CLAIM ? "" : "token-" + worker;
    called(kind, attempt, worker, token, second, problem);
  }

  private void called(
      RunCall.Kind kind, int attempt, String worker, String token, double second, String problem) {
    int status = problem.isEmpty() ? 200 : 409;
    calls.add(
        new RunCall(
            kind,
            "j",
            attempt,
            worker,
            token,
            false,
            at(second),
            at(second + 0.1),
            status,
            problem,
            false));
  }

  /** The last call is answered after {@code seconds}. */
  private void slowly(double seconds) {
    int last = calls.size() - 1;
    RunCall call = calls.get(last);
    long returned = call.called() + Math.round(seconds * 1_000);
    calls.set(
        last,
        new RunCall(
            call.kind(),
            call.jobId(),
            call.attempt(),
            call.worker(),
            call.token(),
            call.isFinal(),
            call.called(),
            returned,
            call.status(),
            call.problem(),
            call.isCancelled()));
  }

  private void ended(String state, double second) {
    boolean isEnd = !state.equals("RUNNING");
    jobs.add(
        new StoredJob(
            "j",
            "s",
            state,
            isEnd,
            at(60),
            at(60),
            at(second),
            List.of(1L),
            at(60),
            List.of(),
            Why.NOTHING,
            ""));
  }

  /** A job that was launched and claimed. */
  private void running() {
    did("s", History.Kind.PUT, TRACKED, 1);
    did("y", History.Kind.PUT, WATCHER, 1);
    sent(1, 60.1);
    claimed(1, "a", 61);
    reported(RunCall.Kind.HEARTBEAT, "a", 63);
    counted("STARTED", 63.1);
  }

  /** A job whose worker has reported success. */
  private void succeeded() {
    running();
    reported(RunCall.Kind.SUCCEED, "a", 65);
    counted("SUCCEEDED", 65.2);
    ended("SUCCEEDED", 65);
  }

  /** A job whose first worker has died, and whose second one has not. */
  private void retried() {
    running();
    sent(2, 70);
    claimed(2, "b", 71);
    reported(RunCall.Kind.SUCCEED, "b", 72);
    counted("STARTED", 72.1);
    counted("SUCCEEDED", 72.2);
    ended("SUCCEEDED", 72);
  }

  private List<Finding.Kind> found() {
    History history =
        new History(
            START,
            History.NEVER,
            faultsTo,
            60_000,
            START,
            at(300),
            operations,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            arrivals,
            jobs,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            null,
            LimitFacts.NONE,
            calls);
    return Judge.of(history).findings().stream().map(Finding::kind).distinct().toList();
  }

  @Test
  void aRunThatSucceedsIsRight() {
    succeeded();
    assertThat(found()).isEmpty();
  }

  @Test
  void anAttemptAfterATimeoutIsRight() {
    retried();
    assertThat(found()).isEmpty();
  }

  @Test
  void anUnknownJobOrTokenHasNoEffect() {
    succeeded();
    reported(RunCall.Kind.HEARTBEAT, "stranger", 64);
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void twoClaimsAtOnceAreFound() {
    succeeded();
    claimed(1, "b", 64);
    assertThat(found()).contains(Kind.DOUBLED);
  }

  @Test
  void oneClaimOfTwoWorkersIsFound() {
    succeeded();
    called(RunCall.Kind.CLAIM, 1, "b", "token-a", 62, "");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aClaimThatIsRefusedWithoutACauseIsFound() {
    succeeded();
    refused(RunCall.Kind.CLAIM, 1, "b", 60.3, "not-yet");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aClaimAfterAnotherWorkersMayBeRefused() {
    succeeded();
    refused(RunCall.Kind.CLAIM, 1, "b", 62, "superseded");
    assertThat(found()).isEmpty();
  }

  @Test
  void aReportThatIsRefusedWhileItsClaimLivesIsFound() {
    succeeded();
    refused(RunCall.Kind.HEARTBEAT, 1, "a", 64, "stale-claim");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void anEndThatIsRefusedWhenItIsRepeatedIsFound() {
    succeeded();
    refused(RunCall.Kind.SUCCEED, 1, "a", 90, "stale-claim");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  /** The first write of the failure took effect, and its reply was lost. */
  @Test
  void anEndThatIsRefusedAfterALaterClaimHasEndedMayHaveTakenEffect() {
    refusedWhileALaterClaimEnds(66.8);
    assertThat(found()).isEmpty();
  }

  /** The later claim has not ended before the answer, so the report must find its own end. */
  @Test
  void anEndThatIsRefusedBeforeALaterClaimHasEndedIsFound() {
    refusedWhileALaterClaimEnds(67.5);
    assertThat(found()).contains(Kind.LOST, Kind.DOUBLED);
  }

  /** The refused failure is answered at second 67. */
  private void refusedWhileALaterClaimEnds(double second) {
    faultsTo = at(64);
    running();
    refused(RunCall.Kind.FAIL, 1, "a", 64, "stale-claim");
    slowly(3);
    sent(2, 66);
    claimed(2, "b", 66.5);
    reported(RunCall.Kind.SUCCEED, "b", second);
    counted("STARTED", second + 0.1);
    counted("SUCCEEDED", second + 0.2);
    ended("SUCCEEDED", second);
  }

  @Test
  void aReportAfterTheEndIsFound() {
    succeeded();
    reported(RunCall.Kind.HEARTBEAT, "a", 67);
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aReportOfAnEarlierAttemptIsFound() {
    retried();
    reported(RunCall.Kind.HEARTBEAT, "a", 70.5);
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aRunThatGoesOnForTooLongIsFound() {
    running();
    for (int second = 66; second < 105; second += 3) {
      reported(RunCall.Kind.HEARTBEAT, "a", second);
    }
    reported(RunCall.Kind.SUCCEED, "a", 105);
    counted("SUCCEEDED", 105.2);
    ended("SUCCEEDED", 105);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void anAttemptBeforeTheEndOfTheLastOneIsFound() {
    retried();
    reported(RunCall.Kind.HEARTBEAT, "a", 68);
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void anAttemptLongAfterTheLastOneIsFound() {
    running();
    sent(2, 90);
    claimed(2, "b", 91);
    reported(RunCall.Kind.SUCCEED, "b", 92);
    counted("STARTED", 92.1);
    counted("SUCCEEDED", 92.2);
    ended("SUCCEEDED", 92);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void anAttemptTooManyIsFound() {
    retried();
    sent(3, 200);
    assertThat(found()).contains(Kind.DOUBLED);
  }

  @Test
  void aSuccessThatIsForgottenIsFound() {
    running();
    reported(RunCall.Kind.SUCCEED, "a", 65);
    counted("FAILED", 65.2);
    ended("FAILED", 65);
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void aSuccessThatNoWorkerReportedIsFound() {
    running();
    counted("SUCCEEDED", 65.2);
    ended("SUCCEEDED", 65);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void aFailureBeforeTheTimeoutIsFound() {
    running();
    counted("FAILED", 65.2);
    ended("FAILED", 65);
    assertThat(found()).contains(Kind.EARLY, Kind.LOST);
  }

  @Test
  void aFailureAlthoughAttemptsAreLeftIsFound() {
    running();
    counted("FAILED", 69.2);
    ended("FAILED", 69);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aCancellationThatTheWorkerDoesNotLearnIsFound() {
    running();
    called(RunCall.Kind.CANCEL, 0, "", "", 63.5, "");
    reported(RunCall.Kind.HEARTBEAT, "a", 64);
    reported(RunCall.Kind.FAIL, "a", 65);
    counted("CANCELLED", 65.2);
    ended("CANCELLED", 65);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aCancellationThatIsForgottenIsFound() {
    running();
    called(RunCall.Kind.CANCEL, 0, "", "", 63.5, "");
    sent(2, 80);
    claimed(2, "b", 81);
    reported(RunCall.Kind.FAIL, "b", 82);
    counted("STARTED", 82.1);
    counted("FAILED", 82.2);
    ended("FAILED", 82);
    assertThat(found()).containsExactlyInAnyOrder(Kind.AFTER_DELETE, Kind.LOST);
  }

  @Test
  void aCancellationThatNoCallerAskedForIsFound() {
    running();
    counted("CANCELLED", 69.2);
    ended("CANCELLED", 69);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aJobThatDoesNotEndIsFound() {
    running();
    ended("RUNNING", 63);
    assertThat(found()).containsExactlyInAnyOrder(Kind.LATE, Kind.STUCK);
  }

  @Test
  void anEndThatIsNotCountedIsFound() {
    running();
    reported(RunCall.Kind.SUCCEED, "a", 85);
    ended("SUCCEEDED", 85);
    assertThat(found()).contains(Kind.MISCOUNTED);
  }

  /** The schedule that counts was stored when the run had started; the last report is a repeat. */
  @Test
  void aRepeatedReportIsNoStart() {
    did("s", History.Kind.PUT, TRACKED, 1);
    did("y", History.Kind.PUT, WATCHER, 66);
    sent(1, 60.1);
    claimed(1, "a", 61);
    reported(RunCall.Kind.SUCCEED, "a", 65);
    reported(RunCall.Kind.SUCCEED, "a", 100);
    ended("SUCCEEDED", 65);
    assertThat(found()).isEmpty();
  }

  @Test
  void anEndThatIsCountedTwiceIsFound() {
    succeeded();
    counted("SUCCEEDED", 66);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void aRefusedReportThatIsCountedIsFound() {
    succeeded();
    counted("FAILED", 66);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void aStartThatIsCountedTwiceIsFound() {
    succeeded();
    counted("STARTED", 66);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void moreRunsThanSlotsAreFound() {
    Limits one = new Limits("p", Ends.NONE, List.of(new RunLimit(1, "", false)));
    Cron secondly = new Cron("0,1 1 10 * * ?");
    ScheduleSpec limited =
        new ScheduleSpec(1, Join.ANY, List.of(secondly), false).limitedBy(one).trackedBy(TRACKING);
    did("s", History.Kind.PUT, limited, 1);
    for (String id : List.of("j", "k")) {
      sent(1, 61.1);
      claimed(1, id, 62);
      reported(RunCall.Kind.SUCCEED, id, 65);
      ended("SUCCEEDED", 65);
      int last = arrivals.size() - 1;
      if (id.equals("k")) {
        arrivals.set(last, renamed(arrivals.get(last)));
        jobs.set(last, renamed(jobs.get(last)));
        calls.subList(2, 4).replaceAll(TrackedJobsTest::renamed);
      }
    }
    assertThat(found()).containsExactly(Kind.LIMIT);
  }

  private static Arrival renamed(Arrival it) {
    String body = it.body().replace(text(60), text(61));
    return new Arrival(it.at(), "k", 1, "s", body, it.clock(), false);
  }

  private static StoredJob renamed(StoredJob it) {
    return new StoredJob(
        "k",
        "s",
        it.state(),
        true,
        at(61),
        at(61),
        it.changed(),
        it.counts(),
        at(61),
        List.of(),
        Why.NOTHING,
        "");
  }

  private static RunCall renamed(RunCall it) {
    return new RunCall(
        it.kind(),
        "k",
        it.attempt(),
        it.worker(),
        it.token(),
        false,
        it.called(),
        it.returned(),
        it.status(),
        "",
        false);
  }
}
