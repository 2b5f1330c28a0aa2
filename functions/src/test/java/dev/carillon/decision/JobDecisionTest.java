package dev.carillon.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.constraint.Gauge;
import dev.carillon.decision.JobDecision.AwaitChoice;
import dev.carillon.decision.JobDecision.AwaitTurn;
import dev.carillon.decision.JobDecision.Conclude;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Enter;
import dev.carillon.decision.JobDecision.KeepPlace;
import dev.carillon.decision.JobDecision.Launch;
import dev.carillon.decision.JobDecision.Leave;
import dev.carillon.decision.JobDecision.Recheck;
import dev.carillon.decision.JobDecision.Relaunch;
import dev.carillon.decision.JobDecision.Retry;
import dev.carillon.decision.JobDecision.Suspend;
import dev.carillon.decision.JobDecision.TakeOut;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.decision.JobDecision.WaitForOpening;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The decisions about a job, rule by rule. The schedule fires each hour; it is noon. */
class JobDecisionTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant CREATED = Instant.parse("2026-03-02T09:30:00Z");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant LEASE_END = NOON.plusSeconds(15);
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "report");
  private static final GateKey DISK = GateKey.ofResource("default", "disk");
  private static final JobId FIRE = JobId.ofFire(REPORT, 1, NOON);
  private static final Reason ANY = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");

  private static final String WINDOW =
      "{\"type\": \"timeWindow\", \"from\": \"13:00\", \"to\": \"14:00\"}";
  private static final String ONE_AT_A_TIME = "{\"type\": \"concurrency\", \"max\": 1}";
  private static final String DISK_FREE =
      "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}";

  // ---- the snapshot

  private static StoredSchedule stored(String constraints, @Nullable String timeout) {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "rate", "every": "PT1H", "anchor": "2026-03-02T00:00:00Z"},
             "target": {"queue": "exports", "template": {}}, "state": "ACTIVE",
             "constraints": [%s], "timeout": %s}
            """
                .formatted(constraints, timeout));
    return stored(document);
  }

  private static StoredSchedule stored(ObjectNode document) {
    Schedule schedule = new ScheduleParser(ZoneOffset.UTC).parse(REPORT, document, CREATED);
    Head head = Lifecycle.create(null, schedule, CREATED, "ann").after();
    return new StoredSchedule(
        head, new Definition(REPORT, 1, document, CREATED, CREATED, "ann", CREATED));
  }

  private static Schedule schedule(StoredSchedule stored) {
    return new ScheduleParser(ZoneOffset.UTC).parseStored(stored.definition());
  }

  private static JobSnapshot given(StoredSchedule stored, Gate... gates) {
    Compiled compiled = new Compiled(stored.definition(), schedule(stored));
    GateStates states = keys -> states(keys, gates);
    GatedPrograms programs =
        new GatedPrograms("default", LimitedPrograms.NONE, states, compiled.schedule().demands());
    return new JobSnapshot(
        stored.head(), false, compiled, true, programs, null, JobPools.NAMED, states);
  }

  private static Map<GateKey, Gate> states(Set<GateKey> keys, Gate... gates) {
    return List.of(gates).stream()
        .filter(gate -> keys.contains(gate.key()))
        .collect(java.util.stream.Collectors.toMap(Gate::key, gate -> gate));
  }

  private static StoredSchedule suspended(SuspendMode mode, Instant at) {
    StoredSchedule active = stored("", null);
    Suspension suspension = new Suspension(mode, "maintenance", "ann", at);
    Head head = Lifecycle.suspend(active, schedule(active), suspension).after();
    return new StoredSchedule(head, active.definition());
  }

  private static Job fire(StoredSchedule stored) {
    return NewJob.dueFire(FIRE, stored.head().activation(), "report");
  }

  private static JobDecision decided(StoredSchedule stored, Gate... gates) {
    return JobDecision.decide(fire(stored), given(stored, gates), NOON);
  }

  private static Gate full() {
    JobId other = JobId.ofFire(REPORT, 1, NOON.minusSeconds(3600));
    Counted slot = new Counted(true, 0, Duration.ZERO);
    return Gate.unused(PROGRAM).taken(other, slot, NOON.minusSeconds(3600));
  }

  private static Gate disk(int free) {
    Gauge gauge = new Gauge(BigDecimal.valueOf(free), null, NOON, "ann");
    return Gate.unused(DISK).reported(gauge, NOON);
  }

  private static Gate withWaiters(Gate gate) {
    return gate.joined(NOON, NOON);
  }

  // ---- a job without obstacles

  @Test
  void aDueFireOfAnActiveScheduleIsLaunched() {
    assertThat(decided(stored("", null))).isEqualTo(new Launch(Map.of(), null));
  }

  @Test
  void aFireThatAnotherClockFoundDueTooEarlyIsRecheckedWhenDue() {
    StoredSchedule stored = stored("", null);
    assertThat(JobDecision.decide(fire(stored), given(stored), NOON.minusMillis(1)))
        .isEqualTo(new Recheck(NOON));
  }

  @Test
  void aJobThatHasEndedIsLeft() {
    StoredSchedule stored = stored("", null);
    Job sent = fire(stored).launching(NOON, LEASE_END).sent(NOON, null);
    assertThat(JobDecision.decide(sent, given(stored), NOON)).isEqualTo(new Leave());
  }

  // ---- leases and ends of runs

  @Test
  void aJobThatAnotherCheckerLeasesIsCheckedWhenTheLeaseEnds() {
    StoredSchedule stored = stored("", null);
    Job held = fire(stored).launching(NOON, LEASE_END);
    assertThat(JobDecision.decide(held, given(stored), LEASE_END.minusMillis(1)))
        .isEqualTo(new Recheck(LEASE_END));
    assertThat(JobDecision.decide(held, given(stored), LEASE_END))
        .isEqualTo(new Relaunch(Map.of()));
  }

  @Test
  void aRepeatedLaunchIsCountedAgainByGatesWithARate() {
    StoredSchedule stored =
        stored(ONE_AT_A_TIME + ", {\"type\": \"rate\", \"max\": 2, \"per\": \"PT1H\"}", null);
    Job held =
        fire(stored)
            .launching(NOON, LEASE_END)
            .through(GateTicket.through(List.of(PROGRAM), true, NOON));
    assertThat(JobDecision.decide(held, given(stored), LEASE_END))
        .isEqualTo(new Relaunch(Map.of(PROGRAM, new Counted(false, 2, Duration.ofHours(1)))));
  }

  @Test
  void aRunWithoutAReportedEndFailsAfterTheRunTimeout() {
    StoredSchedule stored = stored(ONE_AT_A_TIME, null);
    Instant timeout = NOON.plus(Gate.RUN_TIMEOUT);
    Job run = fire(stored).launching(NOON, LEASE_END).enqueued(NOON, null, timeout);
    assertThat(JobDecision.decide(run, given(stored), timeout.minusMillis(1)))
        .isEqualTo(new Leave());
    assertThat(JobDecision.decide(run, given(stored), timeout))
        .isEqualTo(
            new End(JobState.FAILED, Reason.of(ReasonCode.RUN_END_MISSING, Gate.RUN_TIMEOUT)));
  }

  // ---- the state of the schedule

  @Test
  void aJobWhoseGatesCannotBeReadIsCheckedAgain() {
    StoredSchedule stored = stored("{\"type\": \"concurrency\", \"max\": 1}", null);
    JobSnapshot whole = given(stored);
    JobSnapshot given = withUnreadableGates(whole);
    Recheck later = new Recheck(NOON.plus(JobDecision.UNREADABLE_PAUSE));
    Job fire = fire(stored);
    assertThat(JobDecision.decide(fire, given, NOON)).isEqualTo(later);
    Job interrupted = fire.launching(NOON.minusSeconds(60), NOON.minusSeconds(45));
    assertThat(JobDecision.decide(interrupted, given, NOON)).isEqualTo(later);
    assertThat(JobDecision.decide(fire, whole, NOON)).isInstanceOf(Launch.class);
  }

  private static JobSnapshot withUnreadableGates(JobSnapshot whole) {
    GateStates damaged =
        keys -> {
          if (keys.isEmpty()) {
            return Map.of();
          }
          throw new UnreadableItems(keys, new IllegalStateException("damaged"));
        };
    GateDemands demands = Objects.requireNonNull(whole.compiled()).schedule().demands();
    GatedPrograms programs = new GatedPrograms("default", LimitedPrograms.NONE, damaged, demands);
    return new JobSnapshot(
        whole.head(), false, whole.compiled(), true, programs, null, JobPools.NAMED, damaged);
  }

  @Test
  void aJobIsNotSuspendedWhileItsGateCannotBeRead() {
    StoredSchedule held = suspended(SuspendMode.HOLD, NOON.minusSeconds(60));
    JobSnapshot damaged = withUnreadableGates(given(held));
    Job fire = fire(held);
    Reason any = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");
    Job waiting = fire.waitingAt(GateKey.ofProgram("default", "p"), NOON, NOON, any);
    assertThat(JobDecision.decide(waiting, damaged, NOON))
        .isEqualTo(new Recheck(NOON.plus(JobDecision.UNREADABLE_PAUSE)));
    assertThat(JobDecision.decide(waiting, given(held), NOON)).isInstanceOf(Suspend.class);
    assertThat(JobDecision.decide(fire, damaged, NOON)).isInstanceOf(Suspend.class);
  }

  @Test
  void aJobDoesNotEndWhileItsGateCannotBeRead() {
    StoredSchedule stored = stored("", null);
    JobSnapshot whole = given(stored);
    JobSnapshot deleted =
        new JobSnapshot(
            null, false, null, true, whole.programs(), null, JobPools.NAMED, whole.gates());
    JobSnapshot damaged =
        new JobSnapshot(
            null,
            false,
            null,
            true,
            whole.programs(),
            null,
            JobPools.NAMED,
            withUnreadableGates(whole).gates());
    Job fire = fire(stored);
    Reason any = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");
    Job waiting = fire.waitingAt(GateKey.ofProgram("default", "p"), NOON, NOON, any);
    assertThat(JobDecision.decide(waiting, damaged, NOON))
        .isEqualTo(new Recheck(NOON.plus(JobDecision.UNREADABLE_PAUSE)));
    assertThat(JobDecision.decide(waiting, deleted, NOON)).isInstanceOf(End.class);
    assertThat(JobDecision.decide(fire, damaged, NOON)).isInstanceOf(End.class);
  }

  @Test
  void anUnreadableHeadCancelsNothing() {
    StoredSchedule stored = stored("", null);
    JobSnapshot given = given(stored);
    JobSnapshot unreadable =
        new JobSnapshot(
            null, true, null, true, given.programs(), null, JobPools.NAMED, given.gates());
    assertThat(JobDecision.decide(fire(stored), unreadable, NOON))
        .isEqualTo(new Recheck(NOON.plusSeconds(60)));
  }

  @Test
  void anUnreadableDefinitionIsReadAgainAMinuteLater() {
    StoredSchedule stored = stored("", null);
    JobSnapshot given = given(stored);
    JobSnapshot unreadable =
        new JobSnapshot(
            stored.head(),
            false,
            null,
            true,
            given.programs(),
            null,
            JobPools.NAMED,
            given.gates());
    assertThat(JobDecision.decide(fire(stored), unreadable, NOON))
        .isEqualTo(new Recheck(NOON.plusSeconds(60)));
  }

  @Test
  void aJobOfADeletedScheduleIsCancelled() {
    StoredSchedule stored = stored("", null);
    Head tombstone = Lifecycle.delete(stored, Set.of(), NOON).after();
    JobSnapshot given = given(stored);
    for (Head head : new Head[] {null, tombstone}) {
      JobSnapshot deleted =
          new JobSnapshot(
              head, false, null, true, given.programs(), null, JobPools.NAMED, given.gates());
      assertThat(JobDecision.decide(fire(stored), deleted, NOON))
          .isEqualTo(new End(JobState.CANCELLED, Reason.of(ReasonCode.SCHEDULE_DELETED)));
    }
  }

  @Test
  void aJobOfAnOlderGenerationIsCancelled() {
    StoredSchedule stored = stored("", null);
    Job old = NewJob.dueFire(JobId.ofFire(REPORT, 0, NOON), stored.head().activation(), "report");
    assertThat(JobDecision.decide(old, given(stored), NOON))
        .isEqualTo(new End(JobState.CANCELLED, Reason.of(ReasonCode.SCHEDULE_CHANGED)));
  }

  @Test
  void theReasonOfACancellationSaysThatTheRequestMayHaveBeenSent() {
    StoredSchedule stored = stored("", null);
    JobId old = JobId.ofFire(REPORT, 0, NOON);
    Job held = NewJob.launchingFire(old, stored.head().activation(), "report", NOON, LEASE_END);
    assertThat(JobDecision.decide(held, given(stored), LEASE_END))
        .isEqualTo(
            new End(
                JobState.CANCELLED, Reason.of(ReasonCode.SCHEDULE_CHANGED, Reason.INTERRUPTED)));
  }

  @Test
  void aJobOfACancelledBackfillIsCancelled() {
    StoredSchedule stored = stored("", null);
    JobId id = JobId.ofBackfill(new BackfillId(REPORT, "x1y2"), 1, NOON);
    Job job = NewJob.dueFire(id, stored.head().activation(), "report");
    JobSnapshot given = given(stored);
    JobSnapshot cancelled =
        new JobSnapshot(
            stored.head(),
            false,
            given.compiled(),
            false,
            given.programs(),
            null,
            JobPools.NAMED,
            given.gates());
    assertThat(JobDecision.decide(job, cancelled, NOON))
        .isEqualTo(new End(JobState.CANCELLED, Reason.of(ReasonCode.BACKFILL_CANCELLED)));
  }

  @Test
  void aSuspensionThatDiscardsCancelsWaitingJobs() {
    StoredSchedule active = stored("", null);
    StoredSchedule discards = suspended(SuspendMode.DISCARD, NOON);
    assertThat(JobDecision.decide(fire(active), given(discards), NOON))
        .isEqualTo(new End(JobState.CANCELLED, Reason.of(ReasonCode.SCHEDULE_SUSPENDED)));
  }

  @Test
  void aSuspensionThatHoldsJobsSuspendsThoseThatWaitedBefore() {
    StoredSchedule active = stored("", null);
    for (SuspendMode mode : List.of(SuspendMode.HOLD, SuspendMode.BACKLOG)) {
      StoredSchedule held = suspended(mode, NOON);
      JobDecision decision = JobDecision.decide(fire(active), given(held), NOON);
      assertThat(decision).isInstanceOf(Suspend.class);
      Job waiting = fire(active).waitingForResumption(NOON, ((Suspend) decision).reason());
      assertThat(JobDecision.decide(waiting, given(held), NOON)).isEqualTo(decision);
      assertThat(DecidedJob.after(waiting, decision, given(held), NOON, LEASE_END, NOON)).isNull();
    }
    assertThat(JobDecision.decide(fire(active), given(suspended(SuspendMode.DRAIN, NOON)), NOON))
        .isInstanceOf(Launch.class);
  }

  @Test
  void aManualLaunchOfASuspendedScheduleLaunches() {
    StoredSchedule held = suspended(SuspendMode.HOLD, NOON.minusSeconds(60));
    JobId id = JobId.ofLaunchNow(REPORT, 1, NOON, "abcd");
    Job during = NewJob.launchedNow(id, held.head().activation(), "report", NOON, Json.object());
    assertThat(JobDecision.decide(during, given(held), NOON)).isInstanceOf(Launch.class);
    long before = stored("", null).head().activation();
    Job waited = NewJob.launchedNow(id, before, "report", NOON, Json.object());
    assertThat(JobDecision.decide(waited, given(held), NOON)).isInstanceOf(Suspend.class);
  }

  // ---- constraints of the clock

  @Test
  void aClosedWindowMakesTheJobWaitForItsOpening() {
    assertThat(decided(stored(WINDOW, null)))
        .isInstanceOfSatisfying(
            WaitForOpening.class,
            wait -> assertThat(wait.opening()).isEqualTo(NOON.plusSeconds(3600)));
  }

  @Test
  void aJobThatWaitsForAnOpeningOrARetryIsLeftAloneUntilThen() {
    StoredSchedule stored = stored(WINDOW, null);
    Job waiting = fire(stored).waitingUntil(NOON.plusSeconds(9), NOON.plusSeconds(29), NOON, ANY);
    assertThat(JobDecision.decide(waiting, given(stored), NOON.plusSeconds(8)))
        .isEqualTo(new Leave());
    StoredSchedule free = stored("", null);
    Job refused =
        fire(free).launching(NOON, LEASE_END).refused(NOON, Reason.of(ReasonCode.REQUEST_REFUSED));
    assertThat(JobDecision.decide(refused, given(free), NOON)).isEqualTo(new Leave());
    assertThat(JobDecision.decide(refused, given(free), NOON.plusSeconds(1)))
        .isInstanceOf(Launch.class);
  }

  @Test
  void aClosedWindowThatSkipsEndsTheJob() {
    String skips = WINDOW.replace("}", ", \"onUnmet\": \"skip\"}");
    assertThat(decided(stored(skips, null)))
        .isInstanceOfSatisfying(
            End.class, end -> assertThat(end.state()).isEqualTo(JobState.SKIPPED));
  }

  @Test
  void aTimeoutThatDiscardsEndsTheJobAndBoundsItsWait() {
    StoredSchedule stored = stored(WINDOW, "{\"after\": \"PT10M\", \"action\": \"discard\"}");
    Instant timeout = NOON.plusSeconds(600);
    assertThat(decided(stored))
        .isInstanceOfSatisfying(
            WaitForOpening.class, wait -> assertThat(wait.opening()).isEqualTo(timeout));
    assertThat(JobDecision.decide(fire(stored), given(stored), timeout))
        .isInstanceOfSatisfying(
            End.class, end -> assertThat(end.state()).isEqualTo(JobState.TIMED_OUT));
  }

  @Test
  void aTimeoutThatLaunchesIgnoresWindows() {
    StoredSchedule stored = stored(WINDOW, "{\"after\": \"PT10M\", \"action\": \"launch\"}");
    Instant timeout = NOON.plusSeconds(600);
    Job waiting = fire(stored).waitingUntil(timeout, timeout.plusSeconds(20), NOON, ANY);
    assertThat(JobDecision.decide(waiting, given(stored), timeout))
        .isEqualTo(new Launch(Map.of(), Reason.of(ReasonCode.LAUNCHED_AT_TIMEOUT, "PT10M")));
  }

  @Test
  void constraintsThatTheCallerIgnoresDelayNothing() {
    StoredSchedule stored = stored(WINDOW + ", " + DISK_FREE, null);
    ObjectNode ignores = Json.object().put(Job.IGNORE_CONSTRAINTS, true);
    Job job =
        NewJob.launchedNow(
            JobId.ofLaunchNow(REPORT, 1, NOON, "abcd"),
            stored.head().activation(),
            "report",
            NOON,
            ignores);
    assertThat(JobDecision.decide(job, given(stored, disk(3)), NOON)).isInstanceOf(Launch.class);
    assertThat(JobDecision.unmet(job, given(stored, disk(3)), NOON)).isEmpty();
  }

  // ---- gates

  @Test
  void aGateWithAFreeSlotCountsTheLaunch() {
    assertThat(decided(stored(ONE_AT_A_TIME, null)))
        .isEqualTo(new Launch(Map.of(PROGRAM, new Counted(true, 0, Duration.ZERO)), null));
  }

  @Test
  void aJobWaitsAtAFullGate() {
    StoredSchedule stored = stored(ONE_AT_A_TIME, null);
    assertThat(decided(stored, full()))
        .isInstanceOfSatisfying(
            WaitAtGate.class,
            wait -> {
              assertThat(wait.gate()).isEqualTo(PROGRAM);
              assertThat(wait.wake()).isEqualTo(full().latestCheck(NOON));
            });
  }

  @Test
  void aNewJobQueuesBehindTheWaitingJobs() {
    StoredSchedule stored = stored(DISK_FREE, null);
    assertThat(decided(stored, disk(30))).isInstanceOf(Launch.class);
    assertThat(decided(stored, withWaiters(disk(30))))
        .isEqualTo(
            new WaitAtGate(
                DISK,
                NOON,
                Reason.of(ReasonCode.CONSTRAINTS_UNMET, "other jobs wait at resource disk")));
  }

  @Test
  void aJobThatWaitsAtAGateLaunchesInItsTurn() {
    StoredSchedule stored = stored(DISK_FREE, null);
    Job waiting = fire(stored).waitingAt(DISK, NOON.plusSeconds(600), NOON, ANY);
    JobSnapshot open = given(stored, withWaiters(disk(30)));
    JobSnapshot closed = given(stored, withWaiters(disk(3)));
    assertThat(JobDecision.decide(waiting, open, NOON)).isEqualTo(new AwaitTurn(DISK, false));
    assertThat(JobDecision.decide(waiting, open.serving(DISK), NOON))
        .isEqualTo(new Launch(Map.of(), null));
    assertThat(JobDecision.decide(waiting, closed.serving(DISK), NOON))
        .isInstanceOfSatisfying(KeepPlace.class, keeps -> assertThat(keeps.gate()).isEqualTo(DISK));
  }

  @Test
  void aJobThatPassesOneGateWaitsAtTheNextAndNotAtTheFirstAgain() {
    StoredSchedule stored = stored(DISK_FREE + ", " + ONE_AT_A_TIME, null);
    Job atDisk = fire(stored).waitingAt(DISK, NOON.plusSeconds(600), NOON, ANY);
    JobSnapshot slotTaken = given(stored, withWaiters(disk(30)), full());
    assertThat(JobDecision.decide(atDisk, slotTaken.serving(DISK), NOON))
        .isInstanceOfSatisfying(
            WaitAtGate.class, wait -> assertThat(wait.gate()).isEqualTo(PROGRAM));
    Job atProgram = fire(stored).waitingAt(PROGRAM, NOON.plusSeconds(600), NOON, ANY);
    JobSnapshot free = given(stored, withWaiters(disk(30)));
    assertThat(JobDecision.decide(atProgram, free.serving(PROGRAM), NOON))
        .isInstanceOf(Launch.class);
  }

  @Test
  void aGateThatSkipsEndsTheJob() {
    String skips = DISK_FREE.replace("}", ", \"onUnmet\": \"skip\"}");
    assertThat(decided(stored(ONE_AT_A_TIME + ", " + skips, null), full(), disk(3)))
        .isInstanceOfSatisfying(
            End.class, end -> assertThat(end.state()).isEqualTo(JobState.SKIPPED));
  }

  @Test
  void aGateThatSkipsMakesALaterAttemptWait() {
    StoredSchedule stored = stored(ONE_AT_A_TIME.replace("}", ", \"onUnmet\": \"skip\"}"), null);
    Job launched = fire(stored).tracked(RunPolicy.USUAL).launching(NOON, LEASE_END);
    Job again = launched.retried(launched.run(), NOON, NOON, ANY);
    assertThat(JobDecision.decide(again, given(stored, full()), NOON))
        .isInstanceOfSatisfying(
            WaitAtGate.class, wait -> assertThat(wait.gate()).isEqualTo(PROGRAM));
    Job waiting = again.waitingAt(PROGRAM, NOON.plusSeconds(600), NOON, ANY);
    JobSnapshot served = given(stored, withWaiters(full())).serving(PROGRAM);
    assertThat(JobDecision.decide(waiting, served, NOON)).isInstanceOf(KeepPlace.class);
    Job refused = launched.refused(NOON, ANY);
    assertThat(JobDecision.decide(refused, given(stored, full()), NOON.plusSeconds(1)))
        .as("the first attempt, whose request was refused")
        .isInstanceOfSatisfying(
            End.class, end -> assertThat(end.state()).isEqualTo(JobState.SKIPPED));
  }

  @Test
  void aTimeoutThatLaunchesHonoursOnlyConcurrency() {
    StoredSchedule stored =
        stored(DISK_FREE + ", " + ONE_AT_A_TIME, "{\"after\": \"PT10M\", \"action\": \"launch\"}");
    Instant timeout = NOON.plusSeconds(600);
    Job waiting = fire(stored).waitingAt(DISK, timeout, NOON, ANY);
    assertThat(JobDecision.decide(waiting, given(stored, disk(3)), timeout))
        .isInstanceOf(Launch.class);
    assertThat(JobDecision.decide(waiting, given(stored, disk(3), full()), timeout))
        .isInstanceOfSatisfying(
            WaitAtGate.class, wait -> assertThat(wait.gate()).isEqualTo(PROGRAM));
  }

  @Test
  void aTimeoutThatDiscardsEndsAJobThatItsGateDoesNotLetPass() {
    StoredSchedule stored = stored(DISK_FREE, "{\"after\": \"PT10M\", \"action\": \"discard\"}");
    Instant timeout = NOON.plusSeconds(600);
    Job waiting = fire(stored).waitingAt(DISK, timeout, NOON, ANY);
    assertThat(JobDecision.decide(waiting, given(stored, withWaiters(disk(3))), timeout))
        .isInstanceOfSatisfying(
            End.class, end -> assertThat(end.state()).isEqualTo(JobState.TIMED_OUT));
    // By then its turn has come: it launches, or its next check ends it.
    assertThat(JobDecision.decide(waiting, given(stored, withWaiters(disk(30))), timeout))
        .isEqualTo(new AwaitTurn(DISK, true));
  }

  // ---- pools

  private static StoredSchedule pooled(String pool, @Nullable String timeout) {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "rate", "every": "PT1H", "anchor": "2026-03-02T00:00:00Z"},
             "target": {"template": {}}, "pool": "%s", "state": "ACTIVE", "timeout": %s}
            """
                .formatted(pool, timeout));
    return stored(document);
  }

  private static Job ready(StoredSchedule stored) {
    Place place = new Place("encode", NOON, false);
    return fire(stored).tracked(RunPolicy.USUAL).waitingIn(place, null, NOON, null);
  }

  private static JobSnapshot servingPool(StoredSchedule stored, String pool) {
    JobSnapshot given = given(stored);
    return new JobSnapshot(
        given.head(),
        false,
        given.compiled(),
        true,
        given.programs(),
        new PoolId("default", pool),
        JobPools.NAMED,
        given.gates());
  }

  @Test
  void aJobOfAScheduleWithAPoolEntersItInsteadOfBeingLaunched() {
    assertThat(decided(pooled("encode", null))).isEqualTo(new Enter("encode", Map.of(), null));
  }

  @Test
  void aJobWhoseRequestMatchesNoPoolFails() {
    assertThat(decided(pooled(Schedule.MATCHING_POOL, null)))
        .isEqualTo(new End(JobState.FAILED, Reason.of(ReasonCode.POOL_MISSING)));
  }

  @Test
  void aReadyJobWaitsUntilItsOwnPoolHasChosenIt() {
    StoredSchedule stored = pooled("encode", null);
    assertThat(JobDecision.decide(ready(stored), given(stored), NOON)).isEqualTo(new AwaitChoice());
    assertThat(JobDecision.decide(ready(stored), servingPool(stored, "other"), NOON))
        .isEqualTo(new AwaitChoice());
  }

  @Test
  void aReadyJobThatItsPoolHasChosenIsTakenOut() {
    StoredSchedule stored = pooled("encode", null);
    assertThat(JobDecision.decide(ready(stored), servingPool(stored, "encode"), NOON))
        .isEqualTo(new TakeOut());
  }

  @Test
  void aTimeoutThatDiscardsEndsAReadyJobOfTheFirstAttemptAlthoughItIsChosen() {
    StoredSchedule stored = pooled("encode", "{\"after\": \"PT10M\", \"action\": \"discard\"}");
    JobSnapshot chosen = servingPool(stored, "encode");
    Instant timeout = NOON.plusSeconds(600);
    assertThat(JobDecision.decide(ready(stored), chosen, timeout.minusMillis(1)))
        .isEqualTo(new TakeOut());
    assertThat(JobDecision.decide(ready(stored), chosen, timeout))
        .isInstanceOfSatisfying(
            End.class,
            end -> {
              assertThat(end.state()).isEqualTo(JobState.TIMED_OUT);
              assertThat(end.reason().text()).contains("waited in the pool encode");
            });
    Place place = new Place("encode", timeout, false);
    Job again = retrying(stored, NOON).waitingIn(place, null, timeout, null);
    assertThat(JobDecision.decide(again, chosen, timeout)).isEqualTo(new TakeOut());
  }

  // ---- tracked runs

  private static Job launched(StoredSchedule stored, Instant reportBy) {
    return fire(stored)
        .tracked(RunPolicy.USUAL)
        .launching(NOON, LEASE_END)
        .enqueued(NOON, null, reportBy);
  }

  private static Job retrying(StoredSchedule stored, Instant at) {
    Job launched = launched(stored, NOON.plusSeconds(900));
    Run failed = Objects.requireNonNull(launched.run()).failed(null, "boom");
    return launched.retried(failed, at, NOON, ANY);
  }

  @Test
  void aTrackedRunIsCheckedAgainWhenItsNextReportIsDue() {
    StoredSchedule stored = stored("", null);
    Instant reportBy = NOON.plusSeconds(900);
    assertThat(JobDecision.decide(launched(stored, reportBy), given(stored), NOON))
        .isEqualTo(new Recheck(reportBy));
  }

  @Test
  void anOverdueTrackedRunIsRetriedOnlyOnceTheHeadCanBeRead() {
    StoredSchedule stored = stored("", null);
    Job overdue = launched(stored, NOON);
    JobSnapshot given = given(stored);
    JobSnapshot unreadable =
        new JobSnapshot(
            null, true, null, true, given.programs(), null, JobPools.NAMED, given.gates());
    assertThat(JobDecision.decide(overdue, unreadable, NOON))
        .isEqualTo(new Recheck(NOON.plus(JobDecision.UNREADABLE_PAUSE)));
    assertThat(JobDecision.decide(overdue, given, NOON)).isInstanceOf(Retry.class);
  }

  @Test
  void aCollectingJobIsLeft() {
    StoredSchedule stored = stored("", null);
    Job job = fire(stored);
    Job collecting =
        new Job(
            job.id(),
            1,
            JobState.PENDING_TRIGGER,
            job.origin(),
            job.precedence(),
            job.delivery(),
            null,
            null,
            null,
            List.of());
    assertThat(JobDecision.decide(collecting, given(stored), NOON)).isEqualTo(new Leave());
  }

  @Test
  void aRetryWaitsForItsDelayAndThenAtAFullGateButForNoWindow() {
    StoredSchedule stored = stored(WINDOW + ", " + ONE_AT_A_TIME, null);
    Instant at = NOON.plusSeconds(10);
    Job retrying = retrying(stored, at);
    assertThat(JobDecision.decide(retrying, given(stored), at.minusMillis(1)))
        .isEqualTo(new Leave());
    assertThat(JobDecision.decide(retrying, given(stored, full()), at))
        .isInstanceOfSatisfying(
            WaitAtGate.class, wait -> assertThat(wait.gate()).isEqualTo(PROGRAM));
    assertThat(JobDecision.decide(retrying, given(stored), at)).isInstanceOf(Launch.class);
  }

  // ---- what explain shows

  @Test
  void everyUnmetConstraintIsNamedEvenBehindAClosedWindow() {
    StoredSchedule stored = stored(WINDOW + ", " + DISK_FREE + ", " + ONE_AT_A_TIME, null);
    JobSnapshot given = given(stored, disk(3), full());
    assertThat(JobDecision.unmet(fire(stored), given, NOON))
        .extracting(Unmet::reason)
        .containsExactly(
            "its time window from 13:00 to 14:00 in Z is closed",
            "resource disk is 3; at least 10 is required",
            "program report is at its limit of unfinished jobs: 1 of at most 1");
  }

  @Test
  void anEndIsAnnouncedOnceItIsStoredAndARefusedCallbackWhenItIsDue() {
    StoredSchedule stored = stored("", null);
    Job due = fire(stored);
    Job calling = Callback.wantedBy(callingBack(), due);
    Job owing = calling.ended(JobState.CANCELLED, NOON, ANY);
    Job refused = Callback.refused(owing, NOON, "no queue");

    assertThat(JobDecision.decide(due.ended(JobState.CANCELLED, NOON, ANY), given(stored), NOON))
        .isEqualTo(new Leave());
    assertThat(JobDecision.decide(owing, given(stored), NOON)).isEqualTo(new Conclude());
    assertThat(JobDecision.decide(owing, given(stored), NOON.minusSeconds(2)))
        .as("by a clock that is behind")
        .isEqualTo(new Conclude());
    assertThat(JobDecision.decide(refused, given(stored), NOON)).isEqualTo(new Leave());
    assertThat(JobDecision.decide(refused, given(stored), NOON.plusSeconds(1)))
        .isEqualTo(new Conclude());
    assertThat(
            JobDecision.decide(
                Callback.sent(refused, NOON.plusSeconds(1)), given(stored), NOON.plusSeconds(1)))
        .isEqualTo(new Leave());
  }

  @Test
  void anEndIsAnnouncedWhateverBecameOfTheSchedule() {
    StoredSchedule stored = stored("", null);
    Job owing = Callback.wantedBy(callingBack(), fire(stored)).ended(JobState.CANCELLED, NOON, ANY);
    JobSnapshot deleted =
        new JobSnapshot(
            null,
            true,
            null,
            false,
            given(stored).programs(),
            null,
            JobPools.NAMED,
            any -> Map.of());
    assertThat(JobDecision.decide(owing, deleted, NOON)).isEqualTo(new Conclude());
  }

  private static Schedule callingBack() {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "manual"}, "target": {"queue": "exports", "template": {}},
             "onEnd": {"queue": "ended", "template": "${outcome}"}}
            """);
    return new ScheduleParser(ZoneOffset.UTC).parse(REPORT, document, CREATED);
  }
}
