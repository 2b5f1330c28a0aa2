package dev.carillon.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a suspension and the reason it gave. No rule depends on these values.
 *
 * @param caller the caller that suspended the schedule, or last changed the reason or end
 * @param at since when the schedule is suspended in its mode. A request that replaces only the
 *     reason or the end keeps this instant
 */
public record SuspendedBy(String caller, @Nullable String reason, Instant at) {}
