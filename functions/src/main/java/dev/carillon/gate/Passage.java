package dev.carillon.gate;

import dev.carillon.id.GateKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job has to do with gates.
 *
 * @param gates those that have counted it
 * @param slotted whether it holds a slot there until its end
 * @param at when they counted it; null if none has
 * @param waitsAt the gate at which it waits; null if it does not
 * @param endedBy the hash of the event that ended it without naming it; null if there was none
 */
public record Passage(
    List<GateKey> gates,
    boolean slotted,
    @Nullable Instant at,
    @Nullable GateKey waitsAt,
    @Nullable Long endedBy) {

  public static Passage through(List<GateKey> gates, boolean slotted, Instant at) {
    return new Passage(gates, slotted, at, null, null);
  }

  public static Passage waitingAt(GateKey gate) {
    return new Passage(List.of(), false, null, gate, null);
  }

  /** Counted once more. */
  public Passage again(Instant now) {
    return new Passage(gates, slotted, now, waitsAt, endedBy);
  }

  public Passage endedBy(long event) {
    return new Passage(gates, slotted, at, waitsAt, event);
  }
}
