package dev.carillon.wakeup;

import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A subject and the instant at which the checker processes it. Either a check message or an entry
 * of the attention index carries a wake-up.
 *
 * <p>{@link #plan} decides which of the two does. SQS delays a message by at most 900 s. Up to this
 * delay, a message carries the wake-up, to the second. The index repeats it 20 s later, in case the
 * message is lost. Usually the checker has processed the message by then, so the repetition finds
 * nothing to do. Beyond 900 s, only the index has the wake-up, at its exact instant. This is early
 * enough: each minute, the master reads the index two minutes ahead, and sends a message that is
 * due at the entry's instant.
 *
 * @param priority of several wake-ups for one instant, the one with the smallest number is sent
 *     first
 */
public record Wakeup(Subject subject, Instant at, int priority) {

  /** The longest delay of a message, which is the limit of SQS. */
  public static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  /** How long after its message a wake-up is repeated, in case the message is lost. */
  public static final Duration SLACK = Duration.ofSeconds(20);

  /** Wake-ups sort by instant; at one instant the most urgent comes first. */
  public static final Comparator<Wakeup> ORDER = Wakeup::compare;

  /** A wake-up of the highest priority. */
  public Wakeup(Subject subject, Instant at) {
    this(subject, at, 0);
  }

  /** The instant at which the last of some wake-ups is due. */
  public static Instant lastOf(Collection<Wakeup> wakeups) {
    return wakeups.stream().map(Wakeup::at).max(Comparator.naturalOrder()).orElseThrow();
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

  /** Whether the subject is the job of a fire, and the wake-up is for the instant of this fire. */
  public boolean isOfFire() {
    return subject instanceof JobId job && job.isFire() && job.at().equals(at);
  }

  /**
   * The carrier of a wake-up.
   *
   * @param isInMessage true if a delayed message carries it; false if only the attention index does
   */
  public record Plan(Instant at, boolean isInMessage) {

    /**
     * The plan for the next due instant. The present plan stays if its instant is in the future and
     * not after the due one, because its check plans the next wake-up. So an event that moves the
     * due instant further away costs no message.
     *
     * @param before the present plan; null for none
     * @param due empty if nothing is due
     */
    public static @Nullable Plan next(@Nullable Plan before, Optional<Instant> due, Instant now) {
      if (due.isEmpty()) {
        return null;
      }
      return before != null && before.serves(due.get(), now) ? before : plan(due.get(), now);
    }

    /**
     * Whether the check of this plan is still to come, and comes when something is due or before.
     */
    public boolean serves(Instant due, Instant now) {
      return at.isAfter(now) && !at.isAfter(due);
    }

    /** The instant of the entry in the attention index. */
    public Instant attentionAt() {
      return isInMessage ? at.plus(SLACK) : at;
    }
  }
}
