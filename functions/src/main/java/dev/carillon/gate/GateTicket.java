package dev.carillon.gate;

import dev.carillon.id.GateKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gates that have counted a job's launch.
 *
 * @param gates in the order in which a job passes them; not empty
 * @param slotted whether the job holds a slot at these gates until its end
 * @param at the instant for which the gates counted the launch
 * @param endedBy the hash of the event that ended the job without naming it; null if there was none
 */
public record GateTicket(List<GateKey> gates, boolean slotted, Instant at, @Nullable Long endedBy) {

  public static GateTicket through(List<GateKey> gates, boolean slotted, Instant at) {
    return new GateTicket(gates, slotted, at, null);
  }

  /** The ticket after the same gates have counted the launch again. */
  public GateTicket again(Instant now) {
    return new GateTicket(gates, slotted, now, endedBy);
  }

  public GateTicket endedBy(long event) {
    return new GateTicket(gates, slotted, at, event);
  }
}
