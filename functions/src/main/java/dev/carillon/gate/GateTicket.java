package dev.carillon.gate;

import dev.carillon.id.GateKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gates that have counted a job's launch.
 *
 * @param gates in the order in which a job passes them; not empty
 * @param slotted whether it holds a slot there until its end
 * @param at when they counted it
 * @param endedBy the hash of the event that ended it without naming it; null if there was none
 */
public record GateTicket(List<GateKey> gates, boolean slotted, Instant at, @Nullable Long endedBy) {

  public static GateTicket through(List<GateKey> gates, boolean slotted, Instant at) {
    return new GateTicket(gates, slotted, at, null);
  }

  /** Counted once more. */
  public GateTicket again(Instant now) {
    return new GateTicket(gates, slotted, now, endedBy);
  }

  public GateTicket endedBy(long event) {
    return new GateTicket(gates, slotted, at, event);
  }
}
