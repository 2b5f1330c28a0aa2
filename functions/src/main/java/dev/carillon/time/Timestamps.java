package dev.carillon.time;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Instants as texts. Texts for users are in UTC and always have milliseconds, so that they have
 * equal length and sort like the instants.
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

  /** Milliseconds in base 36, the shortest text for stored items. */
  public static String shortText(Instant instant) {
    return Long.toString(instant.toEpochMilli(), Character.MAX_RADIX);
  }

  /**
   * Parses {@link #shortText}.
   *
   * @throws NumberFormatException if the text is not of that form
   */
  public static Instant ofShortText(String text) {
    return Instant.ofEpochMilli(Long.parseLong(text, Character.MAX_RADIX));
  }

  /** Like {@link #text}, but gives null for null. */
  public static @Nullable String textOrNull(@Nullable Instant instant) {
    return instant == null ? null : text(instant);
  }
}
