package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.CalendarVersion;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Hand-written histories of outages, in minutes. The master does not run from 2 to 24; fires that
 * were due until 21 are decided on at 24. The schedule fires every second minute.
 */
class CatchUpJudgeTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final CatchUp LATEST = new CatchUp(Policy.LATEST, 0);
  private static final CatchUp NONE = new CatchUp(Policy.NONE, 0);
  private static final ScheduleSpec EVERY_SECOND_MINUTE =
      new ScheduleSpec(1, Join.ANY, List.of(new Cron("0 0/2 * * * ?")), false);

  private final List<Operation> operations = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<StoredJob> jobs = new ArrayList<>();
  private final List<CalendarVersion> calendar = new ArrayList<>();
  private @Nullable TimeRange outage = new TimeRange(at(2), at(24));

  private static long at(double minute) {
    return START + Math.round(minute * 60_000);
  }

  private static String text(double minute) {
    return Instant.ofEpochMilli(at(minute)).toString();
  }

  private void put(CatchUp catchUp) {
    put(EVERY_SECOND_MINUTE.catchingUp(EVERY_SECOND_MINUTE.leaves(), catchUp));
  }

  private void put(ScheduleSpec spec) {
    did(History.Kind.PUT, spec, 1, null);
  }

  private void did(
      History.Kind kind, @Nullable ScheduleSpec spec, double minute, History.@Nullable Mode mode) {
    operations.add(
        new Operation(
            "s",
            kind,
            operations.size() + 1,
            spec,
            at(minute),
            at(minute) + 100,
            true,
            null,
            mode,
            History.NEVER,
            null));
  }

  /** Launches of all given fires, each on time or, if it was missed, at the end of the outage. */
  private void launched(int... fires) {
    for (int fire : fires) {
      long when = fire > 16 && fire < 24 ? at(24) + 500 : at(fire) + 100;
      String body =
          "{\"v\": 1, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1, \"scheduledFor\": \"%s\"}]}}"
              .formatted(text(fire), text(fire));
      arrivals.add(new Arrival(when, "j" + fire, 1, "s", body, when, false));
    }
  }

  /** The stored job of a decision at 24. */
  private void skipped(String policy, int count, double first, double last) {
    jobs.add(
        new StoredJob(
            "r" + first,
            "s",
            "SKIPPED",
            true,
            at(first),
            at(24),
            at(24),
            List.of((long) count),
            at(last),
            List.of(),
            new Why(
                "MISSED_FIRES", List.of(String.valueOf(count), text(first), text(last), policy)),
            ""));
  }

  private List<Kind> found() {
    History history =
        new History(
            START,
            at(2),
            at(24),
            240_000,
            START,
            at(30),
            operations,
            calendar,
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
            Judge.SKEW,
            0,
            outage,
            LimitFacts.NONE,
            List.of());
    return Judge.of(history).findings().stream().map(Finding::kind).toList();
  }

  /** Fires up to 16 were handed over in time; 18 and 20 were missed. */
  private void launchedLatest() {
    put(LATEST);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 20, 22, 24, 26, 28, 30);
    skipped("latest", 1, 18, 18);
  }

  @Test
  void launchOfTheLatestAndCountOfTheOthersPasses() {
    launchedLatest();
    assertThat(found()).isEmpty();
  }

  @Test
  void uncountedMissedFiresAreLost() {
    launchedLatest();
    jobs.clear();
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void skippedLatestFireIsFound() {
    launchedLatest();
    removeLaunch(20);
    jobs.clear();
    skipped("latest", 2, 18, 20);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void firstFireLaunchedInsteadOfTheLatestIsFound() {
    launchedLatest();
    removeLaunch(20);
    launched(18);
    jobs.clear();
    skipped("latest", 1, 20, 20);
    assertThat(found()).containsOnly(Kind.LOST, Kind.UNASKED);
  }

  @Test
  void fireThatIsCountedAndLaunchedIsMiscounted() {
    launchedLatest();
    jobs.clear();
    put(NONE);
    operations.remove(0);
    skipped("none", 2, 18, 20);
    assertThat(found()).contains(Kind.MISCOUNTED);
    removeLaunch(20);
    assertThat(found()).isEmpty();
  }

  @Test
  void wrongCountIsFound() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 1, 18, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
    jobs.clear();
    skipped("none", 3, 18, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void fireThatIsCountedTwiceIsFound() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 2, 18, 20);
    skipped("none", 1, 20, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void launchThatThePolicyForbidsIsUnasked() {
    launchedLatest();
    launched(18);
    jobs.clear();
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void allWithoutAWindowSkipsNothing() {
    launchedLatest();
    put(CatchUp.EVERYTHING);
    operations.remove(0);
    assertThat(found()).containsExactly(Kind.LOST);
    jobs.clear();
    launched(18);
    assertThat(found()).isEmpty();
  }

  @Test
  void windowSkipsOnlyOlderFires() {
    launchedLatest();
    put(new CatchUp(Policy.ALL, 300_000));
    operations.remove(0);
    jobs.clear();
    skipped("all within PT5M", 1, 18, 18);
    assertThat(found()).isEmpty();
    jobs.clear();
    skipped("all within PT5M", 2, 18, 20);
    removeLaunch(20);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void fireOlderThanTheWindowIsNotLaunched() {
    launchedLatest();
    put(new CatchUp(Policy.ALL, 300_000));
    operations.remove(0);
    jobs.clear();
    launched(18);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void fireThatWasNotMissedIsNotSkipped() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 24, 26, 28, 30);
    skipped("none", 3, 18, 22);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void nothingIsSkippedWhileTheMasterRuns() {
    launchedLatest();
    outage = null;
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void backlogIsLaunchedWhateverThePolicy() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 18, 22, 24, 26, 28, 30);
    skipped("none", 1, 20, 20);
    assertThat(found()).containsExactly(Kind.UNASKED);
    did(History.Kind.SUSPEND, null, 17, History.Mode.BACKLOG);
    did(History.Kind.RESUME, null, 19, null);
    assertThat(found()).isEmpty();
  }

  @Test
  void fireOfAHoldIsNotCounted() {
    launchedLatest();
    did(History.Kind.SUSPEND, null, 19, History.Mode.HOLD);
    did(History.Kind.RESUME, null, 21, null);
    removeLaunch(20);
    assertThat(found()).containsExactly(Kind.LOST);
    jobs.clear();
    launched(18);
    assertThat(found()).isEmpty();
  }

  @Test
  void excludedFireIsNotCounted() {
    put(withCalendar(NONE));
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 2, 18, 20);
    calendar.add(new CalendarVersion(0, 0, List.of(new TimeRange(at(19), at(21)))));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
    jobs.clear();
    skipped("none", 1, 18, 18);
    assertThat(found()).isEmpty();
  }

  private static ScheduleSpec withCalendar(CatchUp catchUp) {
    return EVERY_SECOND_MINUTE
        .catchingUp(EVERY_SECOND_MINUTE.leaves(), catchUp)
        .excludingCalendar();
  }

  private void removeLaunch(int fire) {
    arrivals.removeIf(arrival -> arrival.jobId().equals("j" + fire));
  }
}
