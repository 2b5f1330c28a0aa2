package dev.carillon.system;

import static dev.carillon.metrics.Metric.POOL_DEPTH;
import static dev.carillon.metrics.Metric.POOL_MOVED;
import static dev.carillon.metrics.Metric.POOL_OLDEST_AGE;
import static dev.carillon.metrics.Metric.POOL_PULLED;
import static dev.carillon.metrics.Metric.POOL_VISIBLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.metrics.MeteredPools;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Scope;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Moving;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {

  private static final Scope POOL = Scope.of(Pooled.ENCODE);
  private static final String QUEUE = "arn:aws:sqs:us-east-1:000000000000:encoding";

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);

  private long of(Metric metric, String customer) {
    return world.metrics.sum(metric, Scope.of(Pooled.ENCODE, customer));
  }

  @Test
  void movedJobsAreCountedByPoolAndByNamedCustomers() {
    pooled.pool(
        """
        {"queue": "encoding", "depth": 9, "weights": {"a": 2}, "maxInFlight": {"b": 5, "default": 6}}
        """);
    for (String customer : List.of("a", "b", "c")) {
      pooled.schedule(customer, "");
      pooled.arrive(customer, 2);
    }
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.metrics.sum(POOL_MOVED, POOL)).isEqualTo(6);
    assertThat(of(POOL_MOVED, "a")).isEqualTo(2);
    assertThat(of(POOL_MOVED, "b")).isEqualTo(2);
    assertThat(of(POOL_MOVED, "c")).isZero();
    assertThat(world.metrics.sum(POOL_PULLED, POOL)).isZero();
    assertThat(world.metrics.values(POOL_DEPTH, POOL)).isNotEmpty().containsOnly(9L);
    assertThat(world.metrics.values(POOL_VISIBLE, POOL)).contains(6L).allMatch(value -> value <= 6);
    assertThat(world.metrics.values(POOL_OLDEST_AGE, POOL)).allMatch(age -> age <= 2);
  }

  @Test
  void theOldestAgeIsThatOfTheChosenJobs() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.metrics.values(POOL_OLDEST_AGE, POOL)).isEmpty();
    pooled.arrive("a", 1);
    pooled.pool("{\"queue\": \"encoding\"}");
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.metrics.values(POOL_OLDEST_AGE, POOL)).containsExactly(600L);
  }

  @Test
  void aMoveThatFailsAndIsRepeatedCountsOnce() {
    pooled.pool("{\"queue\": \"encoding\"}");
    pooled.schedule("a", "");
    world.targets.refuse(QUEUE, "no answer");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofSeconds(20));
    world.targets.accept(QUEUE);
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.moved()).containsExactly("a");
    assertThat(world.metrics.sum(POOL_MOVED, POOL)).isEqualTo(1);
  }

  @Test
  void aFullQueueIsMeasuredEachMinute() {
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1}");
    pooled.schedule("a", "");
    pooled.arrive("a", 2);
    world.runFor(Duration.ofSeconds(5));
    int before = world.metrics.values(POOL_VISIBLE, POOL).size();
    world.runFor(Duration.ofMinutes(10));
    List<Long> visible = world.metrics.values(POOL_VISIBLE, POOL);
    assertThat(visible.subList(before, visible.size())).hasSizeBetween(5, 10).containsOnly(1L);
    assertThat(world.metrics.sum(POOL_MOVED, POOL)).isEqualTo(1);
  }

  @Test
  void pulledJobsAreCountedByPoolAndByNamedCustomers() {
    pooled.pool("{\"weights\": {\"a\": 2}}");
    for (String customer : List.of("a", "b")) {
      pooled.schedule(customer, "");
      pooled.arrive(customer, 1);
    }
    Pull pull = new Pull(Pooled.ENCODE, 5, "w", "request", true);
    world.pulls().next(pull, new Deadline(Instant.MAX, world::now));
    world.pulls().next(pull, new Deadline(Instant.MAX, world::now));
    assertThat(world.metrics.sum(POOL_PULLED, POOL)).isEqualTo(2);
    assertThat(of(POOL_PULLED, "a")).isEqualTo(1);
    assertThat(of(POOL_PULLED, "b")).isZero();
    assertThat(world.metrics.sum(POOL_MOVED, POOL)).isZero();
    assertThat(world.metrics.values(POOL_VISIBLE, POOL)).isEmpty();
  }

  @Test
  void aChoiceThatLostItsRaceCountsNothingAndOddNamesOnlyForTheirPool() {
    pooled.pool("{\"queue\": \"encoding\", \"weights\": {\"zoë\": 2, \":a\": 2, \"acme inc\": 2}}");
    Pools metered = new MeteredPools(world.gates.pools(), world.metrics, world::now);
    metered.find(List.of(Pooled.ENCODE));
    List<Moving> chosen = new ArrayList<>();
    for (String customer : List.of("zoë", ":a", "acme inc")) {
      JobId job = JobId.ofFire(new ScheduleId("default", "a"), chosen.size() + 1, world.now());
      ReadyJob row = new ReadyJob(Pooled.ENCODE, 5, customer, world.now(), job);
      chosen.add(new Moving(row, world.now(), false));
    }
    PoolState begin = PoolState.begin(Pooled.ENCODE);
    PoolState after = begin.next(Map.of(), chosen, 0);
    assertThat(metered.update(begin, after)).isTrue();
    assertThat(metered.update(begin, after)).isFalse();
    assertThat(world.metrics.sum(POOL_MOVED, POOL)).isEqualTo(3);
    assertThat(of(POOL_MOVED, "acme inc")).isEqualTo(1);
    assertThat(of(POOL_MOVED, "zoë")).isZero();
    assertThat(of(POOL_MOVED, ":a")).isZero();
  }
}
