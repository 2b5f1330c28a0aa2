package dev.carillon.wakeup;

import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A subject and the instant at which the checker processes it: what a check message names, and an
 * entry of the attention index.
 *
 * <p>The rule, {@link #plan}. SQS delays a message by 900 s at most: up to there a message carries
 * the wake-up to its second. The index repeats it 20 s later, in case the message is lost: as a
 * rule the checker has processed the message by then, and the repeat finds nothing to do. Beyond
 * 900 s the index alone has it, at the very instant. That needs no lead: the master ticks each
 * minute, reads the index two minutes ahead, and sends a message due at the entry's instant.
 *
 * @param priority of wake-ups at one instant the smallest is sent first
 */
public record Wakeup(Subject subject, Instant at, int priority) {

  /** The longest that a message can be delayed: what SQS allows. */
  public static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  /** How long after its message a wake-up is repeated, in case the message is lost. */
  public static final Duration SLACK = Duration.ofSeconds(20);

  /** By instant; of those at one instant the most urgent first. */
  public static final Comparator<Wakeup> ORDER = Wakeup::compare;

  /** One of the highest priority. */
  public Wakeup(Subject subject, Instant at) {
    this(subject, at, 0);
  }

  private static int compare(Wakeup one, Wakeup other) {
    int order = one.at().compareTo(other.at());
    order = order == 0 ? Integer.compare(one.priority(), other.priority()) : order;
    return order == 0 ? one.subject().toString().compareTo(other.subject().toString()) : order;
  }

  /** How a wake-up for an instant travels, and when the attention index shows it. */
  public static Plan plan(Instant at, Instant now) {
    return new Plan(at, !at.isAfter(now.plus(LONGEST_DELAY)));
  }

  /** Whether the subject is a fire's job whose id says the same instant. */
  public boolean isOfFire() {
    return subject instanceof JobId job && job.isFire() && job.at().equals(at);
  }

  /**
   * What carries a wake-up.
   *
   * @param isInMessage whether a delayed message does; else the attention index alone
   */
  public record Plan(Instant at, boolean isInMessage) {

    /**
     * The plan for what is due. One that comes earlier and is under way stays: what it wakes plans
     * the next. So an event that moves what is due costs no message.
     *
     * @param before the plan there is; null for none
     * @param due empty if nothing is
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
