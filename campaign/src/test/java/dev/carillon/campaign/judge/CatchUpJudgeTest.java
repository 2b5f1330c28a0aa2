package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.Opening;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Histories of outages written by hand, in minutes: the master does not tick from 2 to 24, and what
 * was due until 21 is decided on at 24. The schedule fires every second minute.
 */
class CatchUpJudgeTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final CatchUp LATEST = new CatchUp(Policy.LATEST, 0);
  private static final CatchUp NONE = new CatchUp(Policy.NONE, 0);
  private static final Wish EVERY_SECOND_MINUTE =
      new Wish(1, Join.ANY, List.of(new Cron("0 0/2 * * * ?")), false);

  private final List<Operation> operations = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<JobRow> rows = new ArrayList<>();
  private final List<Opening> calendar = new ArrayList<>();
  private @Nullable Stretch outage = new Stretch(at(2), at(24));

  private static long at(double minute) {
    return START + Math.round(minute * 60_000);
  }

  private static String text(double minute) {
    return Instant.ofEpochMilli(at(minute)).toString();
  }

  private void put(CatchUp catchUp) {
    put(EVERY_SECOND_MINUTE.catchingUp(EVERY_SECOND_MINUTE.leaves(), catchUp));
  }

  private void put(Wish wish) {
    did(History.Kind.PUT, wish, 1, null);
  }

  private void did(
      History.Kind kind, @Nullable Wish wish, double minute, History.@Nullable Mode mode) {
    operations.add(
        new Operation(
            "s",
            kind,
            operations.size() + 1,
            wish,
            at(minute),
            at(minute) + 100,
            true,
            null,
            mode,
            History.NEVER,
            null));
  }

  /** All of them, each on time or, if it was missed, when the outage is over. */
  private void launched(int... fires) {
    for (int fire : fires) {
      long when = fire > 16 && fire < 24 ? at(24) + 500 : at(fire) + 100;
      String body =
          "{\"v\": 1, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1, \"scheduledFor\": \"%s\"}]}}"
              .formatted(text(fire), text(fire));
      arrivals.add(new Arrival(when, "j" + fire, 1, "s", body, when, false));
    }
  }

  /** As a tick at 24 stores it. */
  private void skipped(String policy, int count, double first, double last) {
    rows.add(
        new JobRow(
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
            rows,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Judge.SKEW,
            outage);
    return Judge.of(history).findings().stream().map(Finding::kind).toList();
  }

  /** Fires up to 16 were handed over in time; 18 and 20 were missed. */
  private void latestIsMadeUpFor() {
    put(LATEST);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 20, 22, 24, 26, 28, 30);
    skipped("latest", 1, 18, 18);
  }

  @Test
  void latestThatIsMadeUpForAndCountsTheOthersPasses() {
    latestIsMadeUpFor();
    assertThat(found()).isEmpty();
  }

  @Test
  void missedFiresThatNobodyCountsAreLost() {
    latestIsMadeUpFor();
    rows.clear();
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void latestThatIsSkippedIsFound() {
    latestIsMadeUpFor();
    launchedNot(20);
    rows.clear();
    skipped("latest", 2, 18, 20);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void firstThatIsMadeUpForInsteadOfTheLatestIsFound() {
    latestIsMadeUpFor();
    launchedNot(20);
    launched(18);
    rows.clear();
    skipped("latest", 1, 20, 20);
    assertThat(found()).containsOnly(Kind.LOST, Kind.UNASKED);
  }

  @Test
  void whatIsCountedAndLaunchedIsMiscounted() {
    latestIsMadeUpFor();
    rows.clear();
    put(NONE);
    operations.remove(0);
    skipped("none", 2, 18, 20);
    assertThat(found()).contains(Kind.MISCOUNTED);
    launchedNot(20);
    assertThat(found()).isEmpty();
  }

  @Test
  void countThatIsTooLowOrTooHighIsFound() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 1, 18, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
    rows.clear();
    skipped("none", 3, 18, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void whatIsCountedTwiceIsFound() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 2, 18, 20);
    skipped("none", 1, 20, 20);
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void whatThePolicyForbidsIsUnasked() {
    latestIsMadeUpFor();
    launched(18);
    rows.clear();
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void allWithoutAWindowSkipsNothing() {
    latestIsMadeUpFor();
    put(CatchUp.EVERYTHING);
    operations.remove(0);
    assertThat(found()).containsExactly(Kind.LOST);
    rows.clear();
    launched(18);
    assertThat(found()).isEmpty();
  }

  @Test
  void windowSkipsWhatIsOlderAlone() {
    latestIsMadeUpFor();
    put(new CatchUp(Policy.ALL, 300_000));
    operations.remove(0);
    rows.clear();
    skipped("all within PT5M", 1, 18, 18);
    assertThat(found()).isEmpty();
    rows.clear();
    skipped("all within PT5M", 2, 18, 20);
    launchedNot(20);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void whatWasOlderThanTheWindowIsNotMadeUpFor() {
    latestIsMadeUpFor();
    put(new CatchUp(Policy.ALL, 300_000));
    operations.remove(0);
    rows.clear();
    launched(18);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void whatWasNotMissedIsNotSkipped() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 24, 26, 28, 30);
    skipped("none", 3, 18, 22);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void nothingIsSkippedWhileTheMasterTicks() {
    latestIsMadeUpFor();
    outage = null;
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void whatABacklogKeptIsLaunchedWhateverIsMissed() {
    put(NONE);
    launched(2, 4, 6, 8, 10, 12, 14, 16, 18, 22, 24, 26, 28, 30);
    skipped("none", 1, 20, 20);
    assertThat(found()).containsExactly(Kind.UNASKED);
    did(History.Kind.SUSPEND, null, 17, History.Mode.BACKLOG);
    did(History.Kind.RESUME, null, 19, null);
    assertThat(found()).isEmpty();
  }

  @Test
  void whatFellDueInAHoldIsNotCounted() {
    latestIsMadeUpFor();
    did(History.Kind.SUSPEND, null, 19, History.Mode.HOLD);
    did(History.Kind.RESUME, null, 21, null);
    launchedNot(20);
    assertThat(found()).containsExactly(Kind.LOST);
    rows.clear();
    launched(18);
    assertThat(found()).isEmpty();
  }

  @Test
  void whatTheCalendarExcludesIsNotCounted() {
    put(withCalendar(NONE));
    launched(2, 4, 6, 8, 10, 12, 14, 16, 22, 24, 26, 28, 30);
    skipped("none", 2, 18, 20);
    calendar.add(new Opening(0, 0, List.of(new Stretch(at(19), at(21)))));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
    rows.clear();
    skipped("none", 1, 18, 18);
    assertThat(found()).isEmpty();
  }

  private static Wish withCalendar(CatchUp catchUp) {
    return EVERY_SECOND_MINUTE.catchingUp(EVERY_SECOND_MINUTE.leaves(), catchUp).excluding();
  }

  private void launchedNot(int fire) {
    arrivals.removeIf(arrival -> arrival.jobId().equals("j" + fire));
  }
}
