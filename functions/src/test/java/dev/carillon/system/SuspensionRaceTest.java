package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A checker suspends a job because of a suspension that ends meanwhile, and dies before it finds
 * that out. Its message does not come again, because another checker that received it has deleted
 * it.
 */
class SuspensionRaceTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  /** Suspends a schedule. No message or timer of this change is left. */
  private void suspend(ScheduleId schedule) {
    world.keep(schedule, SuspendMode.BACKLOG, null);
    world.runFor(Duration.ofMinutes(1));
  }

  private void dieSuspending(ScheduleId schedule, Subject checked, String store) {
    world.faults.afterNext(
        "Schedules.forLaunch",
        () -> {
          world.resume(schedule);
          world.handleChecks();
          world.faults.afterNext(
              store,
              () -> {
                throw new Faults.Killed();
              });
        });
    assertThatThrownBy(world.checking(List.of(checked))::run).isInstanceOf(Faults.Killed.class);
  }

  private Job waiting() {
    return world.jobs.all().stream()
        .filter(job -> job.state() == JobState.PENDING_CONSTRAINT || job.isReady())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aJobThatWaitsAtAGateIsReleased() {
    ScheduleId id =
        world.put(
            "a",
            """
            {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
             "program": "p", "constraints": [{"type": "rate", "max": 1, "per": "PT5M"}],
             "target": {"queue": "q", "template": {}}}
            """);
    pooled.arrive("a", 2);
    JobId waiting = waiting().id();
    suspend(id);
    dieSuspending(id, waiting, "Gates.commit");
    assertThat(world.job(waiting).isSuspended()).isTrue();

    world.runFor(Duration.ofMinutes(6));
    assertThat(world.job(waiting).state()).isEqualTo(JobState.LAUNCHED);
  }

  @Test
  void aJobThatWaitsInAPoolIsReleased() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    ScheduleId id = pooled.schedule("a", "");
    pooled.arrive("a", 1);
    suspend(id);
    JobId waiting = waiting().id();
    dieSuspending(id, waiting, "Jobs.update");
    assertThat(world.job(waiting).isSuspended()).isTrue();

    pooled.pool("{\"queue\": \"encoding\"}");
    world.runFor(Duration.ofMinutes(1));
    assertThat(pooled.moved()).containsExactly("a");
  }
}
