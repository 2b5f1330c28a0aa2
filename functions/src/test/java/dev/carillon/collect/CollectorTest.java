package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.ID;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.cron;
import static dev.carillon.collect.CollectingSchedule.event;
import static dev.carillon.collect.CollectingSchedule.hourly;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.sinceLaunch;
import static dev.carillon.collect.CollectingSchedule.timeout;
import static dev.carillon.collect.CollectingSchedule.whilePending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.collect.Collector.StaleHeadException;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.SuspendMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reads, writes and messages of the collector around a pass. */
class CollectorTest {

  private final MemoryJobs jobs = new MemoryJobs(1);
  private final MemoryCheckQueue checks = new MemoryCheckQueue();
  private final CollectingSchedule schedule = new CollectingSchedule(partitions("d", 2));
  private Instant now = at("10:10");
  private int lostRaces;

  private Collector collector() {
    return collector(jobs, checks);
  }

  private Collector collector(Jobs stored, CheckQueue queue) {
    OptimisticUpdate updates = new OptimisticUpdate(() -> lostRaces++, () -> {});
    return new Collector(stored, queue, updates, () -> now);
  }

  private List<Acceptance> collect(CollectingSchedule of, Event... events) {
    return collector().collect(of.compiled, of.head, List.of(events));
  }

  private CollectingJob stored() {
    return jobs.collectingJob(ID, now).orElseThrow().collectingJob();
  }

