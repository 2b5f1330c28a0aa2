package dev.carillon.job;

import java.time.Instant;

/**
 * The state of a leaf that waits for a period to elapse.
 *
 * @param first the first event; an elapsed leaf has the same value as in {@code last}
 * @param last the last event or launch
 * @param isSpent whether the leaf was satisfied for a job already, so that only another event can
 *     start its period again
 */
public record LeafClock(Instant first, Instant last, boolean isSpent) {}
