package dev.carillon.pool;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The turns of the customers that have waiting jobs of one priority. They determine which customer
 * is next.
 *
 * <p>Customers without a weight of their own are served in rounds, by name; {@code cursor} is the
 * customer of this round that was served last. A weighted customer is a flow of its own, beside one
 * flow of all others together; see {@link FairChoice}.
 *
 * @param round the number of the round
 * @param cursor the customer that was served last; null before the first customer of the round
 * @param served how many customers had a turn in this round
 * @param servedBefore how many customers had a turn in the round before
 * @param newcomersInRow how many customers in a row were served before their places; a customer
 *     that is served in its place resets the number
 * @param time the virtual time: the sum of all turns so far, each divided by the sum of the weights
 *     at that turn
 * @param flows the flows: the weighted customers, and {@link #REST}
 */
public record Turns(
    long round,
    @Nullable String cursor,
    int served,
    int servedBefore,
    int newcomersInRow,
    double time,
    Map<String, Flow> flows) {

  /** The flow of the customers without a weight of their own; no customer has this name. */
  public static final String REST = "\n";

  static final Turns BEGIN = beginAt(1);

  /** A power of two, so that its subtraction is exact. */
  private static final double MOST_TIME = 1 << 16;

  /**
   * A flow.
   *
   * @param start the virtual time at which its next turn begins
   * @param isActive whether it had waiting jobs when it was last seen
   */
  public record Flow(double start, boolean isActive) {}

  public Turns {
    flows = Collections.unmodifiableMap(new TreeMap<>(flows));
  }

  /** The turns before the first choice of a round. */
  static Turns beginAt(long round) {
    return new Turns(round, null, 0, 0, 0, 0, Map.of());
  }

  Turns nextRound() {
    return new Turns(round + 1, null, 0, served, newcomersInRow, time, flows);
  }

  /** The turns after the customer was served in its place, or passed over. */
  Turns at(String customer) {
    return new Turns(round, customer, served, servedBefore, newcomersInRow, time, flows);
  }

  Turns servedInPlace() {
    return new Turns(round, cursor, served + 1, servedBefore, 0, time, flows);
  }

  Turns servedAhead() {
    return new Turns(round, cursor, served + 1, servedBefore, newcomersInRow + 1, time, flows);
  }

  /** The virtual time at which a flow's next turn begins. */
  double start(String flow) {
    Flow known = flows.get(flow);
    return known == null ? time : known.start();
  }

  /** The turns after a flow got waiting jobs. The flow gains nothing for the time without jobs. */
  Turns active(String flow) {
    if (isActive(flow)) {
      return this;
    }
    Flow known = flows.get(flow);
    double start = known == null ? time : Math.max(time, known.start());
    return with(flow, new Flow(start, true), time);
  }

  /** Whether a flow had waiting jobs when it was last seen. */
  boolean isActive(String flow) {
    Flow known = flows.get(flow);
    return known != null && known.isActive();
  }

  Turns inactive(String flow) {
    Flow known = flows.get(flow);
    return known == null ? this : with(flow, new Flow(known.start(), false), time);
  }

  Turns without(String flow) {
    Map<String, Flow> rest = new HashMap<>(flows);
    rest.remove(flow);
    return new Turns(round, cursor, served, servedBefore, newcomersInRow, time, rest);
  }

  /** The turns after a turn of a flow at a virtual time. */
  Turns taken(String flow, double weight, double at, double sum) {
    Flow known = flows.getOrDefault(flow, new Flow(at, true));
    return with(flow, new Flow(known.start() + 1 / weight, true), at + 1 / sum).rebased();
  }

  /** Subtracts the same from all virtual times once they are large, because they lose precision. */
  private Turns rebased() {
    if (time < MOST_TIME) {
      return this;
    }
    Map<String, Flow> all = new HashMap<>();
    flows.forEach(
        (name, flow) -> all.put(name, new Flow(flow.start() - MOST_TIME, flow.isActive())));
    return new Turns(round, cursor, served, servedBefore, newcomersInRow, time - MOST_TIME, all);
  }

  private Turns with(String flow, Flow changed, double newTime) {
    Map<String, Flow> all = new HashMap<>(flows);
    all.put(flow, changed);
    return new Turns(round, cursor, served, servedBefore, newcomersInRow, newTime, all);
  }
}
