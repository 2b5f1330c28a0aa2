package dev.carillon.job;

import java.time.Instant;

/**
 * What a collecting job remembers for a leaf that waits for time to pass.
 *
 * @param first the first event; of an elapsed time the same as {@code last}
 * @param last the last event or launch
 * @param isSpent whether it has satisfied a job, so that it takes another event to do so again
 */
public record LeafClock(Instant first, Instant last, boolean isSpent) {}
