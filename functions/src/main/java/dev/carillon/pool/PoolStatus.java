package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that show how a pool performs. Its parts are read one after another. So a job that is
 * being moved can count both as waiting and as in flight, or as neither.
 *
 * @param waiting the jobs that wait READY
 * @param inFlight how many jobs of customers with a limit are in flight, counted up to {@link
 *     #MOST_ROWS}; null if no customer has a limit
 * @param moved how many jobs were moved into the queue since the pool was created
 * @param claimed how many of the moved jobs have left the queue
 * @param nextChoice when the next choice is planned; null if none is
 * @param served how many jobs of each customer were chosen recently
 */
public record PoolStatus(
    Waiting waiting,
    @Nullable Integer inFlight,
    long moved,
    long claimed,
    @Nullable Instant nextChoice,
    ChosenCounts served) {

  /**
   * How many rows are counted at most, because reading more of them would take too long for an
   * answer.
   */
  public static final int MOST_ROWS = 10_000;

  private static final int PAGE = 1_000;

  /**
   * The jobs that wait READY.
   *
   * @param isAtLeast whether more jobs may wait than were counted, because not all rows were read
   * @param byCustomer the number of jobs by customer; the key is empty for jobs without a customer
   * @param oldest the instant since which the oldest of the counted jobs waits; null for none
   */
  public record Waiting(
      int jobs, boolean isAtLeast, Map<String, Long> byCustomer, @Nullable Instant oldest) {}

  public static PoolStatus read(Pools pools, StoredPool pool, Instant now) {
    PoolId id = pool.id();
    PoolState state = pools.state(id).orElseGet(() -> PoolState.begin(id));
    PoolActivity activity = pools.activity(id);
    return new PoolStatus(
        waiting(rows(pools, id, PoolRow.READY), state.leavingJobs()),
        pool.pool().limits().isEmpty() ? null : rows(pools, id, PoolRow.FLIGHT).size(),
        state.moved() + state.leaving().stream().filter(one -> !one.isPulled()).count(),
        activity.claimed(),
        activity.planned(now),
        state.served().at(now));
  }

  /**
   * Counts the waiting jobs among the rows. A chosen job does not wait, although it still has its
   * row.
   */
  private static Waiting waiting(List<PoolRow> rows, Set<JobId> chosen) {
    List<ReadyJob> jobs =
        rows.stream()
            .filter(ReadyJob.class::isInstance)
            .map(ReadyJob.class::cast)
            .filter(row -> !chosen.contains(row.job()))
            .toList();
    return new Waiting(
        jobs.size(),
        rows.size() == MOST_ROWS,
        jobs.stream().collect(Collectors.groupingBy(ReadyJob::customer, Collectors.counting())),
        jobs.stream().map(ReadyJob::since).min(Comparator.naturalOrder()).orElse(null));
  }

  /** The first rows of a kind, at most {@link #MOST_ROWS}. */
  private static List<PoolRow> rows(Pools pools, PoolId id, String kind) {
    List<PoolRow> all = new ArrayList<>();
    String after = kind;
    while (all.size() < MOST_ROWS) {
      List<PoolRow> page = pools.rows(id, after, PoolRow.after(kind), PAGE);
      all.addAll(page);
      if (page.size() < PAGE) {
        break;
      }
      after = page.get(PAGE - 1).key();
    }
    return all;
  }
}
