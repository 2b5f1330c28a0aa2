package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.CalendarDeletion;
import dev.carillon.campaign.judge.History.CalendarVersion;
import dev.carillon.campaign.judge.History.LaunchFailure;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.History.StoredBackfill;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.StrandedJob;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Hand-written histories: the judge must find every deviation in them, and nothing else. */
class JudgeTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final ScheduleSpec CRON =
      new ScheduleSpec(1, Join.ANY, List.of(new Cron("0 * * * * ?")), false);
  private static final ScheduleSpec DATA =
      new ScheduleSpec(2, Join.ANY, List.of(new Partitions("d", 2)), false);

  private final List<Operation> operations = new ArrayList<>();
  private final List<Announcement> announcements = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<StoredJob> jobs = new ArrayList<>();
  private final List<StoredCollectingJob> open = new ArrayList<>();
  private final List<StoredBackfill> backfills = new ArrayList<>();
  private final List<CalendarVersion> calendar = new ArrayList<>();
  private final List<CalendarDeletion> calendarDeletions = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final List<Violation> broken = new ArrayList<>();
  private final List<LaunchFailure> launchFailures = new ArrayList<>();
  private final List<StrandedJob> strandedJobs = new ArrayList<>();
  private long skew = Judge.SKEW;
  private long faultsFrom = History.NEVER;
  private long end = at(200);

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private void did(History.Kind kind, ScheduleSpec spec, double called, double returned) {
    operations.add(
        new Operation(
            "s", kind, operations.size() + 1, spec, at(called), at(returned), true, null));
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

  /** The backfill of a job; the job ids of these tests end with it. */
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
            calendarDeletions,
            List.of(),
            announcements,
            List.of(),
            arrivals,
            jobs,
            open,
            backfills,
            List.of(),
            List.of(),
            broken,
            runs,
            launchFailures,
            strandedJobs,
            skew,
            0,
            null,
            LimitFacts.NONE,
            List.of());
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

  /** A backfill of two fires before the first one of the schedule; the api reported two. */
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
            new BackfillRange(at(-121), at(-60))));
    fired(called + 1.1, -120, "f1~bx1");
    fired(called + 1.2, -60, "f2~bx1");
  }

  @Test
  void backfillThatLaunchesAllItsFiresPasses() {
    backfilled(10);
    end = at(400);
    fired(240.1, 240, "j4");
    fired(300.1, 300, "j5");
    fired(360.1, 360, "j6");
    assertThat(found()).isEmpty();
  }

  @Test
  void missingFireOfABackfillIsLost() {
    backfilled(10);
    arrivals.remove(arrivals.size() - 1);
    end = at(230);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void fireOfABackfillWithTwoJobsIsDoubled() {
    backfilled(10);
    fired(12, -60, "f3~bx1");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void fireOutsideTheRangeOfABackfillIsUnasked() {
    backfilled(10);
    fired(12, -180, "f0~bx1");
    assertThat(found()).contains(Kind.UNASKED);
  }

  @Test
  void completedBackfillHasLaunchedAllFires() {
    backfilled(10);
    backfills.add(new StoredBackfill("x1", "s", "COMPLETED"));
    assertThat(found()).isEmpty();
    arrivals.remove(arrivals.size() - 1);
    assertThat(found()).containsOnly(Kind.LOST);
  }

  @Test
  void cancelledBackfillWithoutACancellationIsLost() {
    backfilled(10);
    backfills.add(new StoredBackfill("x1", "s", "CANCELLED"));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void launchOfACancelledBackfillIsFound() {
    backfilled(10);
    operations.add(new Operation("s", History.Kind.CANCEL, 9, null, at(20), at(21), true, "x1"));
    assertThat(found()).isEmpty();
    fired(32, -60, "f2~bx1");
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  @Test
  void backfillWithoutARequestIsUnasked() {
    backfilled(10);
    fired(12, -60, "f2~bx2");
    assertThat(found()).containsOnly(Kind.UNASKED);
  }

  @Test
  void launchOfABackfillOfADeletedScheduleIsFound() {
    backfilled(100);
    arrivals.removeIf(arrival -> arrival.jobId().equals("j3"));
    did(History.Kind.DELETE, null, 130, 131);
    fired(150, -60, "f2~bx1");
    assertThat(found()).contains(Kind.AFTER_DELETE);
  }

  private void excluded(double called, double from, double to) {
    List<TimeRange> timeRanges = List.of(new TimeRange(at(from), at(to)));
    calendar.add(new CalendarVersion(at(called), at(called + 1), timeRanges));
  }

  @Test
  void excludedFireIsNotRequired() {
    threeFires();
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    operations.remove(0);
    excluded(-100, 120, 121);
    arrivals.remove(1);
    assertThat(found()).isEmpty();
  }

  @Test
  void excludedFireIsUnasked() {
    threeFires();
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    operations.remove(0);
    excluded(-100, 120, 121);
    assertThat(found()).containsExactly(Kind.UNASKED);
    excluded(119, 0, 1);
    assertThat(found()).isEmpty();
  }

  @Test
  void fireThatTheCalendarNoLongerExcludesIsRequired() {
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    fired(60.1, 60, "j1");
    fired(180.1, 180, "j3");
    excluded(-100, 120, 121);
    excluded(90, 0, 1);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  private void removed(double called, boolean done) {
    calendarDeletions.add(new CalendarDeletion(at(called), at(called + 1), done));
  }

  @Test
  void deletedCalendarExcludesNoEarlierFires() {
    excluded(-100, 60, 121);
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    fired(62, 60, "j1");
    fired(120.1, 120, "j2");
    fired(180.1, 180, "j3");
    assertThat(found()).containsExactly(Kind.UNASKED, Kind.UNASKED);
    did(History.Kind.PUT, new ScheduleSpec(2, Join.ANY, CRON.leaves(), false), 5, 6);
    operations.remove(1);
    removed(58.5, true);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void recreatedCalendarHasNoFormerVersion() {
    excluded(-100, 60, 61);
    removed(-50, true);
    excluded(100, 60, 61);
    excluded(100, 180, 181);
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    fired(60.1, 60, "j1");
    fired(120.1, 120, "j2");
    assertThat(found()).isEmpty();
    fired(180.1, 180, "j3");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void calendarIsDeletedOnlyWhenNoScheduleExcludesIt() {
    excluded(-100, 0, 1);
    threeFires();
    removed(100, true);
    assertThat(found()).isEmpty();
    calendarDeletions.clear();
    removed(100, false);
    assertThat(found()).containsExactly(Kind.LOST);
    operations.clear();
    did(History.Kind.PUT, CRON.excludingCalendar(), 1, 2);
    assertThat(found()).isEmpty();
    removed(110, true);
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void launchOfAnUnstoredDocumentIsUnasked() {
    did(History.Kind.PUT, DATA, 1, 2);
    fired(60.1, 60, "j1");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void jobLongAfterItsLastEventIsLate() {
    twoEvents();
    counted(11.9, "j1", 2, "a", "b");
    assertThat(found()).isEmpty();
    arrivals.clear();
    counted(12.1, "j1", 2, "a", "b");
    assertThat(found()).containsExactly(Kind.LATE);
  }

  /** Its search found no schedule, so it was repeated. */
  @Test
  void anEventThatWasSentBeforeTheAnswerToPutMayBeFoundLate() {
    did(History.Kind.PUT, DATA, 1, 2);
    announced(1.5, "a", "b");
    counted(7, "j1", 2, "a", "b");
    assertThat(found()).isEmpty();
    announcements.clear();
    announced(4.5, "a", "b");
    assertThat(found()).containsExactly(Kind.LATE);
  }

  /** The one job of a fire at 60 s and of two events; the fire at 120 s waits for more events. */
  private void countedWithFire(double arrived, double accepted) {
    ScheduleSpec both =
        new ScheduleSpec(
            2, Join.ALL, List.of(new Cron("0 * * * * ?"), DATA.leaves().get(0)), false);
    operations.clear();
    announcements.clear();
    arrivals.clear();
    open.clear();
    did(History.Kind.PUT, both, 1, 2);
    announced(accepted, "a", "b");
    open.add(new StoredCollectingJob("s", at(120), List.of(1L, 0L), at(120), List.of()));
    String body =
        ("{\"v\": 2, \"at\": \"%s\", \"trigger\": {\"leaves\": [{\"leaf\": 0, \"actual\": 1,"
                + " \"scheduledFor\": \"%s\"}, {\"leaf\": 1, \"actual\": 2}],"
                + " \"events\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}}")
            .formatted(text(arrived), text(60));
    arrivals.add(new Arrival(at(arrived), "j1", 1, "s", body, at(arrived), false));
  }

  @Test
  void jobLongAfterItsFireAndEventsIsLate() {
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
  void manualLaunchLongAfterItsAnswerIsLate() {
    did(History.Kind.PUT, DATA, 1, 2);
    operations.add(new Operation("s", History.Kind.LAUNCH, 7, null, at(10), at(11), true, "h1"));
    launchedManually(12.9);
    assertThat(found()).isEmpty();
    arrivals.clear();
    launchedManually(13.1);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  private void launchedManually(double arrived) {
    String body = "{\"v\": 2, \"n\": 7, \"at\": \"%s\"}".formatted(text(10));
    arrivals.add(new Arrival(at(arrived), "h1", 1, "s", body, at(arrived), false));
  }

  @Test
  void eachResendIsExplainedByThePreviousSend() {
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
  void moreConcurrentRunsThanTheLimitAreFound() {
    did(History.Kind.PUT, CRON.withLimit(1), 1, 2);
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
  void withExactClocksNoFireIsDueAfterADeletion() {
    did(History.Kind.PUT, CRON, 1, 2);
    did(History.Kind.DELETE, null, 58, 59);
    fired(60.1, 60, "j1");
    assertThat(found()).isEmpty();
    skew = 0;
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
  }

  @Test
  void collectingJobOfADeletedScheduleIsStuck() {
    did(History.Kind.PUT, DATA, 1, 2);
    announced(9, "a");
    open.add(new StoredCollectingJob("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    did(History.Kind.DELETE, null, 20, 21);
    assertThat(found()).containsExactly(Kind.STUCK);
    end = at(66);
    assertThat(found()).isEmpty();
  }

  @Test
  void collectingJobOfAFormerDocumentIsStuck() {
    did(History.Kind.PUT, DATA, 1, 2);
    did(History.Kind.PUT, DATA, 20, 21);
    announced(25, "a");
    open.add(new StoredCollectingJob("s", at(26), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).isEmpty();
    open.set(0, new StoredCollectingJob("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void failureIsFound() {
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
    open.add(new StoredCollectingJob("s", at(20), List.of(1L), History.NEVER, List.of("c")));
    assertThat(found()).isEmpty();
  }

  @Test
  void missingFireIsLost() {
    threeFires();
    arrivals.remove(1);
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void fireAfterItsBoundIsLate() {
    threeFires();
    fired(130, 120, "j2");
    arrivals.remove(1);
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void faultsExtendTheBound() {
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
  void unexplainedResendIsDoubled() {
    threeFires();
    fired(121, 120, "j2");
    assertThat(found()).containsExactly(Kind.DOUBLED);
  }

  @Test
  void resendAfterACrashIsOnlyCounted() {
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
  void launchOfAFireAfterADeletionIsFound() {
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
  void backlogLaunchesAtTheResumption() {
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
  void fireOfAHoldIsNeverLaunched() {
    threeFires();
    suspended(History.Mode.HOLD, 110);
    did(History.Kind.RESUME, null, 140, 141);
    assertThat(found()).containsExactly(Kind.AFTER_DELETE);
    arrivals.remove(1);
    assertThat(found()).isEmpty();
  }

  @Test
  void dueFireLaunchesInADrain() {
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
    open.add(new StoredCollectingJob("s", at(12), List.of(1L), History.NEVER, List.of("b")));
    assertThat(found()).containsOnly(Kind.MISCOUNTED);
  }

  @Test
  void satisfiedTriggerWithoutAJobIsStuck() {
    twoEvents();
    open.add(new StoredCollectingJob("s", at(12), List.of(2L), History.NEVER, List.of("a", "b")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void jobThatDoesNotEndIsStuck() {
    threeFires();
    jobs.add(job("j2", "PENDING_LAUNCH", false));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void succeededJobMustHaveArrived() {
    threeFires();
    jobs.add(job("j9", "SUCCEEDED", true));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void jobCancelledWithoutAChangeIsLost() {
    threeFires();
    operations.set(0, new Operation("s", History.Kind.PUT, 1, CRON, at(-60), at(-59), true, null));
    fired(0.1, 0, "j0");
    jobs.add(job("j9", "CANCELLED", true));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  // ---- jobs that wait

  private static final String REFUSED = "REQUEST_TIMED_OUT";
  private static final ScheduleSpec WAITING =
      CRON.withWaits(new WaitPolicy(20_000, 40_000, false, WaitPolicy.Pending.SKIP));

  private static StoredJob job(
      String jobId, String state, double began, double changed, String code, String... arguments) {
    boolean ended = !state.startsWith("PENDING");
    return new StoredJob(
        jobId,
        "s",
        state,
        ended,
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
    jobs.add(job("j1", "SUCCEEDED", 60, 80.1, ""));
    jobs.add(job("j2", "TIMED_OUT", 120, 160.1, REFUSED));
    fired(200, 180, "j3");
    jobs.add(job("j3", "SUCCEEDED", 180, 200, ""));
    Stream.of("j0", "j2", "j5").forEach(job -> launchFailures.add(new LaunchFailure(job, at(100))));
  }

  @Test
  void jobsThatWaitAndTimeOutPass() {
    waitingFires();
    assertThat(found()).isEmpty();
  }

  /**
   * A checker with a clock two seconds fast created the job, and dated it after the clock had
   * stepped back.
   */
  @Test
  void jobDatedBeforeItsFireMayTimeOut() {
    waitingFires();
    jobs.set(1, job("j2", "TIMED_OUT", 116.1, 160.1, REFUSED));
    assertThat(found()).isEmpty();
    jobs.set(1, job("j2", "TIMED_OUT", 115.9, 160.1, REFUSED));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void jobThatTimesOutTooEarlyOrTooLateIsFound() {
    waitingFires();
    jobs.set(1, job("j2", "TIMED_OUT", 120, 157.9, REFUSED));
    assertThat(found()).containsExactly(Kind.EARLY);
    jobs.set(1, job("j2", "TIMED_OUT", 120, 165, REFUSED));
    assertThat(found()).containsExactly(Kind.LATE);
  }

  @Test
  void timeoutStopsInAHoldButNotInADrain() {
    waitingFires();
    suspended(History.Mode.HOLD, 125);
    did(History.Kind.RESUME, null, 145, 146);
    assertThat(found()).containsExactly(Kind.EARLY);
    jobs.set(1, job("j2", "TIMED_OUT", 120, 180, REFUSED));
    assertThat(found()).isEmpty();
    jobs.set(1, job("j2", "TIMED_OUT", 120, 190, REFUSED));
    assertThat(found()).containsExactly(Kind.LATE);
    operations.remove(1);
    suspended(History.Mode.DRAIN, 125);
    operations.add(operations.remove(1));
    jobs.set(1, job("j2", "TIMED_OUT", 120, 160.1, REFUSED));
    assertThat(found()).isEmpty();
  }

  @Test
  void jobThatTimesOutWithoutATimeoutPolicyIsLost() {
    threeFires();
    jobs.add(job("j9", "TIMED_OUT", 100, 190, REFUSED));
    assertThat(found()).containsExactly(Kind.LOST);
  }

  @Test
  void jobThatTimedOutAndWasLaunchedIsFound() {
    waitingFires();
    fired(150, 120, "j2");
    assertThat(found()).containsExactly(Kind.UNASKED);
  }

  @Test
  void launchBeforeTheEndOfItsDelayIsFound() {
    waitingFires();
    arrivals.remove(0);
    fired(70, 60, "j1");
    assertThat(found()).containsExactly(Kind.EARLY);
  }

  @Test
  void fireDroppedForAWaitingJobPasses() {
    waitingFires();
    jobs.set(1, job("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j0"));
    jobs.add(job("j0", "CANCELLED", 115, 121, ""));
    operations.add(new Operation("s", History.Kind.PUT, 9, WAITING, at(0.5), at(0.6), true, null));
    assertThat(found()).containsExactly(Kind.LOST);
    jobs.set(3, job("j0", "TIMED_OUT", 81, 121, REFUSED));
    assertThat(found()).isEmpty();
  }

  @Test
  void fireDroppedWithoutAWaitingJobIsLost() {
    waitingFires();
    jobs.set(1, job("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j1"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void mergeWithoutAMergePolicyIsLost() {
    waitingFires();
    jobs.set(1, job("j2", "SKIPPED", 190, 190.1, "MERGED_INTO_WAITING", "j3"));
    jobs.add(job("j5", "TIMED_OUT", 120, 160.1, REFUSED));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void mergedFireThatIsNotCountedIsFound() {
    did(
        History.Kind.PUT,
        CRON.withWaits(new WaitPolicy(90_000, 0, false, WaitPolicy.Pending.MERGE)),
        1,
        2);
    fired(150.1, 60, "j1");
    jobs.add(job("j1", "SUCCEEDED", 60, 150.1, ""));
    jobs.add(job("j2", "SKIPPED", 120, 120.1, "MERGED_INTO_WAITING", "j1"));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  @Test
  void jobThatCollectsAfterItsTimeoutIsStuck() {
    did(
        History.Kind.PUT,
        DATA.withWaits(new WaitPolicy(0, 30_000, true, WaitPolicy.Pending.QUEUE)),
        1,
        2);
    announced(10, "a");
    open.add(new StoredCollectingJob("s", at(10), List.of(1L), History.NEVER, List.of("a")));
    assertThat(found()).containsExactly(Kind.STUCK);
  }

  @Test
  void unsatisfiedLaunchPassesOnlyAtTheTimeout() {
    did(
        History.Kind.PUT,
        DATA.withWaits(new WaitPolicy(0, 30_000, true, WaitPolicy.Pending.QUEUE)),
        1,
        2);
    announced(10, "a");
    counted(40, "j1", 1, "a");
    jobs.add(job("j1", "SUCCEEDED", 10, 40, ""));
    assertThat(found()).isEmpty();
    arrivals.clear();
    counted(37, "j1", 1, "a");
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  // ---- causes

  @Test
  void fireTimedOutByARequestThatWasNotRefusedIsLost() {
    waitingFires();
    launchFailures.clear();
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void fireTimedOutWithoutAConstraintIsLost() {
    waitingFires();
    jobs.set(1, job("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "so it says"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void fireWithADelayLongerThanItsTimeoutTimesOut() {
    did(
        History.Kind.PUT,
        CRON.withWaits(new WaitPolicy(50_000, 40_000, false, WaitPolicy.Pending.QUEUE)),
        1,
        2);
    for (int fire = 60; fire <= 180; fire += 60) {
      jobs.add(
          job("j" + fire, "TIMED_OUT", fire, fire + 40, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    }
    end = at(230);
    assertThat(found()).isEmpty();
  }

  @Test
  void fireUnderAClosedGaugeTimesOut() {
    waitingFires();
    jobs.set(1, job("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    openFrom = at(150);
    assertThat(found()).isEmpty();
    openFrom = at(20);
    assertThat(found()).containsOnly(Kind.LOST);
  }

  @Test
  void fireWithoutAFreeSlotTimesOut() {
    waitingFires();
    jobs.set(1, job("j2", "TIMED_OUT", 120, 160.1, "CONSTRAINTS_TIMED_OUT", "PT40S", "x"));
    operations.clear();
    did(History.Kind.PUT, WAITING.withLimit(1), 1, 2);
    assertThat(found()).isEmpty();
    arrivals.clear();
    jobs.removeIf(job -> !job.jobId().equals("j2"));
    assertThat(found()).contains(Kind.LOST);
  }

  @Test
  void fireSkippedWithoutACauseIsLost() {
    waitingFires();
    jobs.set(1, job("j2", "SKIPPED", 120, 120.1, "CONSTRAINTS_UNMET", "so it says"));
    assertThat(found()).hasSize(2).containsOnly(Kind.LOST);
  }

  @Test
  void manuallySkippedFireWithoutARequestIsLost() {
    threeFires();
    jobs.add(job("j9", "SKIPPED", 70, 70, "SKIPPED_BY_HAND", "ann"));
    assertThat(found()).containsExactly(Kind.LOST);
    operations.add(new Operation("s", History.Kind.SKIP, 9, null, at(69), at(71), true, text(240)));
    assertThat(found()).isEmpty();
  }

  @Test
  void fireDroppedForAJobLaunchedLongBeforeIsLost() {
    waitingFires();
    jobs.set(1, job("j2", "SKIPPED", 120, 120.1, "DROPPED_FOR_WAITING", "j1"));
    jobs.set(0, job("j1", "SUCCEEDED", 60, 119, ""));
    assertThat(found()).containsOnly(Kind.LOST);
    launchFailures.add(new LaunchFailure("j1", at(80.1)));
    assertThat(found()).isEmpty();
  }

  @Test
  void satisfiedJobDoesNotTimeOut() {
    did(
        History.Kind.PUT,
        DATA.withWaits(new WaitPolicy(0, 30_000, false, WaitPolicy.Pending.QUEUE)),
        1,
        2);
    announced(10, "a", "b");
    jobs.add(timedOut(1, "a"));
    open.add(new StoredCollectingJob("s", at(190), List.of(1L), History.NEVER, List.of("b")));
    assertThat(found()).isEmpty();
    open.clear();
    jobs.set(0, timedOut(2, "a", "b"));
    assertThat(found()).containsExactly(Kind.MISCOUNTED);
  }

  private static StoredJob timedOut(long count, String... events) {
    return new StoredJob(
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
  void strandedJobIsFoundUnlessAChangeMayHaveCancelledIt() {
    threeFires();
    strandedJobs.add(new StrandedJob("#program:p", "s", "j2", at(120), at(125), History.NEVER));
    assertThat(found()).containsExactly(Kind.LIMIT);
    operations.add(new Operation("s", History.Kind.LABEL, 2, CRON, at(121), at(122), true, null));
    assertThat(found()).containsExactly(Kind.LIMIT);
    operations.add(new Operation("s", History.Kind.PUT, 3, CRON, at(124), at(126), true, null));
    assertThat(found()).doesNotContain(Kind.LIMIT);
  }

  private static StoredJob job(String jobId, String state, boolean ended) {
    return new StoredJob(
        jobId,
        "s",
        state,
        ended,
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
  void judgeDoesNotUseTheSystemUnderTest() throws IOException {
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
