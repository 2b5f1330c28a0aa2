package dev.carillon.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Launch;
import dev.carillon.decision.JobDecision.Leave;
import dev.carillon.decision.JobDecision.Relaunch;
import dev.carillon.decision.JobDecision.Suspend;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.decision.JobDecision.WaitForOpening;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The job and its gates after each decision. The schedule's time-out is two hours. */
class DecidedJobTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant LEASE_END = NOON.plusSeconds(15);
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "report");
  private static final GateKey DISK = GateKey.ofResource("default", "disk");
  private static final Counted SLOT = new Counted(true, 0, Duration.ZERO);
  private static final Counted RATE = new Counted(false, 2, Duration.ofHours(1));
  private static final Reason ANY = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");
  private static final Job FIRE = NewJob.dueFire(JobId.ofFire(REPORT, 1, NOON), 7, "report");
  private static final JobSnapshot GIVEN = given();

  private static JobSnapshot given() {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "rate", "every": "PT1H"}, "priority": 3, "customer": "acme",
             "target": {"queue": "exports", "template": {}}, "state": "ACTIVE",
             "timeout": {"after": "PT2H", "action": "discard"}}
            """);
    Instant created = NOON.minusSeconds(9000);
    Schedule schedule = new ScheduleParser(ZoneOffset.UTC).parse(REPORT, document, created);
    Head head = Lifecycle.create(null, schedule, created, "ann").after();
    Definition definition = new Definition(REPORT, 1, document, created, created, "ann", created);
    GatedPrograms programs =
        new GatedPrograms("default", LimitedPrograms.NONE, keys -> Map.of(), schedule.demands());
    return new JobSnapshot(
        head,
        false,
        new Compiled(definition, schedule),
        true,
        programs,
        null,
        JobPools.NAMED,
        keys -> Map.of());
  }

  private static Job after(Job job, JobDecision decision) {
    return DecidedJob.after(job, decision, GIVEN, NOON, LEASE_END, NOON);
  }

  private static Step step(Job before, Job after, JobDecision decision, Gate... gates) {
    Map<GateKey, Gate> known =
        List.of(gates).stream().collect(java.util.stream.Collectors.toMap(Gate::key, it -> it));
    return DecidedJob.step(before, after, decision, new GateChanges(known, NOON));
  }

  private static Gate changed(Step step, GateKey key) {
    return step.gates().stream()
        .map(Change::after)
        .filter(gate -> gate.key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aLaunchIsLeasedByItsCheckerAndCountedByTheGates() {
    Launch launch = new Launch(Map.of(PROGRAM, SLOT), null);
    Job launching = after(FIRE, launch);
    assertThat(launching.state()).isEqualTo(JobState.PENDING_LAUNCH);
    assertThat(launching.launchingUntil()).isEqualTo(LEASE_END);
    assertThat(launching.newestReason()).isNull();
    assertThat(launching.ticket()).isEqualTo(GateTicket.through(List.of(PROGRAM), true, NOON));
    assertThat(changed(step(null, launching, launch), PROGRAM).holds(FIRE.id())).isTrue();
  }

  /** A worker can claim the job before the checker has stored that the request was sent. */
  @Test
  void aLaunchFixesCustomerAndPriority() {
    Job launching = after(FIRE, new Launch(Map.of(), null));
    assertThat(launching.customer()).isEqualTo("acme");
    assertThat(launching.priority()).isEqualTo(3);
  }

  @Test
  void aLaunchThatNoGateCountsHasNoTicket() {
    Reason anyway = Reason.of(ReasonCode.LAUNCHED_AT_TIMEOUT, "PT2H");
    Launch launch = new Launch(Map.of(), anyway);
    assertThat(after(FIRE, launch).ticket()).isNull();
    assertThat(after(FIRE, launch).newestReason()).isEqualTo(anyway);
    assertThat(step(null, after(FIRE, launch), launch).gates()).isEmpty();
    Launch counted = new Launch(Map.of(PROGRAM, RATE), null);
    assertThat(after(FIRE, counted).isSlotted()).isFalse();
  }

  @Test
  void aRepeatedLaunchIsCountedAtItsNewInstant() {
    GateTicket ticket = GateTicket.through(List.of(PROGRAM), true, NOON.minusSeconds(20));
    Job interrupted = FIRE.launching(NOON.minusSeconds(20), NOON.minusSeconds(5)).through(ticket);
    Relaunch again = new Relaunch(Map.of(PROGRAM, RATE));
    Job launching = after(interrupted, again);
    assertThat(launching.ticket()).isEqualTo(ticket.again(NOON));
    assertThat(launching.launchingUntil()).isEqualTo(LEASE_END);
    assertThat(changed(step(interrupted, launching, again), PROGRAM).launches())
        .containsExactly(NOON);
    assertThat(after(interrupted, new Relaunch(Map.of())).ticket()).isEqualTo(ticket);
  }

  @Test
  void aJobThatStartsToWaitHasItsCustomerAndPriority() {
    Instant opening = NOON.plusSeconds(600);
    Job waiting = after(FIRE, new WaitForOpening(opening, ANY));
    assertThat(waiting.notBefore()).isEqualTo(opening);
    assertThat(waiting.attentionAt()).isEqualTo(opening.plusSeconds(20));
    assertThat(waiting.customer()).isEqualTo("acme");
    assertThat(waiting.priority()).isEqualTo(3);
    Job held = after(FIRE, new Suspend(ANY));
    assertThat(held.isSuspended()).isTrue();
    assertThat(held.priority()).isEqualTo(3);
  }

  @Test
  void aJobThatWaitsAtAGateIsCheckedAtItsTimeout() {
    WaitAtGate wait = new WaitAtGate(DISK, NOON.plusSeconds(60), ANY);
    Job waiting = after(FIRE, wait);
    assertThat(waiting.waitsAt()).isEqualTo(DISK);
    assertThat(waiting.attentionAt()).isEqualTo(NOON.plus(Duration.ofHours(2)));
    Step step = step(null, waiting, wait);
    assertThat(step.joining()).containsExactly(waiting.placeAt(DISK));
    assertThat(changed(step, DISK).waiters()).isEqualTo(1);
    assertThat(changed(step, DISK).wakeAt()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void aJobThatLeavesAGateGivesUpItsPlace() {
    Gate disk = Gate.unused(DISK).joined(NOON, NOON);
    Job waiting = FIRE.waitingAt(DISK, NOON.plusSeconds(60), NOON, ANY);
    Job launching = after(waiting, new Launch(Map.of(), null));
    Step step = step(waiting, launching, new Launch(Map.of(), null), disk);
    assertThat(step.leaving()).containsExactly(waiting.placeAt(DISK));
    assertThat(changed(step, DISK).waiters()).isZero();
  }

  @Test
  void aJobThatEndsWithoutALaunchFreesItsSlotAndItsCount() {
    Gate taken =
        Gate.unused(PROGRAM).taken(FIRE.id(), new Counted(true, 2, Duration.ofHours(1)), NOON);
    GateTicket ticket = GateTicket.through(List.of(PROGRAM), true, NOON);
    Job launching = FIRE.launching(NOON, LEASE_END).through(ticket);
    End end = new End(JobState.CANCELLED, ANY);
    Job ended = after(launching, end);
    assertThat(ended.state()).isEqualTo(JobState.CANCELLED);
    Gate freed = changed(step(launching, ended, end, taken), PROGRAM);
    assertThat(freed.holds(FIRE.id())).isFalse();
    assertThat(freed.launches()).isEmpty();

    Job run = launching.enqueued(NOON, null, NOON.plusSeconds(99));
    Gate ofRun = changed(step(run, after(run, end), end, taken), PROGRAM);
    assertThat(ofRun.holds(FIRE.id())).isFalse();
    assertThat(ofRun.launches()).containsExactly(NOON);
  }

  @Test
  void theGateOfAProgramIsUnsureOfARunWhoseRequestMayHaveBeenSent() {
    Gate taken = Gate.unused(PROGRAM).taken(FIRE.id(), new Counted(true, 0, Duration.ZERO), NOON);
    Job launching =
        FIRE.launching(NOON, LEASE_END).through(GateTicket.through(List.of(PROGRAM), true, NOON));
    Job refused = launching.refused(NOON, ANY);
    GateChanges changes = new GateChanges(Map.of(PROGRAM, taken), NOON);
    Gate freed = changed(changes.leaving(launching, refused, false), PROGRAM);
    assertThat(freed.holds(FIRE.id())).isFalse();
    assertThat(freed.isUnsure(NOON.plusSeconds(299))).isTrue();
    assertThat(freed.isUnsure(NOON.plusSeconds(300))).isFalse();
    assertThat(freed.unsure(NOON)).isEqualTo(freed);

    Job suspended = launching.waitingForResumption(NOON, ANY);
    assertThat(changed(changes.leaving(launching, suspended, false), PROGRAM)).isEqualTo(freed);

    Job cancelled = launching.ended(JobState.CANCELLED, NOON, ANY);
    Gate ended = changed(changes.leaving(launching, cancelled, false), PROGRAM);
    assertThat(ended.isUnsure(NOON)).isFalse();
  }

  @Test
  void aDecisionThatChangesNothingStoresNothing() {
    assertThat(after(FIRE, new Leave())).isNull();
    assertThat(step(FIRE, FIRE, new Leave()).gates()).isEmpty();
  }

  @Test
  void aJobConcernsTheGatesThatCountedItAndTheGateWhereItWaits() {
    GateTicket ticket = GateTicket.through(List.of(PROGRAM), true, NOON);
    assertThat(GateChanges.concerned(FIRE)).isEmpty();
    assertThat(GateChanges.concerned(FIRE.launching(NOON, LEASE_END).through(ticket)))
        .containsExactly(PROGRAM);
    assertThat(GateChanges.concerned(FIRE.waitingAt(DISK, NOON, NOON, ANY))).containsExactly(DISK);
  }
}
