package dev.carillon.trigger;

import dev.carillon.id.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.CRC32;

/** How far the fires of a trigger may be moved so that those of many schedules do not coincide. */
public final class Flexible {

  /** The longest time over which fires are spread. */
  public static final Duration LONGEST = Duration.ofDays(7);

  private Flexible() {}

  /**
   * The schedule's own share of a time: whole seconds from zero to below it. It follows from the
   * name alone, so that a schedule keeps it for good: the CRC-32 of {@code namespace/name}, modulo
   * the seconds of the time.
   */
  static Duration offset(ScheduleId id, Duration flexible) {
    CRC32 hash = new CRC32();
    hash.update(id.toString().getBytes(StandardCharsets.UTF_8));
    return flexible.toSeconds() == 0
        ? Duration.ZERO
        : Duration.ofSeconds(hash.getValue() % flexible.toSeconds());
  }
}
