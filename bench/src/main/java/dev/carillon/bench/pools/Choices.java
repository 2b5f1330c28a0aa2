package dev.carillon.bench.pools;

import dev.carillon.bench.harness.Waiting;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads from the state of a pool in which order it chooses its jobs. This is possible because a
 * chosen job stays in the state until a later choice finds that it has left the pool.
 */
final class Choices implements AutoCloseable {

  private static final long BETWEEN_READS_MILLIS = 5;
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Pools pools;
  private final PoolId pool;
  private final Set<JobId> before;
  private final Map<JobId, String> customers = new LinkedHashMap<>();
  private final Thread reader = new Thread(this::read, "choices");
  private volatile boolean isClosed;

  private Choices(Pools pools, PoolId pool) {
    this.pools = pools;
    this.pool = pool;
    this.before = pools.state(pool).map(PoolState::leavingJobs).orElse(Set.of());
  }

  /** Begins to read the choices, and continues until it is closed. */
  static Choices of(Pools pools, PoolId pool) {
    Choices choices = new Choices(pools, pool);
    choices.reader.setDaemon(true);
    choices.reader.start();
    return choices;
  }

  private void read() {
    try {
      while (!isClosed) {
        pools.state(pool).ifPresent(this::add);
        Thread.sleep(BETWEEN_READS_MILLIS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(PoolState state) {
    state.leaving().stream()
        .map(Leaving::job)
        .filter(job -> !before.contains(job.job()))
        .forEach(job -> customers.putIfAbsent(job.job(), job.customer()));
  }

  private synchronized int known() {
    return customers.size();
  }

  /** The customers of the chosen jobs, in the order of their turns. */
  List<String> inOrder(int jobs) {
    Waiting.until("choices are missing", LONGEST, () -> known() >= jobs);
    synchronized (this) {
      return List.copyOf(customers.values());
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
