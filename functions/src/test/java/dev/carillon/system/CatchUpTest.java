package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.fires.Expander;
import dev.carillon.fires.MissedFires;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.SkippedFires;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.Faults.Kind;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatchUpTest {

  private static final String NONE = "\"catchUp\": {\"policy\": \"none\"}";
  private static final String LATEST = "\"catchUp\": {\"policy\": \"latest\"}";

  private final World world = new World("2026-03-01T10:00:00Z");

  private List<String> launchedFor() {
    return world.arrivals.stream()
        .map(arrival -> arrival.request().job().at().toString().substring(11))
        .toList();
  }

  private List<SkippedFires> skipped() {
    return world.jobs.all().stream().flatMap(row -> SkippedFires.of(row).stream()).toList();
  }

  private void decide(List<Timer> due) {
    new Expander(world.timers, world.checkQueue, missed(), world::now)
        .decide(
            due,
            timer -> Instant.MAX,
            world.now(),
            new Deadline(Instant.MAX, world::now),
            new Fanout(Runnable::run));
  }

  /** Nothing runs from half past ten until half past two. */
  private void outage() {
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T14:30:00Z");
    world.runUntil("2026-03-01T15:30:00Z");
  }

  @Test
  void noneSkipsMissedFiresAndCountsThem() {
    ScheduleId id = world.put("hourly", active(cron("0 0 * * * ?"), NONE));
    outage();
    assertThat(launchedFor()).containsExactly("15:00:00Z");
    JobId first = JobId.ofFire(id, 1, Instant.parse("2026-03-01T11:00:00Z"));
    assertThat(skipped())
        .containsExactly(new SkippedFires(first, Instant.parse("2026-03-01T14:00:00Z"), 4, 0));
    assertThat(world.job(first).lastReason())
        .isEqualTo(
            "catchUp none skipped 4 missed fires from 2026-03-01T11:00:00.000Z to"
                + " 2026-03-01T14:00:00.000Z");
  }

  /** The timers of missed fires are the oldest, so they fill the first page. */
  @Test
  void currentFiresAreHandedOverBeforeMissedOnesAreDecidedOn() {
    for (int i = 0; i < 1_100; i++) {
      world.put("missed-" + i, active(cron("0 0 * * * ?"), NONE));
    }
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T11:59:00Z");
    for (int i = 0; i < 20; i++) {
      world.put("current-" + i, active(at("2026-03-01T12:01:0" + i % 10 + "Z")));
    }
    int before = world.faults.calls().size();
    world.sleepUntil("2026-03-01T12:00:00Z");
    world.runUntil("2026-03-01T12:00:00Z");
    List<String> calls = world.faults.calls().subList(before, world.faults.calls().size());
    long ofMissed = calls.stream().filter("Jobs.skippedUpTo"::equals).count();
    assertThat(ofMissed).isEqualTo(1_100);
    assertThat(calls.indexOf("Jobs.skippedUpTo")).isGreaterThan(calls.indexOf("CheckQueue.send"));
  }

  @Test
  void latestMakesUpForOnlyTheLastFire() {
    world.put("hourly", active(cron("0 0 * * * ?"), LATEST));
    outage();
    assertThat(launchedFor()).containsExactly("14:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(3L);
  }

  @Test
  void allWithinAWindowMakesUpForFiresInsideIt() {
    world.put("h", active(cron("0 0 * * * ?"), "\"catchUp\": {\"window\": \"PT150M\"}"));
    outage();
    assertThat(launchedFor()).containsExactly("12:00:00Z", "13:00:00Z", "14:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(1L);
    assertThat(world.job(skipped().get(0).first()).lastReason())
        .startsWith("catchUp all within PT2H30M skipped 1 missed fire from");
  }

  @Test
  void latestBeyondTheWindowIsNotMadeUpFor() {
    String window = "\"catchUp\": {\"policy\": \"latest\", \"window\": \"%s\"}";
    world.put("out", active(cron("0 0 * * * ?"), window.formatted("PT29M59S")));
    world.put("in", active(cron("0 0 * * * ?"), window.formatted("PT30M")));
    outage();
    assertThat(launchedFor()).containsExactly("14:00:00Z", "15:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactlyInAnyOrder(4L, 3L);
  }

  @Test
  void aFireThatIsLateByAtMostAPeriodAndTheLookAheadIsNotMissed() {
    world.put("hourly", active(cron("0 0,59 * * * ?"), NONE));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T13:02:59.999Z");
    world.runUntil("2026-03-01T13:30:00Z");
    assertThat(launchedFor()).containsExactly("13:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(5L);
  }

  @Test
  void nothingIsSkippedWhileTheMasterRuns() {
    world.put("seconds", active(cron("0/10 * * * * ?"), NONE));
    world.put("rare", active(cron("0 0 * * * ?"), LATEST));
    world.runFor(Duration.ofHours(6));
    assertThat(world.arrivals).hasSize(6 * 360 + 6);
    assertThat(skipped()).isEmpty();
  }

  @Test
  void aSecondOutageIsCountedSeparately() {
    world.put("hourly", active(cron("0 0 * * * ?"), LATEST));
    outage();
    world.sleepUntil("2026-03-01T18:30:00Z");
    world.runUntil("2026-03-01T18:31:00Z");
    assertThat(launchedFor()).containsExactly("14:00:00Z", "15:00:00Z", "18:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(3L, 2L);
  }

  @Test
  void eachLeafOfAnOrCatchesUpSeparately() {
    world.put("both", active(or(cron("0 0 * * * ?"), cron("0 0,30 * * * ?")), LATEST));
    outage();
    assertThat(launchedFor())
        .containsExactlyInAnyOrder("10:30:00Z", "14:00:00Z", "14:30:00Z", "15:00:00Z", "15:30:00Z");
    assertThat(skipped().stream().mapToLong(SkippedFires::count).sum()).isEqualTo(3 + 5);
  }

  /** The daily fire is the first one that the other leaf skips, so both could use its id. */
  @Test
  void aFireThatOneLeafSkipsAndAnotherKeepsIsLaunched() {
    world.put("both", active(or(cron("0 0 * * * ?"), cron("0 0 11 * * ?")), LATEST));
    outage();
    assertThat(launchedFor()).containsExactlyInAnyOrder("11:00:00Z", "14:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(2L);
  }

  @Test
  void aFireOfTwoLeavesBeyondTheWindowIsCounted() {
    String window = "\"catchUp\": {\"policy\": \"latest\", \"window\": \"PT1H\"}";
    world.put("both", active(or(cron("0 0 11 * * ?"), cron("0 0 11 1 * ?")), window));
    outage();
    assertThat(launchedFor()).isEmpty();
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(1L);
  }

  @Test
  void moreMissedFiresThanOneItemCountsHaveAnotherItem() {
    world.put("seconds", active(cron("* * * * * ?"), LATEST));
    world.runUntil("2026-03-01T10:00:30Z");
    int before = world.arrivals.size();
    world.sleepUntil("2026-03-02T16:00:00Z");
    world.runUntil("2026-03-02T16:00:00Z");
    List<SkippedFires> rows = skipped();
    assertThat(rows).hasSize(2).first().extracting(SkippedFires::count).isEqualTo(100_000L);
    assertThat(rows.get(1).first().at()).isEqualTo(rows.get(0).last().plusSeconds(1));
    assertThat(rows.get(1).last()).isEqualTo("2026-03-02T15:56:59Z");
    assertThat(world.arrivals.size()).isGreaterThan(before);
    assertThat(launchedFor()).contains("15:57:00Z").doesNotContain("15:56:59Z");
  }

  @Test
  void aScheduleWhoseLastFireIsSkippedIsCompletedOrDeleted() {
    ScheduleId kept = world.put("kept", active(at("2026-03-01T12:00:00Z"), NONE));
    String often = "{\"type\": \"cron\", \"expression\": \"0 * 11-12 1 3 ? 2026\"}";
    ScheduleId deleted =
        world.put("deleted", active(often, NONE + ", \"afterCompletion\": \"delete\""));
    outage();
    assertThat(launchedFor()).isEmpty();
    assertThat(skipped()).extracting(SkippedFires::count).containsExactlyInAnyOrder(1L, 120L);
    assertThat(world.schedules.find(kept).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
    assertThat(world.schedules.find(deleted)).isEmpty();
  }

  @Test
  void aFireThatAUserSkippedIsNotCountedAgain() {
    ScheduleId id = world.put("hourly", active(cron("0 0 * * * ?"), NONE));
    Job manual =
        NewJob.endedBeforeLaunch(
            JobId.ofFire(id, 1, Instant.parse("2026-03-01T12:00:00Z")),
            1,
            "hourly",
            JobState.SKIPPED,
            null,
            world.now(),
            Reason.of(ReasonCode.SKIPPED_BY_HAND, "ann"));
    world.jobs.insert(List.of(manual));
    outage();
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(3L);
  }

  /** Both ticks read the timer before either moves it. */
  @Test
  void overlappingTicksDecideOnce() {
    world.put("hourly", active(cron("0 0 * * * ?"), LATEST));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T14:30:00Z");
    List<Timer> due = new ArrayList<>();
    for (int shard = 0; shard < world.timers.shards(); shard++) {
      due.addAll(world.timers.due(shard, LookAhead.selectionEnd(world.now()), null, 10));
    }
    world.runUntil("2026-03-01T14:30:30Z");
    decide(due);
    world.runUntil("2026-03-01T15:30:00Z");
    assertThat(launchedFor()).containsExactly("14:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(3L);
  }

  /** Such fires are not counted, and none of them is the latest. */
  @Test
  void firesDuringAHoldAreNotMissed() {
    ScheduleId id = world.put("hourly", active(cron("0 0 * * * ?"), LATEST));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T12:30:00Z");
    world.keep(id, SuspendMode.HOLD, null);
    world.sleepUntil("2026-03-01T14:30:00Z");
    world.resumeAndDie(id);
    world.sleepUntil("2026-03-01T14:45:00Z");
    world.runUntil("2026-03-01T15:30:00Z");
    assertThat(launchedFor()).containsExactly("12:00:00Z", "15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(1L);
  }

  @Test
  void firesAfterASuspensionThatEndedInTheOutageAreMissed() {
    ScheduleId id = world.put("hourly", active(cron("0 0 * * * ?"), NONE));
    world.runUntil("2026-03-01T10:30:00Z");
    world.keep(id, SuspendMode.DRAIN, Instant.parse("2026-03-01T11:30:00Z"));
    world.sleepUntil("2026-03-01T14:30:00Z");
    world.runUntil("2026-03-01T15:30:00Z");
    assertThat(launchedFor()).containsExactly("15:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(3L);
  }

  @Test
  void firesDuringABacklogThatTheMasterDidNotHandOverAreMissed() {
    ScheduleId id = world.put("hourly", active(cron("0 0 * * * ?"), NONE));
    world.runUntil("2026-03-01T10:30:00Z");
    world.keep(id, SuspendMode.BACKLOG, null);
    world.sleepUntil("2026-03-01T12:30:00Z");
    world.resumeAndDie(id);
    world.sleepUntil("2026-03-01T16:30:00Z");
    world.runUntil("2026-03-01T17:30:00Z");
    assertThat(launchedFor()).containsExactly("11:00:00Z", "12:00:00Z", "17:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(4L);
  }

  /** A tick crashed before it deleted the timer, and then nothing was launched. */
  @Test
  void aFireWhoseMessageIsUnderWayIsNotLaunchedOnceItIsCounted() {
    world.put("often", active(cron("0 0/3 * * * ?"), NONE));
    List<Timer> old = new ArrayList<>();
    for (int shard = 0; shard < world.timers.shards(); shard++) {
      old.addAll(world.timers.due(shard, Instant.parse("2026-03-01T10:03:00Z"), null, 10));
    }
    world.runUntil("2026-03-01T10:01:30Z");
    world.timers.put(old);
    world.sleepUntil("2026-03-01T11:00:00Z");
    world.runUntil("2026-03-01T11:03:30Z");
    assertThat(launchedFor()).containsExactly("11:00:00Z", "11:03:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(19L);
  }

  /** A call that put the old timer again was overtaken by a tick, which moved the timer. */
  @Test
  void theItemsOfTwoTimersOfOneLeafCountDifferentFires() {
    world.put("often", active(cron("0 0/3 * * * ?"), NONE));
    List<Timer> old = new ArrayList<>();
    for (int shard = 0; shard < world.timers.shards(); shard++) {
      old.addAll(world.timers.due(shard, Instant.parse("2026-03-01T10:03:00Z"), null, 10));
    }
    world.runUntil("2026-03-01T10:01:30Z");
    List<Timer> moved = List.copyOf(world.timers.all());
    world.timers.put(old);
    world.sleepUntil("2026-03-01T11:00:00Z");
    decide(moved);
    world.sleepUntil("2026-03-01T11:06:00Z");
    world.runUntil("2026-03-01T11:09:30Z");
    List<SkippedFires> skipped = skipped();
    assertThat(skipped).hasSize(3);
    for (SkippedFires one : skipped) {
      assertThat(skipped).filteredOn(of -> of.contains(one.first().at())).containsExactly(one);
      assertThat(one.count())
          .isEqualTo(1 + Duration.between(one.first().at(), one.last()).toMinutes() / 3);
    }
  }

  private MissedFires missed() {
    CompiledSchedules definitions =
        new CompiledSchedules(world.schedules, world.calendars, world.parser);
    return new MissedFires(
        world.schedules, definitions, world.jobs, world.updates, Duration.ofMinutes(1));
  }

  @Test
  void excludedFiresAreNeitherCountedNorTheLatest() {
    world.calendar(
        "closed", "{\"ranges\": [{\"from\": \"2026-03-01T13:30\", \"to\": \"2026-03-01T15:30\"}]}");
    world.put(
        "hourly", active(cron("0 0 * * * ?").replace("}", ", \"exclude\": [\"closed\"]}"), LATEST));
    world.put(
        "never", active(cron("0 0 * * * ?").replace("}", ", \"exclude\": [\"closed\"]}"), NONE));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T14:30:00Z");
    world.runUntil("2026-03-01T14:59:00Z");
    assertThat(launchedFor()).containsExactly("13:00:00Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(2L, 3L);
    world.calendar("closed", "{}");
    world.runUntil("2026-03-01T15:30:00Z");
    assertThat(launchedFor()).containsExactly("13:00:00Z", "15:00:00Z", "15:00:00Z");
  }

  @Test
  void aTimerThatCannotBeDecidedOnDelaysNoOther() {
    ScheduleId lost = world.put("lost", active(cron("0 0 * * * ?"), NONE));
    world.put("other", active(cron("0 0 * * * ?")));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T12:30:00Z");
    world.status.advance(Instant.parse("2026-03-01T10:30:00Z"));
    world.failReadsOf(lost);
    world.runUntil("2026-03-01T12:31:30Z");
    assertThat(launchedFor()).containsExactly("11:00:00Z", "12:00:00Z");
    assertThat(world.status.read().orElseThrow().lastProcessedTime())
        .isEqualTo("2026-03-01T10:30:00Z");
    world.failReadsOf(null);
    world.runUntil("2026-03-01T12:33:30Z");
    assertThat(skipped()).extracting(SkippedFires::count).containsExactly(2L);
  }

  /** Each call takes a tenth of a second, so a function is killed after a hundred. */
  @Test
  void undecidedTimersAreLeftToTheNextTicksAndDelayNothing() {
    for (int number = 0; number < 40; number++) {
      world.put("undecided-" + number, active(cron("0 0 * * * ?"), NONE));
      world.put("other-" + number, active(cron("0 0 12 * * ?")));
    }
    ScheduleId manual = world.put("by-hand", active("{\"type\": \"manual\"}"));
    world.runUntil("2026-03-01T10:30:00Z");
    world.sleepUntil("2026-03-01T12:30:00Z");
    JobId swept = world.triggered(manual, world.now(), Json.object());

    world.takePerCall(Duration.ofMillis(100));
    world.runUntil("2026-03-01T12:30:59Z");
    assertThat(world.requestsByJob()).hasSize(41).containsKey(swept);
    assertThat(skipped()).hasSizeBetween(2, 39);
    assertThat(world.timers.all())
        .filteredOn(timer -> timer.dueAt().isBefore(world.now()))
        .hasSize(40 - skipped().size());

    world.runUntil("2026-03-01T12:50:00Z");
    assertThat(skipped()).hasSize(40).extracting(SkippedFires::count).containsOnly(2L);
    assertThat(world.requestsByJob()).hasSize(41);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyCrashPointOfAnOutagesEndIsRepaired(Kind kind) {
    for (int call : afterAnOutage(-1, kind).faults.callsToTry(kind)) {
      World struck = afterAnOutage(call, kind);
      String where = kind + " at call " + call + " " + struck.faults.calls().get(call);
      assertThat(
              new TreeSet<>(struck.requestsByJob().keySet().stream().map(JobId::toString).toList()))
          .as(where)
          .containsExactly(
              "default~latest~00001~" + key("11:00"),
              "default~leaves~00001~" + key("10:15"),
              "default~leaves~00001~" + key("11:00"),
              "default~window~00001~" + key("10:45"),
              "default~window~00001~" + key("11:00"));
      assertThat(
              struck.jobs.all().stream()
                  .flatMap(row -> SkippedFires.of(row).stream())
                  .mapToLong(SkippedFires::count)
                  .sum())
          .as(where)
          .isEqualTo(3 + 2 + 2 + 1);
    }
  }

  private static String key(String time) {
    return JobId.ofFire(new ScheduleId("a", "b"), 1, Instant.parse("2026-03-01T" + time + ":00Z"))
        .sortKey()
        .substring(6);
  }

  private static World afterAnOutage(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    world.put("latest", active(cron("0 15,30,45,0 10-11 * * ?"), LATEST));
    world.put(
        "window", active(cron("0 15,30,45,0 10-11 * * ?"), "\"catchUp\": {\"window\": \"PT22M\"}"));
    String both = or(cron("0 15,30,45,0 10-11 * * ?"), cron("0 15 10 * * ?"));
    world.put("leaves", active(both, LATEST));
    String once = or(cron("0 15 10 * * ?"), cron("0 15 10 1 * ?"));
    world.put(
        "beyond", active(once, "\"catchUp\": {\"policy\": \"latest\", \"window\": \"PT30M\"}"));
    world.sleepUntil("2026-03-01T11:04:00Z");
    world.faults.choose(call, kind);
    world.runUntil("2026-03-01T11:09:30Z");
    return world;
  }

  @Test
  void aFireToBeMadeUpForStaysSoWhenTheNextPageIsLater() {
    world.put("seconds", active(cron("* * * * * ?"), "\"catchUp\": {\"window\": \"PT2H\"}"));
    world.runUntil("2026-03-01T10:00:30Z");
    int before = world.arrivals.size();
    world.sleepUntil("2026-03-01T13:00:00Z");
    List<Timer> due = new ArrayList<>();
    for (int shard = 0; shard < world.timers.shards(); shard++) {
      due.addAll(world.timers.due(shard, LookAhead.selectionEnd(world.now()), null, 10));
    }
    decide(due);
    world.sleepUntil("2026-03-01T14:00:00Z");
    world.runUntil("2026-03-01T14:00:00Z");
    assertThat(world.arrivals.size() - before).isGreaterThanOrEqualTo(3 * 3_600);
    assertThat(skipped()).hasSize(1);
  }
}
