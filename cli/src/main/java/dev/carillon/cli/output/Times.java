package dev.carillon.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes instants for people: in one zone, with the distance from now.
 *
 * @param inZone gives the zone. It is called only if the zone is needed, because to find it takes
 *     time; a {@link ZoneId} would take four times as long
 * @param now the instant of the command
 */
public record Times(Supplier<TimeZone> inZone, Instant now) {

  /** The formats are created on first use, because this takes time as well. */
  private static final class Formats {

    static final DateTimeFormatter LOCAL =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    static final DateTimeFormatter WITH_ZONE =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss xxx", Locale.ROOT);

    private Formats() {}
  }

  /** A distance is shown in the largest unit of which it has at least this number. */
  private static final int LEAST = 2;

  private static final int MILLIS = 1_000;

  public ZoneId zone() {
    return inZone.get().toZoneId();
  }

  /** The instant in the form {@code 2026-03-10 13:00:00 (in 3 min)}; empty for null. */
  public String text(@Nullable Instant instant) {
    return instant == null
        ? ""
        : Formats.LOCAL.format(local(instant)) + " (" + distance(instant) + ")";
  }

  /** The instant in the form {@code 2026-03-10 13:00:00 +01:00}; empty for null. */
  public String exact(@Nullable Instant instant) {
    return instant == null ? "" : Formats.WITH_ZONE.format(local(instant));
  }

  private OffsetDateTime local(Instant instant) {
    int millis = inZone.get().getOffset(instant.toEpochMilli());
    return instant.atOffset(ZoneOffset.ofTotalSeconds(millis / MILLIS));
  }

  /** The distance in the form {@code in 3 min} or {@code 2 h ago}; empty for null. */
  public String distance(@Nullable Instant instant) {
    if (instant == null) {
      return "";
    }
    Duration until = Duration.between(now, instant);
    String length = length(until.abs());
    return until.isNegative() ? length + " ago" : "in " + length;
  }

  /**
   * A length in the form {@code 90 s} or {@code 36 h}: the largest unit of which it has at least
   * two, with the rest cut off.
   */
  public static String length(Duration length) {
    if (length.toDays() >= LEAST) {
      return length.toDays() + " d";
    }
    if (length.toHours() >= LEAST) {
      return length.toHours() + " h";
    }
    return length.toMinutes() >= LEAST ? length.toMinutes() + " min" : length.toSeconds() + " s";
  }
}
