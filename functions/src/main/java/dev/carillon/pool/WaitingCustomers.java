package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.Place;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of a pool, read as far as one choice needs them: the first jobs of each customer
 * that the choice considers. It leaves out the jobs that the choice has taken, and collects the
 * rows that the choice changes.
 */
final class WaitingCustomers {

  /** How many rows of a customer are read at a time. */
  private static final int PAGE = 12;

  private static final int MOST_NEWCOMERS = 25;

  /**
   * How many newcomers are counted if the pool has weights. They must be counted, because the
   * shares then depend on their number.
   */
  private static final int MOST_NEWCOMERS_COUNTED = 1_000;

  private final Pools pools;
  private final PoolId id;
  private final Pool pool;
  private final Set<JobId> excluded;
  private final Set<JobId> taken = new HashSet<>();
  private final Map<String, Optional<Customer>> nextCustomers = new HashMap<>();
  private final Map<String, Customer> customers = new HashMap<>();
  private final Map<Integer, Set<String>> newcomers = new HashMap<>();
  private final Flights flights;
  private final List<Leaving> leaving;
  private final Instant now;
  private final Set<PoolRow> added = new LinkedHashSet<>();
  private final Set<PoolRow> removed = new LinkedHashSet<>();

  /**
   * @param held jobs that cannot leave now
   */
  WaitingCustomers(Pools pools, Pool pool, PoolState state, Set<JobId> held, Instant now) {
    this.pools = pools;
    this.id = state.pool();
    this.pool = pool;
    this.leaving = state.leaving();
    this.now = now;
    this.flights = new Flights(pools, pool, state);
    this.excluded = new HashSet<>(state.leavingJobs());
    this.excluded.addAll(held);
  }

  /** A customer's waiting jobs of one priority. */
  final class Customer {
    private final int priority;
    private final String name;
    private final Deque<ReadyJob> jobs = new ArrayDeque<>();

    /** The last round in which it had a turn whose job has not left the pool; 0 if none. */
    private final long lastLeaving;

    /** The same for a job that is reserved for an invocation. */
    private final long lastReserved;

    private @Nullable Served record;
    private @Nullable String rest;

    private Customer(int priority, String name) {
      this.priority = priority;
      this.name = name;
      this.lastLeaving = lastTurn(one -> true);
      this.lastReserved = lastTurn(one -> one.until().isAfter(now));
    }

    private long lastTurn(Predicate<Leaving> counts) {
      return leaving.stream()
          .filter(one -> one.job().priority() == priority && one.job().customer().equals(name))
          .filter(counts)
          .mapToLong(Leaving::round)
          .max()
          .orElse(0);
    }

    String name() {
      return name;
    }

    /**
     * The first job; null if none waits. A job that entered the pool while the order was changed
     * can have two rows, one by each order. The second row is dropped once the job was taken by its
     * first row.
     */
    @Nullable ReadyJob first() {
      while (true) {
        ReadyJob first = jobs.peekFirst();
        if (first != null && taken.contains(first.job())) {
          drop(jobs.removeFirst());
        } else if (first == null && rest != null) {
          read(rest);
        } else {
          return first;
        }
      }
    }

    /**
     * Whether the customer had its turn of a round early, before the round came to its place. A
     * turn also counts if its record is not stored, because the invocation that chose has not
     * stored it yet or has crashed.
     */
    boolean wasServedIn(long round) {
      return lastLeaving == round || (record != null && record.round() == round);
    }

    /**
     * Whether an invocation may be about to store the rows of a turn of the customer. The row that
     * makes the customer a newcomer can then be older than this turn.
     */
    boolean hasUnstoredTurn() {
      return lastReserved > (record == null ? 0 : record.round());
    }

    private void read(String after) {
      String prefix = PoolRow.of(priority, name);
      add(pools.rows(id, after, PoolRow.after(prefix), PAGE));
    }

    private void add(List<PoolRow> rows) {
      for (PoolRow row : rows) {
        if (row instanceof Served served) {
          record = served;
        } else if (row instanceof ReadyJob job && !excluded.contains(job.job())) {
          jobs.add(job);
        } else if (row instanceof ReadyJob job && taken.contains(job.job())) {
          drop(job);
        }
      }
      rest = rows.size() < PAGE ? null : rows.get(rows.size() - 1).key();
    }

