package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TriggerState;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.metrics.Metric;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Another function writes between the read and the write of one that chooses or serves. */
class LostRacesTest {

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);
  private final AtomicInteger left = new AtomicInteger();

  /** After each of the next calls of this name, another function writes. */
  private void race(String call, int times, Runnable write) {
    left.set(times);
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          if (calls.get(calls.size() - 1).equals(call) && left.get() > 0) {
            left.decrementAndGet();
            write.run();
          }
        });
  }

  private void choose() {
    Pools pools = world.gates.pools();
    PoolState state = pools.state(Pooled.ENCODE).orElseGet(() -> PoolState.begin(Pooled.ENCODE));
    assertThat(pools.update(state, state.next(state.turns(), state.leaving(), 0))).isTrue();
  }

  private long lostRaces() {
    assertThat(left).hasValue(0);
    return world.metrics.sum(Metric.LOST_RACES);
  }

  @Test
  void aPassOverAPoolChoosesOnceMore() {
    pooled.pool("{\"queue\": \"encoding\"}");
    pooled.schedule("a", "");
    world.partitions("a", 1);
    race("Pools.state", 8, this::choose);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.moved()).containsExactly("a");
    assertThat(lostRaces()).isBetween(7L, 8L);
  }

  @Test
  void aPullChoosesOnceMore() {
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    race("Pools.state", 12, this::choose);
    Pull pull = new Pull(Pooled.ENCODE, 1, "w", "r", true);
    assertThat(world.pulls().next(pull, new Deadline(Instant.MAX, world::now)).orElseThrow())
        .hasSize(1);
    assertThat(lostRaces()).isEqualTo(12);
  }

  /** The write that stores when the gate is served next is refused. */
  @Test
  void aGateIsServedOnceMore() {
    GateKey key = GateKey.ofProgram("default", "p");
    world.put(
        "a",
        """
        {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
         "program": "p", "constraints": [{"type": "rate", "max": 1, "per": "PT1M"}],
         "target": {"queue": "q", "template": {}}}
        """);
    pooled.arrive("a", 3);
    assertThat(world.arrivals).hasSize(1);
    long before = world.metrics.sum(Metric.LOST_RACES);
    race(
        "Gates.commit",
        1,
        () -> {
          Gate gate = world.gates.find(List.of(key)).get(key);
          world.gates.update(gate, gate.demanding(Map.of()));
        });
    world.runFor(Duration.ofSeconds(62));
    assertThat(world.arrivals).hasSize(2);
    assertThat(lostRaces() - before).isEqualTo(1);
  }

  /** Nothing but this check ends a collecting job that waits only for events. */
  @Test
  void theCheckThatCannotEndACollectingJobIsReceivedAgain() {
    ScheduleId id =
        world.put(
            "a",
            """
            {"trigger": {"type": "partition", "dataset": "a", "count": 2}, "state": "ACTIVE",
             "target": {"queue": "q", "template": {}}}
            """);
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(2));
    world.keep(id, SuspendMode.DISCARD, null);
    world.check(new CollectingJobId(id));
    race("Jobs.collectingJob", OptimisticUpdate.MOST_ATTEMPTS, () -> store(collecting(id)));
    world.runFor(Duration.ofSeconds(2));
    assertThat(lostRaces()).isEqualTo(OptimisticUpdate.MOST_ATTEMPTS);
    assertThat(collecting(id).open()).isNotNull();
    world.runFor(MemoryCheckQueue.VISIBILITY);
    assertThat(collecting(id).open()).isNull();
    assertThat(world.jobs.all()).extracting(Job::state).containsExactly(JobState.CANCELLED);
  }

  /** A message that was received too often is the only one that names the job. */
  @Test
  void aJobIntoWhichFiresWereMergedWhileItWasSetAsideIsCheckedAgain() {
    ScheduleId id =
        world.put(
            "a",
            """
            {"trigger": {"type": "partition", "dataset": "a", "count": 1}, "state": "ACTIVE",
             "target": {"queue": "q", "template": {}}}
            """);
    world.runFor(Duration.ofSeconds(2));
    JobId waiting = world.triggered(id, world.now(), Json.object());
    Job job = world.job(waiting);
    Update other = new Update(job, job.grown(new TriggerState(List.of(), List.of(), 0)));
    world.faults.afterNext("Jobs.find", () -> world.jobs.update(List.of(other)));
    world.checkReceivedOften(waiting);
    world.runFor(Duration.ofSeconds(2));
    assertThat(world.arrivals).hasSize(1);
  }

  private CollectingJob collecting(ScheduleId id) {
    return world.jobs.collectingJob(id, world.now()).orElseThrow().collectingJob();
  }

  /** Stores the counts once more, as another version. */
  private void store(CollectingJob it) {
    CollectingJob next =
        new CollectingJob(
            it.schedule(),
            it.version() + 1,
            it.generation(),
            it.activation(),
            it.nextSequence(),
            it.advancedTo(),
            it.open());
    assertThat(world.jobs.save(it, next, Set.of(), List.of(), world.now())).isTrue();
  }
}
