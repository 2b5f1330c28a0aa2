package dev.carillon.time;

import org.jspecify.annotations.Nullable;

/**
 * The behaviour of a cron trigger where clocks change. A null part means the default, which follows
 * Vixie cron. An expression with {@code *} or {@code /} in hour or minute follows real time. Others
 * name fixed times: fires in a gap shift to its end, and an overlap fires only the first time.
 */
public record Dst(@Nullable Gap gap, @Nullable Overlap overlap) {

  public static final Dst DEFAULT = new Dst(null, null);

  /**
   * For a local time that does not exist: fire at the first instant after the gap, or not at all.
   */
  public enum Gap {
    SHIFT,
    SKIP
  }

  /** For a local time that occurs twice. */
  public enum Overlap {
    FIRST,
    SECOND,
    BOTH
  }
}
