package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A checker stops after it sent a request and before it stored that. The program runs, and reports
 * its end while the job still waits to be launched again.
 */
class InterruptedLaunchTest {

  private static final GateKey PROGRAM = GateKey.ofProgram("default", "p");

  private final World world = new World("2026-03-01T10:00:30Z");

  private ScheduleId onData(String name, String constraints) {
    return world.put(
        name,
        active(partition(name, 1), "\"program\": \"p\", \"constraints\": [" + constraints + "]"));
  }

  private void data(String name) {
    world.partitions(name, 1);
    world.runFor(Duration.ofSeconds(1));
  }

  /** Sends the request of a job, and stops the checker. */
  private JobId sentAndInterrupted(String schedule) {
    AtomicBoolean isDead = new AtomicBoolean();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          boolean isSent = calls.get(calls.size() - 1).equals("TargetQueues.send");
          if (isSent && !isDead.getAndSet(true)) {
            throw new Faults.Killed();
          }
        });
    data(schedule);
    assertThat(world.arrivals).hasSize(1);
    JobId job = world.arrivals.get(0).request().job();
    assertThat(world.job(job).state()).isEqualTo(JobState.PENDING_LAUNCH);
    return job;
  }

  private void end(String run) {
    world.event(
        "end",
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\"%s}}"
            .formatted(run));
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void anEndThatNamesNoRunWaitsWhileItsJobIsSuspended() {
    ScheduleId id = onData("a", "{\"type\": \"concurrency\", \"max\": 1}");
    JobId job = sentAndInterrupted("a");
    end("");
    world.keep(id, SuspendMode.HOLD, null);
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.job(job).isSuspended()).isTrue();
    world.resume(id);
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(world.gates.find(List.of(PROGRAM)).get(PROGRAM).slots().isEmpty()).isTrue();
  }

  @Test
  void anEndThatNamesItsRunCountsAlthoughNoGateCountedTheLaunch() {
    onData("a", "");
    JobId job = sentAndInterrupted("a");
    onData("b", "{\"type\": \"sinceLastRun\", \"duration\": \"PT1H\"}");
    end(", \"runId\": \"%s\"".formatted(job));
    assertThat(world.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    data("b");
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.arrivals).as("succeeded less than an hour ago").hasSize(1);
    world.runFor(Duration.ofHours(1));
    assertThat(world.arrivals).hasSize(2);
  }

  @Test
  void aSuccessThatCouldNotBeCountedIsCountedWhenItsReportIsReceivedAgain() {
    onData("a", "");
    JobId job = sentAndInterrupted("a");
    onData("b", "{\"type\": \"sinceLastRun\", \"duration\": \"PT1H\"}");
    world.faults.failAll("Gates.update");
    end(", \"runId\": \"%s\"".formatted(job));
    assertThat(world.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    world.faults.heal();
    world.runFor(Duration.ofMinutes(3));
    data("b");
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.arrivals).as("succeeded less than an hour ago").hasSize(1);
  }
}
