package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pool whose order changes has more jobs than one call of a function can store again. */
class PoolOrderTest {

  private static final String FAIR = "{\"queue\": \"encoding\", \"paused\": true}";
  private static final String FIFO =
      "{\"queue\": \"encoding\", \"paused\": true, \"order\": \"fifo\"}";
  private static final int JOBS = 900;

  private final World world = new World("2026-03-01T10:00:30Z");
  private final Pooled pooled = new Pooled(world);
  private final Pools pools = world.gates.pools();

  private void fill(String pool) {
    pooled.pool(pool);
    List.of("a", "b").forEach(customer -> pooled.schedule(customer, ""));
    world.put(
        "none",
        """
        {"trigger": {"type": "partition", "dataset": "none", "count": 1}, "state": "ACTIVE",
         "pool": "encode", "target": {"template": {}}}
        """);
    for (String customer : List.of("none", "a", "b")) {
      pooled.arrive(customer, JOBS / 3);
    }
    assertThat(pooled.in(JobState.READY)).hasSize(JOBS);
  }

  /** Each call has time for about four pages; returns how many calls it took. */
  private int store(String pool) {
    pooled.pool(pool);
    takePerCall(Duration.ofMillis(250));
    int calls = 0;
    while (calls < 40 && !isOrdered()) {
      // A message that were visible at once would be handled by the same call.
      world.handleChecks();
      world.pause(Pools.PAUSE);
      calls++;
    }
    takePerCall(Duration.ZERO);
    world.runFor(Duration.ofSeconds(3));
    return calls;
  }

  private void takePerCall(Duration time) {
    world.faults.around(() -> {}, () -> world.pause(time));
  }

  private boolean isOrdered() {
    Order order = pools.find(List.of(Pooled.ENCODE)).get(Pooled.ENCODE).pool().order();
    return state().isOrderedBy(order);
  }

  private PoolState state() {
    return pools.state(Pooled.ENCODE).orElseGet(() -> PoolState.begin(Pooled.ENCODE));
  }

  private List<String> stored() {
    return pools.rows(Pooled.ENCODE, PoolRow.READY, PoolRow.after(PoolRow.READY), 9_999).stream()
        .map(PoolRow::key)
        .toList();
  }

  private List<String> expected(Order order) {
    Stream<String> keys =
        pooled.in(JobState.READY).stream().map(job -> PoolQueue.row(job, order).key());
    return keys.sorted().toList();
  }

  @Test
  void eachJobGetsItsPlaceByFifo() {
    fill(FAIR);
    assertThat(store(FIFO)).isBetween(2, 6);
    assertThat(stored()).isEqualTo(expected(Order.FIFO));
  }

  /** A third has no customer, waits first, and keeps its rows. */
  @Test
  void eachJobGetsItsFairPlace() {
    fill(FIFO);
    assertThat(store(FAIR)).isBetween(2, 6);
    assertThat(stored()).isEqualTo(expected(Order.FAIR));
  }

  @ParameterizedTest
  @CsvSource({"fair, fifo", "fifo, fair"})
  void aJobThatCannotBeReadKeepsItsRow(String before, String after) {
    String pool = "{\"queue\": \"encoding\", \"depth\": 5, \"paused\": %b, \"order\": \"%s\"}";
    pooled.pool(pool.formatted(true, before));
    pooled.schedule("a", "");
    pooled.arrive("a", 3);
    JobId damaged = pooled.in(JobState.READY).get(1).id();
    world.damageRowOf(damaged);
    pooled.pool(pool.formatted(true, after));
    world.runFor(Duration.ofSeconds(3));
    world.repairRowOf(damaged);
    pooled.pool(pool.formatted(false, after));
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.in(JobState.ENQUEUED)).hasSize(3);
  }

  @Test
  void aChangeThatIsTakenBackInTheMiddleLeavesNoJobBehind() {
    fill(FIFO);
    pooled.pool(FAIR);
    takePerCall(Duration.ofMillis(250));
    world.handleChecks();
    assertThat(state().orderedUpTo()).isNotNull();
    assertThat(stored()).isNotEqualTo(expected(Order.FIFO));
    store(FIFO);
    assertThat(stored()).isEqualTo(expected(Order.FIFO));
  }

  /**
   * The first invocation stalls before it removes the rows of the former order. Meanwhile the order
   * changes back, and another invocation relies on these rows.
   */
  @Test
  void anInvocationThatStalledRemovesNoRowOfTheOrderThatAnotherHasStored() {
    fill(FIFO);
    pooled.pool(FAIR);
    List<String> calls = world.faults.calls();
    int before = calls.size();
    world.faults.around(
        () -> {
          if (calls.size() > before && calls.get(calls.size() - 1).equals("Pools.put")) {
            takePerCall(Duration.ZERO);
            changeBack();
          }
        },
        () -> {});
    world.handleChecks();
    takePerCall(Duration.ZERO);
    world.runFor(Duration.ofSeconds(3));
    assertThat(state().isOrderedBy(Order.FIFO)).isTrue();
    assertThat(stored()).containsAll(expected(Order.FIFO));
  }

  /** The order changes to FIFO, as by the API, and another invocation stores the jobs by it. */
  private void changeBack() {
    pools.update(state(), state().ordering(PoolRow.READY));
    pooled.pool(FIFO);
    world.pause(Pools.PAUSE);
    world.handleChecks();
    assertThat(state().isOrderedBy(Order.FIFO)).isTrue();
  }
}
