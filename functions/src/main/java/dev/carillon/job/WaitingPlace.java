package dev.carillon.job;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A place in the list of waiting jobs. Callers receive the place, so it must not name a job of
 * another namespace.
 *
 * @param shard the shard of the attention index
 * @param from the instant of the wake-ups at which the list continues
 * @param after the wake-up after which the list continues; null to continue before all wake-ups of
 *     the instant
 */
public record WaitingPlace(int shard, Instant from, @Nullable Wakeup after) {

  private static final int MOST_SHARDS = 10_000;

  public static WaitingPlace startOf(int shard) {
    return new WaitingPlace(shard, Instant.EPOCH, null);
  }

  public static WaitingPlace after(int shard, Wakeup last) {
    return new WaitingPlace(shard, last.at(), last);
  }

  /** A short text that {@link #parse} reads. */
  public String text() {
    String start = shard + " " + from.toEpochMilli();
    return after == null ? start : start + " " + after.priority() + " " + after.subject();
  }

  /**
   * Reads a text of {@link #text}.
   *
   * @throws IllegalArgumentException if the text is not a place
   */
  public static WaitingPlace parse(String text) {
    String[] parts = text.split(" ", 4);
    if (!text.matches("[0-9]{1,5} [0-9]{1,15}( [0-9] .+)?")) {
      throw new IllegalArgumentException("not a place: " + text);
    }
    int shard = Math.min(MOST_SHARDS, Integer.parseInt(parts[0]));
    Instant from = Instant.ofEpochMilli(Long.parseLong(parts[1]));
    return parts.length == 2
        ? new WaitingPlace(shard, from, null)
        : after(shard, new Wakeup(job(parts[3]), from, Integer.parseInt(parts[2])));
  }

  private static Subject job(String text) {
    Subject subject = Subject.parse(text);
    if (subject instanceof JobId || subject instanceof CollectingJobId) {
      return subject;
    }
    throw new IllegalArgumentException("not a job: " + text);
  }
}
