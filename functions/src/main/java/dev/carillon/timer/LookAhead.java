package dev.carillon.timer;

import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;

/**
 * How far ahead of time fires are handed to the check queue.
 *
 * <p>The instants up to which a schedule's timers are expanded lie on a grid of its own: so two
 * timers of one leaf, left by overlapping ticks, land on the same key at their next move and are
 * one again, and the moves of many schedules spread over the grid's period.
 */
public final class LookAhead {

  /**
   * A timer is expanded once it is due within this: two ticks of a master that ticks each minute.
   */
  public static final Duration AHEAD = Duration.ofMinutes(2);

  /** The period of the grid; with {@link #AHEAD} it stays below the longest delay of a message. */
  public static final Duration GRID = Duration.ofMinutes(12);

  private LookAhead() {}

  /** Timers due at or before this are to be expanded now. */
  public static Instant selectionEnd(Instant now) {
    return now.plus(AHEAD);
  }

  /** Fires up to here, inclusive, are expanded together. */
  public static Instant horizon(ScheduleId id, Instant now) {
    long period = GRID.toMillis();
    long offset = Math.floorMod(id.toString().hashCode() * 0x9E3779B9L, period);
    long reached = selectionEnd(now).toEpochMilli() - offset;
    return Instant.ofEpochMilli((Math.floorDiv(reached, period) + 1) * period + offset);
  }
}
