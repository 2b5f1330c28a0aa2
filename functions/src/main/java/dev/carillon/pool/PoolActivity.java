package dev.carillon.pool;

import dev.carillon.id.PoolId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a pool between its choices. It is an item of its own, so that claims can add to
 * it without a condition.
 *
 * @param claimed how many moved jobs have left the queue since the pool was created, because a
 *     worker has claimed them or no worker ever will claim them
 * @param nextChoice the last instant for which a choice was planned; null for none
 * @param isAwake whether the attention index has an entry for the pool, so that each tick makes the
 *     pool choose
 * @param examinedAt when its waiting jobs were last counted; null for never
 */
public record PoolActivity(
    PoolId pool,
    long claimed,
    @Nullable Instant nextChoice,
    boolean isAwake,
    @Nullable Instant examinedAt) {

  public static PoolActivity none(PoolId pool) {
    return new PoolActivity(pool, 0, null, false, null);
  }

  /** When the next choice is planned; null if none is. */
  public @Nullable Instant planned(Instant now) {
    return isAwake && nextChoice != null && !nextChoice.isBefore(now) ? nextChoice : null;
  }

  /**
   * The instant for a choice that is requested now. This is now, or {@link Pools#PAUSE} after the
   * previous choice if that is later. It is empty if a later choice is planned already. A choice
   * that was planned for exactly now does not count as planned, because it may have run already.
   * The plan of a pool that rests does not count either.
   */
  public Optional<Instant> next(Instant now) {
    if (nextChoice == null) {
      return Optional.of(now);
    }
    if (isAwake && nextChoice.isAfter(now)) {
      return Optional.empty();
    }
    Instant soonest = nextChoice.plus(Pools.PAUSE);
    return Optional.of(soonest.isAfter(now) ? soonest : now);
  }

  /** Whether the waiting jobs were not yet counted in this minute of the clock. */
  public boolean isToBeExamined(Instant now) {
    return examinedAt == null
        || examinedAt.truncatedTo(ChronoUnit.MINUTES).isBefore(now.truncatedTo(ChronoUnit.MINUTES));
  }

  /** The activity after the waiting jobs were counted. */
  public PoolActivity examined(Instant now) {
    return new PoolActivity(pool, claimed, nextChoice, isAwake, now);
  }
}
