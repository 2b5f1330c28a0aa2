package dev.carillon.calendar;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.time.Exclusion;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The times that a calendar excludes, in the local time of its zone. An instant is excluded if its
 * local time is excluded. So if an excluded hour occurs twice because clocks are set back, both
 * occurrences are excluded.
 *
 * @param document the document from which the calendar was read, with defaults
 */
public record NamedCalendar(
    ZoneId zone,
    Set<LocalDate> dates,
    List<Range> ranges,
    List<WeeklyWindow> weekly,
    ObjectNode document)
    implements Exclusion {

  /**
   * @param from inclusive
   * @param to exclusive
   */
  record Range(LocalDateTime from, LocalDateTime to) {
    boolean contains(LocalDateTime local) {
      return !local.isBefore(from) && local.isBefore(to);
    }
  }

  boolean excludesTheTimesOf(NamedCalendar other) {
    return zone.equals(other.zone)
        && dates.equals(other.dates)
        && ranges.equals(other.ranges)
        && weekly.equals(other.weekly);
  }

  @Override
  public Optional<Excluded> around(Instant instant) {
    ZonedDateTime zoned = instant.atZone(zone);
    LocalDateTime local = zoned.toLocalDateTime();
    List<Range> around = rangesOn(local).filter(range -> range.contains(local)).toList();
    if (around.isEmpty()) {
      return Optional.empty();
    }
    LocalDateTime from =
        around.stream().map(Range::from).min(LocalDateTime::compareTo).orElse(local);
    LocalDateTime to = around.stream().map(Range::to).max(LocalDateTime::compareTo).orElse(local);
    return Optional.of(sinceAndUntilClocksChange(zoned, from, to));
  }

  private Stream<Range> rangesOn(LocalDateTime local) {
    LocalDate day = local.toLocalDate();
    Stream<Range> date =
        dates.contains(day)
            ? Stream.of(
                new Range(
                    day.atTime(LocalTime.MIDNIGHT), day.plusDays(1).atTime(LocalTime.MIDNIGHT)))
            : Stream.empty();
    Stream<Range> windows =
        Stream.of(day.minusDays(1), day)
            .flatMap(opening -> weekly.stream().flatMap(window -> window.on(opening).stream()));
    return Stream.concat(date, Stream.concat(ranges.stream(), windows));
  }

  /**
   * The stretch around an instant, cut off at changes of the clocks, because local time is not
   * monotonic there.
   */
  private Excluded sinceAndUntilClocksChange(
      ZonedDateTime at, LocalDateTime from, LocalDateTime to) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition before = rules.previousTransition(at.toInstant().plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(at.toInstant());
    Instant start = instant(from, at.getOffset());
    Instant end = instant(to, at.getOffset());
    return new Excluded(
        before != null && before.getInstant().isAfter(start) ? before.getInstant() : start,
        after != null && after.getInstant().isBefore(end) ? after.getInstant() : end);
  }

  private Instant instant(LocalDateTime local, ZoneOffset preferred) {
    @Nullable ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : ZonedDateTime.ofLocal(local, zone, preferred).toInstant();
  }
}
