package dev.carillon.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a collecting job is looked at next, because time satisfies a leaf then.
 *
 * @param isAnnounced whether a delayed message carries it to the instant; else it is too far for
 *     one
 */
public record Look(Instant at, boolean isAnnounced) {

  /** The farthest look that a message is sent for: somewhat less than one can be delayed. */
  static final Duration FARTHEST = Duration.ofMinutes(14);

  /** So long before a look somebody sees to a message for it: several ticks of a master. */
  static final Duration LEAD = Duration.ofMinutes(5);

  /**
   * The look that is needed for what is due. One that comes earlier and is under way will do: what
   * comes then asks for the next. So an event that moves what is due costs no message.
   *
   * @param before what there is; null for none
   * @param due empty if nothing is
   */
  public static @Nullable Look next(@Nullable Look before, Optional<Instant> due, Instant now) {
    if (due.isEmpty()) {
      return null;
    }
    boolean serves = before != null && before.at().isAfter(now) && !before.at().isAfter(due.get());
    Instant at = serves && before != null ? before.at() : due.get();
    boolean isNear = !at.isAfter(now.plus(FARTHEST));
    return new Look(at, isNear || (serves && before != null && before.isAnnounced()));
  }

  /** When somebody should look if the message was lost, or send one. */
  public Instant attentionAt() {
    return isAnnounced ? at.plus(Job.ATTENTION_SLACK) : at.minus(LEAD);
  }
}
