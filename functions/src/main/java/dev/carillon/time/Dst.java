package dev.carillon.time;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of a cron trigger where clocks change. A part that is null means the default, which
 * follows Vixie cron. An expression with {@code *} or {@code /} in hour or minute follows real
 * time. Other expressions name fixed times: fires in a gap shift to the end of the gap, and in an
 * overlap only the first of the two times fires.
 */
public record Dst(@Nullable Gap gap, @Nullable Overlap overlap) {

  public static final Dst DEFAULT = new Dst(null, null);

  /**
   * For a local time that does not exist: the trigger fires at the first instant after the gap, or
   * not at all.
   */
  public enum Gap {
    SHIFT,
    SKIP
  }

  /** For a local time that occurs twice: which of the two times fire. */
  public enum Overlap {
    FIRST,
    SECOND,
    BOTH
  }
}
