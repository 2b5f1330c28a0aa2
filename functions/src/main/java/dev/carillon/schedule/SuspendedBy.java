package dev.carillon.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the caller who suspended a schedule said. No rule depends on it.
 *
 * @param caller who suspended it, or who last gave another reason or end
 * @param at since when it is suspended in its mode; a replacement of the schedule leaves it as it
 *     is
 */
public record SuspendedBy(String caller, @Nullable String reason, Instant at) {}
