package dev.carillon.wakeup;

import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A subject and the instant at which the checker processes it: a subject of a check message, or an
 * entry of the attention index.
 *
 * <p>{@link #plan} decides which of the two carries a wake-up. SQS delays a message by at most 900
 * s. Up to there a message carries the wake-up to its second. The index repeats it 20 s later in
 * case the message is lost; usually the checker has processed the message by then, and the repeat
 * finds nothing to do. Beyond 900 s only the index has the wake-up, at its exact instant. That is
 * early enough: the master ticks each minute, reads the index two minutes ahead, and sends a
 * message that is due at the entry's instant.
 *
 * @param priority among wake-ups of one instant the smallest is sent first
 */
public record Wakeup(Subject subject, Instant at, int priority) {

  /** The longest delay of a message, which is the limit of SQS. */
  public static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  /** How long after its message a wake-up is repeated, in case the message is lost. */
  public static final Duration SLACK = Duration.ofSeconds(20);

  /** By instant; at one instant the most urgent first. */
  public static final Comparator<Wakeup> ORDER = Wakeup::compare;

  /** A wake-up of the highest priority. */
  public Wakeup(Subject subject, Instant at) {
    this(subject, at, 0);
  }

  private static int compare(Wakeup one, Wakeup other) {
    int order = one.at().compareTo(other.at());
    order = order == 0 ? Integer.compare(one.priority(), other.priority()) : order;
    return order == 0 ? one.subject().toString().compareTo(other.subject().toString()) : order;
  }

  /** Decides what carries a wake-up, and when the attention index shows it. */
  public static Plan plan(Instant at, Instant now) {
    return new Plan(at, !at.isAfter(now.plus(LONGEST_DELAY)));
  }

  /** Whether the subject is the job of a fire at this very instant. */
  public boolean isOfFire() {
    return subject instanceof JobId job && job.isFire() && job.at().equals(at);
  }

  /**
   * The carrier of a wake-up.
   *
   * @param isInMessage true for a delayed message; false for the attention index alone
   */
  public record Plan(Instant at, boolean isInMessage) {

    /**
     * The plan for the next due instant. An earlier plan that is still ahead stays: its check plans
     * the next one. So an event that moves the due instant costs no message.
     *
     * @param before the present plan; null for none
     * @param due empty if nothing is due
     */
    public static @Nullable Plan next(@Nullable Plan before, Optional<Instant> due, Instant now) {
      if (due.isEmpty()) {
        return null;
      }
      boolean serves =
          before != null && before.at().isAfter(now) && !before.at().isAfter(due.get());
      return serves ? before : plan(due.get(), now);
    }

    /** The instant of the entry in the attention index. */
    public Instant attentionAt() {
      return isInMessage ? at.plus(SLACK) : at;
    }
  }
}
