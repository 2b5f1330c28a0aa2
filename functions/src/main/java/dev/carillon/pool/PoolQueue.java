package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Precedence;
import dev.carillon.job.Transition;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.run.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs that wait in pools: they enter, are chosen, and leave. */
public final class PoolQueue {

  /** How long a chosen job is reserved for the invocation that chose it. */
  public static final Duration HOLD = Duration.ofSeconds(2);

  /** The states of an attempt from its entry into the pool to its end. */
  private static final Set<JobState> ONGOING =
      EnumSet.of(
          JobState.READY,
          JobState.PENDING_LAUNCH,
          JobState.ENQUEUED,
          JobState.CLAIMED,
          JobState.RUNNING);

  private final Pools pools;

  public PoolQueue(Pools pools) {
    this.pools = pools;
  }

  /**
   * Stores that jobs begin to wait. The call can be repeated after a crash: it does not move a job
   * that waits already.
   *
   * @param weighted the customers of the pool that have a weight of their own
   */
  public void enter(Collection<ReadyJob> jobs, Set<String> weighted) {
    Set<Newcomer> customers = new LinkedHashSet<>();
    jobs.forEach(job -> customers.add(new Newcomer(job.pool(), job.priority(), job.customer())));
    List<Newcomer> newcomers = new ArrayList<>();
    customers.stream()
        .filter(one -> !weighted.contains(one.customer()) && first(one).isEmpty())
        .forEach(newcomers::add);
    pools.put(jobs);
    // Read after the put: if a choice takes the other jobs of the customer meanwhile, either that
    // choice finds the new job, or this call finds the job alone.
    Set<JobId> own = jobs.stream().map(ReadyJob::job).collect(Collectors.toSet());
    customers.stream()
        .filter(one -> weighted.contains(one.customer()))
        .filter(one -> first(one).map(job -> own.contains(job.job())).orElse(true))
        .forEach(newcomers::add);
    pools.put(newcomers);
  }

  /** The job of a customer that has waited longest. */
  private Optional<ReadyJob> first(Newcomer customer) {
    String prefix = PoolRow.of(customer.priority(), customer.customer());
    return pools.rows(customer.pool(), PoolRow.before(prefix), PoolRow.after(prefix), 2).stream()
        .filter(ReadyJob.class::isInstance)
        .map(ReadyJob.class::cast)
        .findFirst();
  }

  /**
   * Removes the rows of the jobs that have left a pool. While such a row existed, a job of the same
   * customer entered without making the customer a newcomer. The flow of a weighted customer can
   * have ended before that, so it begins again if a job of the customer waits.
   */
  public void remove(Pool pool, LeavingJobs left) {
    pools.remove(left.rows());
    Set<Newcomer> newcomers = new LinkedHashSet<>();
    for (PoolRow row : left.rows()) {
      if (row instanceof ReadyJob job
          && pool.weights().containsKey(job.customer())
          && !left.state().turns(job.priority()).isActive(job.customer())) {
        newcomers.add(new Newcomer(job.pool(), job.priority(), job.customer()));
      }
    }
    newcomers.removeIf(one -> first(one).isEmpty());
    pools.put(newcomers);
  }

  /**
   * The result of a choice. Its rows are stored after its state. After a crash between these two
   * writes, a customer can have a turn too many or too few, but no job is lost.
   *
   * @param jobs in the order of their turns, with those of earlier choices
   * @param again the jobs of earlier choices
   * @param next the state to store before anything else
   * @param added the rows to put
   * @param removed the rows to remove
   * @param isCutShort whether further customers have to be examined
   */
  public record Chosen(
      List<ReadyJob> jobs,
      List<Leaving> again,
      PoolState next,
      Set<PoolRow> added,
      Set<PoolRow> removed,
      boolean isCutShort) {}

  /**
   * Chooses up to {@code most} jobs. It stores nothing.
   *
   * @param state the state without the jobs that have left the pool
   * @param held jobs that cannot leave now
   */
  public Chosen choose(
      Pool pool, PoolState state, int most, Set<JobId> held, Taker taker, Instant now) {
    WaitingCustomers waiting = new WaitingCustomers(pools, pool, state, held, now);
    FairChoice choice = new FairChoice(pool, state, waiting, now);
    Deque<Leaving> former = FairChoice.byUrgency(taker.again(), now);
    List<ReadyJob> jobs = new ArrayList<>();
    List<Leaving> again = new ArrayList<>();
    List<ReadyJob> further = new ArrayList<>();
    List<Leaving> leaving = new ArrayList<>(state.leaving());
    while (jobs.size() < most) {
      Leaving first = former.peekFirst();
      ReadyJob job = further.size() < taker.room() ? choice.next(first).orElse(null) : null;
      if (job != null) {
        further.add(job);
        long round = choice.turns(job.priority()).round();
        leaving.add(new Leaving(job, taker.until(), taker.isPulling(), round));
      } else if (first != null) {
        again.add(former.removeFirst());
        job = first.job();
      } else {
        break;
      }
      jobs.add(job);
    }
    Set<PoolRow> added = waiting.added();
    further.stream()
        .filter(job -> pool.limit(job.customer()) != null)
        .forEach(job -> added.add(inFlight(job)));
    PoolState next = state.next(choice.turns(), leaving, taker.newlyMoved()).serving(further, now);
    return new Chosen(jobs, again, next, added, waiting.removed(), choice.isCutShort());
  }

