package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.ID;
import static dev.carillon.collect.CollectingSchedule.and;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.cron;
import static dev.carillon.collect.CollectingSchedule.cronBut;
import static dev.carillon.collect.CollectingSchedule.hourly;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.quiet;
import static dev.carillon.collect.CollectingSchedule.since;
import static dev.carillon.collect.CollectingSchedule.sinceLaunch;
import static dev.carillon.collect.CollectingSchedule.timeout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.collect.Timeline.Moment;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.LeafClock;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The next moment of a collecting job. The schedules are active since 10:00. */
class TimelineTest {

  /** A fire at each full hour, 90 minutes since partitions of "e", a partition of "d". */
  private final CollectingSchedule schedule =
      new CollectingSchedule(
          and(hourly(), since("e", "PT90M"), partitions("d", 2)), timeout("PT2H", "discard"));

  private static Progress progress(
      CollectingSchedule schedule, String advancedTo, String opened, Integer... satisfied) {
    List<Trigger.Leaf> leaves = schedule.schedule.trigger().leaves();
    LeafClocks clocks = LeafClocks.of(leaves, Map.of(), schedule.head.opensSince());
    OpenJob open =
        opened.equals("none")
            ? null
            : new OpenJob(
                JobId.ofEvents(ID, schedule.head.generation(), at(opened), 1),
                at(opened),
                LeafCounts.withFires(TriggerState.of(leaves), Set.of(satisfied), at(opened)));
    return new Progress(1, at(advancedTo), open, clocks);
  }

  private static Timeline timeline(CollectingSchedule schedule, String now) {
    return Timeline.of(schedule.compiled, schedule.head, at(now));
  }

  private static String text(Optional<Moment> moment) {
    return moment.map(it -> it.kind() + " " + CollectingSchedule.text(it.at())).orElse("nothing");
  }

  private static String when(Optional<Instant> instant) {
    return instant.map(CollectingSchedule::text).orElse("never");
  }

