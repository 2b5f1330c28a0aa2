package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.and;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.event;
import static dev.carillon.collect.CollectingSchedule.hourly;
import static dev.carillon.collect.CollectingSchedule.jobs;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.quiet;
import static dev.carillon.collect.CollectingSchedule.since;
import static dev.carillon.collect.CollectingSchedule.whilePending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a pass handles fires and events while a satisfied job of their schedule waits. */
class WhileAJobWaitsTest {

  private static CollectingSchedule waitingSince1010(String policy, String trigger) {
    CollectingSchedule schedule = new CollectingSchedule(trigger, whilePending(policy));
    schedule.pass("10:10", event("zero", "d", 2));
    return schedule;
  }

  // ---- events

  @Test
  void queuedEventsOpenASeparateJob() {
    CollectingSchedule schedule = waitingSince1010("queue", partitions("d", 2));
    Collected pass = schedule.pass("10:20", event("one", "d", 1));
    assertThat(pass.jobs()).isEmpty();
    assertThat(schedule.open()).isEqualTo("1/2");
    assertThat(pass.after().latest()).isNull();
  }

  @Test
  void eventsAreMergedIntoTheWaitingJob() {
    CollectingSchedule schedule = waitingSince1010("merge", partitions("d", 2));
    Job waiting = schedule.waiting;
    assertThat(schedule.stored.latest()).isEqualTo(waiting.id());
    Collected pass = schedule.pass("10:20", event("one", "d", 3), event("two", "d", 1));
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 10:10 6/2");
    Job grown = pass.jobs().get(0);
    assertThat(grown.id()).isEqualTo(waiting.id());
    assertThat(grown.version()).isEqualTo(waiting.version() + 1);
    assertThat(grown.triggerState().events()).hasSize(3);
    assertThat(pass.newlyCounted()).hasSize(2);
    assertThat(schedule.open()).isEqualTo("none");
    assertThat(pass.after().nextSequence()).isEqualTo(2);
    assertThat(pass.after().latest()).isEqualTo(waiting.id());
  }

