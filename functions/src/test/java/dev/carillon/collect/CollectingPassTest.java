package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.and;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.cron;
import static dev.carillon.collect.CollectingSchedule.cronBut;
import static dev.carillon.collect.CollectingSchedule.event;
import static dev.carillon.collect.CollectingSchedule.hourly;
import static dev.carillon.collect.CollectingSchedule.jobs;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.quiet;
import static dev.carillon.collect.CollectingSchedule.since;
import static dev.carillon.collect.CollectingSchedule.sinceLaunch;
import static dev.carillon.collect.CollectingSchedule.timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.event.Event;
import dev.carillon.event.EventIdHash;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Transition;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How one pass handles fires, events and time-outs. The schedules are active since 10:00. */
class CollectingPassTest {

  private static Event[] events(int count) {
    Event[] events = new Event[count];
    for (int i = 0; i < count; i++) {
      events[i] = event("e" + i, "d", 1);
    }
    return events;
  }

  // ---- a collecting job that was replaced

  /** The change that replaced the collecting job could not be stored. */
  @Test
  void aFireIsAppliedOnceIfTheCollectingJobIsReplacedAfterIt() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 2)));
    assertThat(jobs(schedule.pass("11:10"))).containsExactly("PENDING_CONSTRAINT 11:00 1/1 0/2");
    schedule.stored = CollectingJob.standIn(CollectingSchedule.ID, at("11:30"));
    assertThat(jobs(schedule.pass("12:00"))).containsExactly("PENDING_CONSTRAINT 12:00 1/1 0/2");
  }

  // ---- events

  @Test
  void theFirstEventOpensAJobAndTheLastRequiredEventSatisfiesIt() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 3));
    Collected first = schedule.pass("10:10", event("one", "d", 1));
    assertThat(schedule.open()).isEqualTo("1/3");
    assertThat(first.jobs()).isEmpty();
    assertThat(first.after().open().openedAt()).isEqualTo(at("10:10"));
    assertThat(first.after().version()).isEqualTo(1);
    assertThat(first.newlyCounted()).containsExactly(EventIdHash.of("one"));

    Collected last = schedule.pass("10:20", event("two", "d", 2));
    assertThat(schedule.open()).isEqualTo("none");
    assertThat(jobs(last)).containsExactly("PENDING_CONSTRAINT 10:20 3/3");
    assertThat(last.jobs().get(0).id()).isEqualTo(first.after().open().id());
    assertThat(last.after().version()).isEqualTo(2);
    assertThat(last.after().nextSequence()).isEqualTo(2);
    assertThat(last.after().advancedTo()).isEqualTo(at("10:20"));
    assertThat(last.after().latest()).isNull();
  }

  @Test
  void surplusStaysWithItsJobAndTheNextJobStartsAtZero() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 3));
    Collected pass = schedule.pass("10:10", event("one", "d", 5), event("two", "d", 1));
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 10:10 5/3");
    assertThat(schedule.open()).isEqualTo("1/3");
    assertThat(pass.after().open().id()).isNotEqualTo(pass.jobs().get(0).id());
  }

  @Test
  void anEventCountsOnceAndOnlyIfALeafNamesIt() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 3));
    Collected first =
        schedule.pass("10:10", event("one", "d", 1), event("one", "d", 1), event("other", "x", 1));
    assertThat(first.accepted())
        .containsExactly(Acceptance.COUNTED, Acceptance.DUPLICATE, Acceptance.UNMATCHED);
    assertThat(schedule.pass("10:11", event("one", "d", 1)).accepted())
        .containsExactly(Acceptance.DUPLICATE);
    assertThat(schedule.open()).isEqualTo("1/3");
  }

  @Test
  void nothingIsStoredIfNothingHappened() {
    CollectingSchedule schedule = new CollectingSchedule(and(hourly(), partitions("d", 3)));
    assertThat(schedule.pass("10:10").hasChanged()).isFalse();
    assertThat(schedule.pass("10:10", event("other", "x", 1)).hasChanged()).isFalse();
    assertThat(schedule.pass("10:10", event("one", "d", 1)).hasChanged()).isTrue();
    assertThat(schedule.pass("10:11", event("one", "d", 1)).hasChanged()).isFalse();
    assertThat(schedule.pass("11:00").hasChanged()).isTrue();
  }

  @Test
  void anEventThatOnlyAQuietTimeNamesOpensAJob() {
    CollectingSchedule schedule = new CollectingSchedule(quiet("d", "PT10M"));
    assertThat(schedule.pass("10:10", event("one", "d", 1)).accepted())
        .containsExactly(Acceptance.COUNTED);
    assertThat(schedule.open()).isEqualTo("0/1");
    assertThat(schedule.pass("10:19:59.999").jobs()).isEmpty();
    assertThat(jobs(schedule.pass("10:20"))).containsExactly("PENDING_CONSTRAINT 10:20 1/1");
  }

  // ---- order at one instant

  @Test
  void aFireIsAppliedBeforeAnEventOfTheSameInstant() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 1)));
    Collected pass = schedule.pass("11:00", event("one", "d", 1));
    assertThat(jobs(pass))
        .containsExactly("PENDING_CONSTRAINT 11:00 1/1 0/1", "PENDING_CONSTRAINT 11:00 0/1 1/1");
  }

  @ParameterizedTest(name = "an event at {0}: {1}")
  @CsvSource({
    "11:09:59.999, PENDING_CONSTRAINT 11:09:59.999 2/2",
    // an event at the exact instant of the time-out is in time
    "11:10,        PENDING_CONSTRAINT 11:10 2/2",
    "11:10:00.001, TIMED_OUT 10:10 1/2"
  })
  void anEventCountsUpToTheExactInstantOfTheTimeout(String time, String job) {
    CollectingSchedule schedule =
        new CollectingSchedule(partitions("d", 2), timeout("PT1H", "discard"));
    schedule.pass("10:10", event("one", "d", 1));
    assertThat(jobs(schedule.pass(time, event("two", "d", 1)))).containsExactly(job);
    assertThat(schedule.open()).isEqualTo(job.startsWith("TIMED_OUT") ? "1/2" : "none");
  }

  @Test
  void aFireAtTheInstantOfTheTimeoutIsInTime() {
    CollectingSchedule schedule =
        new CollectingSchedule(and(hourly(), partitions("d", 1)), timeout("PT30M", "discard"));
    schedule.pass("10:30", event("one", "d", 1));
    assertThat(jobs(schedule.pass("12:40")))
        .containsExactly("PENDING_CONSTRAINT 11:00 1/1 1/1", "TIMED_OUT 12:00 1/1 0/1");
  }

  @Test
  void everyMissedFireIsApplied() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 1)));
    assertThat(jobs(schedule.pass("13:10")))
        .containsExactly(
            "PENDING_CONSTRAINT 11:00 1/1 0/1",
            "PENDING_CONSTRAINT 12:00 1/1 0/1",
            "PENDING_CONSTRAINT 13:00 1/1 0/1");
    assertThat(schedule.pass("13:20").jobs()).isEmpty();
  }

  @Test
  void aJobTakesOneFireOfEachLeaf() {
    CollectingSchedule schedule = new CollectingSchedule(and(hourly(), partitions("d", 1)));
    schedule.pass("13:10");
    assertThat(schedule.open()).isEqualTo("1/1 0/1");
    assertThat(schedule.stored.open().openedAt()).isEqualTo(at("11:00"));
    assertThat(schedule.stored.advancedTo()).isEqualTo(at("13:10"));
  }

  @Test
  void aFireThatAUserSkippedIsNotApplied() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 1)));
    schedule.skipped.add(at("12:00"));
    assertThat(jobs(schedule.pass("13:10")))
        .containsExactly("PENDING_CONSTRAINT 11:00 1/1 0/1", "PENDING_CONSTRAINT 13:00 1/1 0/1");
  }

  @Test
  void aClockThatSteppedBackAppliesNothingTwice() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 2)));
    schedule.pass("11:00");
    Collected behind = schedule.pass("10:50", event("one", "d", 1));
    assertThat(behind.jobs()).isEmpty();
    assertThat(behind.after().advancedTo()).isEqualTo(at("11:00"));
    assertThat(behind.after().open().openedAt()).isEqualTo(at("11:00"));
  }

  // ---- elapsed periods

  @Test
  void anElapsedTimeSatisfiesEachJobOnce() {
    CollectingSchedule schedule = new CollectingSchedule(since("d", "PT1H"));
    assertThat(jobs(schedule.pass("12:30"))).containsExactly("PENDING_CONSTRAINT 11:00 1/1");
    assertThat(schedule.pass("15:00").jobs()).isEmpty();
    schedule.pass("15:10", event("one", "d", 1));
    assertThat(jobs(schedule.pass("16:10"))).containsExactly("PENDING_CONSTRAINT 16:10 1/1");
  }

  @Test
  void timeSinceTheLastLaunchRestartsWithEachJob() {
    CollectingSchedule schedule = new CollectingSchedule(sinceLaunch("PT4H"));
    assertThat(jobs(schedule.pass("14:00"))).containsExactly("PENDING_CONSTRAINT 14:00 1/1");
    assertThat(schedule.pass("17:59:59.999").jobs()).isEmpty();
    assertThat(jobs(schedule.pass("18:00"))).containsExactly("PENDING_CONSTRAINT 18:00 1/1");
  }

  @Test
  void aManualLaunchRestartsTimeSinceTheLastLaunchAndIsReadOnlyWhenNeeded() {
    CollectingSchedule schedule = new CollectingSchedule(sinceLaunch("PT4H"));
    schedule.launchedManually = at("12:00");
    schedule.pass("13:59:59.999");
    assertThat(schedule.questions).isZero();
    assertThat(schedule.pass("14:00").jobs()).isEmpty();
    assertThat(schedule.questions).isEqualTo(1);
    assertThat(jobs(schedule.pass("16:00"))).containsExactly("PENDING_CONSTRAINT 16:00 1/1");
  }

  @Test
  void aScheduleWithoutOtherJobsHasNeitherSkippedFiresNorLaunches() {
    CollectingSchedule schedule = new CollectingSchedule(or(sinceLaunch("PT30M"), hourly()));
    Collected pass =
        CollectingPass.collect(schedule.snapshot("11:00"), OtherJobs.NONE, List.of(), Instant.MIN);
    assertThat(jobs(pass))
        .containsExactly("PENDING_CONSTRAINT 10:30 1/1 0/1", "PENDING_CONSTRAINT 11:00 0/1 1/1");
  }

  @Test
  void noLaunchIsReadIfNoLeafCountsFromOne() {
    CollectingSchedule schedule = new CollectingSchedule(since("d", "PT1H"));
    schedule.pass("12:00");
    assertThat(schedule.questions).isZero();
  }

  // ---- time-outs

  @Test
  void atItsTimeoutAJobIsLaunchedIfThePolicySaysSo() {
    CollectingSchedule schedule =
        new CollectingSchedule(partitions("d", 2), timeout("PT1H", "launch"));
    schedule.pass("10:10", event("one", "d", 1));
    Collected pass = schedule.pass("11:30");
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 11:10 1/2");
    assertThat(pass.jobs().get(0).lastReason()).contains("PT1H");
    assertThat(pass.after().open()).isNull();
  }

  /** These fires changed nothing when they were due, so nothing stored says that they are past. */
  @ParameterizedTest
  @CsvSource({"launch, PENDING_CONSTRAINT 12:30 1/1 0/1", "discard, TIMED_OUT 11:00 1/1 0/1"})
  void firesWhileAJobCollectsDoNotOpenTheNextJobAfterItsTimeout(String action, String job) {
    CollectingSchedule schedule =
        new CollectingSchedule(and(hourly(), partitions("d", 1)), timeout("PT1H30M", action));
    schedule.pass("11:00");
    assertThat(schedule.pass("12:00").hasChanged()).isFalse();
    assertThat(jobs(schedule.pass("12:30:00.020"))).containsExactly(job);
    assertThat(schedule.open()).isEqualTo("none");
    assertThat(schedule.pass("13:00").after().open().openedAt()).isEqualTo(at("13:00"));
  }

  @Test
  void firesWhileAJobCollectsDoNotOpenTheNextJobAfterAPeriodHasEnded() {
    CollectingSchedule schedule =
        new CollectingSchedule(and(cron("0 0/10 * * * ?"), since("d", "PT1H30M")));
    schedule.pass("10:10");
    assertThat(schedule.pass("11:20").hasChanged()).isFalse();
    assertThat(jobs(schedule.pass("11:30:00.020")))
        .containsExactly("PENDING_CONSTRAINT 11:30 1/1 1/1");
    assertThat(schedule.open()).isEqualTo("none");
  }

  @Test
  void aTimeoutClearsTheEventsOfQuietTimes() {
    CollectingSchedule schedule =
        new CollectingSchedule(
            and(quiet("d", "PT2H"), partitions("e", 1)), timeout("PT1H", "discard"));
    schedule.pass("10:10", event("one", "d", 1));
    assertThat(schedule.stored.clocks()).containsOnlyKeys(0);
    Collected pass = schedule.pass("11:10");
    assertThat(jobs(pass)).containsExactly("TIMED_OUT 10:10 0/1 0/1");
    assertThat(pass.after().clocks()).isEmpty();
    assertThat(pass.after().wakeup()).isNull();
  }

  // ---- room

  @Test
  void onePassHasRoomForFiftyJobs() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 1));
    Collected full = schedule.pass("10:10", events(51));
    assertThat(full.jobs()).hasSize(50);
    assertThat(full.accepted()).hasSize(50).containsOnly(Acceptance.COUNTED);
    assertThat(full.isComplete()).isFalse();
    Collected exact = new CollectingSchedule(partitions("d", 1)).pass("10:10", events(50));
    assertThat(exact.jobs()).hasSize(50);
    assertThat(exact.isComplete()).isTrue();
  }

  @Test
  void aFullPassProcessesEventsUntilOneNeedsRoom() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 1));
    List<Event> events = new ArrayList<>(List.of(events(50)));
    events.add(event("other", "x", 1));
    events.add(event("e0", "d", 1));
    events.add(event("e50", "d", 1));
    events.add(event("another", "x", 1));
    Collected full = schedule.pass("10:10", events.toArray(Event[]::new));
    assertThat(full.accepted().subList(50, full.accepted().size()))
        .containsExactly(Acceptance.UNMATCHED, Acceptance.DUPLICATE);
    assertThat(full.isComplete()).isFalse();
  }

  @Test
  void firesThatFillAPassLeaveItsEventsToTheNext() {
    CollectingSchedule schedule =
        new CollectingSchedule(or(CollectingSchedule.cron("0 * * * * ?"), partitions("d", 1)));
    Collected full = schedule.pass("10:51", events(1));
    assertThat(full.jobs()).hasSize(50);
    assertThat(full.accepted()).isEmpty();
    assertThat(full.isComplete()).isFalse();
    assertThat(full.after().advancedTo()).isEqualTo(at("10:50"));
    Collected rest = schedule.pass("10:51", events(1));
    assertThat(jobs(rest))
        .containsExactly("PENDING_CONSTRAINT 10:51 1/1 0/1", "PENDING_CONSTRAINT 10:51 0/1 1/1");
    assertThat(rest.isComplete()).isTrue();
  }

  @Test
  void aTimeoutNeedsRoomAsWell() {
    CollectingSchedule schedule =
        new CollectingSchedule(
            or(partitions("d", 1), partitions("e", 2)), timeout("PT1H", "discard"));
    schedule.pass("10:00", event("e", "e", 1));
    assertThat(jobs(schedule.pass("11:00", events(49)))).hasSize(49);
    CollectingSchedule other =
        new CollectingSchedule(
            and(partitions("d", 1), partitions("e", 1)), timeout("PT1H", "discard"));
    other.pass("10:00", event("e", "e", 1));
    Collected pass = other.pass("11:00");
    assertThat(jobs(pass)).containsExactly("TIMED_OUT 10:00 0/1 1/1");
    assertThat(pass.isComplete()).isTrue();
  }

  // ---- times in which no job can be opened

  @ParameterizedTest(name = "suspended with {0}: {1}, {2}")
  @CsvSource({"DRAIN, UNMATCHED, COUNTED", "HOLD, UNMATCHED, COUNTED", "BACKLOG, COUNTED, COUNTED"})
  void whileNoJobCanBeOpenedEventsCountOnlyForAnOpenJob(
      SuspendMode mode, Acceptance without, Acceptance with) {
    CollectingSchedule nothing =
        new CollectingSchedule(partitions("d", 2)).suspendedAt("11:00", mode);
    assertThat(nothing.pass("11:30", event("one", "d", 1)).accepted()).containsExactly(without);
    CollectingSchedule open = new CollectingSchedule(partitions("d", 2));
    open.pass("10:30", event("zero", "d", 1));
    open.suspendedAt("11:00", mode);
    Collected pass = open.pass("11:30", event("one", "d", 1));
    assertThat(pass.accepted()).containsExactly(with);
    assertThat(jobs(pass)).containsExactly("PENDING_CONSTRAINT 11:30 2/2");
  }

  @Test
  void firesDuringASuspensionOpenNoJob() {
    CollectingSchedule schedule =
        new CollectingSchedule(or(hourly(), partitions("d", 1)))
            .pausedFrom("10:30", "12:30", SuspendMode.DRAIN);
    assertThat(jobs(schedule.pass("13:30"))).containsExactly("PENDING_CONSTRAINT 13:00 1/1 0/1");
  }

  // ---- another activation

  @Test
  void anActivationThatKeepsJobsTakesOverTheCollectingJob() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 2));
    schedule.pass("10:30", event("one", "d", 1));
    long before = schedule.head.activation();
    schedule.suspendedAt("11:00", SuspendMode.DRAIN);
    Collected handedOn = schedule.handOn("11:00");
    assertThat(handedOn.hasChanged()).isTrue();
    assertThat(handedOn.jobs()).isEmpty();
    assertThat(handedOn.after().activation()).isEqualTo(schedule.head.activation());
    assertThat(schedule.head.activation()).isGreaterThan(before);
    assertThat(schedule.open()).isEqualTo("1/2");
    assertThat(schedule.handOn("11:01").hasChanged()).isFalse();
  }

  @Test
  void handingOnAppliesFiresAndElapsedTimesButNotATimeoutThatIsDueNow() {
    CollectingSchedule schedule =
        new CollectingSchedule(and(hourly(), partitions("d", 2)), timeout("PT1H", "discard"));
    schedule.pass("10:30", event("one", "d", 1));
    schedule.suspendedAt("11:30", SuspendMode.DRAIN);
    assertThat(schedule.handOn("11:30").jobs()).isEmpty();
    assertThat(schedule.open()).isEqualTo("1/1 1/2");
    assertThat(jobs(schedule.handOn("11:30:00.001"))).containsExactly("TIMED_OUT 10:30 1/1 1/2");
  }

  @Test
  void anActivationThatDiscardsJobsCancelsTheCollectingJob() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 2));
    schedule.pass("10:30", event("one", "d", 1));
    long old = schedule.head.activation();
    schedule.pausedFrom("11:00", "12:00", SuspendMode.DISCARD);
    Collected pass = schedule.pass("12:30", event("two", "d", 1));
    assertThat(jobs(pass)).containsExactly("CANCELLED 10:30 1/2");
    assertThat(pass.jobs().get(0).activation()).isEqualTo(old);
    assertThat(pass.jobs().get(0).transitions())
        .extracting(Transition::state, Transition::at)
        .containsExactly(
            tuple(JobState.PENDING_TRIGGER, at("10:30")), tuple(JobState.CANCELLED, at("12:30")));
    assertThat(schedule.open()).isEqualTo("1/2");
    assertThat(pass.after().nextSequence()).isEqualTo(3);
    assertThat(pass.after().version()).isEqualTo(2);
  }

  @Test
  void anActivationThatDiscardsJobsAppliesNoFireTwice() {
    CollectingSchedule schedule = new CollectingSchedule(or(hourly(), partitions("d", 1)));
    schedule.pass("12:10");
    schedule.pausedFrom("11:00", "11:30", SuspendMode.DISCARD);
    assertThat(jobs(schedule.pass("13:00"))).containsExactly("PENDING_CONSTRAINT 13:00 1/1 0/1");
  }

  @Test
  void periodsThatStartedBeforeASuspensionRestartAfterItUnlessAJobIsOpen() {
    CollectingSchedule without = new CollectingSchedule(sinceLaunch("PT2H"));
    without.pass("12:00");
    without.pausedFrom("13:00", "15:00", SuspendMode.DRAIN);
    assertThat(
            CollectingPass.collect(
                    without.snapshot("16:59:59.999"), OtherJobs.NONE, List.of(), Instant.MIN)
                .jobs())
        .isEmpty();
    assertThat(jobs(without.pass("17:00"))).containsExactly("PENDING_CONSTRAINT 17:00 1/1");

    CollectingSchedule open = new CollectingSchedule(and(since("d", "PT2H"), partitions("d", 1)));
    open.pass("11:30", event("one", "d", 1));
    open.pausedFrom("13:00", "15:00", SuspendMode.DRAIN);
    assertThat(jobs(open.pass("16:00"))).containsExactly("PENDING_CONSTRAINT 13:30 1/1 1/1");
  }

  // ---- calendars

  @Test
  void aDueFireThatACalendarExcludesIsNeverApplied() {
    CollectingSchedule schedule =
        new CollectingSchedule(and(cronBut("0 0 * * * ?", "closed"), partitions("d", 1)))
            .excluding("closed", "11:00", "12:00");
    Collected passedOver = schedule.reach("11:00");
    assertThat(passedOver.jobs()).isEmpty();
    assertThat(passedOver.hasChanged()).isTrue();
    assertThat(passedOver.after().advancedTo()).isEqualTo(at("11:00"));
    assertThat(schedule.reach("11:00").hasChanged()).isFalse();
    schedule.excluding("closed", "09:00", "10:00");
    assertThat(schedule.pass("11:00").jobs()).isEmpty();
    assertThat(schedule.open()).isEqualTo("none");
  }

  @Test
  void aDueFireThatNoCalendarExcludesIsStoredOnlyIfItIsTaken() {
    CollectingSchedule schedule =
        new CollectingSchedule(and(cronBut("0 0 * * * ?", "closed"), partitions("d", 1)))
            .excluding("closed", "09:00", "10:00");
    assertThat(schedule.reach("10:30").hasChanged()).isFalse();
    assertThat(schedule.reach("11:00").hasChanged()).isTrue();
    assertThat(schedule.open()).isEqualTo("1/1 0/1");
  }

  // ---- when it needs attention

  @Test
  void aNearTimeoutIsAnnouncedOnceAndADistantOneIsNot() {
    CollectingSchedule near =
        new CollectingSchedule(partitions("d", 3), timeout("PT10M", "discard"));
    Collected first = near.pass("10:10", event("one", "d", 1));
    assertThat(first.announced()).isEqualTo(new Plan(at("10:20"), true));
    assertThat(first.after().wakeup()).isEqualTo(first.announced());
    assertThat(near.pass("10:11", event("two", "d", 1)).announced()).isNull();

    CollectingSchedule far = new CollectingSchedule(partitions("d", 3), timeout("PT1H", "discard"));
    Collected pass = far.pass("10:10", event("one", "d", 1));
    assertThat(pass.announced()).isNull();
    assertThat(pass.after().wakeup()).isEqualTo(new Plan(at("11:10"), false));
    // The attention index has it already, so it needs no message once it is near.
    assertThat(far.pass("11:00").announced()).isNull();
    assertThat(far.stored.wakeup()).isEqualTo(new Plan(at("11:10"), false));
    Collected satisfied = far.pass("11:01", event("two", "d", 2));
    assertThat(satisfied.after().wakeup()).isNull();
    assertThat(satisfied.announced()).isNull();
  }

  @Test
  void anActivationThatDiscardsJobsClearsTheAttention() {
    CollectingSchedule schedule = new CollectingSchedule(since("d", "PT1H"));
    schedule.pass("10:30", event("one", "d", 1));
    assertThat(schedule.stored.wakeup().at()).isEqualTo(at("11:30"));
    schedule.pausedFrom("10:40", "10:50", SuspendMode.DISCARD);
    assertThat(schedule.pass("10:50").after().wakeup().at()).isEqualTo(at("11:50"));
  }

  @Test
  void jobsOfAPassHaveItsActivationAndProgram() {
    CollectingSchedule schedule = new CollectingSchedule(partitions("d", 1), "\"program\": \"p\"");
    Job job = schedule.pass("10:10", events(1)).jobs().get(0);
    assertThat(job.activation()).isEqualTo(schedule.head.activation());
    assertThat(job.program()).isEqualTo("p");
    assertThat(job.triggeredAt()).isEqualTo(at("10:10"));
    assertThat(job.id().generation()).isEqualTo(schedule.head.generation());
    assertThat(schedule.stored.generation()).isEqualTo(schedule.head.generation());
    Instant opened = job.transitions().get(0).at();
    assertThat(opened).isEqualTo(at("10:10"));
  }
}
