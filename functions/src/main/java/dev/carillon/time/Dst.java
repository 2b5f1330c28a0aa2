package dev.carillon.time;

import org.jspecify.annotations.Nullable;

/**
 * What a cron trigger does where clocks change. A null part means the default, which follows Vixie
 * cron: an expression with {@code *} or {@code /} in hour or minute follows real time, others name
 * fixed times (shifted behind a gap, fired the first time of an overlap only).
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