  /** The store for a caller that loses races: this many of its writes find another version. */
  private Jobs losing(int races) {
    int[] lost = new int[1];
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("save") && lost[0]++ < races) {
                return false;
              }
              try {
                return method.invoke(jobs, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  // ---- events

  @Test
  void aSatisfiedJobIsStoredAndSentToBeChecked() {
    assertThat(collect(schedule, event("one", "d", 1))).containsExactly(Acceptance.COUNTED);
    assertThat(checks.all()).isEmpty();
    now = at("10:20");
    collect(schedule, event("two", "d", 1));
    Job job = jobs.all().get(0);
    assertThat(job.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    assertThat(checks.all()).containsExactly(new Check(at("10:20"), List.of(job.id())));
    assertThat(stored().version()).isEqualTo(2);
    assertThat(lostRaces).isZero();
  }

  @Test
  void aJobThatIsMergedIntoOrSkippedIsNotSentAgain() {
    for (String policy : List.of("merge", "skip")) {
      CollectingSchedule waits = new CollectingSchedule(partitions("d", 2), whilePending(policy));
      MemoryJobs own = new MemoryJobs(1);
      MemoryCheckQueue sent = new MemoryCheckQueue();
      collector(own, sent).collect(waits.compiled, waits.head, List.of(event("one", "d", 2)));
      collector(own, sent).collect(waits.compiled, waits.head, List.of(event("two", "d", 2)));
      assertThat(own.all()).hasSize(policy.equals("merge") ? 1 : 2);
      assertThat(sent.all()).hasSize(1);
    }
  }

  @Test
  void nothingIsWrittenIfNothingHasChanged() {
    collect(schedule, event("one", "d", 1));
    CollectingJob before = stored();
    assertThat(collect(schedule, event("one", "d", 1))).containsExactly(Acceptance.DUPLICATE);
    assertThat(collect(schedule, event("two", "x", 1))).containsExactly(Acceptance.UNMATCHED);
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void aNearTimeoutIsSentAsACheckAtItsInstant() {
    CollectingSchedule impatient =
        new CollectingSchedule(partitions("d", 2), timeout("PT10M", "discard"));
    collect(impatient, event("one", "d", 1));
    assertThat(checks.all())
        .containsExactly(new Check(at("10:20"), List.of(new CollectingJobId(ID))));
  }

  @Test
  void eventsThatAreOneJobEachAreStoredFiftyAtATime() {
    CollectingSchedule each = new CollectingSchedule(partitions("d", 1));
    Event[] events = new Event[120];
    for (int i = 0; i < events.length; i++) {
      events[i] = event("e" + i, "d", 1);
    }
    assertThat(collect(each, events)).hasSize(120).containsOnly(Acceptance.COUNTED);
    assertThat(jobs.all()).hasSize(120);
    assertThat(stored().version()).isEqualTo(3);
  }

  @Test
  void nothingIsLostIfTheQueueAcceptsNoMessage() {
    CheckQueue broken =
        (wanted, instant) -> {
          throw new IllegalStateException("unavailable");
        };
    assertThat(
            collector(jobs, broken)
                .collect(schedule.compiled, schedule.head, List.of(event("one", "d", 2))))
        .containsExactly(Acceptance.COUNTED);
    assertThat(jobs.all()).hasSize(1);
  }

  @Test
  void aCallerWithAnOlderHeadMustReadItAgain() {
    Head early = schedule.head;
    schedule.pausedFrom("10:01", "10:02", SuspendMode.DRAIN);
    collect(schedule, event("one", "d", 1));
    List<Event> events = List.of(event("two", "d", 1));
    assertThatThrownBy(() -> collector().collect(schedule.compiled, early, events))
        .isInstanceOf(StaleHeadException.class);
    assertThat(collect(schedule, event("two", "d", 1))).containsExactly(Acceptance.COUNTED);
  }

  // ---- races

  @Test
  void aLostRaceIsRepeatedUntilThereAreTooMany() {
    List<Event> events = List.of(event("one", "d", 1));
    assertThat(collector(losing(49), checks).collect(schedule.compiled, schedule.head, events))
        .containsExactly(Acceptance.COUNTED);
    assertThatThrownBy(
            () ->
                collector(losing(50), checks)
                    .collect(schedule.compiled, schedule.head, List.of(event("two", "d", 1))))
        .isInstanceOf(ContentionException.class);
    assertThat(checks.all()).isEmpty();
  }

  @Test
  void tooManyLostRacesFailAHandingOnButNoDiscarding() {
    collect(schedule, event("one", "d", 1));
    schedule.suspendedAt("10:15", SuspendMode.DRAIN);
    long before = stored().activation();
    assertThatThrownBy(() -> collector(losing(50), checks).handOn(schedule.compiled, schedule.head))
        .isInstanceOf(ContentionException.class);
    assertThat(stored().activation()).isEqualTo(before);
    schedule.suspendedAt("10:16", SuspendMode.DISCARD);
    assertThat(collector(losing(50), checks).discard(schedule.head)).isEmpty();
    assertThat(stored().open()).isNotNull();
  }

  // ---- fires

  @Test
  void aDueFireIsAppliedEvenIfTheClockHasSteppedBack() {
    CollectingSchedule fires = new CollectingSchedule(or(hourly(), partitions("d", 2)));
    now = at("10:59:59");
    collector().advance(fires.compiled, fires.head, at("11:00"));
    assertThat(jobs.all()).extracting(Job::scheduledFor).containsExactly(at("11:00"));
    assertThat(checks.all().get(0).due()).isEqualTo(at("11:00"));
  }

  @Test
  void veryManyFiresAreLeftToAnotherMessage() {
    CollectingSchedule fires = new CollectingSchedule(or(cron("* * * * * ?"), partitions("d", 2)));
    now = at("10:13:00");
    collector().advance(fires.compiled, fires.head, now);
    assertThat(jobs.all()).hasSize(15 * 50);
    List<Check> sent = checks.all();
    assertThat(sent.get(sent.size() - 1))
        .isEqualTo(new Check(now, List.of(new CollectingJobId(ID))));
    assertThatThrownBy(
            () -> {
              now = at("10:40:00");
              collect(fires, event("one", "d", 1));
            })
        .hasMessageContaining("must be received again");
  }

  /** A job waits, and takes each further fire. */
  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void veryManyFiresThatOpenNoJobAreLeftToAnotherMessage(String whilePending) {
    CollectingSchedule fires =
        new CollectingSchedule(
            or(cron("* * * * * ?"), partitions("d", 2)), whilePending(whilePending));
    now = at("10:40:00");
    collector().advance(fires.compiled, fires.head, now);
    assertThat(stored().advancedTo()).isBetween(at("10:05:00"), at("10:13:00"));
    List<Check> sent = checks.all();
    assertThat(sent.get(sent.size() - 1))
        .isEqualTo(new Check(now, List.of(new CollectingJobId(ID))));
  }

  @Test
  void aFireThatAUserSkippedIsNotApplied() {
    CollectingSchedule fires = new CollectingSchedule(or(hourly(), partitions("d", 2)));
    JobId fire = JobId.ofFire(ID, fires.head.generation(), at("11:00"));
    Reason reason = Reason.of(ReasonCode.LAUNCHED_BY_HAND);
    jobs.insert(
        List.of(
            NewJob.endedBeforeLaunch(
                fire, 1, "report", JobState.SKIPPED, null, at("10:30"), reason)));
    now = at("12:00");
    collector().advance(fires.compiled, fires.head, now);
    assertThat(jobs.all())
        .filteredOn(job -> !job.isEnded())
        .extracting(Job::scheduledFor)
        .containsExactly(at("12:00"));
  }

  @Test
  void timeSinceTheLastLaunchCountsFromTheNewestManualLaunch() {
    CollectingSchedule elapsing = new CollectingSchedule(sinceLaunch("PT4H"));
    for (String time : List.of("11:00", "12:00", "11:30")) {
      JobId id = JobId.ofLaunchNow(ID, elapsing.head.generation(), at(time), "a");
      jobs.insert(List.of(NewJob.launchedNow(id, 1, "report", at(time), Json.object())));
    }
    JobId another = JobId.ofFire(ID, elapsing.head.generation(), at("13:00"));
    jobs.insert(List.of(NewJob.waitingFire(another, 1, "report", at("13:00"))));
    now = at("14:00");
    collector().advance(elapsing.compiled, elapsing.head, now);
    assertThat(jobs.all()).hasSize(4);
    assertThat(stored().wakeup().at()).isEqualTo(at("16:00"));
  }

  @Test
  void timeSinceTheLastLaunchCountsFromAManualLaunchAlthoughManyFiresToComeAreSkipped() {
    CollectingSchedule elapsing = new CollectingSchedule(sinceLaunch("PT4H"));
    long generation = elapsing.head.generation();
    JobId launch = JobId.ofLaunchNow(ID, generation, at("12:00"), "a");
    jobs.insert(List.of(NewJob.launchedNow(launch, 1, "report", at("12:00"), Json.object())));
    Reason reason = Reason.of(ReasonCode.LAUNCHED_BY_HAND);
    for (int hours = 1; hours <= 20; hours++) {
      JobId fire = JobId.ofFire(ID, generation, at("14:00").plus(Duration.ofHours(hours)));
      jobs.insert(
          List.of(
              NewJob.endedBeforeLaunch(
                  fire, 1, "report", JobState.SKIPPED, null, at("12:00"), reason)));
    }
    now = at("14:00");
    collector().advance(elapsing.compiled, elapsing.head, now);
    assertThat(stored().wakeup().at()).isEqualTo(at("16:00"));
  }

  // ---- fires that are one job each

  @Test
  void eachFireIsTakenOnceByAnyNumberOfCallers() {
    CollectingSchedule plain = new CollectingSchedule(hourly(), whilePending("merge"));
    List<JobId> fires =
        List.of("13:00", "11:00", "12:00").stream()
            .map(time -> JobId.ofFire(ID, plain.head.generation(), at(time)))
            .toList();
    now = at("12:30");
    List<Job> rows = collector().mergeOrSkip(plain.compiled, plain.head, fires);
    assertThat(rows).hasSize(3);
    assertThat(
            jobs.find(fires.subList(1, 2))
                .get(fires.get(1))
                .triggerState()
                .leaves()
                .get(0)
                .actual())
        .isEqualTo(3);
    assertThat(stored().latest()).isEqualTo(fires.get(1));
    CollectingJob before = stored();
    assertThat(collector().mergeOrSkip(plain.compiled, plain.head, fires))
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(stored()).isEqualTo(before);
    assertThat(lostRaces).isZero();
  }

  @Test
  void aFireThatAnotherCallerHasJustTakenIsNotMergedIntoItself() {
    CollectingSchedule plain = new CollectingSchedule(hourly(), whilePending("merge"));
    List<JobId> fires =
        List.of(
            JobId.ofFire(ID, plain.head.generation(), at("11:00")),
            JobId.ofFire(ID, plain.head.generation(), at("12:00")));
    now = at("12:00");
    collector().mergeOrSkip(plain.compiled, plain.head, fires.subList(0, 1));
    List<Job> rows =
        collector(readingNothingAtFirst(), checks).mergeOrSkip(plain.compiled, plain.head, fires);
    assertThat(lostRaces).isEqualTo(1);
    assertThat(rows)
        .filteredOn(job -> !job.isEnded())
        .extracting(job -> job.triggerState().leaves().get(0).actual())
        .containsExactly(2L);
  }

  /** The store for a caller that read the jobs before another caller stored them. */
  private Jobs readingNothingAtFirst() {
    int[] reads = new int[1];
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (proxy, method, arguments) ->
                method.getName().equals("find") && reads[0]++ == 0
                    ? Map.of()
                    : method.invoke(jobs, arguments));
  }

  @Test
  void aFireIsSkippedForAWaitingJob() {
    CollectingSchedule plain = new CollectingSchedule(hourly(), whilePending("skip"));
    JobId first = JobId.ofFire(ID, plain.head.generation(), at("11:00"));
    JobId second = JobId.ofFire(ID, plain.head.generation(), at("12:00"));
    now = at("11:00");
    collector().mergeOrSkip(plain.compiled, plain.head, List.of(first));
    now = at("12:00");
    assertThat(collector().mergeOrSkip(plain.compiled, plain.head, List.of(second)))
        .extracting(Job::state)
        .containsExactly(JobState.SKIPPED);
  }

  @Test
  void aJobThatNoLongerWaitsTakesNoMoreFires() {
    CollectingSchedule plain = new CollectingSchedule(hourly(), whilePending("skip"));
    JobId first = JobId.ofFire(ID, plain.head.generation(), at("11:00"));
    JobId second = JobId.ofFire(ID, plain.head.generation(), at("12:00"));
    now = at("11:00");
    Job waiting = collector().mergeOrSkip(plain.compiled, plain.head, List.of(first)).get(0);
    jobs.update(List.of(new Jobs.Update(waiting, waiting.launching(now, at("11:01")))));
    now = at("12:00");
    assertThat(collector().mergeOrSkip(plain.compiled, plain.head, List.of(second)))
        .extracting(Job::state)
        .containsExactly(JobState.PENDING_CONSTRAINT);
  }

  @Test
  void aJobThatIsNoLongerWantedTakesNoFires() {
    CollectingSchedule plain = new CollectingSchedule(hourly(), whilePending("skip"));
    JobId first = JobId.ofFire(ID, plain.head.generation(), at("11:00"));
    JobId second = JobId.ofFire(ID, plain.head.generation(), at("13:00"));
    now = at("11:00");
    collector().mergeOrSkip(plain.compiled, plain.head, List.of(first));
    plain.pausedFrom("11:30", "12:30", SuspendMode.DISCARD);
    now = at("13:00");
    assertThat(collector().mergeOrSkip(plain.compiled, plain.head, List.of(second)))
        .extracting(Job::state)
        .containsExactly(JobState.PENDING_CONSTRAINT);
  }

  @Test
  void moreFiresThanOneWriteTakesAreTakenByAnotherWrite() {
    CollectingSchedule plain = new CollectingSchedule(cron("0 * * * * ?"), whilePending("skip"));
    List<JobId> fires = new ArrayList<>();
    for (int minute = 1; minute < 60; minute++) {
      fires.add(JobId.ofFire(ID, plain.head.generation(), at("10:%02d".formatted(minute))));
    }
    now = at("11:00");
    assertThat(collector().mergeOrSkip(plain.compiled, plain.head, fires)).hasSize(59);
    assertThat(stored().version()).isEqualTo(2);
  }

  // ---- changes of the schedule

  @Test
  void theCollectingJobIsHandedOn() {
    collect(schedule, event("one", "d", 1));
    schedule.suspendedAt("10:15", SuspendMode.DRAIN);
    now = at("10:15");
    collector().handOn(schedule.compiled, schedule.head);
    assertThat(stored().activation()).isEqualTo(schedule.head.activation());
    assertThat(stored().open()).isNotNull();
    assertThat(lostRaces).isZero();
  }

  @Test
  void discardingCancelsTheOpenJobOnce() {
    collect(schedule, event("one", "d", 1));
    assertThat(collector().discard(schedule.head)).isEqualTo(OptionalInt.of(0));
    schedule.suspendedAt("10:15", SuspendMode.DISCARD);
    now = at("10:15");
    assertThat(collector().discard(schedule.head)).isEqualTo(OptionalInt.of(1));
    assertThat(stored().open()).isNull();
    assertThat(jobs.all()).extracting(Job::state).containsExactly(JobState.CANCELLED);
    assertThat(collector().discard(schedule.head)).isEqualTo(OptionalInt.of(0));
    assertThat(stored().version()).isEqualTo(2);
  }

  @Test
  void discardingClearsAnElapsingPeriodEvenIfNoJobIsOpen() {
    CollectingSchedule elapsing = new CollectingSchedule(sinceLaunch("PT4H"));
    now = at("14:00");
    collector().advance(elapsing.compiled, elapsing.head, now);
    assertThat(stored().wakeup()).isNotNull();
    elapsing.suspendedAt("14:10", SuspendMode.DISCARD);
    assertThat(collector().discard(elapsing.head)).isEqualTo(OptionalInt.of(0));
    assertThat(stored().wakeup()).isNull();
  }

  @Test
  void ifNothingWasCountedNothingIsDiscarded() {
    assertThat(collector().discard(schedule.head)).isEqualTo(OptionalInt.of(0));
    assertThat(jobs.collectingJob(ID, now)).isEmpty();
  }

  @Test
  void aDiscardIsAnnouncedForWhenTheChangeHasSettled() {
    schedule.suspendedAt("10:15", SuspendMode.DISCARD);
    collector().announceDiscard(schedule.head);
    Instant settled = schedule.head.settledAt();
    assertThat(checks.all()).containsExactly(new Check(settled, List.of(new CollectingJobId(ID))));
  }

  /** A request that is repeated after a crash has nothing to change, and drops nothing. */
  @Test
  void anAnnouncedDiscardReplacesCountsThatCannotBeRead() {
    List<CollectingJob> replacing = new ArrayList<>();
    Jobs damaged =
        (Jobs)
            Proxy.newProxyInstance(
                Jobs.class.getClassLoader(),
                new Class<?>[] {Jobs.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("overwrite")) {
                    return replacing.add((CollectingJob) arguments[0]);
                  }
                  assertThat(method.getName()).isEqualTo("collectingJob");
                  throw new UnreadableItems(
                      Set.of(new CollectingJobId(ID)), new IllegalStateException("damaged"));
                });
    collector(damaged, checks).announceDiscard(schedule.head);
    assertThat(replacing).extracting(CollectingJob::activation).containsExactly(0L);
  }
}
