package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Precedence;
import dev.carillon.pool.PoolRow.Place;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait READY in a pool, counted up to a bound.
 *
 * @param isAtLeast whether more rows are stored than were read
 * @param byCustomer the number of jobs by customer; the key is empty for jobs without a customer
 * @param oldest the instant since which the oldest job waits; null for none. The job is the oldest
 *     of the counted jobs and of the first jobs of each priority that was not counted
 */
public record ReadyCount(
    int jobs, boolean isAtLeast, Map<String, Long> byCustomer, @Nullable Instant oldest) {

  /** How many rows are counted at most. */
  public static final int MOST_ROWS = 1_000;

  /** For each priority that was not counted, this many rows are read to find its first job. */
  private static final int FEW_ROWS = 10;

  /**
   * Reads the first rows.
   *
   * @param chosen jobs that no longer wait, although they have rows
   */
  static ReadyCount read(Pools pools, PoolId pool, Set<JobId> chosen) {
    String end = PoolRow.after(PoolRow.READY);
    List<PoolRow> rows = pools.rows(pool, PoolRow.READY, end, MOST_ROWS);
    boolean isAtLeast = rows.size() == MOST_ROWS;
    List<ReadyJob> jobs = jobs(rows, chosen).toList();
    Stream<ReadyJob> others = Stream.of();
    int first =
        isAtLeast ? ((Place) rows.get(MOST_ROWS - 1)).priority() + 1 : Precedence.LEAST_URGENT + 1;
    for (int priority = first; priority <= Precedence.LEAST_URGENT; priority++) {
      String prefix = PoolRow.of(priority);
      others =
          Stream.concat(
              others, jobs(pools.rows(pool, prefix, PoolRow.after(prefix), FEW_ROWS), chosen));
    }
    return new ReadyCount(
        jobs.size(),
        isAtLeast,
        jobs.stream().collect(Collectors.groupingBy(ReadyJob::customer, Collectors.counting())),
        Stream.concat(jobs.stream(), others)
            .map(ReadyJob::since)
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  private static Stream<ReadyJob> jobs(List<PoolRow> rows, Set<JobId> chosen) {
    return rows.stream()
        .filter(ReadyJob.class::isInstance)
        .map(ReadyJob.class::cast)
        .filter(job -> !chosen.contains(job.job()));
  }
}
