package dev.carillon.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.constraint.Gauge;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.decision.GateAdmission.Closed;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whether gates let a job pass that needs 10 of the resource disk, the earlier gate, and the only
 * slot of its program, the later one.
 */
class GateAdmissionTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "report");
  private static final GateKey DISK = GateKey.ofResource("default", "disk");
  private static final Counted SLOT = new Counted(true, 0, Duration.ZERO);
  private static final Job FIRE = NewJob.dueFire(JobId.ofFire(REPORT, 1, NOON), 1, "report");

  private static Gate disk(boolean isOpen, int waiters) {
    Gauge gauge = new Gauge(BigDecimal.valueOf(isOpen ? 30 : 3), null, NOON, "ann");
    return joined(Gate.unused(DISK).reported(gauge, NOON), waiters);
  }

  private static Gate program(boolean isOpen, int waiters) {
    Gate unused = Gate.unused(PROGRAM);
    JobId other = JobId.ofFire(REPORT, 1, NOON.minusSeconds(3600));
    return joined(isOpen ? unused : unused.taken(other, SLOT, other.at()), waiters);
  }

  private static Gate joined(Gate gate, int waiters) {
    Gate joined = gate;
    for (int i = 0; i < waiters; i++) {
      joined = joined.joined(NOON, NOON);
    }
    return joined;
  }

  private static Job waitingAt(String gate) {
    Reason any = Reason.of(ReasonCode.CONSTRAINTS_UNMET, "any");
    return gate.equals("-")
        ? FIRE
        : FIRE.waitingAt(gate.equals("disk") ? DISK : PROGRAM, NOON.plusSeconds(60), NOON, any);
  }

  private static GateAdmission admission(
      Job job, String onDisk, String onProgram, Gate disk, Gate program) {
    return admission(
        job,
        """
        {"type": "concurrency", "max": 1, "onUnmet": "%s"},
        {"type": "resource", "name": "disk", "atLeast": 10, "onUnmet": "%s"}
        """
            .formatted(onProgram, onDisk),
        disk,
        program);
  }

  private static GateAdmission admission(Job job, String constraints, Gate disk, Gate program) {
    ObjectNode document =
        Json.readObject(
            """
            {"trigger": {"type": "rate", "every": "PT1H"}, "state": "ACTIVE",
             "target": {"queue": "exports", "template": {}}, "constraints": [%s]}
            """
                .formatted(constraints));
    Schedule schedule = new ScheduleParser(ZoneOffset.UTC).parse(REPORT, document, NOON);
    Head head = Lifecycle.create(null, schedule, NOON, "ann").after();
    Definition definition = new Definition(REPORT, 1, document, NOON, NOON, "ann", NOON);
    GateStates gates = keys -> Map.of(DISK, disk, PROGRAM, program);
    GatedPrograms programs =
        new GatedPrograms("default", LimitedPrograms.NONE, gates, schedule.demands());
    JobSnapshot given =
        new JobSnapshot(
            head,
            false,
            new Compiled(definition, schedule),
            true,
            programs,
            null,
            JobPools.NAMED,
            gates);
    return GateAdmission.of(job, given, NOON);
  }

  private static String shown(Optional<Closed> closed) {
    return closed
        .map(
            at ->
                (at.skips() ? "skips at " : "waits at ")
                    + at.gate().key().name()
                    + (at.isQueueAlone() ? ", behind others" : ""))
        .orElse("passes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // disk open | waiters | on unmet | program open | waiters | on unmet | waits at | result
        "true  | 0 | wait | true  | 0 | wait | -       | passes",
        // the limit
        "false | 0 | wait | true  | 0 | wait | -       | waits at disk",
        "false | 0 | wait | true  | 0 | wait | disk    | waits at disk",
        "false | 0 | wait | true  | 0 | wait | program | waits at disk",
        // the queue
        "true  | 1 | wait | true  | 0 | wait | -       | waits at disk, behind others",
        "false | 1 | wait | true  | 0 | wait | -       | waits at disk",
        "true  | 1 | wait | true  | 0 | wait | disk    | passes",
        "true  | 1 | wait | true  | 0 | wait | program | passes",
        // skip
        "true  | 0 | skip | true  | 0 | wait | -       | passes",
        "false | 0 | skip | true  | 0 | wait | -       | skips at disk",
        "true  | 1 | skip | true  | 0 | wait | -       | skips at disk, behind others",
        "false | 1 | skip | true  | 0 | wait | -       | skips at disk",
        "false | 1 | skip | true  | 0 | wait | disk    | skips at disk",
        "true  | 1 | skip | true  | 0 | wait | disk    | passes",
        // the later gate
        "true  | 0 | wait | false | 0 | wait | -       | waits at report",
        "true  | 0 | wait | true  | 1 | wait | -       | waits at report, behind others",
        "true  | 0 | wait | true  | 1 | wait | disk    | waits at report, behind others",
        "true  | 0 | wait | true  | 1 | wait | program | passes",
        "true  | 1 | wait | false | 1 | wait | disk    | waits at report",
        // both: the first in order, but a gate that skips before all
        "false | 0 | wait | false | 0 | wait | -       | waits at disk",
        "true  | 1 | wait | false | 0 | wait | -       | waits at disk, behind others",
        "false | 0 | wait | false | 0 | skip | -       | skips at report",
        "true  | 1 | wait | true  | 1 | skip | -       | skips at report, behind others",
        "false | 0 | skip | false | 0 | skip | -       | skips at disk"
      })
  void theGateThatHoldsTheJobUp(
      boolean isDiskOpen,
      int atDisk,
      String onDisk,
      boolean isProgramOpen,
      int atProgram,
      String onProgram,
      String waitsAt,
      String result) {
    GateAdmission admission =
        admission(
            waitingAt(waitsAt),
            onDisk,
            onProgram,
            disk(isDiskOpen, atDisk),
            program(isProgramOpen, atProgram));

    assertThat(shown(admission.closed())).isEqualTo(result);
  }

  @Test
  void onlyGatesThatHoldSlotsCountTheLaunch() {
    GateAdmission admission = admission(FIRE, "wait", "wait", disk(true, 0), program(true, 0));
    assertThat(admission.counted()).isEqualTo(Map.of(PROGRAM, SLOT));
  }

  @Test
  void aGateThatQueuesAJobIsServedAtOnceAndAClosedOneAtItsLatestCheck() {
    Gate full = program(false, 0);
    assertThat(wake(disk(true, 1), program(true, 0))).isEqualTo(NOON);
    assertThat(wake(disk(true, 0), full)).isEqualTo(full.latestCheck(NOON)).isAfter(NOON);
  }

  @Test
  void aGateThatOpensByItselfIsServedThen() {
    Instant expiry = NOON.plusSeconds(90);
    Closed closed = new Closed(disk(false, 0), new NotYet(expiry, "disk is 3"), false, false);
    assertThat(closed.wake(NOON)).isEqualTo(expiry);
  }

  private static @Nullable Instant wake(Gate disk, Gate program) {
    return admission(FIRE, "wait", "wait", disk, program).closed().orElseThrow().wake(NOON);
  }

  @Test
  void everyUnmetLimitAndEveryQueueIsNamed() {
    assertThat(admission(FIRE, "wait", "wait", disk(false, 1), program(false, 1)).unmet())
        .extracting(Unmet::reason)
        .containsExactly(
            "resource disk is 3; at least 10 is required",
            "other jobs wait at resource disk",
            "program report is at its limit of unfinished jobs: 1 of at most 1",
            "other jobs wait at program report");
    assertThat(
            admission(waitingAt("program"), "wait", "wait", disk(true, 1), program(true, 1))
                .unmet())
        .isEmpty();
  }

  /** A limit that holds and says {@code skip} does not end a job that waits because of another. */
  @ParameterizedTest
  @CsvSource({"wait, skip, waits", "skip, wait, waits", "skip, skip, skips"})
  void aJobIsSkippedBehindOthersIfEachOfItsLimitsSaysSo(
      String onConcurrency, String onRate, String result) {
    String both =
        """
        {"type": "concurrency", "max": 5, "onUnmet": "%s"},
        {"type": "rate", "max": 1000, "per": "PT1H", "onUnmet": "%s"}
        """
            .formatted(onConcurrency, onRate);
    GateAdmission admission = admission(FIRE, both, disk(true, 0), program(true, 1));
    assertThat(shown(admission.closed())).isEqualTo(result + " at report, behind others");
  }
}
