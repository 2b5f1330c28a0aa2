package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.Deploying.Answer;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Histories of an app, written by hand: its schedules fire each minute from the answer on. */
class DeploymentsTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();

  private final List<Deploying> tries = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private static Wish wish(int version) {
    return new Wish(version, Join.ANY, List.of(new Cron("0 * * * * ?")), false);
  }

  private void tried(
      int number, Action action, Map<String, Wish> documents, double called, Answer answer) {
    Mode mode = action == Action.SUSPEND ? Mode.HOLD : null;
    tries.add(new Deploying(number, action, documents, mode, at(called), at(called + 1), answer));
  }

  private void deployed(double called, Map<String, Wish> documents) {
    tried(tries.size() + 1, Action.DEPLOY, documents, called, Answer.DONE);
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
            tries,
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
            null);
    return Judge.of(history).findings().stream().map(Finding::kind).toList();
  }

  @Test
  void eachScheduleIsJudgedByWhatDeploymentsMakeOfIt() {
    deployed(10, Map.of("kept", wish(1), "changed", wish(1), "dropped", wish(1)));
    deployed(80, Map.of("kept", wish(1), "changed", wish(2), "new", wish(1)));
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
  void deletionsAreThoseOfItsSchedules() {
    deployed(10, Map.of("a", wish(1), "b", wish(1), "c", wish(1)));
    tried(2, Action.PRUNE, Map.of("a", wish(9), "b", wish(9)), 20, Answer.DONE);
    tried(3, Action.PROGRAM, Map.of("b", wish(1)), 30, Answer.DONE);
    fired("a", 1, 60, 120, 180);
    fired("b", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    tried(4, Action.DELETE, Map.of(), 150, Answer.DONE);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE, Kind.AFTER_DELETE);
  }

  @Test
  void whatWasRefusedHasChangedNothing() {
    deployed(10, Map.of("a", wish(1)));
    tried(2, Action.FAULTY, Map.of("a", wish(2), "b", wish(2)), 20, Answer.REFUSED);
    tried(3, Action.DEPLOY, Map.of("b", wish(3)), 30, Answer.REFUSED);
    fired("a", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    fired("b", 2, 120);
    fired("b", 3, 120);
    assertThat(found()).containsExactly(Kind.UNASKED, Kind.UNASKED);
  }

  @Test
  void aTryWithoutAnAnswerMayHaveChangedSomething() {
    deployed(10, Map.of("a", wish(1)));
    tried(2, Action.DEPLOY, Map.of("a", wish(2), "b", wish(2)), 70, Answer.UNKNOWN);
    tried(3, Action.DEPLOY, Map.of("a", wish(3)), 130, Answer.DONE);
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
  void ofTwoDeploymentsAtOnceOneComesAfterTheOther() {
    deployed(10, Map.of("a", wish(1), "b", wish(1)));
    deployed(10.5, Map.of("a", wish(2), "c", wish(2)));
    fired("a", 1, 60, 120, 180);
    fired("b", 1, 60, 120, 180);
    assertThat(found()).isEmpty();
    fired("c", 2, 60, 120, 180);
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  @Test
  void aDeploymentThatBeganFirstMayBeTheLast() {
    deployed(10, Map.of("a", wish(1)));
    Map<String, Wish> last = Map.of("c", wish(3));
    tries.add(new Deploying(2, Action.DEPLOY, last, null, at(62), at(90), Answer.DONE));
    tried(3, Action.DEPLOY, Map.of("b", wish(2)), 63, Answer.UNKNOWN);
    tried(3, Action.DEPLOY, Map.of("b", wish(2)), 65, Answer.DONE);
    fired("a", 1, 60);
    fired("c", 3, 120, 180);
    assertThat(found()).isEmpty();
    fired("b", 2, 120);
    assertThat(found()).isNotEmpty();
  }

  @Test
  void whatIsSuspendedStaysSoWhenItIsDeployedAgain() {
    deployed(10, Map.of("a", wish(1)));
    tried(2, Action.SUSPEND, Map.of("a", wish(1)), 20, Answer.DONE);
    tried(3, Action.DEPLOY, Map.of("a", wish(2)), 30, Answer.DONE);
    tried(4, Action.RESUME, Map.of("a", wish(1)), 130, Answer.DONE);
    fired("a", 2, 180);
    assertThat(found()).isEmpty();
    fired("a", 2, 60);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void aRefusalNeedsAnother() {
    deployed(10, Map.of());
    tried(2, Action.DELETE, Map.of(), 50, Answer.REFUSED);
    assertThat(found()).isEmpty();
    tried(3, Action.DELETE, Map.of(), 60, Answer.REFUSED);
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void aFaultyDeploymentIsRefused() {
    tried(1, Action.FAULTY, Map.of(), 10, Answer.DONE);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }
}
