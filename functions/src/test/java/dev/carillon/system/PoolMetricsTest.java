package dev.carillon.system;

import static dev.carillon.metrics.Metric.POOL_DEPTH;
import static dev.carillon.metrics.Metric.POOL_MOVED;
import static dev.carillon.metrics.Metric.POOL_OLDEST_AGE;
import static dev.carillon.metrics.Metric.POOL_PULLED;
import static dev.carillon.metrics.Metric.POOL_VISIBLE;
import static dev.carillon.metrics.Metric.POOL_WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.metrics.MeteredPools;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Scope;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.ReadyCount;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Each is read once a minute, until jobs are chosen. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no worker claims  | {"queue": "encoding", "depth": 1}
          the pool is paused | {"queue": "encoding", "paused": true}
          no worker pulls   | {}
          """)
  void theAgeAndNumberOfWaitingJobsAreReportedEachMinute(String why, String pool) {
    pooled.pool(pool);
    pooled.schedule("first", "");
    pooled.schedule("a", "");
    pooled.arrive("first", 1);
    world.runFor(Duration.ofSeconds(2));
    pooled.arrive("a", 2);
    int before = world.metrics.values(POOL_WAITING, POOL).size();
    world.runFor(Duration.ofMinutes(10));
    List<Long> ages = world.metrics.values(POOL_OLDEST_AGE, POOL);
    assertThat(ages).as(why).hasSizeBetween(9, 10).isSorted();
    assertThat(ages.get(ages.size() - 1)).isBetween(540L, 602L);
    List<Long> waiting = world.metrics.values(POOL_WAITING, POOL);
    int expected = pooled.in(JobState.READY).size();
    assertThat(waiting.subList(before, waiting.size()))
        .hasSizeBetween(9, 10)
        .containsOnly((long) expected);
    assertThat(expected).isEqualTo(why.equals("no worker claims") ? 2 : 3);
  }

  @Test
  void theAgeOfTheChosenJobsIsReportedAsWell() {
    pooled.pool("{\"queue\": \"encoding\", \"paused\": true}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runFor(Duration.ofMinutes(10).plusSeconds(30));
    pooled.pool("{\"queue\": \"encoding\"}");
    world.runFor(Duration.ofSeconds(5));
    List<Long> ages = world.metrics.values(POOL_OLDEST_AGE, POOL);
    assertThat(ages.get(ages.size() - 1)).isEqualTo(630);
  }

  @Test
  void namedCustomersHaveTheNumberOfTheirWaitingJobsAndNoOthers() {
    pooled.pool("{\"weights\": {\"a\": 2, \"none\": 3}, \"maxInFlight\": {\"default\": 4}}");
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    pooled.arrive("a", 2);
    pooled.arrive("b", 1);
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.metrics.values(POOL_WAITING, Scope.of(Pooled.ENCODE, "a")))
        .last()
        .isEqualTo(2L);
    assertThat(world.metrics.values(POOL_WAITING, Scope.of(Pooled.ENCODE, "none")))
        .isNotEmpty()
        .containsOnly(0L);
    for (String other : List.of("b", "default")) {
      assertThat(world.metrics.values(POOL_WAITING, Scope.of(Pooled.ENCODE, other))).isEmpty();
    }
  }

  /** The oldest job of a lesser priority is behind the rows that are counted. */
  @Test
  void atMostAThousandJobsAreCountedAndTheFirstOfEachPriorityIsSeen() {
    pooled.pool("{\"weights\": {\"a\": 2, \"z\": 2}}");
    Pools metered = new MeteredPools(world.gates.pools(), world.metrics, world::now);
    metered.find(List.of(Pooled.ENCODE));
    Instant now = world.now();
    metered.put(List.of(ready(9, "z", now.minusSeconds(700))));
    for (int number = 0; number < ReadyCount.MOST_ROWS; number++) {
      metered.put(List.of(ready(5, "a", now.minusSeconds(number % 100).minusMillis(number))));
    }
    metered.count(Pooled.ENCODE, Set.of());
    assertThat(world.metrics.values(POOL_WAITING, POOL)).containsExactly(1_000L);
    assertThat(of(POOL_WAITING, "a")).isEqualTo(1_000);
    assertThat(world.metrics.values(POOL_WAITING, Scope.of(Pooled.ENCODE, "z"))).isEmpty();
    assertThat(world.metrics.values(POOL_OLDEST_AGE, POOL)).containsExactly(700L);
  }

  private static ReadyJob ready(int priority, String customer, Instant since) {
    JobId job = JobId.ofFire(new ScheduleId("default", customer), 1, since);
    return new ReadyJob(Pooled.ENCODE, priority, customer, since, job);
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
    List<Leaving> chosen = new ArrayList<>();
    for (String customer : List.of("zoë", ":a", "acme inc")) {
      JobId job = JobId.ofFire(new ScheduleId("default", "a"), chosen.size() + 1, world.now());
      ReadyJob row = new ReadyJob(Pooled.ENCODE, 5, customer, world.now(), job);
      chosen.add(new Leaving(row, world.now(), false, 0));
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
