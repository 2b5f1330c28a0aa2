package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fires of a cron expression in a zone, from 1970 to 2099. */
public final class CronTimes implements FireTimes {

  // In no zone, a fire comes before this instant.
  private static final Instant EARLIEST = Instant.parse("1969-12-30T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2100-01-03T00:00:00Z");

  private final LocalTimes times;
  private final ZoneRules rules;
  private final Dst.Gap gap;
  private final Dst.Overlap overlap;

  private CronTimes(LocalTimes times, ZoneRules rules, Dst dst) {
    boolean realTime = times.followsRealTime();
    this.times = times;
    this.rules = rules;
    this.gap = Objects.requireNonNullElse(dst.gap(), realTime ? Dst.Gap.SKIP : Dst.Gap.SHIFT);
    this.overlap =
        Objects.requireNonNullElse(dst.overlap(), realTime ? Dst.Overlap.BOTH : Dst.Overlap.FIRST);
  }

  /**
   * Parses a cron expression. A well-formed expression that never fires is accepted; its {@link
   * #next} is empty.
   *
   * @throws IllegalArgumentException if the expression is not valid; the message is for the user,
   *     and names the expression and the remedy
   */
  public static CronTimes parse(String expression, Dialect dialect, ZoneId zone, Dst dst) {
    return new CronTimes(LocalTimes.parse(expression, dialect), zone.getRules(), dst);
  }

  /**
   * Whether a valid expression limits the years; without a limit it fires until 2099, if ever. The
   * text alone answers this. Each launch needs the answer, and parsing the cron would cost more.
   */
  public static boolean namesYears(String expression, Dialect dialect) {
    return CronText.of(expression, dialect).hasYear();
  }

  @Override
  public Optional<Fire> next(Instant instant) {
    Instant start = clamped(instant);
    Stretch stretch = Stretch.containing(start, rules);
    LocalDateTime after =
        later(stretch.local(start).truncatedTo(ChronoUnit.SECONDS), beginning(stretch));
    LocalDateTime match = times.after(after);
    while (match == null || !match.isBefore(stretch.to(overlap))) {
      if (stretch.ends() == null) {
        return Optional.empty();
      }
      if (match != null && shiftsFires(stretch.ends())) {
        return shifted(stretch.ends());
      }
      stretch = Stretch.containing(stretch.ends().getInstant(), rules);
      LocalDateTime searched = after;
      after = beginning(stretch);
      if (match == null && !after.isBefore(searched)) {
        return Optional.empty();
      }
      if (match == null || after.isBefore(searched) || !match.isAfter(after)) {
        match = times.after(after);
      }
    }
    return fire(stretch, match);
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    Instant end = clamped(instant).minusNanos(1);
    Stretch stretch = Stretch.containing(end, rules);
    LocalDateTime before =
        earlier(
            stretch.local(end).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1), stretch.to(overlap));
    LocalDateTime match = times.before(before);
    while (match == null || !match.isAfter(beginning(stretch)) || isShifted(stretch, match)) {
      if (stretch.began() == null) {
        return Optional.empty();
      }
      if (match != null && shiftsFires(stretch.began())) {
        return shifted(stretch.began());
      }
      stretch = Stretch.containing(stretch.began().getInstant().minusNanos(1), rules);
      LocalDateTime searched = before;
      before = stretch.to(overlap);
      if (match == null && !before.isAfter(searched)) {
        return Optional.empty();
      }
      if (match == null || before.isAfter(searched) || !match.isBefore(before)) {
        match = times.before(before);
      }
    }
    return fire(stretch, match);
  }

  @Override
  public String describe() {
    return times.describe();
  }

  /** The second before the first local time of {@code stretch} that can fire. */
  private LocalDateTime beginning(Stretch stretch) {
    return stretch.from(overlap).minusSeconds(1);
  }

  /**
   * Whether {@code match} is the instant to which fires of the gap before the stretch are shifted.
   */
  private boolean isShifted(Stretch stretch, LocalDateTime match) {
    ZoneOffsetTransition began = stretch.began();
    return began != null && match.equals(began.getDateTimeAfter()) && shiftsFires(began);
  }

  private boolean shiftsFires(ZoneOffsetTransition change) {
    if (gap != Dst.Gap.SHIFT || !change.isGap()) {
      return false;
    }
    LocalDateTime match = times.after(change.getDateTimeBefore().minusSeconds(1));
    return match != null && match.isBefore(change.getDateTimeAfter());
  }

  private static Optional<Fire> shifted(ZoneOffsetTransition change) {
    return Optional.of(new Fire(change.getInstant(), Fire.Shift.GAP));
  }

  private static Optional<Fire> fire(Stretch stretch, LocalDateTime match) {
    Fire.@Nullable Shift shift = stretch.repeats(match) ? Fire.Shift.OVERLAP : null;
    return Optional.of(new Fire(stretch.instant(match), shift));
  }

  private static Instant clamped(Instant instant) {
    Instant bounded = instant.isBefore(EARLIEST) ? EARLIEST : instant;
    return bounded.isAfter(LATEST) ? LATEST : bounded;
  }

  private static LocalDateTime later(LocalDateTime a, LocalDateTime b) {
    return a.isAfter(b) ? a : b;
  }

  private static LocalDateTime earlier(LocalDateTime a, LocalDateTime b) {
    return a.isBefore(b) ? a : b;
  }
}
