package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Transition;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that pass gates, wait at them, and free their slots. */
class GateTest {

  private final World world = new World("2026-03-01T10:00:30Z", room());
  private int events;

  private static String constraints(String... constraints) {
    return "\"program\": \"p\", \"constraints\": [%s]".formatted(String.join(", ", constraints));
  }

  private static String concurrency(int max) {
    return "{\"type\": \"concurrency\", \"max\": %d}".formatted(max);
  }

  private static String skipping(int max) {
    return "{\"type\": \"concurrency\", \"max\": %d, \"onUnmet\": \"skip\"}".formatted(max);
  }

  private static String group(int max, String group) {
    return "{\"type\": \"concurrency\", \"max\": %d, \"group\": \"%s\"}".formatted(max, group);
  }

  private static String rate(int max, String per) {
    return "{\"type\": \"rate\", \"max\": %d, \"per\": \"%s\"}".formatted(max, per);
  }

  private static String sinceLastRun(String duration) {
    return "{\"type\": \"sinceLastRun\", \"duration\": \"%s\"}".formatted(duration);
  }

  private static final String DELAY = "{\"type\": \"delay\", \"duration\": \"PT1M\"}";

  /** A schedule that data triggers; each partition is one job. */
  private ScheduleId onData(String name, String more) {
    return world.put(name, active(partition(name, 1), more));
  }

  private void data(String name) {
    world.partitions(name, 1);
    world.runFor(Duration.ofSeconds(1));
  }

