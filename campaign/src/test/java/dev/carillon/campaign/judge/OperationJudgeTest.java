package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.RunCall.Queued;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job with one operation, whose second attempt is claimed 20 s after the first. */
class OperationJudgeTest {

  private static final Tracking TRACKING =
      new Tracking(60_000, 60_000, 10_000, 60_000, 3, 1_000, 2, 1_000, 1);
  private static final ScheduleSpec SPEC =
      new ScheduleSpec(1, Join.ANY, List.of(new At(0)), false).trackedBy(TRACKING);

  private final List<RunCall> calls = new ArrayList<>();

  private OperationJudgeTest claimed(int attempt, double second, String shown) {
    return called(
        RunCall.Kind.CLAIM, attempt, "token-" + attempt, second, Map.of("o1", shown), null);
  }

  private OperationJudgeTest reported(int attempt, double second, String state) {
    Map<String, String> states = Map.of("o1", state);
    return called(RunCall.Kind.HEARTBEAT, attempt, "token-" + attempt, second, states, null);
  }

  private OperationJudgeTest sent(
      RunCall.Kind kind, int attempt, double second, Map<String, String> states) {
    Queued queued = new Queued(LimitHistory.at(second));
    return called(kind, attempt, "token-" + attempt, second, states, queued);
  }

  private OperationJudgeTest called(
      RunCall.Kind kind,
      int attempt,
      String token,
      double second,
      Map<String, String> states,
      Queued queued) {
    long returned = queued == null ? LimitHistory.at(second + 0.1) : History.NEVER;
    calls.add(
        new RunCall(
            kind,
            "j",
            attempt,
            "w" + attempt,
            token,
            false,
            LimitHistory.at(second),
            returned,
            queued == null ? 200 : 0,
            "",
            false,
            states,
            queued));
    return this;
  }

  private static Launch launch(int attempt, double second) {
    String body = "{\"v\": 1, \"at\": \"2026-03-01T10:00:00Z\", \"trigger\": {}}";
    long at = LimitHistory.at(second);
    return Launch.read(new Arrival(at, "j", attempt, "s", body, at, false));
  }

  private List<Kind> found() {
    List<Launch> launches = List.of(launch(1, 1), launch(2, 30));
    TrackedJob job =
        new TrackedJob(
            new LimitHistory().history(),
            "j",
            SPEC,
            TRACKING,
            launches,
            StaleMessages.refused(calls, launches),
            null);
    List<Finding> findings = new ArrayList<>();
    new OperationJudge(Schedule.of("s", List.of(), Map.of()), findings).judge(job);
    return findings.stream().map(Finding::kind).toList();
  }

  @Test
  void whatIsDoneIsDoneInTheNextAttempt() {
    claimed(1, 10, "WAITING").reported(1, 12, "SUCCEEDED").claimed(2, 31, "SUCCEEDED");
    assertThat(found()).isEmpty();
  }

  @Test
  void whatIsDoneDoesNotRunAgain() {
    claimed(1, 10, "WAITING").reported(1, 12, "SUCCEEDED").reported(1, 14, "RUNNING");
    claimed(2, 31, "SUCCEEDED");
    assertThat(found()).isEmpty();
    claimed(2, 32, "WAITING");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aForgottenOperationIsFound() {
    claimed(1, 10, "WAITING").reported(1, 12, "SUCCEEDED").claimed(2, 31, "WAITING");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void anOperationThatNoWorkerHasDoneIsFound() {
    claimed(1, 10, "WAITING").claimed(2, 31, "SUCCEEDED");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void whatAFailedAttemptWasRunningWaits() {
    claimed(1, 10, "WAITING").reported(1, 12, "RUNNING").claimed(2, 31, "WAITING");
    assertThat(found()).isEmpty();
    claimed(2, 32, "RUNNING");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void aClaimWithoutTheOperationIsFound() {
    called(RunCall.Kind.CLAIM, 1, "token-1", 10, Map.of(), null);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aMessageCountsWhileItsClaimLives() {
    claimed(1, 10, "WAITING");
    sent(RunCall.Kind.HEARTBEAT, 1, 12, Map.of("o1", "SUCCEEDED")).claimed(2, 31, "WAITING");
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aMessageOfAnEarlierClaimDoesNotCount() {
    claimed(1, 10, "WAITING").claimed(2, 31, "WAITING");
    sent(RunCall.Kind.HEARTBEAT, 1, 32, Map.of("o1", "SUCCEEDED")).claimed(2, 36, "WAITING");
    assertThat(found()).isEmpty();
    claimed(2, 37, "SUCCEEDED");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }
}