  /**
   * Stores a choice.
   *
   * @param again the jobs of an earlier choice that are taken out as well, because the invocation
   *     that chose them may have crashed before it stored that they are in flight
   * @param after the state after both choices
   * @return false if another invocation has chosen meanwhile; then nothing was stored
   */
  public boolean store(
      Pool pool, PoolState before, Chosen chosen, List<Leaving> again, PoolState after) {
    if (!pools.update(before, after)) {
      return false;
    }
    // WaitingCustomers.hasUnstoredTurn takes the record of a turn, which is put here, as a sign
    // that the rows which the turn removes are removed.
    pools.remove(chosen.removed());
    pools.put(chosen.added());
    pools.put(inFlight(pool, again));
    return true;
  }

  /** The row of a job that is READY. */
  public static ReadyJob row(Job job, Order order) {
    Place place = Objects.requireNonNull(job.place());
    String customer = order == Order.FIFO ? "" : customer(job);
    return new ReadyJob(pool(job), job.priority(), customer, place.since(), job.id());
  }

  /** The row of a job that was moved or pulled and counts for a limit. */
  public static InFlight inFlight(Job job) {
    Place place = Objects.requireNonNull(job.place());
    return new InFlight(pool(job), customer(job), place.since(), job.id());
  }

  /** The pool in which a job has a place. */
  public static PoolId pool(Job job) {
    Place place = Objects.requireNonNull(job.place());
    return new PoolId(job.id().schedule().namespace(), place.pool());
  }

  /** Whether a job is READY in the place that a row names. */
  public static boolean isAt(ReadyJob row, @Nullable Job job) {
    return isReady(row.pool(), row.since(), job);
  }

  /** Whether a job that was chosen still waits in the pool. */
  public static boolean isAt(InFlight row, Job job) {
    return isReady(row.pool(), row.since(), job);
  }

  /** Whether the attempt that a row names has not ended. */
  public static boolean isOngoing(InFlight row, @Nullable Job job) {
    Place place = job == null ? null : job.place();
    return job != null
        && place != null
        && ONGOING.contains(job.state())
        && pool(job).equals(row.pool())
        && place.since().equals(row.since());
  }

  private static boolean isReady(PoolId pool, Instant since, @Nullable Job job) {
    Place place = job == null ? null : job.place();
    return job != null
        && place != null
        && job.isReady()
        && pool(job).equals(pool)
        && place.since().equals(since);
  }

  /** Whether a checker has taken a job out of the place that a row names, and is sending it. */
  public static boolean isBeingMoved(ReadyJob row, @Nullable Job job) {
    Place place = job == null ? null : job.place();
    return job != null
        && place != null
        && job.state() == JobState.PENDING_LAUNCH
        && pool(job).equals(row.pool())
        && place.since().equals(row.since());
  }

  /**
   * Whether a job has reached the queue of its pool, or a worker, in the attempt that became READY
   * at {@code since}. Only such jobs count as moved, and later as having left the queue. The order
   * of the transitions decides this, not their instants, because clocks differ.
   */
  public static boolean wasTaken(Job job, Instant since) {
    List<Transition> all = job.transitions();
    int ready = 0;
    for (int i = 0; i < all.size(); i++) {
      Transition one = all.get(i);
      boolean isFirst = one.at().toEpochMilli() == since.toEpochMilli();
      ready = isFirst && one.state() == JobState.READY ? i : ready;
    }
    return all.subList(ready, all.size()).stream()
        .map(Transition::state)
        .anyMatch(state -> state == JobState.ENQUEUED || state == JobState.CLAIMED);
  }

  /** The customer that takes turns for a job; empty for a job without a customer. */
  public static String customer(Job job) {
    return job.customer() == null ? "" : job.customer();
  }

  /** The rows of those chosen jobs that count for a limit. */
  public static List<InFlight> inFlight(Pool pool, List<Leaving> chosen) {
    return chosen.stream()
        .map(Leaving::job)
        .filter(job -> pool.limit(job.customer()) != null)
        .map(PoolQueue::inFlight)
        .toList();
  }

  private static InFlight inFlight(ReadyJob job) {
    return new InFlight(job.pool(), job.customer(), job.since(), job.job());
  }

  /**
   * Records that a job of a customer with a limit is no longer in flight. If jobs of the customer
   * wait, the customer is served next.
   */
  public void freed(Pool pool, PoolId id, String customer) {
    if (pool.limit(customer) != null) {
      freed(id, customer);
    }
  }

  /**
   * Like {@link #freed(Pool, PoolId, String)}, for the case that it is unknown whether the customer
   * has a limit. If the customer has no limit, it may then be served before its turn.
   */
  public void freed(PoolId id, String customer) {
    List<Newcomer> waiting = new ArrayList<>();
    for (int priority = 0; priority <= Precedence.LEAST_URGENT; priority++) {
      Newcomer newcomer = new Newcomer(id, priority, customer);
      if (first(newcomer).isPresent()) {
        waiting.add(newcomer);
      }
    }
    pools.put(waiting);
  }
}
