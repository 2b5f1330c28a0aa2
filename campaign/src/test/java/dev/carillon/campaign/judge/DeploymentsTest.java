package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.DeploymentAttempt.Answer;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hand-written histories of an app whose schedules fire each minute from the answer on. */
class DeploymentsTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();

  private final List<DeploymentAttempt> attempts = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private static ScheduleSpec spec(int version) {
    return new ScheduleSpec(version, Join.ANY, List.of(new Cron("0 * * * * ?")), false);
  }

  private void attempted(
      int number,
      Action action,
      Map<String, ScheduleSpec> documents,
      double called,
      Answer answer) {
    Mode mode = action == Action.SUSPEND ? Mode.HOLD : null;
    attempts.add(
        new DeploymentAttempt(number, action, documents, mode, at(called), at(called + 1), answer));
  }

  private void deployed(double called, Map<String, ScheduleSpec> documents) {
    attempted(attempts.size() + 1, Action.DEPLOY, documents, called, Answer.DONE);
  }

  private void fired(String schedule, int version, double... seconds) {
    for (double second : seconds) {
      String text = Instant.ofEpochMilli(at(second)).toString();
      String body =
          "{\"v\": %d, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1, \"scheduledFor\": \"%s\"}]}}"
              .formatted(version, text, text);
      String job = schedule + "~" + version + "~" + second;
      arrivals.add(new Arrival(at(second), job, 1, schedule, body, at(second), false));
    }
  }

  private List<Kind> found() {
    History history =
        new History(
            START,
            History.NEVER,
            START,
            60_000,
            START,
            at(200),
            List.of(),
            List.of(),
            List.of(),
            attempts,
            List.of(),
            List.of(),
            arrivals,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Judge.SKEW,
            0,
            null,
            LimitFacts.NONE,
            List.of());
    return Judge.of(history).findings().stream().map(Finding::kind).toList();
  }

  @Test
  void eachScheduleIsJudgedByItsDeployments() {
    deployed(10, Map.of("kept", spec(1), "changed", spec(1), "dropped", spec(1)));
    deployed(80, Map.of("kept", spec(1), "changed", spec(2), "new", spec(1)));
    fired("kept", 1, 60, 120, 180);
    fired("changed", 1, 60);
    fired("changed", 2, 120, 180);
    fired("dropped", 1, 60);
    fired("new", 1, 120, 180);
    assertThat(found()).isEmpty();
    fired("dropped", 1, 120);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
    arrivals.remove(arrivals.size() - 2);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE, Kind.LOST);
  }

  @Test
  void deletionOfAnAppDeletesItsSchedules() {
    deployed(10, Map.of("a", spec(1), "b", spec(1), "c", spec(1)));
    attempted(2, Action.PRUNE, Map.of("a", spec(9), "b", spec(9)), 20, Answer.DONE);
    attempted(3, Action.PROGRAM, Map.of("b", spec(1)), 30, Answer.DONE);
    fired("a", 1, 60, 120, 180);
    fired("b", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    attempted(4, Action.DELETE, Map.of(), 150, Answer.DONE);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE, Kind.AFTER_DELETE);
  }

  @Test
  void refusedAttemptChangedNothing() {
    deployed(10, Map.of("a", spec(1)));
    attempted(2, Action.FAULTY, Map.of("a", spec(2), "b", spec(2)), 20, Answer.REFUSED);
    attempted(3, Action.DEPLOY, Map.of("b", spec(3)), 30, Answer.REFUSED);
    fired("a", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    fired("b", 2, 120);
    fired("b", 3, 120);
    assertThat(found()).containsExactly(Kind.UNASKED, Kind.UNASKED);
  }

  @Test
  void unansweredAttemptMayHaveChangedSomething() {
    deployed(10, Map.of("a", spec(1)));
    attempted(2, Action.DEPLOY, Map.of("a", spec(2), "b", spec(2)), 70, Answer.UNKNOWN);
    attempted(3, Action.DEPLOY, Map.of("a", spec(3)), 130, Answer.DONE);
    fired("a", 1, 60);
    fired("a", 3, 180);
    assertThat(found()).isEmpty();
    fired("a", 2, 120);
    fired("b", 2, 120);
    assertThat(found()).isEmpty();
    fired("b", 2, 180);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void concurrentDeploymentsHaveAnOrder() {
    deployed(10, Map.of("a", spec(1), "b", spec(1)));
    deployed(10.5, Map.of("a", spec(2), "c", spec(2)));
    fired("a", 1, 60, 120, 180);
    fired("b", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    fired("c", 2, 60, 120, 180);
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  @Test
  void aDeploymentThatBeganFirstMayBeTheLast() {
    deployed(10, Map.of("a", spec(1)));
    Map<String, ScheduleSpec> last = Map.of("c", spec(3));
    attempts.add(new DeploymentAttempt(2, Action.DEPLOY, last, null, at(62), at(90), Answer.DONE));
    attempted(3, Action.DEPLOY, Map.of("b", spec(2)), 63, Answer.UNKNOWN);
    attempted(3, Action.DEPLOY, Map.of("b", spec(2)), 65, Answer.DONE);
    fired("a", 1, 60);
    fired("c", 3, 120, 180);
    assertThat(found()).isEmpty();
    fired("b", 2, 120);
    assertThat(found()).isNotEmpty();
  }

  @Test
  void suspendedScheduleStaysSuspendedWhenDeployedAgain() {
    deployed(10, Map.of("a", spec(1)));
    attempted(2, Action.SUSPEND, Map.of("a", spec(1)), 20, Answer.DONE);
    attempted(3, Action.DEPLOY, Map.of("a", spec(2)), 30, Answer.DONE);
    attempted(4, Action.RESUME, Map.of("a", spec(1)), 130, Answer.DONE);
    fired("a", 2, 180);
    assertThat(found()).isEmpty();
    fired("a", 2, 60);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void refusalNeedsAConcurrentChange() {
    deployed(10, Map.of());
    attempted(2, Action.DELETE, Map.of(), 50, Answer.REFUSED);
    assertThat(found()).isEmpty();
    attempted(3, Action.DELETE, Map.of(), 60, Answer.REFUSED);
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void invalidDeploymentIsRefused() {
    attempted(1, Action.FAULTY, Map.of(), 10, Answer.DONE);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }
}