  private void end(String program, String status) {
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"%s\"}}"
            .formatted(program, status));
    world.runFor(Duration.ofSeconds(1));
  }

  private void end(JobId job, String status) {
    world.event("end-" + ++events, ended(job, status));
    world.runFor(Duration.ofSeconds(1));
  }

  private String ended(JobId job, String status) {
    return "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"%s\", \"status\": \"%s\", \"runId\": \"%s\"}}"
        .formatted(world.job(job).program(), status, job);
  }

  private int launches() {
    return world.arrivals.size();
  }

  private JobId launched(int number) {
    return world.arrivals.get(number).request().job();
  }

  /** Determines how many slots a gate's item takes. */
  Slots room() {
    return Slots.NONE;
  }

  private Gate gate() {
    return world.gates.find(List.of(PROGRAM)).get(PROGRAM);
  }

  /** The slots of the program, wherever they are stored. */
  private List<Slot> slots() {
    return world.gates.slots(gate());
  }

  private static final GateKey PROGRAM = GateKey.ofProgram("default", "p");

  private static final String WORK = "arn:aws:sqs:us-east-1:000000000000:work";

  /** A checker that postpones its next check can crash before it sends a check of the gate. */
  @Test
  void aSlotIsGivenEvenIfTheWaitingJobChangesMeanwhile() {
    ScheduleId id = onData("a", constraints(concurrency(1)));
    data("a");
    data("a");
    AtomicBoolean isChanged = new AtomicBoolean();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          boolean hasReadWaiter =
              calls.contains("Gates.waiters") && calls.get(calls.size() - 1).equals("Jobs.find");
          if (hasReadWaiter && !isChanged.getAndSet(true)) {
            Job waiter =
                world
                    .jobs
                    .ofSchedule(id, Set.of(JobState.PENDING_CONSTRAINT), 1, null)
                    .items()
                    .get(0);
            Instant later = world.now().plus(Duration.ofDays(1));
            world.jobs.update(List.of(new Update(waiter, waiter.waitingOn(later))));
          }
        });
    end(launched(0), "SUCCEEDED");

    assertThat(isChanged).isTrue();
    assertThat(launches()).isEqualTo(2);
  }

  /** Its checker crashes, and the message about the gate no longer finds the job. */
  @Test
  void aWaitingJobLaunchesDespiteACheckThatMissedTheResumption() {
    ScheduleId id = onData("a", constraints(concurrency(1)));
    data("a");
    data("a");
    world.keep(id, SuspendMode.HOLD, null);
    world.runFor(Duration.ofMinutes(2));
    AtomicBoolean isResumed = new AtomicBoolean();
    AtomicBoolean isKilled = new AtomicBoolean();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          String last = calls.get(calls.size() - 1);
          boolean hasRead = calls.contains("Gates.waiters") && last.equals("Jobs.find");
          if (hasRead && !isResumed.getAndSet(true)) {
            world.resume(id);
            world.settle();
          } else if (isResumed.get() && last.equals("Gates.commit") && !isKilled.getAndSet(true)) {
            throw new Faults.Killed();
          }
        });
    end(launched(0), "SUCCEEDED");
    world.runFor(Duration.ofMinutes(10));

    assertThat(isKilled).isTrue();
    assertThat(launches()).isEqualTo(2);
  }

  /** Case 7; the second run belongs to another schedule without the constraint. */
  @Test
  void concurrencyLimitsTheUnfinishedJobs() {
    onData("a", constraints(concurrency(2)));
    onData("b", "\"program\": \"p\"");
    data("a");
    data("b");
    assertThat(launches()).isEqualTo(2);
    data("a");
    assertThat(launches()).isEqualTo(2);
    assertThat(gate().waiters()).isEqualTo(1);

    data("b");
    assertThat(launches()).as("one without the constraint is not held back").isEqualTo(3);
    end(launched(0), "SUCCEEDED");
    assertThat(launches()).isEqualTo(3);
    end(launched(1), "FAILED");
    assertThat(launches()).isEqualTo(4);
    assertThat(gate().waiters()).isZero();
    assertThat(gate().wakeAt()).isNull();
    assertThat(slots()).extracting(Slot::job).containsExactly(launched(2), launched(3));
  }

  /** Case 14. */
  @Test
  void dataThatArrivesDuringARunWaitsForItsEnd() {
    onData("a", constraints(concurrency(1)));
    data("a");
    for (int i = 0; i < 5; i++) {
      data("a");
    }
    assertThat(launches()).isEqualTo(1);
    end("p", "SUCCEEDED");
    assertThat(launches()).isEqualTo(2);
    world.runFor(Duration.ofHours(2));
    assertThat(launches()).isEqualTo(2);
  }

  @Test
  void jobThatHoldsASlotIsEnqueuedUntilItsEnd() {
    onData("a", constraints(concurrency(1)));
    data("a");
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.ENQUEUED);
    end("p", "FAILED");
    Job ended = world.job(launched(0));
    assertThat(ended.state()).isEqualTo(JobState.FAILED);
    assertThat(ended.lastReason()).contains("reported that its run FAILED");
    assertThat(ended.attentionAt()).isNull();
    assertThat(gate().slots().size()).isZero();
  }

  @Test
  void attemptWithoutAnEndFailsAfterADay() {
    onData("a", constraints(concurrency(1)));
    data("a");
    data("a");
    Instant launchedAt = world.arrivals.get(0).at();
    world.runUntil(launchedAt.plus(Duration.ofDays(1)).minusSeconds(1));
    assertThat(launches()).isEqualTo(1);
    world.runFor(Duration.ofSeconds(3));
    Job ended = world.job(launched(0));
    assertThat(ended.state()).isEqualTo(JobState.FAILED);
    assertThat(ended.lastReason()).startsWith("no end was reported");
    assertThat(launches()).isEqualTo(2);
  }

  @Test
  void aRepeatedReportEndsOneRun() {
    onData("a", constraints(concurrency(2)));
    data("a");
    data("a");
    String end =
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\"}}";
    world.event("once", end);
    world.runFor(Duration.ofSeconds(1));
    world.event("once", end);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.ENQUEUED);
    assertThat(slots()).extracting(Slot::job).containsExactly(launched(1));
  }

  /** The next report frees the slot of the job that the first one ended. */
  @Test
  void aReportThatCouldNotFreeTheSlotEndsNoOtherRunLater() {
    onData("a", constraints(concurrency(2)));
    data("a");
    data("a");
    world.faults.failAll("Gates.update");
    end("p", "SUCCEEDED");
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.SUCCEEDED);
    world.faults.heal();
    end("p", "FAILED");
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.FAILED);
    data("a");
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.job(launched(2)).state()).isEqualTo(JobState.ENQUEUED);
  }

  @Test
  void reportsOfOtherRunsAndProgramsEndNothing() {
    onData("a", constraints(concurrency(1)));
    data("a");
    end("q", "SUCCEEDED");
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\", \"runId\": \"another\"}}");
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"q\", \"status\": \"FAILED\", \"runId\": \"%s\"}}"
            .formatted(launched(0)));
    end("p", "STARTED");
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.ENQUEUED);
  }

  @Test
  void waitingJobsLaunchByPriorityThenByAge() {
    onData("a", constraints(concurrency(1)) + ", \"priority\": 5");
    onData("b", constraints(concurrency(1)) + ", \"priority\": 1");
    data("a");
    data("a");
    data("a");
    data("b");
    for (int i = 0; i < 3; i++) {
      end("p", "SUCCEEDED");
    }
    assertThat(launches()).isEqualTo(4);
    assertThat(launched(1).schedule().name()).isEqualTo("b");
    assertThat(List.of(launched(2), launched(3))).extracting(JobId::at).isSorted();
  }

  @Test
  void theReasonOfAWaitingJobIsInItsHistory() {
    onData("a", constraints(concurrency(1)));
    data("a");
    data("a");
    Job waiting =
        world.jobs.all().stream().filter(job -> job.waitsAt() != null).findFirst().orElseThrow();
    assertThat(waiting.transitions())
        .extracting(Transition::reasonText)
        .endsWith("program p is at its limit of unfinished jobs: 1 of at most 1");
  }

  @Test
  void aFullGateWithSkipEndsTheJob() {
    onData("a", constraints(skipping(1)));
    data("a");
    data("a");
    assertThat(world.jobs.all())
        .extracting(Job::state)
        .containsExactlyInAnyOrder(JobState.ENQUEUED, JobState.SKIPPED);
    assertThat(gate().waiters()).isZero();
    end("p", "SUCCEEDED");
    data("a");
    assertThat(launches()).isEqualTo(2);
  }

  @Test
  void aDelayedWaitingJobDoesNotDelayTheNext() {
    onData("a", constraints(concurrency(1)));
    world.put(
        "w",
        active(
            partition("w", 1),
            constraints(
                    concurrency(1),
                    "{\"type\": \"timeWindow\", \"from\": \"10:00\", \"to\": \"10:05\"}")
                + ", \"priority\": 0"));
    data("a");
    data("w");
    data("a");
    assertThat(gate().waiters()).isEqualTo(2);
    world.runUntil("2026-03-01T10:06:00Z");
    end("p", "SUCCEEDED");
    assertThat(launches()).isEqualTo(2);
    assertThat(launched(1).schedule().name()).isEqualTo("a");
    assertThat(gate().waiters()).isZero();
    end("p", "SUCCEEDED");
    world.runUntil("2026-03-02T10:00:01Z");
    assertThat(launches()).isEqualTo(3);
    assertThat(world.arrivals.get(2).at()).isEqualTo("2026-03-02T10:00:00Z");
  }

  @Test
  void groupCountsAllItsPrograms() {
    String ofGroup = "\"constraints\": [" + group(2, "db") + "]";
    onData("a", ofGroup);
    onData("b", ofGroup);
    onData("c", ofGroup);
    data("a");
    data("b");
    data("c");
    assertThat(launches()).isEqualTo(2);
    end("b", "SUCCEEDED");
    assertThat(launches()).isEqualTo(3);
    GateKey db = GateKey.ofGroup("default", "db");
    assertThat(world.gates.slots(world.gates.find(List.of(db)).get(db)))
        .extracting(slot -> slot.job().schedule().name())
        .containsExactly("a", "c");
  }

  @Test
  void rateHoldsInEveryInterval() {
    onData("a", constraints(rate(2, "PT1M")));
    for (int i = 0; i < 5; i++) {
      data("a");
    }
    world.runFor(Duration.ofMinutes(5));
    List<Instant> at = world.arrivals.stream().map(World.Arrival::at).toList();
    assertThat(at).hasSize(5);
    for (int i = 2; i < at.size(); i++) {
      assertThat(at.get(i)).isEqualTo(at.get(i - 2).plusSeconds(60));
    }
    assertThat(world.jobs.all()).allMatch(Job::isEnded);
    assertThat(gate().wakeAt()).isNull();
  }

  /** Case 6. */
  @Test
  void sinceLastRunCountsFromTheEndOfTheLastSuccessfulRun() {
    onData("a", constraints(sinceLastRun("PT1H")));
    onData("other", "\"program\": \"p\"");
    data("a");
    assertThat(launches()).as("no run").isEqualTo(1);
    world.runFor(Duration.ofHours(3));
    data("a");
    assertThat(launches()).as("running for three hours").isEqualTo(1);
    end("p", "SUCCEEDED");
    world.runFor(Duration.ofMinutes(59));
    assertThat(launches()).as("succeeded less than an hour ago").isEqualTo(1);
    world.runFor(Duration.ofMinutes(1));
    assertThat(launches()).as("succeeded an hour ago").isEqualTo(2);
    end("p", "FAILED");
    world.runFor(Duration.ofMinutes(1));
    data("a");
    assertThat(launches()).as("failed a minute ago").isEqualTo(3);
    end("p", "CANCELLED");
    data("other");
    data("a");
    assertThat(launches()).as("another runs").isEqualTo(4);
    end("p", "SUCCEEDED");
    assertThat(launches()).as("another succeeded just now").isEqualTo(4);
    world.runFor(Duration.ofHours(1));
    assertThat(launches()).isEqualTo(5);
  }

  @Test
  void aFireThatMustWaitIsStored() {
    world.put("a", active(cron("0 * * * * ?"), constraints(concurrency(1))));
    world.runUntil("2026-03-01T10:05:30Z");
    assertThat(launches()).isEqualTo(1);
    assertThat(gate().waiters()).isEqualTo(4);
    end("p", "SUCCEEDED");
    assertThat(launched(1))
        .isEqualTo(
            JobId.ofFire(new ScheduleId("default", "a"), 1, Instant.parse("2026-03-01T10:02:00Z")));
  }

  /** The schedule is deleted after its only fire, which waits for the run of another schedule. */
  private ScheduleId onceBehindAnother() {
    onData("b", constraints(concurrency(1)));
    data("b");
    return world.put(
        "once",
        active(
            Documents.at("2026-03-01T10:02:00Z"),
            constraints(concurrency(1)) + ", \"afterCompletion\": \"delete\""));
  }

  @Test
  void aScheduleWhoseLastFireWaitedIsDeletedAfterItsLaunch() {
    ScheduleId once = onceBehindAnother();
    world.runUntil("2026-03-01T10:03:00Z");
    assertThat(world.schedules.find(once)).isPresent();
    end("p", "SUCCEEDED");
    assertThat(launches()).isEqualTo(2);
    assertThat(world.schedules.find(once)).isEmpty();
    end("p", "SUCCEEDED");
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(gate().slots().size()).isZero();
  }

  /** A deletion would cancel such jobs, but the API has confirmed their launch to the callers. */
  @Test
  void aScheduleIsNotDeletedWhileAManualLaunchWaits() {
    ScheduleId once = onceBehindAnother();
    JobId manual = world.triggered(once, world.now(), Json.object().put("priority", 9));
    world.check(manual);
    world.runUntil("2026-03-01T10:03:00Z");
    end("p", "SUCCEEDED");
    assertThat(launched(1).isFire()).isTrue();
    assertThat(world.job(manual).state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    end("p", "SUCCEEDED");

    assertThat(launched(2)).isEqualTo(manual);
    assertThat(world.schedules.find(once)).isEmpty();
  }

  @Test
  void aScheduleIsNotDeletedWhileItsBackfillRuns() {
    onData("b", constraints(concurrency(1)));
    data("b");
    String twice =
        Documents.or(Documents.at("2026-03-01T10:01:00Z"), Documents.at("2026-03-01T10:03:00Z"));
    ScheduleId id =
        world.put(
            "twice",
            active(twice, constraints(concurrency(1)) + ", \"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:02:00Z");
    BackfillId backfill = world.backfill(id, "2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z", 1);
    world.runUntil("2026-03-01T10:04:00Z");
    for (int ends = 0; ends < 3; ends++) {
      assertThat(world.schedules.find(id)).isPresent();
      end("p", "SUCCEEDED");
    }
    assertThat(launched(3).isOfBackfill()).isTrue();
    end("p", "SUCCEEDED");

    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 1L));
    assertThat(world.schedules.find(id)).isEmpty();
  }

  @Test
  void aScheduleIsNotDeletedWhileItsBackfillHasFurtherFires() {
    String thrice =
        Documents.or(
            Documents.at("2026-03-01T10:01:00Z"),
            Documents.at("2026-03-01T10:01:30Z"),
            Documents.at("2026-03-01T10:03:00Z"));
    ScheduleId id =
        world.put(
            "thrice",
            active(thrice, constraints(concurrency(2)) + ", \"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:02:00Z");
    end(launched(0), "SUCCEEDED");
    end(launched(1), "SUCCEEDED");
    BackfillId backfill = world.backfill(id, "2026-03-01T10:00:00Z", "2026-03-01T10:02:00Z", 1);
    world.runUntil("2026-03-01T10:04:00Z");
    assertThat(launches()).isEqualTo(4);
    assertThat(world.schedules.find(id)).as("all that has a job is launched").isPresent();
    end(launched(2), "SUCCEEDED");
    assertThat(world.schedules.find(id)).isPresent();
    end(launched(4), "SUCCEEDED");

    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 2L));
    assertThat(world.schedules.find(id)).isEmpty();
  }

  /** Crashes after a job was leased and before it is sent. */
  private void interruptNextLaunch() {
    AtomicBoolean isDead = new AtomicBoolean();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          if (calls.get(calls.size() - 1).equals("Gates.commit") && !isDead.getAndSet(true)) {
            throw new Faults.Killed();
          }
        });
  }

  @Test
  void aLaunchThatAnotherCheckerTakesOverIsCountedAgain() {
    onData("a", constraints(rate(1, "PT1M")));
    interruptNextLaunch();
    data("a");
    data("a");
    assertThat(launches()).isZero();
    world.runFor(Duration.ofMinutes(4));

    assertThat(launches()).isEqualTo(2);
    Instant first = world.arrivals.get(0).at();
    assertThat(world.arrivals.get(1).at()).isAfterOrEqualTo(first.plus(Duration.ofMinutes(1)));
  }

  @Test
  void anEndThatNamesNoRunWaitsForTheLaunchOfTheOldest() {
    onData("a", constraints(concurrency(2)));
    interruptNextLaunch();
    data("a");
    data("a");
    JobId newer = launched(0);
    end("p", "FAILED");
    assertThat(world.job(newer).state()).isEqualTo(JobState.ENQUEUED);
    world.runFor(Duration.ofMinutes(3));

    assertThat(launches()).isEqualTo(2);
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.FAILED);
    assertThat(world.job(newer).state()).isEqualTo(JobState.ENQUEUED);
  }

  @Test
  void anEndThatNamesNoRunWaitsForTheNextAttemptOfARefusedRequest() {
    onData("a", constraints(concurrency(1)));
    world.targets.refuse(WORK, "no answer");
    data("a");
    end("p", "SUCCEEDED");
    assertThat(gate().slots().size()).isZero();
    assertThat(gate().lastSuccess()).as("counts at once").isNotNull();
    world.targets.accept(WORK);
    world.runFor(Duration.ofMinutes(2));

    assertThat(launches()).isEqualTo(1);
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(gate().slots().size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Gates.find", "Jobs.find"})
  void anEndThatNamesNoRunAndLosesARaceEndsTheJobThatWasLaunchedMeanwhile(String lastRead) {
    onData("a", constraints(concurrency(2)));
    data("a");
    world.faults.afterNext(
        lastRead,
        () -> {
          data("a");
          end("p", "FAILED");
        });
    end("p", "SUCCEEDED");
    world.runFor(Duration.ofMinutes(2));

    assertThat(launches()).isEqualTo(2);
    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.FAILED);
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(slots()).isEmpty();
  }

  /**
   * The event reports another run: that of the job has ended by an event of its own. Slots that are
   * items are read after their gate, so then the event finds the later job.
   */
  @Test
  void anEndThatNamesNoRunEndsNoLaterJobIfTheOnlyRunHasEndedByName() {
    assumeThat(room()).isEqualTo(Slots.NONE);
    onData("a", constraints(concurrency(2)));
    data("a");
    world.faults.afterNext(
        "Gates.find",
        () -> {
          end(launched(0), "FAILED");
          data("a");
        });
    end("p", "SUCCEEDED");
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.job(launched(0)).state()).isEqualTo(JobState.FAILED);
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.ENQUEUED);
  }

  @Test
  void anEndOfNoRunWaitsNoLongerThanAFifoQueueDropsRepeatedRequests() {
    String discard = "\"timeout\": {\"after\": \"PT1M\", \"action\": \"discard\"}";
    onData("a", constraints(concurrency(1)) + ", " + discard);
    world.targets.refuse(WORK, "no such queue");
    data("a");
    world.runFor(Duration.ofMinutes(2));
    end("p", "SUCCEEDED");
    assertThat(gate().past().ends()).isEmpty();
    world.runFor(Duration.ofMinutes(6));
    assertThat(gate().past().ends()).hasSize(1);
  }

  @Test
  void refusedRequestFreesItsSlot() {
    onData("a", constraints(concurrency(1)));
    world.targets.lose(WORK);
    data("a");
    assertThat(gate().slots().size()).isZero();
    world.targets.accept(WORK);
    world.runFor(Duration.ofMinutes(5));
    assertThat(launches()).isEqualTo(1);
    assertThat(gate().slots().size()).isEqualTo(1);
  }

  @Test
  void aChangeOfTheDefinitionCancelsWaitingJobs() {
    ScheduleId id = onData("a", constraints(concurrency(1)));
    onData("b", constraints(concurrency(1)));
    data("a");
    data("a");
    data("b");
    assertThat(gate().waiters()).isEqualTo(2);
    world.delete(id);
    end("p", "SUCCEEDED");
    assertThat(launches()).isEqualTo(2);
    assertThat(launched(1).schedule().name()).isEqualTo("b");
    assertThat(gate().waiters()).isZero();
    assertThat(world.gates.allWaiters()).isEmpty();
  }

  @Test
  void aProgramThatNoScheduleLimitsIsNoLongerCounted() {
    ScheduleId id = onData("a", constraints(concurrency(1)));
    onData("b", "\"program\": \"p\"");
    data("b");
    assertThat(gate().slots().size()).isEqualTo(1);
    world.delete(id);
    data("b");
    assertThat(gate().slots().size()).isEqualTo(1);
    assertThat(world.job(launched(1)).state()).isEqualTo(JobState.LAUNCHED);
  }

  @Test
  void theSweepReplacesALostMessageForAGate() {
    onData("a", constraints(concurrency(1)));
    data("a");
    data("a");
    world.loseChecks();
    end("p", "SUCCEEDED");
    assertThat(launches()).isEqualTo(1);
    world.runFor(Duration.ofSeconds(61));
    assertThat(launches()).isEqualTo(2);
  }

  @Test
  void aDelayPassesBeforeASlotIsTaken() {
    onData("a", constraints(concurrency(1), DELAY));
    data("a");
    assertThat(gate().slots().size()).isZero();
    world.runFor(Duration.ofMinutes(1));
    assertThat(launches()).isEqualTo(1);
  }

  @Test
  void launchThatIgnoresConstraintsIsCounted() {
    ScheduleId id = onData("a", constraints(concurrency(1)));
    data("a");
    world.triggered(id, world.now(), Json.object().put(Job.IGNORE_CONSTRAINTS, true));
    world.runFor(Duration.ofMinutes(2));
    assertThat(launches()).isEqualTo(2);
    assertThat(gate().slots().size()).isEqualTo(2);
  }

  /** Each call takes so long that a pass reads few pages before its deadline. */
  @Test
  void jobsBehindManyOfABlockedScheduleAreLaunched() {
    onData("a", constraints(group(1, "g")));
    onData("b", constraints(group(100, "g")));
    for (int i = 0; i < 1_200; i++) {
      world.partitions("a", 1);
    }
    world.runFor(Duration.ofSeconds(30));
    assertThat(launches()).isEqualTo(1);
    world.takePerCall(Duration.ofMillis(200));
    for (int i = 0; i < 60; i++) {
      world.partitions("b", 1);
    }
    world.runFor(Duration.ofMinutes(10));
    assertThat(launches()).isEqualTo(61);
  }

  @Test
  void hundredsOfWaitingJobsLaunchOneByOne() {
    onData("a", constraints(concurrency(3)));
    for (int i = 0; i < 200; i++) {
      world.partitions("a", 1);
    }
    world.runFor(Duration.ofSeconds(2));
    assertThat(launches()).isEqualTo(3);
    for (int i = 0; i < 197; i++) {
      end(launched(i), "SUCCEEDED");
      assertThat(launches()).isEqualTo(4 + i);
    }
    assertThat(gate().waiters()).isZero();
  }
}