  @Test
  void eventsAreMergedIntoAJobThatBecameSatisfiedInThisPass() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 2), whilePending("merge"));
    Collected pass =
        schedule.pass("10:10", event("one", "d", 2), event("two", "d", 1), event("three", "d", 4));
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 10:10 7/2");
    assertThat(pass.jobs().get(0).version()).isEqualTo(1);
  }

  @Test
  void eventsAreDroppedForTheWaitingJobAndRecordedInOneJob() {
    CollectingSchedule schedule = waitingSince1010("skip", partitions("d", 2));
    Collected pass = schedule.pass("10:20", event("one", "d", 3), event("two", "d", 1));
    assertThat(jobs(pass)).containsExactly("SKIPPED 10:20 4/2");
    Job skipped = pass.jobs().get(0);
    assertThat(skipped.lastReason()).contains(schedule.stored.latest().toString());
    assertThat(skipped.triggerState().events()).hasSize(2);
    assertThat(pass.newlyCounted()).hasSize(2);
    assertThat(schedule.open()).isEqualTo("none");
    assertThat(pass.after().nextSequence()).isEqualTo(3);
    assertThat(jobs(schedule.pass("10:21", event("three", "d", 1))))
        .containsExactly("SKIPPED 10:21 1/2");
  }

  @Test
  void eventsAreDroppedForAJobThatBecameSatisfiedInThisPass() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 2), whilePending("skip"));
    Collected pass =
        schedule.pass("10:10", event("one", "d", 2), event("two", "d", 1), event("three", "d", 4));
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 10:10 2/2", "SKIPPED 10:10 5/2");
  }

  @ParameterizedTest
  @CsvSource({"merge", "skip"})
  void onceTheJobIsLaunchedTheNextEventOpensAnother(String policy) {
    CollectingSchedule schedule = waitingSince1010(policy, partitions("d", 2));
    schedule.launch();
    assertThat(schedule.pass("10:20", event("one", "d", 1)).jobs()).isEmpty();
    assertThat(schedule.open()).isEqualTo("1/2");
  }

  @ParameterizedTest
  @CsvSource({"merge", "skip"})
  void anOpenJobTakesEventsWhateverOtherJobWaits(String policy) {
    CollectingSchedule schedule = waitingSince1010(policy, partitions("d", 2));
    Job waiting = schedule.waiting;
    schedule.launch();
    schedule.pass("10:20", event("one", "d", 1));
    schedule.waiting = waiting;
    assertThat(jobs(schedule.pass("10:30", event("two", "d", 1))))
        .containsExactly("PENDING_CONSTRAINT 10:30 2/2");
  }

  // ---- fires and elapsed periods

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"merge, PENDING_CONSTRAINT 10:10 3/1 2/2", "skip, SKIPPED 11:00 3/1 0/2"})
  void aWaitingJobTakesAnyNumberOfFiresOfALeaf(String policy, String job) {
    CollectingSchedule schedule = waitingSince1010(policy, or(hourly(), partitions("d", 2)));
    assertThat(jobs(schedule.pass("13:30"))).containsExactly(job);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"merge, PENDING_CONSTRAINT 10:10 1/1 2/2", "skip, SKIPPED 11:00 1/1 0/2"})
  void anElapsedPeriodIsTakenOnce(String policy, String job) {
    CollectingSchedule schedule =
        waitingSince1010(policy, or(since("e", "PT1H"), partitions("d", 2)));
    assertThat(jobs(schedule.pass("13:30"))).containsExactly(job);
    assertThat(schedule.stored.clocks().get(0).isSpent()).isTrue();
    assertThat(schedule.pass("14:30").hasChanged()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"merge", "skip"})
  void anEventThatOpensNoJobRestartsAnElapsingPeriod(String policy) {
    CollectingSchedule schedule =
        waitingSince1010(policy, or(since("d", "PT1H"), partitions("d", 2)));
    schedule.pass("10:40", event("late", "d", 1));
    schedule.launch();
    assertThat(schedule.pass("11:39").jobs()).isEmpty();
    assertThat(jobs(schedule.pass("11:45"))).containsExactly("PENDING_CONSTRAINT 11:40 1/1 0/2");
  }

  @Test
  void clocksOfTheNextJobStartWhenItOpens() {
    CollectingSchedule schedule =
        waitingSince1010("merge", or(quiet("d", "PT1H"), partitions("d", 2)));
    schedule.pass("10:20", event("one", "d", 1));
    assertThat(schedule.stored.clocks()).isEmpty();
    schedule.launch();
    schedule.pass("10:30", event("two", "d", 1));
    assertThat(schedule.stored.clocks().get(0).last()).isEqualTo(at("10:30"));
  }

  // ---- fires that are one job each

  @Test
  void laterFiresAreMergedIntoTheWaitingFire() {
    CollectingSchedule schedule = new CollectingSchedule(hourly(), whilePending("merge"));
    Collected first = schedule.mergeOrSkip("11:00", "11:00");
    assertThat(jobs(first)).containsExactly("PENDING_CONSTRAINT 11:00 plain");
    assertThat(first.after().latest()).isEqualTo(schedule.waiting.id());
    assertThat(first.hasChanged()).isTrue();
    Collected more = schedule.mergeOrSkip("13:00", "12:00", "13:00");
    assertThat(jobs(more))
        .containsExactly(
            "PENDING_CONSTRAINT 11:00 3/1", "SKIPPED 12:00 plain", "SKIPPED 13:00 plain");
    assertThat(more.jobs().get(0).version()).isEqualTo(first.jobs().get(0).version() + 1);
    assertThat(more.jobs().get(0).triggerState().leaves().get(0).fire()).isEqualTo(at("13:00"));
    assertThat(more.jobs().get(1).lastReason()).startsWith("merged into job");
  }

  @Test
  void firesOfOnePassAreMergedIntoTheFirstOfThem() {
    CollectingSchedule schedule = new CollectingSchedule(hourly(), whilePending("merge"));
    Collected pass = schedule.mergeOrSkip("12:00", "11:00", "12:00");
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 11:00 2/1", "SKIPPED 12:00 plain");
    assertThat(pass.jobs()).allMatch(Job::isNew);
  }

  @Test
  void laterFiresAreDroppedForTheWaitingFire() {
    CollectingSchedule schedule = new CollectingSchedule(hourly(), whilePending("skip"));
    Collected pass = schedule.mergeOrSkip("13:00", "11:00", "12:00", "13:00");
    assertThat(jobs(pass))
        .containsExactly(
            "PENDING_CONSTRAINT 11:00 plain", "SKIPPED 12:00 plain", "SKIPPED 13:00 plain");
    assertThat(pass.jobs().get(2).lastReason()).endsWith("of the schedule still waits");
  }

  @Test
  void withoutAWaitingJobAFireBecomesOne() {
    CollectingSchedule schedule = new CollectingSchedule(hourly(), whilePending("skip"));
    schedule.mergeOrSkip("11:00", "11:00");
    schedule.launch();
    Collected next = schedule.mergeOrSkip("12:00", "12:00");
    assertThat(jobs(next)).containsExactly("PENDING_CONSTRAINT 12:00 plain");
    assertThat(next.after().latest()).isEqualTo(next.jobs().get(0).id());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"merge, 49", "skip, 49"})
  void asManyFiresAreTakenAsThereIsRoomFor(String policy, int skipped) {
    CollectingSchedule schedule =
        new CollectingSchedule(CollectingSchedule.cron("0 * * * * ?"), whilePending(policy));
    List<String> fires = IntStream.range(1, 60).mapToObj("10:%02d"::formatted).toList();
    Collected pass = schedule.mergeOrSkip("11:00", fires.toArray(String[]::new));
    assertThat(pass.jobs()).hasSize(50);
    assertThat(pass.jobs().stream().filter(job -> job.state() == JobState.SKIPPED))
        .hasSize(skipped);
  }

  @Test
  void aTriggerOfSeveralLeavesIsMergedLeafByLeaf() {
    CollectingSchedule schedule =
        waitingSince1010("merge", or(and(hourly(), partitions("e", 1)), partitions("d", 2)));
    Collected pass = schedule.pass("11:30", event("one", "e", 1));
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 10:10 1/1 1/1 2/2");
  }
}
