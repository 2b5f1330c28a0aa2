package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.pool.ChosenCounts.Count;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place of a job that waits READY in a pool. Its parts are read one after another. So a choice
 * between two of these reads can be counted twice or not at all.
 *
 * @param isChosen whether the pool has chosen the job
 * @param moreUrgent the jobs of other priorities that are more urgent, or as urgent and older
 * @param ofCustomer the older jobs of its priority and customer; in a pool with order fifo, all
 *     older jobs of its priority
 * @param turn its turn among the jobs of all customers; null if it is already chosen, or if the
 *     choice does not reach it
 * @param visible how many jobs wait in the queue of the pool for a worker
 * @param isAtLimit whether its customer has as many jobs in flight as its limit allows
 * @param nextChoice when the next choice is planned; null if none is
 * @param expected when it will be chosen if its customer is served as fast as recently; null if it
 *     is already chosen, if the pool is paused or has more urgent jobs, or if the counts allow no
 *     estimate
 */
public record PoolPlace(
    boolean isChosen,
    Jobs moreUrgent,
    Jobs ofCustomer,
    @Nullable PoolTurn turn,
    long visible,
    boolean isAtLimit,
    @Nullable Instant nextChoice,
    @Nullable Instant expected) {

  /** The most rows that are read for a count. */
  public static final int MOST_ROWS = 1_000;

  /** An estimate needs at least this many chosen jobs of the customer. */
  static final int FEWEST_SERVED = 10;

  /**
   * A count.
   *
   * @param isAtLeast whether more rows are stored than were read
   */
  public record Jobs(int jobs, boolean isAtLeast) {}

  /** Whether the queue of the pool has no room for a further job. */
  public boolean isFull(Pool pool) {
    return pool.queue() != null && visible >= pool.depth();
  }

  /** The place of a job that is READY in the pool. */
  public static PoolPlace read(Pools pools, StoredPool stored, Job job, Instant now) {
    Pool pool = stored.pool();
    PoolState state = pools.state(stored.id()).orElseGet(() -> PoolState.begin(stored.id()));
    PoolActivity activity = pools.activity(stored.id());
    ReadyJob own = PoolQueue.row(job, pool.order());
    Jobs moreUrgent = moreUrgent(pools, own, state.leavingJobs(), now);
    String customer = PoolRow.of(own.priority(), own.customer());
    List<PoolRow> older = pools.rows(stored.id(), PoolRow.before(customer), own.key(), MOST_ROWS);
    Jobs ofCustomer = counted(older, state.leavingJobs(), any -> true);
    boolean isChosen = state.leavingJobs().contains(job.id());
    boolean hasPace = !isChosen && pool.paused() == null && moreUrgent.equals(new Jobs(0, false));
    return new PoolPlace(
        isChosen,
        moreUrgent,
        ofCustomer,
        isChosen ? null : PoolTurn.read(pools, pool, state, job.id(), now),
        state.visible(activity),
        !isChosen && new WaitingCustomers(pools, pool, state, Set.of(), now).isFull(own),
        activity.planned(now),
        hasPace ? expected(state.served().at(now), own.customer(), ofCustomer, now) : null);
  }

  private static Jobs moreUrgent(Pools pools, ReadyJob own, Set<JobId> chosen, Instant now) {
    String same = PoolRow.of(own.priority());
    List<PoolRow> others =
        new ArrayList<>(pools.rows(own.pool(), PoolRow.READY, PoolRow.before(same), MOST_ROWS));
    int left = MOST_ROWS - others.size();
    if (left > 0) {
      String end = PoolRow.after(PoolRow.READY);
      others.addAll(pools.rows(own.pool(), PoolRow.after(same), end, left));
    }
    return counted(others, chosen, job -> FairChoice.isBefore(job, own, now));
  }

  private static Jobs counted(List<PoolRow> rows, Set<JobId> chosen, Predicate<ReadyJob> counts) {
    long jobs =
        rows.stream()
            .filter(ReadyJob.class::isInstance)
            .map(ReadyJob.class::cast)
            .filter(job -> !chosen.contains(job.job()) && counts.test(job))
            .count();
    return new Jobs((int) jobs, rows.size() == MOST_ROWS);
  }

  /**
   * The estimate uses the jobs of the customer that were chosen in this half hour and in the half
   * hour before. A customer without chosen jobs in the half hour before has begun too recently for
   * an estimate.
   */
  private static @Nullable Instant expected(
      ChosenCounts served, String customer, Jobs older, Instant now) {
    Count own = served.byCustomer().get(customer);
    if (own == null || own.before() == 0 || own.sum() < FEWEST_SERVED || older.isAtLeast()) {
      return null;
    }
    Duration counted = Duration.between(served.since(), now);
    return now.plusSeconds(counted.toSeconds() * (older.jobs() + 1) / own.sum());
  }
}
