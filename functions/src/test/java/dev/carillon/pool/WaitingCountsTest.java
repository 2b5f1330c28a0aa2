package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.PoolStatus.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs that wait in a pool, as the status of the pool and its metrics count them. */
class WaitingCountsTest {

  private static final StoredPool UNLIMITED = PooledJobs.pool("{}");
  private static final StoredPool LIMITED = PooledJobs.pool("{\"maxInFlight\": {\"A\": 9}}");

  private final Pools pools = new MemoryGates(new MemoryJobs(1)).pools();
  private int number;

  /** Seconds after noon. */
  private ReadyJob enter(String customer, int priority, long seconds) {
    ReadyJob job = job(customer, priority, NOON.plusSeconds(seconds));
    pools.put(List.of(job));
    return job;
  }

  private ReadyJob job(String customer, int priority, Instant since) {
    return new ReadyJob(ID, priority, customer, since, PooledJobs.id(++number));
  }

  /** Each waits a millisecond less than the one before. */
  private void enter(int jobs, int priority) {
    List<ReadyJob> all = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      all.add(job("A", priority, NOON.plusMillis(i)));
    }
    pools.put(all);
  }

  private PoolStatus status(StoredPool pool) {
    return PoolStatus.read(pools, pool, NOON.plusSeconds(60));
  }

  private ReadyCount count() {
    return pools.count(ID, Set.of());
  }

  @Test
  void anEmptyPool() {
    assertThat(status(UNLIMITED))
        .isEqualTo(
            new PoolStatus(
                new Waiting(0, false, Map.of(), null),
                null,
                0,
                0,
                null,
                ChosenCounts.NONE.at(NOON)));
    assertThat(count()).isEqualTo(new ReadyCount(0, false, Map.of(), null));
  }

  @Test
  void onlyTheJobsAmongTheRowsWait() {
    enter("A", 5, 3);
    enter("A", 2, 2);
    enter("", 9, 1);
    pools.put(List.of(new Served(ID, 5, "B", 1), new Newcomer(ID, 5, "A")));
    Map<String, Long> byCustomer = Map.of("A", 2L, "", 1L);
    assertThat(status(UNLIMITED).waiting())
        .isEqualTo(new Waiting(3, false, byCustomer, NOON.plusSeconds(1)));
    assertThat(count()).isEqualTo(new ReadyCount(3, false, byCustomer, NOON.plusSeconds(1)));
  }

  @Test
  void aChosenJobDoesNotWaitAlthoughItHasItsRow() {
    ReadyJob chosen = enter("A", 5, 1);
    enter("A", 5, 2);
    update(List.of(new Leaving(chosen, NOON, false, 0)), 0);
    assertThat(status(UNLIMITED).waiting())
        .isEqualTo(new Waiting(1, false, Map.of("A", 1L), NOON.plusSeconds(2)));
    assertThat(pools.count(ID, Set.of(chosen.job())))
        .isEqualTo(new ReadyCount(1, false, Map.of("A", 1L), NOON.plusSeconds(2)));
  }

  private void update(List<Leaving> leaving, long moved) {
    PoolState state = PoolState.begin(ID).next(Map.of(), leaving, moved);
    assertThat(pools.update(PoolState.begin(ID), state)).isTrue();
  }

  /** Two jobs are on their way to the queue, one to a worker. */
  @Test
  void theStatusShowsWhatLeftThePool() {
    Leaving moved = new Leaving(enter("A", 5, 1), NOON, false, 0);
    Leaving alsoMoved = new Leaving(enter("A", 5, 2), NOON, false, 0);
    Leaving pulled = new Leaving(enter("A", 5, 3), NOON, true, 0);
    update(List.of(moved, alsoMoved, pulled), 6);
    pools.claimed(ID, 4);
    PoolStatus status = status(UNLIMITED);
    assertThat(status.moved()).isEqualTo(8);
    assertThat(status.claimed()).isEqualTo(4);
  }

  @Test
  void jobsInFlightAreCountedIfACustomerHasALimit() {
    pools.put(
        List.of(
            PoolQueue.inFlight(PooledJobs.ready(1, "A", 5, NOON)),
            PoolQueue.inFlight(PooledJobs.ready(2, "A", 5, NOON))));
    assertThat(status(UNLIMITED).inFlight()).isNull();
    assertThat(status(LIMITED).inFlight()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"60, 60", "61, 61", "59, -"})
  void theStatusShowsThePlannedChoice(long planned, @Nullable Long shown) {
    pools.planChoice(ID, NOON.plusSeconds(planned));
    assertThat(status(UNLIMITED).nextChoice())
        .isEqualTo(shown == null ? null : NOON.plusSeconds(shown));
  }

  // ---- bounds

  @ParameterizedTest
  @CsvSource({
    "999,   999,   false",
    "1000,  1000,  false",
    "1001,  1001,  false",
    "9999,  9999,  false",
    "10000, 10000, true",
    "10001, 10000, true"
  })
  void theStatusCountsTenThousandRows(int rows, int counted, boolean isAtLeast) {
    enter(rows, 5);
    Waiting waiting = status(UNLIMITED).waiting();
    assertThat(waiting)
        .isEqualTo(new Waiting(counted, isAtLeast, Map.of("A", (long) counted), NOON));
  }

  @ParameterizedTest
  @CsvSource({"999, 999, false", "1000, 1000, true", "1001, 1000, true"})
  void theMetricsCountAThousandRows(int rows, int counted, boolean isAtLeast) {
    enter(rows, 5);
    assertThat(count())
        .isEqualTo(new ReadyCount(counted, isAtLeast, Map.of("A", (long) counted), NOON));
  }

  /** The older job, beside a thousand jobs of priority 5 that wait since noon. */
  @ParameterizedTest
  @CsvSource({
    // priority, is chosen, whether its age is shown
    "6, false, true",
    "9, false, true",
    "9, true,  false"
  })
  void theOldestJobIsAlsoSearchedAmongTheFirstOfEachOtherPriority(
      int priority, boolean isChosen, boolean isShown) {
    enter(1_000, 5);
    ReadyJob old = enter("B", priority, -Duration.ofHours(1).toSeconds());
    ReadyCount count = pools.count(ID, isChosen ? Set.of(old.job()) : Set.of());
    assertThat(count.oldest()).isEqualTo(isShown ? old.since() : NOON);
    assertThat(count.byCustomer()).isEqualTo(Map.of("A", 1_000L));
    assertThat(count.jobs()).isEqualTo(1_000);
  }
}
