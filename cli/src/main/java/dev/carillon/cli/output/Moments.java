package dev.carillon.cli.output;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads instants in the forms in which users write them. */
public final class Moments {

  /** The accepted forms, for help texts and refusals. */
  public static final String FORMS =
      "2026-03-10T12:00:00Z, 2026-03-10T12:00 or 2026-03-10 in local time, now, today, yesterday,"
          + " tomorrow, or a duration from now like PT2H or -P1D";

  private Moments() {}

  /**
   * @param times the zone and the instant to which local times and durations refer
   * @throws IllegalArgumentException if the text is none of {@link #FORMS}
   */
  public static Instant read(String text, Times times) {
    LocalDate today = LocalDate.ofInstant(times.now(), times.zone());
    return switch (text) {
      case "now" -> times.now().truncatedTo(ChronoUnit.MILLIS);
      case "today" -> start(today, times);
      case "yesterday" -> start(today.minusDays(1), times);
      case "tomorrow" -> start(today.plusDays(1), times);
      default -> parsed(text, times);
    };
  }

  private static Instant parsed(String text, Times times) {
    List<Supplier<Instant>> forms =
        List.of(
            () -> OffsetDateTime.parse(text).toInstant(),
            () -> LocalDateTime.parse(text).atZone(times.zone()).toInstant(),
            () -> start(LocalDate.parse(text), times),
            () -> times.now().truncatedTo(ChronoUnit.MILLIS).plus(Duration.parse(text)));
    return forms.stream()
        .flatMap(form -> attempt(form).stream())
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("'" + text + "' is not an instant; give " + FORMS));
  }

  private static Instant start(LocalDate day, Times times) {
    return day.atStartOfDay(times.zone()).toInstant();
  }

  private static Optional<Instant> attempt(Supplier<Instant> form) {
    try {
      return Optional.of(form.get());
    } catch (DateTimeException otherForm) {
      return Optional.empty();
    }
  }
}