    /**
     * Takes the first job.
     *
     * @param isRecorded whether the turn is recorded although further jobs of the customer wait
     */
    void take(long round, boolean isRecorded) {
      ReadyJob job = jobs.removeFirst();
      excluded.add(job.job());
      taken.add(job.job());
      flights.add(job.customer());
      if (isRecorded || first() == null) {
        Served served = new Served(id, priority, name, round);
        record = served;
        put(served);
      }
    }

    /** Drops the record of a turn in an earlier round. */
    void forgetBefore(long round) {
      if (record != null && record.round() < round) {
        drop(record);
        record = null;
      }
    }
  }

  /** The priorities of waiting jobs, the most urgent first. */
  List<Integer> priorities() {
    List<Integer> found = new ArrayList<>();
    String after = PoolRow.READY;
    while (true) {
      List<PoolRow> next = pools.rows(id, after, PoolRow.after(PoolRow.READY), 1);
      if (next.isEmpty()) {
        return found;
      }
      int priority = ((Place) next.get(0)).priority();
      found.add(priority);
      after = PoolRow.after(PoolRow.of(priority));
    }
  }

  /**
   * The next customer by name after the given one, or the first customer if null is given; empty if
   * there is none.
   */
  Optional<Customer> next(int priority, @Nullable String after) {
    String from = after == null ? PoolRow.of(priority) : PoolRow.after(PoolRow.of(priority, after));
    Optional<Customer> known = nextCustomers.get(from);
    if (known == null) {
      known = readNext(priority, from);
      nextCustomers.put(from, known);
    }
    return known;
  }

  private Optional<Customer> readNext(int priority, String from) {
    List<PoolRow> rows = pools.rows(id, from, PoolRow.after(PoolRow.of(priority)), PAGE);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    String name = ((Place) rows.get(0)).customer();
    return Optional.of(
        customers.computeIfAbsent(PoolRow.of(priority, name), any -> begin(priority, name, rows)));
  }

  private Customer begin(int priority, String name, List<PoolRow> rows) {
    Customer customer = new Customer(priority, name);
    List<PoolRow> own = rows.stream().filter(row -> ((Place) row).customer().equals(name)).toList();
    customer.add(own);
    return customer;
  }

  /** A customer by its name, whether or not jobs of it wait. */
  Customer of(int priority, String name) {
    return customers.computeIfAbsent(
        PoolRow.of(priority, name),
        prefix -> {
          Customer customer = new Customer(priority, name);
          customer.add(pools.rows(id, PoolRow.before(prefix), PoolRow.after(prefix), PAGE));
          return customer;
        });
  }

  /** The customers that had no waiting job before, by name. */
  Set<String> newcomers(int priority) {
    return newcomers.computeIfAbsent(priority, this::readNewcomers);
  }

  private Set<String> readNewcomers(int priority) {
    String prefix = PoolRow.newcomers(priority);
    int limit = pool.weights().isEmpty() ? MOST_NEWCOMERS : MOST_NEWCOMERS_COUNTED;
    Set<String> names = new LinkedHashSet<>();
    for (PoolRow row : pools.rows(id, prefix, PoolRow.after(prefix), limit)) {
      names.add(((Newcomer) row).customer());
    }
    return names;
  }

  /** Drops the row that makes the customer a newcomer. */
  void welcomed(int priority, String name) {
    if (newcomers(priority).remove(name)) {
      drop(new Newcomer(id, priority, name));
    }
  }

  /** Whether the customer of a job has as many other jobs in flight as its limit allows. */
  boolean isFull(ReadyJob job) {
    return flights.isFull(job);
  }

  private void put(PoolRow row) {
    removed.remove(row);
    added.removeIf(other -> other.key().equals(row.key()));
    added.add(row);
  }

  private void drop(PoolRow row) {
    added.removeIf(other -> other.key().equals(row.key()));
    removed.add(row);
  }

  /** The rows to store after the choice. */
  Set<PoolRow> added() {
    return added;
  }

  /** The rows to remove after the choice. */
  Set<PoolRow> removed() {
    return removed;
  }
}