  @ParameterizedTest(name = "applied to {0}, a job opened at {1}, now {2}: {3}")
  @CsvSource({
    // fires up to now, after those that were already applied
    "10:00, none,  10:59:59.999, nothing",
    "10:00, none,  11:00, FIRE 11:00",
    "10:59:59.999, none, 11:00, FIRE 11:00",
    "11:00, none,  11:00, nothing",
    "10:00, none,  14:30, FIRE 11:00",
    // 90 minutes after the activation
    "11:00, none,  11:29:59.999, nothing",
    "11:00, none,  11:30, ELAPSED 11:30",
    "11:00, none,  12:30, ELAPSED 11:30",
    // a period that elapsed late is not applied before what was already applied
    "11:40, none,  11:50, ELAPSED 11:40",
    // a fire is applied before a period that elapses at the same instant
    "11:59:59, none,  12:00, ELAPSED 11:59:59",
    "11:00, 10:30, 11:30, ELAPSED 11:30",
    // a job of 10:30 times out at 12:30, once that is past: an event of that instant still counts
    "12:00, 10:30, 12:30, ELAPSED 12:00"
  })
  void firesAndElapsedTimesHappenInOrder(
      String advancedTo, String opened, String now, String expected) {
    Progress progress = progress(schedule, advancedTo, opened);
    assertThat(text(timeline(schedule, now).next(progress))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "applied to {0}, a job of {1} with fire and elapsed time, now {2}: {3}")
  @CsvSource({
    "11:30, 10:30, 12:29:59.999, nothing",
    "11:30, 10:30, 12:30,        nothing",
    "11:30, 10:30, 12:30:00.001, TIMEOUT 12:30",
    "11:30, 10:30, 15:00,        TIMEOUT 12:30"
  })
  void aSatisfiedLeafWaitsForNothingButTheJobCanTimeOut(
      String advancedTo, String opened, String now, String expected) {
    Progress progress = progress(schedule, advancedTo, opened, 0, 1);
    assertThat(text(timeline(schedule, now).next(progress))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} satisfied: {1} first")
  @CsvSource({"'', FIRE 12:00", "0, ELAPSED 12:00", "0 1, TIMEOUT 12:00"})
  void atOneInstantAFireHappensFirstAndATimeoutLast(String satisfied, String expected) {
    CollectingSchedule three =
        new CollectingSchedule(
            and(cron("0 0 12 * * ?"), since("e", "PT2H"), partitions("d", 2)),
            timeout("PT1H", "discard"));
    Integer[] numbers =
        List.of(satisfied.split(" ")).stream()
            .filter(number -> !number.isEmpty())
            .map(Integer::valueOf)
            .toArray(Integer[]::new);
    Progress progress = progress(three, "11:30", "11:00", numbers);
    assertThat(text(timeline(three, "13:00").next(progress))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "opened at {0}, now {1}: due {2}")
  @CsvSource({
    "10:30, 12:29:59.999, never",
    "10:30, 12:30,        12:30",
    "10:30, 13:00,        12:30",
    "none,  13:00,        never"
  })
  void aTimeoutIsDueAtItsExactInstant(String opened, String now, String due) {
    Progress progress =
        progress(
            schedule, "10:30", opened, opened.equals("none") ? new Integer[0] : new Integer[] {0});
    assertThat(when(timeline(schedule, now).dueTimeout(progress))).isEqualTo(due);
  }

  @ParameterizedTest(name = "now {0}: {1}")
  @CsvSource({"11:29:59.999, false", "11:30, true", "12:00, true"})
  void aPeriodHasElapsedFromItsExactInstantOn(String now, boolean elapsed) {
    Progress progress = progress(schedule, "10:00", "none");
    assertThat(timeline(schedule, now).hasElapsed(progress)).isEqualTo(elapsed);
  }

  // ---- times in which no job can be opened

  @ParameterizedTest(name = "{0}: applied to {1}, open since {2}, now {3}: past {4}, next {5}")
  @CsvSource({
    // the fires of the suspension open no job, those before and after it do
    "DRAIN, 10:00, none,  11:00, 10:00, FIRE 11:00",
    "DRAIN, 11:00, none,  12:30, 12:30, nothing",
    "DRAIN, 11:00, none,  13:30, 13:30, nothing",
    "DRAIN, 11:00, none,  14:00, 13:30, FIRE 14:00",
    "HOLD,  11:00, none,  14:00, 13:30, FIRE 14:00",
    // an open job takes them
    "DRAIN, 11:00, 10:30, 14:00, 11:00, FIRE 12:00",
    // a backlog makes jobs
    "BACKLOG, 11:00, none, 14:00, 11:00, FIRE 12:00"
  })
  void aSuspensionTakesNoFiresThatWouldOpenAJob(
      SuspendMode mode, String advancedTo, String opened, String now, String past, String next) {
    CollectingSchedule paused =
        new CollectingSchedule(and(hourly(), partitions("d", 2)))
            .pausedFrom("11:30", "13:30", mode);
    Timeline timeline = timeline(paused, now);
    Progress passed = timeline.pastClosedFires(progress(paused, advancedTo, opened));
    assertThat(CollectingSchedule.text(passed.advancedTo())).isEqualTo(past);
    assertThat(text(timeline.next(passed))).isEqualTo(next);
  }

  @Test
  void aPresentSuspensionIsClosedUpToNow() {
    CollectingSchedule held =
        new CollectingSchedule(and(hourly(), partitions("d", 2)))
            .suspendedAt("11:30", SuspendMode.HOLD);
    Timeline timeline = timeline(held, "15:10");
    Progress passed = timeline.pastClosedFires(progress(held, "11:00", "none"));
    assertThat(passed.advancedTo()).isEqualTo(at("15:10"));
    assertThat(timeline.next(passed)).isEmpty();
  }

  @Test
  void aPeriodThatElapsesDuringASuspensionOpensNoJob() {
    CollectingSchedule held =
        new CollectingSchedule(or(since("e", "PT2H"), partitions("d", 2)))
            .suspendedAt("11:30", SuspendMode.DRAIN);
    assertThat(timeline(held, "13:00").next(progress(held, "11:30", "none"))).isEmpty();
    assertThat(text(timeline(held, "13:00").next(progress(held, "11:30", "11:20"))))
        .isEqualTo("ELAPSED 12:00");
    assertThat(timeline(held, "13:00").hasElapsed(progress(held, "11:30", "none"))).isFalse();
    assertThat(timeline(held, "11:40").attentionAt(progress(held, "11:30", "none"))).isEmpty();
  }

  @Test
  void theEarliestFireOfAnyLeafIsNext() {
    CollectingSchedule several =
        new CollectingSchedule(and(hourly(), cron("0 40 * * * ?"), cron("0 50 * * * ?")));
    assertThat(text(timeline(several, "15:00").next(progress(several, "10:00", "none"))))
        .isEqualTo("FIRE 10:40");
    assertThat(text(timeline(several, "15:00").next(progress(several, "10:00", "10:00", 1))))
        .isEqualTo("FIRE 10:50");
    assertThat(text(timeline(several, "15:00").next(progress(several, "10:00", "10:00", 1, 2))))
        .isEqualTo("FIRE 11:00");
  }

  @Test
  void calendarsExcludeFires() {
    CollectingSchedule excluded =
        new CollectingSchedule(and(cronBut("0 0 * * * ?", "closed"), partitions("d", 2)))
            .excluding("closed", "11:00", "13:00");
    assertThat(text(timeline(excluded, "15:00").next(progress(excluded, "10:00", "none"))))
        .isEqualTo("FIRE 13:00");
  }

  // ---- when it needs attention

  @ParameterizedTest(name = "a job opened at {0}: {1}")
  @CsvSource({"none, 11:30", "10:30, 11:30", "09:00, 11:00"})
  void theEarlierOfElapsedTimeAndTimeoutNeedsAttention(String opened, String attention) {
    Progress progress = progress(schedule, "10:40", opened);
    assertThat(when(timeline(schedule, "10:40").attentionAt(progress))).isEqualTo(attention);
  }

  @Test
  void firesOfASuspendedScheduleNeedAttentionBecauseItHasNoTimers() {
    CollectingSchedule backlog =
        new CollectingSchedule(and(hourly(), partitions("d", 2)))
            .suspendedAt("10:30", SuspendMode.BACKLOG);
    CollectingSchedule hold =
        new CollectingSchedule(and(hourly(), partitions("d", 2)))
            .suspendedAt("10:30", SuspendMode.HOLD);
    CollectingSchedule plain =
        new CollectingSchedule(hourly()).suspendedAt("10:30", SuspendMode.BACKLOG);
    CollectingSchedule active = new CollectingSchedule(and(hourly(), partitions("d", 2)));

    assertThat(attention(backlog, "none")).isEqualTo("11:00");
    assertThat(attention(hold, "none")).isEqualTo("never");
    assertThat(attention(hold, "10:20")).isEqualTo("11:00");
    assertThat(attention(plain, "none")).isEqualTo("never");
    assertThat(attention(active, "10:20")).isEqualTo("never");
  }

  private static String attention(CollectingSchedule schedule, String opened) {
    return when(timeline(schedule, "10:40").attentionAt(progress(schedule, "10:40", opened)));
  }

  // ---- clocks

  @Test
  void quietAndElapsedTimesOfSeveralLeavesHappenInOrder() {
    CollectingSchedule several =
        new CollectingSchedule(
            or(sinceLaunch("PT3H"), quiet("d", "PT10M", "PT15M"), quiet("e", "PT1H")));
    List<Trigger.Leaf> leaves = several.schedule.trigger().leaves();
    Map<Integer, LeafClock> clocks =
        Map.of(
            1, new LeafClock(at("12:00"), at("12:09"), false),
            2, new LeafClock(at("11:40"), at("11:40"), false));
    List<String> order = new ArrayList<>();
    Progress progress =
        new Progress(1, at("12:00"), null, LeafClocks.of(leaves, clocks, at("10:00")));
    assertThat(text(timeline(several, "14:00").next(progress))).isEqualTo("ELAPSED 12:15");
    for (int number = 0; number < 3; number++) {
      order.add(number + " " + when(progress.clocks().due(number)));
    }
    assertThat(order).containsExactly("0 13:00", "1 12:15", "2 12:40");
  }
}
