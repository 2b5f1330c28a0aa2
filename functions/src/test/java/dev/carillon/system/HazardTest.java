package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.checker.CheckProcessor;
import dev.carillon.collect.Collector;
import dev.carillon.document.Json;
import dev.carillon.fires.Expander;
import dev.carillon.gate.Slot;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.job.TriggerState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.LeafCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hazards between two functions, each set up step by step. */
class HazardTest {

  private static final Instant FIRE = Instant.parse("2026-03-01T10:01:00Z");
  private static final String WORK = "arn:aws:sqs:us-east-1:000000000000:work";

  private final World world = new World("2026-03-01T10:00:00Z");

  private long activation(ScheduleId id) {
    return world.schedules.find(id).orElseThrow().head().activation();
  }

  private Job launchingElsewhere(ScheduleId id, Instant since) {
    Job job =
        NewJob.launchingFire(
            JobId.ofFire(id, 1, FIRE),
            activation(id),
            id.name(),
            since,
            since.plus(CheckProcessor.LEASE));
    world.jobs.insert(List.of(job));
    return job;
  }

  @Test
  void aJobThatAnotherCheckerLeasesIsUntouchedUntilTheLeaseEnds() {
    ScheduleId id = world.put("held", active(at(FIRE.toString())));
    world.runUntil("2026-03-01T10:00:59Z");
    launchingElsewhere(id, world.now());
    world.runUntil("2026-03-01T10:01:13Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-01T10:01:15Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void aFireThatIsDueByAnotherClockWaitsForThisClock() {
    ScheduleId id = world.put("mixed", active(or(cron("0 30 * * * ?"), partition("d", 1))));
    Job job =
        NewJob.triggered(
            JobId.ofEvents(id, 1, FIRE, 1),
            activation(id),
            "mixed",
            FIRE,
            FIRE,
            world.now(),
            new TriggerState(
                List.of(new LeafCount(1, 1, FIRE), new LeafCount(1, 0, null)), List.of(), 0),
            null);
    world.jobs.insert(List.of(job));
    world.checkQueue.send(List.of(new Check(world.now(), List.of(job.id()))), world.now());
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.arrivals.get(0).at()).isEqualTo(FIRE);
  }

  @Test
  void aDueFireIsCountedEvenIfTheClockStepsBack() {
    ScheduleId id = world.put("both", active(and(cron("0 1 10 * * ?"), partition("d", 1))));
    world.runUntil("2026-03-01T10:00:40Z");
    Head head = world.schedules.find(id).orElseThrow().head();
    Compiled compiled =
        new CompiledSchedules(world.schedules, world.calendars, world.parser)
            .of(List.of(head))
            .get(id);
    new Collector(world.jobs, world.checkQueue, world.updates, world::now)
        .advance(compiled, head, FIRE);
    OpenJob open = world.jobs.collectingJob(id, world.now()).orElseThrow().collectingJob().open();
    assertThat(open.triggerState().leaves().get(0).fire()).isEqualTo(FIRE);
  }

