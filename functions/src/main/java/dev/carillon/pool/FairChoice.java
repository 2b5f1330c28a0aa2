package dev.carillon.pool;

import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.WaitingCustomers.Customer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the next jobs of a pool: by priority, then by fair shares among the customers that have
 * work.
 *
 * <p>Priority: the most urgent first. Each {@link #AGEING} of waiting counts as one step, so no job
 * starves.
 *
 * <p>Shares: customers of weight 1 are served in rounds, in the order of their names. So over any
 * stretch of choices, two customers that always have work differ by at most 1 turn. A newcomer,
 * which is a customer that had no work before, is served next and has its place from the next round
 * on. A customer gains nothing by being idle, because it has one turn in a round.
 *
 * <p>A customer with another weight is a flow of its own; all others together are one flow, and
 * {@link Flows} keeps each flow within one turn of its share. Inside the flow of all others, the
 * number of a customer's turns differs from its share of that flow by less than 1. So after n
 * choices, the number of a customer's turns differs from n times its share by at most 1, as long as
 * the set of customers with work does not change.
 */
final class FairChoice {

  /** The waiting time that counts as one step of priority. */
  static final Duration AGEING = Duration.ofMinutes(10);

  /**
   * After this many newcomers in a row, a customer that was waiting is served instead of the next
   * newcomer.
   */
  static final int MOST_NEWCOMERS_IN_ROW = 10;

  /** How many customers one choice passes over at most; the next choice continues behind them. */
  static final int MOST_PASSED_OVER = 100;

  private final Pool pool;
  private final WaitingCustomers waiting;
  private final Flows flows;
  private final Instant now;
  private final Map<Integer, Turns> turns;
  private final Map<Integer, Turn> nextTurns = new HashMap<>();
  private @Nullable List<Integer> priorities;
  private boolean isCutShort;

  FairChoice(Pool pool, PoolState state, WaitingCustomers waiting, Instant now) {
    this.pool = pool;
    this.waiting = waiting;
    this.flows = new Flows(pool, waiting);
    this.now = now;
    this.turns = new HashMap<>(state.turns());
  }

  /**
   * A turn.
   *
   * @param customer the customer that is served; null if no examined customer has a job to take
   * @param isAhead whether the customer is served before its place in the round
   * @param isCutShort whether the turn ended before it had examined every customer
   * @param after the turns of the priority after this turn
   */
  private record Turn(
      @Nullable Customer customer, boolean isAhead, boolean isCutShort, Turns after) {

    static Turn of(Customer customer, boolean isAhead, Turns after) {
      return new Turn(customer, isAhead, false, after);
    }

    static Turn ofNone(Turns after) {
      return new Turn(null, false, false, after);
    }
  }

  /** Jobs of earlier choices, the most urgent first. */
  static Deque<Leaving> byUrgency(List<Leaving> former, Instant now) {
    return former.stream()
        .sorted(Comparator.comparingLong(one -> urgency(one.job(), now)))
        .collect(Collectors.toCollection(ArrayDeque::new));
  }

  /**
   * Chooses the next job; empty if no customer has a job that may be taken, or if none of these
   * jobs is more urgent than a job that has had its turn.
   *
   * @param former the job that has had its turn; null for none
   */
  Optional<ReadyJob> next(@Nullable Leaving former) {
    int chosen = -1;
    ReadyJob first = null;
    for (int priority : priorities()) {
      Turn turn = nextTurns.computeIfAbsent(priority, this::turn);
      if (turn.isCutShort()) {
        // The next choice continues behind the customers that this one has passed over.
        turns.put(priority, turn.after());
      }
      ReadyJob job = turn.customer() == null ? null : turn.customer().first();
      if (job != null && (first == null || isBefore(job, first, now))) {
        first = job;
        chosen = priority;
      }
    }
    if (former != null && (first == null || urgency(first, now) >= urgency(former.job(), now))) {
      return Optional.empty();
    }
    if (first == null) {
      nextTurns.forEach((priority, turn) -> turns.put(priority, turn.after()));
      nextTurns.clear();
      return Optional.empty();
    }
    take(chosen, Objects.requireNonNull(nextTurns.get(chosen)));
    return Optional.of(first);
  }

  private List<Integer> priorities() {
    List<Integer> known = priorities;
    if (known == null) {
      known = waiting.priorities();
      priorities = known;
    }
    return known;
  }

  private void take(int priority, Turn turn) {
    Customer customer = Objects.requireNonNull(turn.customer());
    // A customer with a limit becomes a newcomer again whenever one of its jobs ends.
    boolean canReturn = pool.limit(customer.name()) != null;
    boolean isRecorded = turn.isAhead() || canReturn || !waiting.newcomers(priority).isEmpty();
    customer.take(turn.after().round(), isRecorded);
    waiting.welcomed(priority, customer.name());
    turns.put(priority, turn.after());
    nextTurns.remove(priority);
    if (!pool.limits().isEmpty()) {
      // The turns of other priorities were computed before this choice. By the choice, the
      // customer may have reached its limit.
      nextTurns.values().removeIf(other -> other.customer() != null);
    }
  }

  /** The turns after the choice, by priority. */
  Map<Integer, Turns> turns() {
    return turns;
  }

  /** The turns of a priority after the choice. */
  Turns turns(int priority) {
    return turns.getOrDefault(priority, Turns.BEGIN);
  }

  /** Whether the choice ended before it had examined every customer. */
  boolean isCutShort() {
    return isCutShort;
  }

  /** Whether a job comes before a job of another priority. */
  static boolean isBefore(ReadyJob one, ReadyJob other, Instant now) {
    long first = urgency(one, now);
    long second = urgency(other, now);
    return first == second ? one.since().isBefore(other.since()) : first < second;
  }

  /** The priority, reduced by one for each {@link #AGEING} that the job has waited. */
  private static long urgency(ReadyJob job, Instant now) {
    long steps = Duration.between(job.since(), now).dividedBy(AGEING);
    return Math.max(0, job.priority() - Math.max(0, steps));
  }

  private Turn turn(int priority) {
    Turns before = turns(priority);
    Turns current = flows.activate(priority, before);
    if (!current.equals(before)) {
      // Kept even if a job of another priority is chosen: the rows of the newcomers are removed.
      turns.put(priority, current);
    }
    Set<String> without = new HashSet<>();
    boolean isCut = false;
    while (true) {
      String flow = flows.next(priority, current, without);
      if (flow == null) {
        return new Turn(null, false, isCut, current);
      }
      Turn turn =
          flow.equals(Turns.REST) ? ofRest(priority, current) : ofWeighted(priority, flow, current);
      Turns seen = turn.after();
      if (turn.customer() != null) {
        Turns after = flows.taken(flow, priority, current, seen, without);
        return Turn.of(turn.customer(), turn.isAhead(), after);
      }
      isCut |= turn.isCutShort();
      boolean hasFound = !seen.flows().keySet().equals(current.flows().keySet());
      current = seen.inactive(flow);
      if (!hasFound) {
        without.add(flow);
      }
    }
  }

  private Turn ofWeighted(int priority, String name, Turns current) {
    Customer customer = waiting.of(priority, name);
    ReadyJob first = customer.first();
    boolean isServed = first != null && !waiting.isFull(first);
    return isServed ? Turn.of(customer, false, current) : Turn.ofNone(current);
  }

  private Turn ofRest(int priority, Turns current) {
    boolean isTurnOfNewcomers = current.newcomersInRow() < MOST_NEWCOMERS_IN_ROW;
    Turn ahead = isTurnOfNewcomers ? ofNewcomers(priority, current) : null;
    if (ahead != null) {
      return ahead;
    }
    Turn known = inPlace(priority, current, isTurnOfNewcomers);
    return known.customer() != null || isTurnOfNewcomers
        ? known
        : inPlace(priority, known.after(), true);
  }

  private @Nullable Turn ofNewcomers(int priority, Turns current) {
    for (String name : new ArrayList<>(waiting.newcomers(priority))) {
      Customer customer = waiting.of(priority, name);
      ReadyJob first = customer.first();
      if (customer.hasUnstoredTurn()) {
        continue;
      }
      if (first != null && !customer.wasServedIn(current.round()) && !waiting.isFull(first)) {
        return Turn.of(customer, true, current.servedAhead());
      }
      waiting.welcomed(priority, name);
    }
    return null;
  }

  private boolean isWaitingNewcomer(int priority, Customer customer) {
    return waiting.newcomers(priority).contains(customer.name()) && !customer.hasUnstoredTurn();
  }

  /**
   * The next customer by its place in the round; if there is none, by its place in the next round.
   *
   * @param withNewcomers whether a newcomer can be served in its place in the round
   */
  private Turn inPlace(int priority, Turns given, boolean withNewcomers) {
    Turns current = given;
    boolean hasFurtherRound = true;
    for (int passed = 0; passed < MOST_PASSED_OVER; passed++) {
      Customer customer = waiting.next(priority, current.cursor()).orElse(null);
      if (customer == null) {
        if (!hasFurtherRound) {
          return Turn.ofNone(current);
        }
        hasFurtherRound = false;
        current = current.nextRound();
        continue;
      }
      current = current.at(customer.name());
      ReadyJob first = customer.first();
      if (pool.weights().containsKey(customer.name())) {
        current = first == null ? current : current.active(customer.name());
      } else if (first == null) {
        // Not the round that this turn may begin: a job of another priority may be chosen instead.
        customer.forgetBefore(turns(priority).round());
      } else if (customer.wasServedIn(current.round())) {
        // If the state was replaced, the record can name a later round than the state.
        hasFurtherRound = true;
      } else if (!waiting.isFull(first)
          && (withNewcomers || !isWaitingNewcomer(priority, customer))) {
        return Turn.of(customer, false, current.servedInPlace());
      }
    }
    isCutShort = true;
    return new Turn(null, false, true, current);
  }
}
