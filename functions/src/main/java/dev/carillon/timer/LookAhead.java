package dev.carillon.timer;

import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;

/**
 * How far in advance fires are handed to the check queue.
 *
 * <p>The horizons of a schedule's timers lie on a grid that is specific to the schedule.
 * Overlapping ticks can leave two timers of one leaf; at their next move, both get the same key and
 * become one. The moves of many schedules spread over the period of the grid.
 */
public final class LookAhead {

  /**
   * The look-ahead: a timer is expanded once it is due within this duration. It is two periods of a
   * master that ticks each minute.
   */
  public static final Duration AHEAD = Duration.ofMinutes(2);

  /**
   * The period of the grid. Together with {@link #AHEAD} it is below the longest delay of a
   * message.
   */
  public static final Duration GRID = Duration.ofMinutes(12);

  private LookAhead() {}

  /** Timers that are due at or before this instant are expanded now. */
  public static Instant selectionEnd(Instant now) {
    return now.plus(AHEAD);
  }

  /** The horizon: fires up to and including this instant are expanded together. */
  public static Instant horizon(ScheduleId id, Instant now) {
    long period = GRID.toMillis();
    long offset = Math.floorMod(id.toString().hashCode() * 0x9E3779B9L, period);
    long reached = selectionEnd(now).toEpochMilli() - offset;
    return Instant.ofEpochMilli((Math.floorDiv(reached, period) + 1) * period + offset);
  }
}
