package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The turn of the last job of customer A, all of whose jobs wait since noon. */
class PoolTurnTest {

  private final Pools pools = new MemoryGates(new MemoryJobs(1)).pools();
  private int number;

  private Job enter(String customer, int jobs, Pool.Order order) {
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      number++;
      all.add(PooledJobs.ready(number, customer, 5, NOON.plusMillis(number)));
    }
    new PoolQueue(pools)
        .enter(all.stream().map(job -> PoolQueue.row(job, order)).toList(), Set.of());
    return all.get(jobs - 1);
  }

  private PoolTurn read(String definition, PoolState state, Job job) {
    Pool pool = PooledJobs.pool(definition).pool();
    return PoolTurn.read(pools, pool, state, job.id(), NOON.plusSeconds(9));
  }

  @ParameterizedTest
  @CsvSource({
    // jobs of A, of B, number, of A before, of B before
    "1, 0, 1, 0, 0",
    "3, 0, 3, 2, 0",
    "3, 1, 4, 2, 1",
    "2, 9, 3, 1, 1"
  })
  void theJobsOfOtherCustomersHaveTurnsInBetween(
      int own, int others, int turn, long ownBefore, long othersBefore) {
    Job job = enter("A", own, Pool.Order.FAIR);
    if (others > 0) {
      enter("B", others, Pool.Order.FAIR);
    }
    PoolTurn read = read("{}", PoolState.begin(ID), job);
    assertThat(read.number()).isEqualTo(turn);
    assertThat(read.isAtLeast()).isFalse();
    assertThat(read.before().getOrDefault("A", 0L)).isEqualTo(ownBefore);
    assertThat(read.before().getOrDefault("B", 0L)).isEqualTo(othersBefore);
  }

  @ParameterizedTest
  @CsvSource({"100, 100, false", "101, 101, true", "150, 101, true"})
  void aHundredTurnsAreExamined(int jobs, int turn, boolean isAtLeast) {
    Job job = enter("A", jobs, Pool.Order.FAIR);
    assertThat(read("{}", PoolState.begin(ID), job))
        .isEqualTo(new PoolTurn(turn, isAtLeast, Map.of("A", turn - 1L)));
  }

  /** Its customer reaches the limit with the job before it. */
  @ParameterizedTest
  @CsvSource({"2, false", "3, true", "4, true"})
  void aJobBehindTheLimitOfItsCustomerHasNoTurn(int limit, boolean hasTurn) {
    Job job = enter("A", 3, Pool.Order.FAIR);
    String definition = "{\"maxInFlight\": {\"A\": %d}}".formatted(limit);
    assertThat(read(definition, PoolState.begin(ID), job) != null).isEqualTo(hasTurn);
  }

  @Test
  void byFifoNoCustomersAreNamed() {
    PoolState fifo = PoolState.begin(ID).ordered(Pool.Order.FIFO, List.of());
    enter("B", 2, Pool.Order.FIFO);
    Job job = enter("A", 1, Pool.Order.FIFO);
    assertThat(read("{\"order\": \"fifo\"}", fifo, job))
        .isEqualTo(new PoolTurn(3, false, Map.of()));
  }

  @Test
  void noJobHasATurnWhileTheJobsAreStoredByAnotherOrder() {
    Job job = enter("A", 1, Pool.Order.FAIR);
    assertThat(read("{\"order\": \"fifo\"}", PoolState.begin(ID), job)).isNull();
    assertThat(read("{}", PoolState.begin(ID).ordering("ready#5#"), job)).isNull();
  }
}
