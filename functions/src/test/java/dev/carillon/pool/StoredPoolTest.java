package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.job.Job;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredPoolTest {

  private static final Instant LATER = NOON.plusSeconds(9);

  private final MemoryJobs jobs = new MemoryJobs(1);
  private final Pools pools = new MemoryGates(jobs).pools();

  @Test
  void aPoolOfTheSameNameBeginsWithAHigherVersion() {
    StoredPool created = PooledJobs.pool("{}");
    assertThat(created.version()).isEqualTo(NOON.toEpochMilli());
    assertThat(created).isEqualTo(StoredPool.created(ID, created.pool(), NOON, "ann"));
  }

  @Test
  void aChangeKeepsTheCreatorAndCountsTheVersion() {
    StoredPool created = PooledJobs.pool("{}");
    Pool paused = PooledJobs.pool("{\"paused\": true}").pool();
    assertThat(created.changed(paused, LATER, "bob"))
        .isEqualTo(new StoredPool(ID, created.version() + 1, paused, NOON, "ann", LATER, "bob"));
  }

  /** The first jobs that the pool chose are on their way to its queue; workers claimed others. */
  @ParameterizedTest
  @CsvSource({
    // depth, on their way, moved, claimed, free
    "3, 0, 0, 0, 3",
    "3, 1, 0, 0, 2",
    "3, 1, 5, 4, 1",
    "3, 3, 0, 0, 0",
    "3, 4, 0, 0, 0",
    "3, 0, 5, 9, 3"
  })
  void aQueueHasRoomForWhatItsJobsLeave(
      int depth, int underWay, long moved, long claimed, int free) {
    List<Job> ready =
        IntStream.range(0, underWay)
            .mapToObj(number -> PooledJobs.ready(number, "A", 5, NOON))
            .toList();
    jobs.insert(ready);
    List<Leaving> leaving = ready.stream().map(job -> PooledJobs.leaving(job, false)).toList();
    PoolState state = PoolState.begin(ID).next(Map.of(), leaving, moved);
    Pool pool = PooledJobs.pool("{\"queue\": \"q\", \"depth\": %d}".formatted(depth)).pool();
    PoolActivity activity = new PoolActivity(ID, claimed, null, false, null);
    assertThat(pool.free(LeavingJobs.read(state, jobs), activity)).isEqualTo(free);
  }

  // ---- what a store need not define

  @Test
  void aStoreInMemoryCanAlwaysReadItsPools() {
    assertThat(pools.repair(ID, NOON)).isTrue();
    assertThat(pools.overwrite(PooledJobs.pool("{}"))).isFalse();
    assertThat(pools.find(List.of(ID))).isEmpty();
  }

  @Test
  void aPoolIsWatchedFromTheFirstRequestUntilItRests() {
    pools.watch(ID, NOON);
    PoolActivity first = pools.activity(ID);
    assertThat(first.planned(NOON)).isEqualTo(NOON);
    pools.watch(ID, LATER);
    assertThat(pools.activity(ID)).as("the index has it already").isEqualTo(first);
    pools.rest(first);
    assertThat(pools.activity(ID).isAwake()).isFalse();
    pools.watch(ID, LATER);
    assertThat(pools.activity(ID).planned(LATER)).isEqualTo(LATER);
  }
}
