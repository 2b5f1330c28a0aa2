package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.JobState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of a pool that wait at a gate that stays closed. */
class ClosedGateTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  private int passes() {
    return Collections.frequency(world.faults.calls(), "Gates.waiters");
  }

  /**
   * A check of a waiting job has its gate served. If each pass over the gate planned such checks,
   * it would bring about the next pass. If the checks took two messages, the passes would double.
   */
  @Test
  void aPassThatLetsNoJobThroughPlansNoOther() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 9}");
    pooled.schedule(
        "a", ", \"constraints\": [{\"type\": \"rate\", \"max\": 1, \"per\": \"PT5M\"}]");
    pooled.arrive("a", 9);
    world.runFor(Duration.ofMinutes(6));
    assertThat(pooled.moved()).as("a pass lets the second job through").hasSize(2);
    int before = passes();
    world.runFor(Duration.ofMinutes(3));

    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).hasSize(7);
    assertThat(passes() - before).isLessThan(3);
  }

  /**
   * The check of a job is planned before its step is stored. If that fails, the step counts for
   * nothing, or the gate would count one waiting job too few and never let the last one through.
   */
  @Test
  void aCheckThatCannotBePlannedLeavesNoJobBehind() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 9}");
    pooled.schedule(
        "a", ", \"constraints\": [{\"type\": \"rate\", \"max\": 3, \"per\": \"PT1M\"}]");
    pooled.arrive("a", 3);
    pooled.arrive("a", 3);
    failTheFirstCheckOfEachPass();
    world.runFor(Duration.ofMinutes(20));
    assertThat(pooled.in(JobState.PENDING_CONSTRAINT)).isEmpty();
  }

  private void failTheFirstCheckOfEachPass() {
    List<String> calls = world.faults.calls();
    world.faults.around(
        () -> {
          String last = calls.get(calls.size() - 1);
          if (last.equals("Gates.waiters")) {
            world.faults.failAll("CheckQueue.send");
          } else if (last.equals("CheckQueue.send")) {
            world.faults.heal();
          }
        },
        () -> {});
  }
}
