package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Slots;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gate with more unfinished runs than its item has room for, and runs that end together. */
class ManyRunsTest {

  private static final GateKey PROGRAM = GateKey.ofProgram("default", "p");

  private World world = new World("2026-03-01T10:00:30Z");

  private static String limit(int max) {
    return "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": %d}]"
        .formatted(max);
  }

  /** Triggers so many jobs at once. */
  private void jobs(int max, int jobs) {
    world.put("a", active(partition("a", 1), limit(max)));
    for (int number = 0; number < jobs; number++) {
      world.partitions("a", 1);
    }
    world.runFor(Duration.ofSeconds(10));
  }

  private List<JobId> launched() {
    return world.arrivals.stream().map(arrival -> arrival.request().job()).toList();
  }

  private void report(List<JobId> runs, String status) {
    runs.forEach(run -> world.event("end-" + run, status(run, status)));
    world.runFor(Duration.ofSeconds(10));
  }

  private static String status(JobId run, String status) {
    return "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"%s\", \"runId\": \"%s\"}}"
        .formatted(status, run);
  }

  private Gate gate() {
    return world.gates.find(List.of(PROGRAM)).get(PROGRAM);
  }

  private int writes() {
    return Collections.frequency(world.faults.calls(), "Gates.update");
  }

  private void assertSlots(int expected) {
    assertThat(gate().slots().size()).isEqualTo(expected);
    assertThat(world.gates.slots(gate())).hasSize(expected);
  }

  @Test
  void runsThatEndTogetherFreeTheirSlotsInAWriteForTwentyFive() {
    jobs(40, 40);
    assertThat(launched()).hasSize(40);
    assertSlots(40);
    assertThat(gate().slots().inline()).hasSize(Slots.ROOM);

    int before = writes();
    report(launched().subList(5, 35), "SUCCEEDED");
    assertThat(writes()).isEqualTo(before + 2);
    assertSlots(10);

    report(launched().subList(5, 35), "FAILED");
    assertThat(writes()).isEqualTo(before + 2);
    assertSlots(10);
    assertThat(launched().subList(5, 35))
        .allMatch(run -> world.job(run).state() == JobState.SUCCEEDED);
  }

  @Test
  void waitingJobsTakeTheSlotsOfRunsThatEndTogether() {
    jobs(25, 60);
    assertThat(launched()).hasSize(25);
    report(launched(), "SUCCEEDED");
    assertThat(launched()).hasSize(50);
    assertSlots(25);
    report(launched(), "SUCCEEDED");
    assertThat(launched()).hasSize(60);
    report(launched(), "SUCCEEDED");
    assertSlots(0);
    assertThat(gate().waiters()).isZero();
  }

  @Test
  void aProgramWithFewEndsDoesNotWaitForOneWithMany() {
    jobs(40, 40);
    world.put("q", active(partition("q", 1), limit(1).replace("\"p\"", "\"q\"")));
    world.partitions("q", 1);
    world.runFor(Duration.ofSeconds(10));
    JobId single = launched().get(40);
    List<Integer> left = new ArrayList<>();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          if (calls.get(calls.size() - 1).equals("Gates.update")) {
            left.add(gate().slots().size());
          }
        });
    launched().subList(0, 40).forEach(run -> world.event("end-" + run, status(run, "FAILED")));
    world.event("single", status(single, "FAILED").replace("\"p\"", "\"q\""));
    world.runFor(Duration.ofSeconds(10));
    assertThat(left).containsExactly(16, 16, 0);
    assertSlots(0);
    assertThat(world.job(single).state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void ofTwoReportsOfOneRunInABatchTheFirstCounts() {
    jobs(20, 20);
    JobId run = launched().get(19);
    world.event("first", status(run, "FAILED"));
    world.event("second", status(run, "SUCCEEDED"));
    report(launched().subList(0, 5), "SUCCEEDED");
    assertThat(world.job(run).state()).isEqualTo(JobState.FAILED);
    assertSlots(14);
  }

  @Test
  void aReportOfAnotherProgramDoesNotHideTheEndOfARun() {
    jobs(20, 20);
    JobId run = launched().get(19);
    world.event("a-wrong", status(run, "FAILED").replace("\"p\"", "\"o\""));
    world.event("b-wrong", status(run, "FAILED").replace("\"p\"", "\"q\""));
    report(List.of(run), "SUCCEEDED");
    assertThat(world.job(run).state()).isEqualTo(JobState.SUCCEEDED);
    assertSlots(19);
  }

  @Test
  void aRunThatCannotBeReadHoldsUpNoOtherEnd() {
    jobs(20, 20);
    JobId run = launched().get(19);
    world.damageRowOf(run);
    report(launched(), "SUCCEEDED");
    assertSlots(1);
    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertSlots(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Jobs.update", "Gates.update", "Gates.find", "Gates.finding"})
  void endsThatCannotBeStoredAreReceivedAgain(String call) {
    jobs(20, 20);
    world.faults.failAll(call);
    report(launched(), "SUCCEEDED");
    assertSlots(20);
    world.faults.heal();
    world.runFor(Duration.ofMinutes(2));
    assertSlots(0);
    assertThat(launched()).allMatch(run -> world.job(run).state() == JobState.SUCCEEDED);
  }

  /** After a restore, the table of gates can be newer than that of jobs. */
  @Test
  void aJobWhoseSlotIsStoredAlreadyLaunchesWithIt() {
    world = new World("2026-03-01T10:00:30Z", Slots.none(0));
    ScheduleId id = world.put("a", active(cron("0 1 10 * * ?"), limit(1_000)));
    JobId job = JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:01:00Z"));
    Counted slots = new Counted(true, 0, Duration.ZERO);
    assertThat(world.gates.update(gate(), gate().taken(job, slots, world.now()))).isTrue();

    world.runUntil("2026-03-01T10:01:10Z");
    assertThat(launched()).containsExactly(job);
    assertSlots(1);
    report(launched(), "SUCCEEDED");
    assertSlots(0);
  }

  @Test
  void aRunWithoutAnEndFreesItsSlotAfterADay() {
    jobs(20, 22);
    report(launched().subList(0, 16), "SUCCEEDED");
    assertSlots(6);
    world.runFor(Duration.ofDays(1).plusMinutes(5));
    assertSlots(0);
    assertThat(launched()).hasSize(22);
    assertThat(launched().stream().map(world::job).map(Job::state))
        .containsOnly(JobState.SUCCEEDED, JobState.FAILED);
  }
}
