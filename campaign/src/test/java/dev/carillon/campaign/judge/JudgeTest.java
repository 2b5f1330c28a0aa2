package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.BackfillRow;
import dev.carillon.campaign.judge.History.Forgotten;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.OpenRow;
import dev.carillon.campaign.judge.History.Opening;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.History.Removal;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.History.Setback;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import dev.carillon.campaign.judge.Wish.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Histories written by hand: what is wrong in them must be found, and nothing else. */
class JudgeTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final Wish CRON = new Wish(1, Join.ANY, List.of(new Cron("0 * * * * ?")), false);
  private static final Wish DATA = new Wish(2, Join.ANY, List.of(new Partitions("d", 2)), false);

  private final List<Operation> operations = new ArrayList<>();
  private final List<Announcement> announcements = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<JobRow> rows = new ArrayList<>();
  private final List<OpenRow> open = new ArrayList<>();
  private final List<BackfillRow> backfills = new ArrayList<>();
  private final List<Opening> calendar = new ArrayList<>();
  private final List<Removal> removals = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final List<Violation> broken = new ArrayList<>();
  private final List<Setback> setbacks = new ArrayList<>();
  private final List<Forgotten> forgotten = new ArrayList<>();
  private long skew = Judge.SKEW;
  private long faultsFrom = History.NEVER;
  private long end = at(200);

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private void did(History.Kind kind, Wish wish, double called, double returned) {
    operations.add(
        new Operation(
            "s", kind, operations.size() + 1, wish, at(called), at(returned), true, null));
  }

  private void fired(double arrived, double fire, String jobId) {
    String body =
        "{\"v\": 1, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1, \"scheduledFor\": \"%s\"}]}}"
            .formatted(text(fire), text(fire));
    arrivals.add(
        new Arrival(at(arrived), jobId, 1, "s", body, at(arrived), false, backfill(jobId)));
  }

  private void counted(double arrived, String jobId, int actual, String... events) {
    String ids =
        Stream.of(events).map("{\"id\": \"%s\"}"::formatted).reduce((a, b) -> a + ", " + b).get();
    String body =
        "{\"v\": 2, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": %d}], \"events\": [%s]}}"
            .formatted(text(arrived), actual, ids);
    arrivals.add(
        new Arrival(at(arrived), jobId, 1, "s", body, at(arrived), false, backfill(jobId)));
  }

  /** The ids of these tests end with it. */
  private static String backfill(String jobId) {
    int suffix = jobId.indexOf("~b");
    return suffix < 0 ? "" : jobId.substring(suffix + 2);
  }

  private void announced(double sent, String... events) {
    for (String event : events) {
      announcements.add(new Announcement(event, "d", 1, at(sent), at(sent)));
    }
  }

  private static String text(double second) {
    return Instant.ofEpochMilli(at(second)).toString();
  }

  private long openFrom = START;

  private List<Kind> found() {
    History history =
        new History(
            START,
            faultsFrom,
            faultsFrom == History.NEVER ? START : at(100),
            60_000,
            openFrom,
            end,
            operations,
            calendar,
            removals,
            List.of(),
            announcements,
            List.of(),
            arrivals,
            rows,
            open,
            backfills,
            List.of(),
            List.of(),
            broken,
            runs,
            setbacks,
            forgotten,
            skew,
            null);
    return Judge.of(history).findings().stream().map(Finding::kind).toList();
  }

  private void threeFires() {
    did(History.Kind.PUT, CRON, 1, 2);
    fired(60.1, 60, "j1");
    fired(120.1, 120, "j2");
    fired(180.1, 180, "j3");
  }

  private void twoEvents() {
    did(History.Kind.PUT, DATA, 1, 2);
    announced(10, "a", "b");
  }

  /** Two fires before the first one of the schedule; the caller was told of two. */
  private void backfilled(double called) {
    threeFires();
    operations.add(
        new Operation(
            "s",
            History.Kind.BACKFILL,
            operations.size() + 1,
            null,
            at(called),
            at(called + 1),
            true,
            "x1 2",
            null,
            History.NEVER,
            new Past(at(-121), at(-60))));
    fired(called + 1.1, -120, "f1~bx1");
    fired(called + 1.2, -60, "f2~bx1");
  }

  @Test
  void backfillsThatLaunchWhatWasToldPass() {
    backfilled(10);
    end = at(400);
    fired(240.1, 240, "j4");
    fired(300.1, 300, "j5");
    fired(360.1, 360, "j6");
    assertThat(found()).isEmpty();
  }

  @Test
  void aFireOfABackfillThatIsMissingIsLost() {
    backfilled(10);
    arrivals.remove(arrivals.size() - 1);
    end = at(230);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aFireOfABackfillThatHasTwoJobsIsDoubled() {
    backfilled(10);
    fired(12, -60, "f3~bx1");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void aFireThatIsNotInTheRangeOfABackfillIsUnasked() {
    backfilled(10);
    fired(12, -180, "f0~bx1");
    assertThat(found()).contains(Kind.UNASKED);
  }

  @Test
  void aBackfillThatIsCompleteHasLaunchedAll() {
    backfilled(10);
    backfills.add(new BackfillRow("x1", "s", "COMPLETED"));
    assertThat(found()).isEmpty();
    arrivals.remove(arrivals.size() - 1);
    assertThat(found()).containsOnly(Kind.LOST);
  }

  @Test
  void aBackfillThatNobodyCancelledIsNotCancelled() {
    backfilled(10);
    backfills.add(new BackfillRow("x1", "s", "CANCELLED"));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void aBackfillThatGoesOnAfterItWasCancelledIsFound() {
    backfilled(10);
    operations.add(new Operation("s", History.Kind.CANCEL, 9, null, at(20), at(21), true, "x1"));
    assertThat(found()).isEmpty();
    fired(32, -60, "f2~bx1");
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  @Test
  void aBackfillThatNobodyWasToldOfIsUnasked() {
    backfilled(10);
    fired(12, -60, "f2~bx2");
    assertThat(found()).containsOnly(Kind.UNASKED);
  }

  @Test
  void aBackfillThatGoesOnAfterItsScheduleWasDeletedIsFound() {
    backfilled(100);
    arrivals.removeIf(arrival -> arrival.jobId().equals("j3"));
    did(History.Kind.DELETE, null, 130, 131);
    fired(150, -60, "f2~bx1");
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  private void excluded(double called, double from, double to) {
    List<Stretch> stretches = List.of(new Stretch(at(from), at(to)));
    calendar.add(new Opening(at(called), at(called + 1), stretches));
  }

  @Test
  void aFireThatTheCalendarExcludesNeedNotCome() {
    threeFires();
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    operations.remove(0);
    excluded(-100, 120, 121);
    arrivals.remove(1);
    assertThat(found()).isEmpty();
  }

  @Test
  void aFireThatTheCalendarExcludesIsUnasked() {
    threeFires();
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    operations.remove(0);
    excluded(-100, 120, 121);
    assertThat(found()).containsExactly(Kind.UNASKED);
    excluded(119, 0, 1);
    assertThat(found()).isEmpty();
  }

  @Test
  void aFireThatTheCalendarExcludedBeforeItsLastChangeIsLostAfterIt() {
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    fired(60.1, 60, "j1");
    fired(180.1, 180, "j3");
    excluded(-100, 120, 121);
    excluded(90, 0, 1);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  private void removed(double called, boolean done) {
    removals.add(new Removal(at(called), at(called + 1), done));
  }

  @Test
  void aCalendarThatWasDeletedExcludesNothingEvenOfWhatFellDueBefore() {
    excluded(-100, 60, 121);
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    fired(62, 60, "j1");
    fired(120.1, 120, "j2");
    fired(180.1, 180, "j3");
    assertThat(found()).containsExactly(Kind.UNASKED, Kind.UNASKED);
    did(History.Kind.PUT, new Wish(2, Join.ANY, CRON.leaves(), false), 5, 6);
    operations.remove(1);
    removed(58.5, true);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void aCalendarThatIsMadeAnewKnowsNothingOfTheOneBefore() {
    excluded(-100, 60, 61);
    removed(-50, true);
    excluded(100, 60, 61);
    excluded(100, 180, 181);
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    fired(60.1, 60, "j1");
    fired(120.1, 120, "j2");
    assertThat(found()).isEmpty();
    fired(180.1, 180, "j3");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void aCalendarIsDeletedOnlyWhenNobodyExcludesIt() {
    excluded(-100, 0, 1);
    threeFires();
    removed(100, true);
    assertThat(found()).isEmpty();
    removals.clear();
    removed(100, false);
    assertThat(found()).containsExactly(Kind.LOST);
    operations.clear();
    did(History.Kind.PUT, CRON.excluding(), 1, 2);
    assertThat(found()).isEmpty();
    removed(110, true);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void whatWasNeverStoredIsUnasked() {
    did(History.Kind.PUT, DATA, 1, 2);
    fired(60.1, 60, "j1");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void aJobOfEventsThatComesLongAfterTheLastOfThemIsLate() {
    twoEvents();
    counted(11.9, "j1", 2, "a", "b");
    assertThat(found()).isEmpty();
    arrivals.clear();
    counted(12.1, "j1", 2, "a", "b");
    assertThat(found()).containsExactly(Kind.LATE);
  }

  /** The one job of a fire at 60 s and of two events; the fire at 120 s waits for others. */
  private void countedWithFire(double arrived, double accepted) {
    Wish both =
        new Wish(2, Join.ALL, List.of(new Cron("0 * * * * ?"), DATA.leaves().get(0)), false);
    operations.clear();
    announcements.clear();
    arrivals.clear();
    open.clear();
    did(History.Kind.PUT, both, 1, 2);
    announced(accepted, "a", "b");
    open.add(new OpenRow("s", at(120), List.of(1L, 0L), at(120), List.of()));
    String body =
        ("{\"v\": 2, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1,"
                + " \"scheduledFor\": \"%s\"}, {\"leaf\": 1, \"actual\": 2}],"
                + " \"events\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}}")
            .formatted(text(arrived), text(60));
    arrivals.add(new Arrival(at(arrived), "j1", 1, "s", body, at(arrived), false));
  }

  @Test
  void aJobOfAFireAndEventsThatComesLongAfterTheLastOfThemIsLate() {
    countedWithFire(61.9, 10);
    assertThat(found()).isEmpty();
    countedWithFire(62.1, 10);
    assertThat(found()).containsExactly(Kind.LATE);
    countedWithFire(71.9, 70);
    assertThat(found()).isEmpty();
    countedWithFire(72.1, 70);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void aLaunchByHandThatComesLongAfterItsAnswerIsLate() {
    did(History.Kind.PUT, DATA, 1, 2);
    operations.add(new Operation("s", History.Kind.LAUNCH, 7, null, at(10), at(11), true, "h1"));
    launchedByHand(12.9);
    assertThat(found()).isEmpty();
    arrivals.clear();
    launchedByHand(13.1);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  private void launchedByHand(double arrived) {
    String body = "{\"v\": 2, \"n\": 7, \"at\": \"%s\"}".formatted(text(10));
    arrivals.add(new Arrival(at(arrived), "h1", 1, "s", body, at(arrived), false));
  }

  @Test
  void eachResendIsExplainedByTheOneBeforeIt() {
    threeFires();
    Arrival first = arrivals.remove(0);
    for (boolean explained : new boolean[] {true, false}) {
      arrivals.add(new Arrival(first.at(), "j1", 1, "s", first.body(), first.clock(), explained));
    }
    assertThat(found()).isEmpty();
    fired(70, 60, "j1");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void moreRunsAtATimeThanTheLimitAreFound() {
    did(History.Kind.PUT, CRON.limited(1), 1, 2);
    end = at(100);
    fired(60.1, 60, "j1");
    fired(63, -60, "b1~bx1");
    runs.add(new Run("j1", at(60.1), at(62), true));
    runs.add(new Run("b1~bx1", at(61), at(63), true));
    assertThat(found()).contains(Kind.LIMIT);
    runs.set(1, new Run("b1~bx1", at(62), at(63), true));
    assertThat(found()).doesNotContain(Kind.LIMIT);
    runs.set(1, new Run("b1~bx1", at(61), at(63), false));
    assertThat(found()).doesNotContain(Kind.LIMIT);
  }

  @Test
  void whereClocksAreRightNothingMayComeTwoSecondsAfterADeletion() {
    did(History.Kind.PUT, CRON, 1, 2);
    did(History.Kind.DELETE, null, 58, 59);
    fired(60.1, 60, "j1");
    assertThat(found()).isEmpty();
    skew = 0;
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void whatADeletionShouldHaveDroppedIsStuck() {
    did(History.Kind.PUT, DATA, 1, 2);
    announced(9, "a");
    open.add(new OpenRow("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    did(History.Kind.DELETE, null, 20, 21);
    assertThat(found()).containsExactly(Kind.STUCK);
    end = at(66);
    assertThat(found()).isEmpty();
  }

  @Test
  void whatAnotherDocumentCollectsIsNotWhatTheFormerOneDid() {
    did(History.Kind.PUT, DATA, 1, 2);
    did(History.Kind.PUT, DATA, 20, 21);
    announced(25, "a");
    open.add(new OpenRow("s", at(26), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).isEmpty();
    open.set(0, new OpenRow("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void whatIsBrokenIsFound() {
    threeFires();
    broken.add(new Violation("checker", "java.lang.NullPointerException"));
    assertThat(found()).containsExactly(Kind.BROKEN);
  }

  @Test
  void goodHistoriesPass() {
    threeFires();
    assertThat(found()).isEmpty();
  }

  @Test
  void goodCountsPass() {
    twoEvents();
    announced(20, "c");
    counted(11, "j1", 2, "a", "b");
    open.add(new OpenRow("s", at(20), List.of(1L), History.NEVER, List.of("c")));
    assertThat(found()).isEmpty();
  }

  @Test
  void missingFireIsLost() {
    threeFires();
    arrivals.remove(1);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void fireThatComesAfterItsBoundIsLate() {
    threeFires();
    fired(130, 120, "j2");
    arrivals.remove(1);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void faultsGiveTimeForRepair() {
    threeFires();
    arrivals.remove(1);
    fired(155, 120, "j2");
    faultsFrom = at(100);
    assertThat(found()).isEmpty();
  }

  @Test
  void secondJobForAFireIsDoubled() {
    threeFires();
    fired(121, 120, "j2b");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void resendThatNothingExplainsIsDoubled() {
    threeFires();
    fired(121, 120, "j2");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void resendAfterACrashIsCountedOnly() {
    threeFires();
    Arrival first = arrivals.remove(1);
    arrivals.add(new Arrival(first.at(), "j2", 1, "s", first.body(), first.clock(), true));
    arrivals.add(new Arrival(at(135), "j2", 1, "s", first.body(), at(135), false));
    assertThat(found()).isEmpty();
  }

  @Test
  void furtherAttemptIsDoubled() {
    threeFires();
    Arrival first = arrivals.remove(1);
    arrivals.add(new Arrival(first.at(), "j2", 2, "s", first.body(), first.clock(), false));
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void launchBeforeItsTimeIsEarly() {
    threeFires();
    arrivals.remove(1);
    fired(119.9, 120, "j2");
    assertThat(found()).containsExactly(Kind.EARLY);
  }

  @Test
  void launchOfWhatFellDueAfterADeletionIsFound() {
    threeFires();
    did(History.Kind.DELETE, null, 130, 131);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void launchInASuspensionIsFound() {
    threeFires();
    did(History.Kind.SUSPEND, null, 110, 111);
    did(History.Kind.RESUME, null, 140, 141);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  private void suspended(History.Mode mode, double second) {
    operations.add(
        new Operation(
            "s",
            History.Kind.SUSPEND,
            operations.size() + 1,
            null,
            at(second),
            at(second + 1),
            true,
            null,
            mode,
            History.NEVER,
            null));
  }

  @Test
  void aBacklogComesWhenItIsResumed() {
    threeFires();
    arrivals.remove(1);
    fired(141, 120, "j2");
    suspended(History.Mode.BACKLOG, 110);
    did(History.Kind.RESUME, null, 140, 141);
    assertThat(found()).isEmpty();
    arrivals.remove(2);
    assertThat(found()).containsExactly(Kind.LOST);
    fired(130, 120, "j2");
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void aFireOfAHoldIsNeverLaunched() {
    threeFires();
    suspended(History.Mode.HOLD, 110);
    did(History.Kind.RESUME, null, 140, 141);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
    arrivals.remove(1);
    assertThat(found()).isEmpty();
  }

  @Test
  void aFireThatWasDueIsLaunchedThoughItIsDrained() {
    threeFires();
    suspended(History.Mode.DRAIN, 125);
    arrivals.remove(2);
    assertThat(found()).isEmpty();
    arrivals.remove(1);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void launchLongAfterAChangeReturnedIsFound() {
    threeFires();
    arrivals.clear();
    fired(60.1, 60, "j1");
    fired(145, 120, "j2");
    faultsFrom = at(50);
    did(History.Kind.DELETE, null, 125, 126);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void launchAtNoFireIsUnasked() {
    threeFires();
    fired(91, 90, "j4");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void skippedFireThatLaunchesIsFound() {
    threeFires();
    operations.add(new Operation("s", History.Kind.SKIP, 9, null, at(70), at(71), true, text(120)));
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void eventCountedTwiceIsMiscounted() {
    twoEvents();
    announced(20, "c");
    counted(11, "j1", 2, "a", "b");
    counted(21, "j2", 2, "b", "c");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void eventNotCountedIsMiscounted() {
    twoEvents();
    announced(20, "c");
    counted(11, "j1", 2, "a", "b");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void eventOfTheNextJobIsMiscounted() {
    twoEvents();
    announced(20, "c");
    counted(21, "j1", 3, "a", "b", "c");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void launchWithTooFewEventsIsMiscounted() {
    twoEvents();
    counted(11, "j1", 1, "a");
    open.add(new OpenRow("s", at(12), List.of(1L), History.NEVER, List.of("b")));
    assertThat(found()).containsOnly(Kind.MISCOUNTED);
  }

  @Test
  void countWithoutAJobIsStuck() {
    twoEvents();
    open.add(new OpenRow("s", at(12), List.of(2L), History.NEVER, List.of("a", "b")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void jobThatDoesNotEndIsStuck() {
    threeFires();
    rows.add(row("j2", "PENDING_LAUNCH", false));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void jobThatIsSaidToBeSentMustHaveArrived() {
    threeFires();
    rows.add(row("j9", "SUCCEEDED", true));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void jobCancelledForNothingIsLost() {
    threeFires();
    operations.set(0, new Operation("s", History.Kind.PUT, 1, CRON, at(-60), at(-59), true, null));
    fired(0.1, 0, "j0");
    rows.add(row("j9", "CANCELLED", true));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  // ---- jobs that wait

  private static final String REFUSED = "REQUEST_TIMED_OUT";
  private static final Wish WAITING =
      CRON.waiting(new Waits(20_000, 40_000, false, Waits.Pending.SKIP));

  private static JobRow row(
      String jobId, String state, double began, double changed, String code, String... arguments) {
    boolean over = !state.startsWith("PENDING");
    return new JobRow(
        jobId,
        "s",
        state,
        over,
        at(began),
        at(began),
        at(changed),
        List.of(),
        History.NEVER,
        List.of(),
        new Why(code, List.of(arguments)),
        backfill(jobId));
  }

  private void waitingFires() {
    did(History.Kind.PUT, WAITING, 1, 2);
    fired(80.1, 60, "j1");
    rows.add(row("j1", "SUCCEEDED", 60, 80.1, ""));
    rows.add(row("j2", "TIMED_OUT", 120, 160.1, REFUSED));
    fired(200, 180, "j3");
    rows.add(row("j3", "SUCCEEDED", 180, 200, ""));
    Stream.of("j0", "j2", "j5").forEach(job -> setbacks.add(new Setback(job, at(100))));
  }

  @Test
  void jobsThatWaitAndTimeOutPass() {
    waitingFires();
    assertThat(found()).isEmpty();
  }

  /** Whose clock was two seconds ahead took it up, and dated it when that had stepped back. */
  @Test
  void jobThatIsDatedBeforeItsFireMayTimeOutAsWell() {
    waitingFires();
    rows.set(1, row("j2", "TIMED_OUT", 116.1, 160.1, REFUSED));
    assertThat(found()).isEmpty();
    rows.set(1, row("j2", "TIMED_OUT", 115.9, 160.1, REFUSED));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void jobThatTimesOutTooEarlyOrTooLateIsFound() {
    waitingFires();
    rows.set(1, row("j2", "TIMED_OUT", 120, 157.9, REFUSED));
    assertThat(found()).containsExactly(Kind.EARLY);
    rows.set(1, row("j2", "TIMED_OUT", 120, 165, REFUSED));
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void clockOfATimeoutStandsStillInAHoldAndNotInADrain() {
    waitingFires();
    suspended(History.Mode.HOLD, 125);
    did(History.Kind.RESUME, null, 145, 146);
    assertThat(found()).containsExactly(Kind.EARLY);
    rows.set(1, row("j2", "TIMED_OUT", 120, 180, REFUSED));
    assertThat(found()).isEmpty();
    rows.set(1, row("j2", "TIMED_OUT", 120, 190, REFUSED));
    assertThat(found()).containsExactly(Kind.LATE);
    operations.remove(1);
    suspended(History.Mode.DRAIN, 125);
    operations.add(operations.remove(1));
    rows.set(1, row("j2", "TIMED_OUT", 120, 160.1, REFUSED));
    assertThat(found()).isEmpty();
  }

  @Test
  void jobThatTimesOutUnaskedIsLost() {
    threeFires();
    rows.add(row("j9", "TIMED_OUT", 100, 190, REFUSED));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void jobThatTimedOutAndWasLaunchedIsFound() {
    waitingFires();
    fired(150, 120, "j2");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void delayThatIsNotOverIsFound() {
    waitingFires();
    arrivals.remove(0);
    fired(70, 60, "j1");
    assertThat(found()).containsExactly(Kind.EARLY);
  }

  @Test
  void fireThatIsSkippedForOneThatWaitsPasses() {
    waitingFires();
    rows.set(1, row("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j0"));
    rows.add(row("j0", "CANCELLED", 115, 121, ""));
    operations.add(new Operation("s", History.Kind.PUT, 9, WAITING, at(0.5), at(0.6), true, null));
    assertThat(found()).containsExactly(Kind.LOST);
    rows.set(3, row("j0", "TIMED_OUT", 81, 121, REFUSED));
    assertThat(found()).isEmpty();
  }

  @Test
  void fireThatIsSkippedForNoneThatWaitsIsLost() {
    waitingFires();
    rows.set(1, row("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j1"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void mergeThatNobodyAskedForIsLost() {
    waitingFires();
    rows.set(1, row("j2", "SKIPPED", 190, 190.1, "MERGED_INTO_WAITING", "j3"));
    rows.add(row("j5", "TIMED_OUT", 120, 160.1, REFUSED));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void fireThatWasMergedButDoesNotCountIsFound() {
    did(History.Kind.PUT, CRON.waiting(new Waits(90_000, 0, false, Waits.Pending.MERGE)), 1, 2);
    fired(150.1, 60, "j1");
    rows.add(row("j1", "SUCCEEDED", 60, 150.1, ""));
    rows.add(row("j2", "SKIPPED", 120, 120.1, "MERGED_INTO_WAITING", "j1"));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void whatCollectsAfterItsTimeoutIsStuck() {
    did(History.Kind.PUT, DATA.waiting(new Waits(0, 30_000, true, Waits.Pending.QUEUE)), 1, 2);
    announced(10, "a");
    open.add(new OpenRow("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void launchOfWhatIsThereAtTheTimeoutPassesAndNotBefore() {
    did(History.Kind.PUT, DATA.waiting(new Waits(0, 30_000, true, Waits.Pending.QUEUE)), 1, 2);
    announced(10, "a");
    counted(40, "j1", 1, "a");
    rows.add(row("j1", "SUCCEEDED", 10, 40, ""));
    assertThat(found()).isEmpty();
    arrivals.clear();
    counted(37, "j1", 1, "a");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  // ---- causes

  @Test
  void fireThatTimedOutAlthoughItsRequestWasNotRefusedIsLost() {
    waitingFires();
    setbacks.clear();
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void fireThatTimedOutAlthoughNoConstraintHeldItBackIsLost() {
    waitingFires();
    rows.set(1, row("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "so it says"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void fireTimesOutByADelayThatIsLongerThanItsTimeout() {
    did(
        History.Kind.PUT,
        CRON.waiting(new Waits(50_000, 40_000, false, Waits.Pending.QUEUE)),
        1,
        2);
    for (int fire = 60; fire <= 180; fire += 60) {
      rows.add(
          row("j" + fire, "TIMED_OUT", fire, fire + 40, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    }
    end = at(230);
    assertThat(found()).isEmpty();
  }

  @Test
  void fireTimesOutUnderAGaugeThatIsClosed() {
    waitingFires();
    rows.set(1, row("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    openFrom = at(150);
    assertThat(found()).isEmpty();
    openFrom = at(20);
    assertThat(found()).containsOnly(Kind.LOST);
  }

  @Test
  void fireTimesOutBehindOthersThatHaveItsSlot() {
    waitingFires();
    rows.set(1, row("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    operations.clear();
    did(History.Kind.PUT, WAITING.limited(1), 1, 2);
    assertThat(found()).isEmpty();
    arrivals.clear();
    rows.removeIf(row -> !row.jobId().equals("j2"));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void fireThatIsSkippedWithoutACauseIsLost() {
    waitingFires();
    rows.set(1, row("j2", "SKIPPED", 120, 120.1, "CONSTRAINTS_UNMET", "so it says"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void fireThatWasSkippedByHandIsLostIfNoUserSkippedOne() {
    threeFires();
    rows.add(row("j9", "SKIPPED", 70, 70, "SKIPPED_BY_HAND", "ann"));
    assertThat(found()).containsExactly(Kind.LOST);
    operations.add(new Operation("s", History.Kind.SKIP, 9, null, at(69), at(71), true, text(240)));
    assertThat(found()).isEmpty();
  }

  @Test
  void fireThatIsDroppedForOneThatWasLaunchedLongBeforeIsLost() {
    waitingFires();
    rows.set(1, row("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j1"));
    rows.set(0, row("j1", "SUCCEEDED", 60, 119, ""));
    assertThat(found()).containsOnly(Kind.LOST);
    setbacks.add(new Setback("j1", at(80.1)));
    assertThat(found()).isEmpty();
  }

  @Test
  void whatHasAllThatItsTriggerNeedsIsNotGivenUp() {
    did(History.Kind.PUT, DATA.waiting(new Waits(0, 30_000, false, Waits.Pending.QUEUE)), 1, 2);
    announced(10, "a", "b");
    rows.add(givenUp(1, "a"));
    open.add(new OpenRow("s", at(190), List.of(1L), History.NEVER, List.of("b")));
    assertThat(found()).isEmpty();
    open.clear();
    rows.set(0, givenUp(2, "a", "b"));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  private static JobRow givenUp(long count, String... events) {
    return new JobRow(
        "j1",
        "s",
        "TIMED_OUT",
        true,
        at(10),
        at(40),
        at(40),
        List.of(count),
        History.NEVER,
        List.of(events),
        new Why("TRIGGER_TIMED_OUT", List.of("PT30S")),
        "");
  }

  @Test
  void waiterThatIsForgottenIsFoundUnlessAChangeMayHaveCancelledIt() {
    threeFires();
    forgotten.add(new Forgotten("#program:p", "s", "j2", at(120), at(125)));
    assertThat(found()).containsExactly(Kind.LIMIT);
    operations.add(new Operation("s", History.Kind.LABEL, 2, CRON, at(121), at(122), true, null));
    assertThat(found()).containsExactly(Kind.LIMIT);
    operations.add(new Operation("s", History.Kind.PUT, 3, CRON, at(124), at(126), true, null));
    assertThat(found()).doesNotContain(Kind.LIMIT);
  }

  private static JobRow row(String jobId, String state, boolean over) {
    return new JobRow(
        jobId,
        "s",
        state,
        over,
        at(100),
        at(100),
        at(101),
        List.of(),
        History.NEVER,
        List.of(),
        Why.NOTHING,
        backfill(jobId));
  }

  @Test
  void judgeKnowsNothingOfWhatItJudges() throws IOException {
    Path sources = Path.of("src/main/java/dev/carillon/campaign/judge");
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.toList()) {
        assertThat(Files.readString(file).lines().filter(line -> line.contains("dev.carillon.")))
            .as(file.toString())
            .isNotEmpty()
            .allMatch(line -> line.contains("dev.carillon.campaign.judge"));
      }
    }
  }
}
