package dev.carillon.trigger;

import dev.carillon.id.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32;

/** Shifts the fires of a trigger, so that the fires of many schedules do not coincide. */
public final class Flexible {

  /** The longest period over which fires are spread. */
  public static final Duration LONGEST = Duration.ofDays(7);

  private Flexible() {}

  /**
   * The schedule's offset within a period: whole seconds from zero to below the period. The offset
   * is the CRC-32 of {@code namespace/name} modulo the seconds of the period, so it never changes.
   */
  static Duration offset(ScheduleId id, Duration flexible) {
    CRC32 hash = new CRC32();
    hash.update(id.toString().getBytes(StandardCharsets.UTF_8));
    return flexible.toSeconds() == 0
        ? Duration.ZERO
        : Duration.ofSeconds(hash.getValue() % flexible.toSeconds());
  }
}
