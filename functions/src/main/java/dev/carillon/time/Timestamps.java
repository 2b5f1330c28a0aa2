package dev.carillon.time;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Instants as users read them everywhere: UTC, always with milliseconds, so that texts are as long
 * as each other and sort as the instants do.
 */
public final class Timestamps {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** Like {@code 2030-01-31T08:00:00.000Z}. */
  public static String text(Instant instant) {
    return FORM.format(instant);
  }

  /** The same, or null. */
  public static @Nullable String textOrNull(@Nullable Instant instant) {
    return instant == null ? null : text(instant);
  }
}
