package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.ID;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.event;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.quiet;
import static dev.carillon.collect.CollectingSchedule.since;
import static dev.carillon.collect.CollectingSchedule.sinceLaunch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.LeafClock;
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Leaf 0 counts events; 1 elapses since "d", 2 since a launch; 3 is quiet, 4 for a bounded time.
 */
class LeafClocksTest {

  private static final List<Trigger.Leaf> LEAVES =
      new CollectingSchedule(
              or(
                  partitions("d", 2),
                  since("d", "PT1H"),
                  sinceLaunch("PT2H"),
                  quiet("d", "PT10M"),
                  quiet("d", "PT10M", "PT15M")))
          .schedule
          .trigger()
          .leaves();

  private static final LeafClocks NEW = LeafClocks.of(LEAVES, Map.of(), at("10:00"));

  private static LeafClock clock(String first, String last, boolean isSpent) {
    return new LeafClock(at(first), at(last), isSpent);
  }

  private static String due(LeafClocks clocks, int leaf) {
    return clocks.due(leaf).map(CollectingSchedule::text).orElse("never");
  }

  @ParameterizedTest(name = "leaf {0}: {1}")
  @CsvSource({"0, never", "1, 11:00", "2, 12:00", "3, never", "4, never", "5, never"})
  void beforeAnyEventElapsedTimesCountFromTheStart(int leaf, String due) {
    assertThat(due(NEW, leaf)).isEqualTo(due);
  }

  @ParameterizedTest(name = "events at {0} and {1}: leaf {2} is due at {3}")
  @CsvSource({
    "10:30, 10:30, 1, 11:30",
    "10:30, 10:34, 1, 11:34",
    "10:30, 10:34, 2, 12:00",
    "10:30, 10:34, 3, 10:44",
    // at most 15 minutes after the first
    "10:30, 10:34:59.999, 4, 10:44:59.999",
    "10:30, 10:35, 4, 10:45",
    "10:30, 10:36, 4, 10:45"
  })
  void eventsRestartTheLeavesThatNameThem(String first, String second, int leaf, String due) {
    LeafClocks after =
        NEW.afterEvent(event("one", "d", 1), at(first))
            .afterEvent(event("two", "d", 1), at(second));
    assertThat(due(after, leaf)).isEqualTo(due);
  }

  @Test
  void eventsThatNoLeafNamesConcernNone() {
    assertThat(NEW.concern(event("one", "d", 1))).isTrue();
    assertThat(NEW.concern(event("one", "x", 1))).isFalse();
    assertThat(NEW.afterEvent(event("one", "x", 1), at("10:30"))).isEqualTo(NEW);
  }

  @Test
  void theFirstDueInstantIgnoresSatisfiedLeaves() {
    LeafClocks after = NEW.afterEvent(event("one", "d", 1), at("10:30"));
    assertThat(after.due(Set.of())).contains(at("10:40"));
    assertThat(after.due(Set.of(3, 4))).contains(at("11:30"));
    assertThat(after.due(Set.of(1, 3, 4))).contains(at("12:00"));
    assertThat(after.due(Set.of(1, 2, 3, 4))).isEmpty();
  }

  @ParameterizedTest(name = "by {0}: {1}")
  @CsvSource({"10:39:59.999, ''", "10:40, '3, 4'", "11:30, '1, 3, 4'", "12:00, '1, 2, 3, 4'"})
  void leavesAreSatisfiedAtTheExactInstant(String instant, String leaves) {
    LeafClocks after = NEW.afterEvent(event("one", "d", 1), at("10:30"));
    assertThat(after.dueBy(at(instant)).toString()).isEqualTo("[" + leaves + "]");
  }

  @Test
  void onlyTimeSinceALaunchRestartsWithALaunchAndNeverGoesBack() {
    LeafClocks launched = NEW.afterLaunch(at("11:00"));
    assertThat(launched.clocks()).isEqualTo(Map.of(2, clock("11:00", "11:00", false)));
    assertThat(launched.afterLaunch(at("10:30"))).isEqualTo(launched);
    assertThat(due(launched.afterLaunch(at("11:30")), 2)).isEqualTo("13:30");
    assertThat(NEW.countFromLaunches()).isTrue();
    assertThat(LeafClocks.of(LEAVES.subList(0, 2), Map.of(), at("10:00")).countFromLaunches())
        .isFalse();
  }

  @Test
  void aLaunchFromBeforeAResumptionDoesNotCount() {
    assertThat(due(NEW.afterLaunch(at("09:00")), 2)).isEqualTo("12:00");
  }

  @Test
  void aClosedJobSpendsItsSatisfiedLeavesAndEndsQuietTimes() {
    LeafClocks closed =
        NEW.afterEvent(event("one", "d", 1), at("10:30")).afterClose(Set.of(1, 2, 3), at("11:30"));
    assertThat(closed.clocks())
        .isEqualTo(
            Map.of(
                1, clock("10:30", "10:30", true),
                2, clock("11:30", "11:30", false)));
    assertThat(due(closed, 1)).isEqualTo("never");
    assertThat(due(closed.afterEvent(event("two", "d", 1), at("11:40")), 1)).isEqualTo("12:40");
  }

  @Test
  void aPeriodThatElapsedSinceTheActivationIsSpentAsWell() {
    LeafClocks closed = NEW.afterClose(Set.of(1), at("11:00"));
    assertThat(closed.clocks().get(1)).isEqualTo(clock("11:00", "11:00", true));
    assertThat(NEW.afterClose(Set.of(0), at("11:00")).clocks()).containsOnlyKeys(2);
  }

  @ParameterizedTest(name = "{0} open, since {1}: {2}")
  @CsvSource({
    "none, 10:30:00.001, 2",
    "none, 10:30,        1 2",
    "none, 12:00:00.001, ''",
    "job,  12:00:00.001, 1 2"
  })
  void anotherActivationTakesOverThePeriodsSinceJobsCanBeOpened(
      String open, String since, String kept) {
    Map<Integer, LeafClock> clocks =
        Map.of(1, clock("10:30", "10:30", false), 2, clock("12:00", "12:00", false));
    LeafClocks handedOn =
        LeafClocks.handedOn(LEAVES, stored(open.equals("job"), clocks), at(since));
    assertThat(String.join(" ", handedOn.clocks().keySet().stream().map(String::valueOf).toList()))
        .isEqualTo(kept);
    assertThat(handedOn.since()).isEqualTo(at(since));
  }

  private static CollectingJob stored(boolean isOpen, Map<Integer, LeafClock> clocks) {
    Instant opened = at("10:30");
    @Nullable OpenJob open =
        isOpen
            ? new OpenJob(JobId.ofEvents(ID, 1, opened, 1), opened, TriggerState.of(LEAVES))
            : null;
    return new CollectingJob(ID, 1, 1, 1, 2, opened, open, clocks, null, null);
  }
}