  @Test
  void aCollectedFireIsNotCollectedAgainIfTheSuspendingClockIsSlow() {
    ScheduleId id = world.put("mixed", active(or(cron("0 1 10 * * ?"), partition("d", 1))));
    world.runUntil("2026-03-01T10:01:01Z");
    assertThat(world.arrivals).hasSize(1);
    world.setClock("2026-03-01T10:00:59Z");
    world.suspend(id);
    world.resume(id);
    world.runUntil("2026-03-01T10:03:00Z");
    assertThat(world.arrivals).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptedLaunchIsFoundEvenIfItsMessageWasHandledBefore(boolean isDeleted) {
    ScheduleId id = world.put("straggler", active(cron("0 1 10 * * ?")));
    long before = activation(id);
    world.runUntil("2026-03-01T10:00:59Z");
    if (isDeleted) {
      world.delete(id);
    } else {
      world.suspend(id);
    }
    world.runUntil("2026-03-01T10:01:01Z");
    JobId job = JobId.ofFire(id, 1, FIRE);
    Instant leaseEnd = world.now().plus(CheckProcessor.LEASE);
    world.jobs.insert(List.of(NewJob.launchingFire(job, before, id.name(), world.now(), leaseEnd)));
    world.runUntil("2026-03-01T10:03:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(world.job(job).state()).isEqualTo(JobState.CANCELLED);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void scheduledForIsNotBeforeACountedFire() {
    world.put("both", active(and(cron("0 1 10 * * ?"), partition("d", 1))));
    world.runUntil("2026-03-01T10:01:01Z");
    world.setClock("2026-03-01T10:00:58Z");
    world.partitions("d", 1);
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.arrivals.get(0).at()).isAfterOrEqualTo(FIRE);
    assertThat(world.jobs.all().get(0).scheduledFor()).isAfterOrEqualTo(FIRE);
  }

  @ParameterizedTest
  @EnumSource(SuspendMode.class)
  void aSuspensionEndsEvenIfTheClockStepsBackBeforeItsCheck(SuspendMode mode) {
    ScheduleId id = world.put("paused", active(cron("0 * * * * ?")));
    Instant until = Instant.parse("2026-03-01T10:20:30.500Z");
    world.keep(id, mode, until);
    AtomicBoolean isSteppedBack = new AtomicBoolean();
    world.faults.around(
        () -> {
          if (!world.now().isBefore(until) && !isSteppedBack.getAndSet(true)) {
            world.setClock("2026-03-01T10:20:29Z");
          }
        },
        () -> {});
    world.runUntil("2026-03-01T10:40:30Z");
    assertThat(isSteppedBack).isTrue();
    assertThat(
            world.arrivals.stream().filter(arrival -> arrival.at().isAfter(until.plusSeconds(20))))
        .hasSize(20);
  }

  @Test
  void aMessageIsAcknowledgedWhenTheOtherCheckerFinishesMeanwhile() {
    ScheduleId id = world.put("held", active(at(FIRE.toString())));
    world.runUntil("2026-03-01T10:00:59Z");
    Job held = launchingElsewhere(id, world.now());
    world.runUntil("2026-03-01T10:01:05Z");
    world.jobs.update(List.of(new Update(held, held.sent(world.now(), null))));
    world.runUntil("2026-03-01T10:03:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void interruptedLaunchOfAnOldDefinitionIsNeverSent() {
    ScheduleId id = world.put("old", active(cron("0 1 10 * * ?")));
    world.runUntil("2026-03-01T10:00:59Z");
    Job held = launchingElsewhere(id, world.now());
    world.put("old", active(cron("0 30 10 * * ?")));
    world.runUntil("2026-03-01T10:05:00Z");
    assertThat(world.arrivals).isEmpty();
    Job ended = world.job(held.id());
    assertThat(ended.state()).isEqualTo(JobState.CANCELLED);
    assertThat(ended.transitions().get(1).reasonText()).contains("changed", "may have been sent");
  }

  @Test
  void movingAStaleTimerDoesNotOverwriteTheNewActivations() {
    ScheduleId id = world.put("moved", active(cron("0 30 * * * ?")));
    Timer old = world.timers.all().get(0);
    world.put("moved", active(cron("0 30 * * * ?"), "\"priority\": 1"));
    world.timers.put(List.of(old));
    assertThat(world.timers.all()).hasSize(2);
    world.runUntil("2026-03-01T10:31:00Z");
    assertThat(world.requestsByJob().keySet())
        .containsExactly(JobId.ofFire(id, 2, Instant.parse("2026-03-01T10:30:00Z")));
    assertThat(world.timers.all()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 5", "5, 1", "4, 3", "2, 16"})
  void shardsAreRaisedAndLoweredWhileFiresWaitsAndGatesAreInFlight(int before, int after) {
    String one = "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    String late = "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT90M\"}]";
    world.configureShards(before);
    world.finishRunsAfter(Duration.ofMinutes(10));
    List<ScheduleId> manual = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      world.put("hourly-" + number, active(cron("0 30 * * * ?")));
      manual.add(world.put("by-hand-" + number, active("{\"type\": \"manual\"}")));
      world.put("gated-" + number, active(partition("gated", 1), one));
      world.put("late-" + number, active(partition("late", 1), late));
      world.put("collecting-" + number, active(partition("half", 2)));
    }
    world.runUntil("2026-03-01T10:01:30Z");
    manual.forEach(id -> world.triggered(id, world.now(), Json.object()));
    List.of("gated", "late", "half").forEach(dataset -> world.partitions(dataset, 1));
    world.runFor(Duration.ofSeconds(20));

    world.configureShards(after);
    world.runFor(Duration.ofMinutes(2));
    Shards most = new Shards(Math.max(before, after), Math.max(before, after));
    assertThat(world.status.shards().orElseThrow().read()).isEqualTo(most);
    world.partitions("half", 1);
    world.runUntil("2026-03-01T13:00:00Z");

    assertThat(world.requestsByJob()).hasSize(8 * 3 + 4 * 8);
    assertThat(world.requestsByJob().values()).containsOnly(1L);
    assertThat(world.timers.all()).hasSize(8);
    assertThat(world.status.shards().orElseThrow().read()).isEqualTo(new Shards(after, after));
    world.runUntil("2026-03-01T15:00:00Z");
    assertThat(world.requestsByJob()).hasSize(8 * 5 + 4 * 8);
  }

  @Test
  void aJobThatWaitsInAFormerShardIsFoundThereUntilItLaunches() {
    world.configureShards(16);
    for (int number = 0; number < 8; number++) {
      world.put(
          "late-" + number,
          active(
              partition("late", 1),
              "\"constraints\": [{\"type\": \"delay\", \"duration\": \"P2D\"}]"));
    }
    world.partitions("late", 1);
    world.runFor(Duration.ofSeconds(20));
    world.configureShards(1);
    world.runUntil("2026-03-02T10:00:00Z");
    assertThat(world.status.shards().orElseThrow().read().attention()).isGreaterThan(1);
    assertThat(world.status.shards().orElseThrow().read().timers()).isEqualTo(1);

    world.runUntil("2026-03-03T10:00:30Z");
    assertThat(world.arrivals).hasSize(8);
    world.runUntil("2026-03-03T10:05:00Z");
    assertThat(world.status.shards().orElseThrow().read()).isEqualTo(new Shards(1, 1));
  }

  @Test
  void itemsThatAnEarlierVersionWritesLongAfterTheNumberWasLoweredAreFoundWithinADay() {
    world.configureShards(16);
    world.runUntil("2026-03-01T10:02:00Z");
    world.configureShards(1);
    world.runUntil("2026-03-01T12:00:00Z");
    assertThat(world.status.shards().orElseThrow().read()).isEqualTo(new Shards(1, 1));
    world.configureShards(16);
    for (int number = 0; number < 8; number++) {
      world.put(
          "late-" + number,
          active(
              partition("late", 1),
              "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT23H\"}]"));
    }
    world.partitions("late", 1);
    world.runFor(Duration.ofSeconds(10));
    world.configureShards(1);
    world.runUntil("2026-03-02T11:01:00Z");
    assertThat(world.arrivals).hasSize(8);
  }

  @Test
  void lateCheckOfASuspendedIntervalLaunchesNothing() {
    ScheduleId id = world.put("late", active(cron("0 1 * * * ?")));
    world.runUntil("2026-03-01T10:00:30Z");
    world.suspend(id);
    world.runUntil("2026-03-01T10:02:00Z");
    world.resume(id);
    world.checkQueue.send(
        List.of(new Check(FIRE, List.of(JobId.ofFire(id, 1, FIRE)))), world.now());
    world.runUntil("2026-03-01T10:30:00Z");
    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void aCheckThatArrivesTooEarlyIsSentAgainAndDoesNotFail() {
    ScheduleId id = world.put("early", active(cron("0 1 10 * * ?")));
    world.checkQueue.send(
        List.of(new Check(world.now(), List.of(JobId.ofFire(id, 1, FIRE)))), world.now());
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.arrivals.get(0).at()).isEqualTo(FIRE);
  }

  @Test
  void overlappingTicksAndRedeliveredMessagesLaunchOnce() {
    ScheduleId id = world.put("twice", active(cron("0/15 * * * * ?")));
    Timer timer = world.timers.all().get(0);
    Expander other = new Expander(world.timers, world.checkQueue, world::now);
    other.expand(List.of(timer.movedTo(Instant.parse("2026-03-01T10:00:15Z"))), world.now());
    other.expand(List.of(timer.movedTo(Instant.parse("2026-03-01T10:00:15Z"))), world.now());
    world.runUntil("2026-03-01T10:10:07Z");
    assertThat(world.requestsByJob()).hasSize(40);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
    assertThat(id.name()).isEqualTo("twice");
  }

  @Test
  void aSuspectMessageIsSplitAndAJobThatFailsAloneIsSetAsideWithAReason() {
    ScheduleId id = world.put("poison", active(cron("0 1 10 * * ?")));
    JobId poison = JobId.ofFire(id, 1, FIRE);
    world.failChecksOf(poison);
    List<JobId> others =
        IntStream.range(0, 3)
            .mapToObj(i -> world.put("healthy" + i, active(cron("0 1 10 * * ?"))))
            .map(healthy -> JobId.ofFire(healthy, 1, FIRE))
            .toList();
    world.runUntil("2026-03-01T10:20:00Z");
    assertThat(world.requestsByJob().keySet()).containsAll(others);
    Job aside = world.job(poison);
    assertThat(aside.state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    assertThat(aside.transitions().get(1).reasonText()).contains("failed 5 times");
    world.failChecksOf(null);
    world.runUntil("2026-03-01T10:30:00Z");
    assertThat(world.requestsByJob()).containsKey(poison);
  }

  @Test
  void aJobThatWasSetAsideIsCheckedAgainAfterItsBackoff() {
    ScheduleId id = world.put("poison", active(cron("0 1 10 * * ?")));
    world.failChecksOf(JobId.ofFire(id, 1, FIRE));
    world.runUntil("2026-03-01T10:04:59Z");
    world.failChecksOf(null);
    world.runUntil("2026-03-01T10:05:00Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-01T10:05:01Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void aSuspectMessageIsNotDroppedWhileAnotherCheckerLeasesItsJob() {
    ScheduleId id = world.put("held", active(at(FIRE.toString())));
    for (String receipt : List.of("10:01:00", "10:02:00", "10:03:00", "10:04:00")) {
      world.sleepUntil("2026-03-01T" + receipt + "Z");
      assertThat(world.checkQueue.receive(world.now(), 10)).hasSize(1);
    }
    launchingElsewhere(id, Instant.parse("2026-03-01T10:04:55Z"));
    world.sleepUntil("2026-03-01T10:05:00Z");
    world.runUntil("2026-03-01T10:05:09Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-01T10:05:11Z");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void aRunningJobIsNotSentAgainForASuspectMessage() {
    String one = "\"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    ScheduleId id = world.put("limited", active(cron("0 1 10 * * ?"), one));
    JobId job = JobId.ofFire(id, 1, FIRE);
    world.runUntil("2026-03-01T10:01:30Z");
    assertThat(world.job(job).state()).isEqualTo(JobState.ENQUEUED);
    world.checkReceivedOften(job);
    world.runUntil("2026-03-01T10:10:00Z");
    assertThat(world.job(job).state()).isEqualTo(JobState.ENQUEUED);
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aRequestThatCanNeverBeSentFailsAlone() {
    world.put(
        "empty",
        active(cron("0 1 10 * * ?"))
            .replace("{\"at\": \"${scheduledFor}\", \"job\": \"${jobId}\"}", "\"${customer}\""));
    world.put("whole", active(cron("0 1 10 * * ?")));
    world.runUntil("2026-03-01T10:02:00Z");
    assertThat(world.arrivals).hasSize(1);
    Job failed =
        world.jobs.all().stream()
            .filter(job -> job.state() == JobState.FAILED)
            .findAny()
            .orElseThrow();
    assertThat(failed.id().schedule().name()).isEqualTo("empty");
    assertThat(failed.transitions().get(1).reasonText()).contains("empty");
  }

  @Test
  void anEventThatOneScheduleCouldNotCountIsSentAgainForThatSchedule() {
    ScheduleId p = world.put("p", active(partition("d", 1)));
    world.put("q", active(partition("d", 1)));
    world.failSavesOf(p);
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    world.failSavesOf(null);
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.requestsByJob()).hasSize(2);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  @Test
  void anEventIsCountedOnceEvenIfItsRunCannotBeEndedWithinTheSeenWindow() {
    String one = "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    ScheduleId limited = world.put("limited", active(cron("0 1 10 1 3 ? 2026"), one));
    ScheduleId after =
        world.put(
            "after",
            active(
                "{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\":"
                    + " [\"SUCCEEDED\"]}"));
    world.runUntil("2026-03-01T10:01:30Z");
    JobId run = JobId.ofFire(limited, 1, FIRE);
    assertThat(world.job(run).state()).isEqualTo(JobState.ENQUEUED);
    world.faults.failAll("Gates.update");
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
            .formatted(run));
    world.runFor(Duration.ofMinutes(15));
    assertThat(slots("p")).hasSize(1);

    world.faults.heal();
    world.runFor(Duration.ofMinutes(2));
    assertThat(slots("p")).isEmpty();
    assertThat(world.requestsByJob().keySet().stream().filter(job -> job.schedule().equals(after)))
        .hasSize(1);
  }

  private List<Slot> slots(String program) {
    GateKey key = GateKey.ofProgram("default", program);
    return world.gates.find(List.of(key)).get(key).slots().inline();
  }

  @Test
  void refusalsBackOffUpToFiveMinutesAndKeepTheAttempt() {
    world.targets.refuse(WORK, "denied");
    ScheduleId id = world.put("refused", active(cron("0 1 10 1 3 ? 2026")));
    world.runUntil("2026-03-01T11:00:00Z");
    Job job = world.job(JobId.ofFire(id, 1, FIRE));
    List<Duration> pauses =
        IntStream.range(1, job.transitions().size())
            .mapToObj(
                i ->
                    Duration.between(
                        job.transitions().get(i - 1).at(), job.transitions().get(i).at()))
            .toList();
    assertThat(pauses.get(pauses.size() - 1)).isLessThanOrEqualTo(Duration.ofMinutes(5));
    assertThat(job.refusals()).isBetween(15, 22);
    world.targets.accept(WORK);
    world.runFor(Duration.ofMinutes(6));
    assertThat(world.arrivals.stream().map(World.Arrival::request).map(LaunchRequest::attempt))
        .containsExactly(1);
  }

  @Test
  void aSatisfiedJobWhoseMessageIsLostIsFoundByItsAttention() {
    world.put("p", active(partition("d", 1)));
    world.partitions("d", 1);
    world.loseChecks();
    world.runFor(Duration.ofSeconds(10));
    assertThat(world.arrivals).isEmpty();
    world.runFor(Duration.ofSeconds(80));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void eventsCountForASchedulesSuccessorEvenIfItsTombstoneHasExpired() {
    ScheduleId id = world.put("p", active(partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.suspend(id);
    world.resume(id);
    world.delete(id);
    world.remove(id);
    world.sleepUntil(world.now().plus(Duration.ofDays(100)).toString());
    world.runFor(Duration.ofHours(2));
    world.put("p", active(partition("d", 2)));
    world.partitions("d", 2);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
  }
}
