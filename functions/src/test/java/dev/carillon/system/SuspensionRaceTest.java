package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /**
   * Lets a checker die after it has stored a job as suspended. The schedule is resumed after the
   * checker has read the head, and no message is left.
   */
  private void dieSuspending(ScheduleId schedule, Subject checked, String store) {
    world.faults.afterNext(
        "Schedules.forLaunch",
        () -> {
          world.resume(schedule);
          deleteMessages();
          world.checking(List.of(new SuspensionEnd(schedule))).run();
          deleteMessages();
          world.faults.afterNext(
              store,
              () -> {
                throw new Faults.Killed();
              });
        });
    assertThatThrownBy(world.checking(List.of(checked))::run).isInstanceOf(Faults.Killed.class);
  }

  private void deleteMessages() {
    world.checkQueue.receive(world.now(), 10).forEach(world.checkQueue::delete);
    world.checkQueue.receiveOverdue(world.now(), 10).forEach(world.checkQueue::delete);
  }

  private Job waiting() {
    return world.jobs.all().stream()
        .filter(job -> job.state() == JobState.PENDING_CONSTRAINT || job.isReady())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobThatWaitsAtAGateIsReleased(boolean isGateChecked) {
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
    world.pause(Duration.ofMinutes(5));
    Subject gate = GateKey.ofProgram("default", "p");
    dieSuspending(id, isGateChecked ? gate : waiting, "Gates.commit");
    assertThat(world.job(waiting).isSuspended()).isTrue();

    world.runFor(Duration.ofMinutes(6));
    assertThat(world.job(waiting).state()).isEqualTo(JobState.LAUNCHED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobThatWaitsInAPoolIsReleased(boolean isPoolChecked) {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    ScheduleId id = pooled.schedule("a", "");
    pooled.arrive("a", 1);
    suspend(id);
    JobId waiting = waiting().id();
    pooled.pool("{\"queue\": \"encoding\"}");
    dieSuspending(id, isPoolChecked ? Pooled.ENCODE : waiting, "Jobs.update");
    assertThat(world.job(waiting).isSuspended()).isTrue();

    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("a");
  }
}
