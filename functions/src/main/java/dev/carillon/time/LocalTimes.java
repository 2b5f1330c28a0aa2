package dev.carillon.time;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The local date-times that a cron expression matches, from 1970 to 2099, on a time line without a
 * zone. cron-utils computes wrong times near changes of the clocks, and wrong years when it
 * searches backwards. So this class lets it compute in UTC, which stands for local time, and
 * without years.
 */
final class LocalTimes {

  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 2099;
  private static final NavigableSet<Integer> ALL_YEARS =
      Collections.unmodifiableNavigableSet(
          new TreeSet<>(IntStream.rangeClosed(FIRST_YEAR, LAST_YEAR).boxed().toList()));

  private static final CronDefinition UNIX =
      CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
  private static final CronDefinition QUARTZ = quartz(LAST_YEAR);
  private static final CronDefinition AWS = quartz(2199);

  private static final Map<Key, LocalTimes> PARSED = lastUsed(1_000);

  /** Many schedules have the same expression, and their fires are searched from the same time. */
  private static final Map<Search, LocalDateTime> FOUND = lastUsed(10_000);

  private record Key(String expression, Dialect dialect) {}

  private record Search(LocalTimes times, LocalDateTime from) {}

  private final ExecutionTime inAnyYear;
  private final @Nullable ExecutionTime otherDays;
  private final int lateWeekday;
  private final Cron cron;
  private final CronText text;
  private final NavigableSet<Integer> years;
  private final boolean followsRealTime;
  private final @Nullable LocalDateTime first;

  private LocalTimes(CronText text) {
    this.text = text;
    boolean both = text.wantsBothDays();
    this.lateWeekday = text.lateWeekday();
    CronText first =
        both ? text.ofAnyDayOfWeek() : lateWeekday > 0 ? text.aroundLateWeekday() : text;
    this.cron = parsed(lateWeekday > 0 ? first : text, text.fields().size());
    this.inAnyYear =
        ExecutionTime.forCron(parsed(first, text.fields().size() - (text.hasYear() ? 1 : 0)));
    this.otherDays =
        both ? ExecutionTime.forCron(parsed(text.ofAnyDayOfMonth(), text.fields().size())) : null;
    this.years = text.hasYear() ? yearsOf(text) : ALL_YEARS;
    this.followsRealTime = text.followsRealTime();
    this.first = after(LocalDateTime.MIN);
  }

  /**
   * @throws IllegalArgumentException if the expression is not valid; the message is for the user
   */
  static LocalTimes parse(String expression, Dialect dialect) {
    Key key = new Key(expression, dialect);
    LocalTimes known = PARSED.get(key);
    if (known != null) {
      return known;
    }
    LocalTimes times = new LocalTimes(CronText.of(expression, dialect));
    PARSED.put(key, times);
    return times;
  }

  /** The first match strictly after {@code time}; null if there is none. */
  @Nullable LocalDateTime after(LocalDateTime time) {
    LocalDateTime from = time;
    Integer year = years.ceiling(from.getYear());
    while (year != null) {
      if (year > from.getYear()) {
        from = LocalDateTime.of(year, 1, 1, 0, 0).minusSeconds(1);
      }
      LocalDateTime match = next(from);
      if (match == null || years.contains(match.getYear())) {
        return match;
      }
      from = match;
      year = years.ceiling(match.getYear());
    }
    return null;
  }

  /** The last match strictly before {@code time}; null if there is none. */
  @Nullable LocalDateTime before(LocalDateTime time) {
    if (first == null || !time.isAfter(first)) {
      return null;
    }
    LocalDateTime until = time;
    Integer year = years.floor(until.getYear());
    while (year != null) {
      if (year < until.getYear()) {
        until = LocalDateTime.of(year + 1, 1, 1, 0, 0);
      }
      LocalDateTime match = last(until);
      if (match == null || years.contains(match.getYear())) {
        return match;
      }
      until = match;
      year = years.floor(match.getYear());
    }
    return null;
  }

  private static <K, V> Map<K, V> lastUsed(int most) {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        });
  }

  /** The search ignores years. */
  private @Nullable LocalDateTime next(LocalDateTime from) {
    Search search = new Search(this, from);
    LocalDateTime known = FOUND.get(search);
    if (known != null) {
      return known;
    }
    LocalDateTime match = searched(from);
    if (match != null) {
      FOUND.put(search, match);
    }
    return match;
  }

  private @Nullable LocalDateTime searched(LocalDateTime from) {
    LocalDateTime match = local(inAnyYear.nextExecution(utc(from)).orElse(null));
    while (match != null && match.getYear() <= LAST_YEAR && !isOnOtherDays(match)) {
      LocalDateTime endOfDay = match.toLocalDate().plusDays(1).atStartOfDay().minusSeconds(1);
      match = local(inAnyYear.nextExecution(utc(endOfDay)).orElse(null));
    }
    return match;
  }

  /** The search ignores years. */
  private @Nullable LocalDateTime last(LocalDateTime until) {
    LocalDateTime match = local(inAnyYear.lastExecution(utc(until)).orElse(null));
    while (match != null && match.getYear() >= FIRST_YEAR && !isOnOtherDays(match)) {
      LocalDateTime day = match.toLocalDate().atStartOfDay();
      match = local(inAnyYear.lastExecution(utc(day)).orElse(null));
    }
    return match;
  }

  /** Checks a match against the day condition that the library's expression leaves out. */
  private boolean isOnOtherDays(LocalDateTime match) {
    if (lateWeekday > 0) {
      return match.toLocalDate().equals(weekdayNearest(lateWeekday, match.toLocalDate()));
    }
    return otherDays == null
        || match.equals(local(otherDays.nextExecution(utc(match.minusSeconds(1))).orElse(null)));
  }

  /**
   * The weekday nearest to a day, within the month as in Quartz; null if the month of {@code date}
   * has no such day.
   */
  private static @Nullable LocalDate weekdayNearest(int day, LocalDate date) {
    int last = date.lengthOfMonth();
    if (day > last) {
      return null;
    }
    LocalDate wanted = date.withDayOfMonth(day);
    return switch (wanted.getDayOfWeek()) {
      case SATURDAY -> wanted.minusDays(1);
      case SUNDAY -> day == last ? wanted.minusDays(2) : wanted.plusDays(1);
      default -> wanted;
    };
  }

  boolean followsRealTime() {
    return followsRealTime;
  }

  /**
   * A description like "At 03:00"; the expression itself if the library cannot describe it
   * correctly.
   */
  String describe() {
    if (!text.hasWords()) {
      return "Cron '" + text.expression().strip() + "'";
    }
    String words = CronDescriptor.instance(Locale.UK).describe(cron);
    return words.substring(0, 1).toUpperCase(Locale.UK) + words.substring(1);
  }

  private static Cron parsed(CronText text, int fields) {
    CronParser parser =
        new CronParser(
            switch (text.dialect()) {
              case QUARTZ -> QUARTZ;
              case UNIX -> UNIX;
              case AWS -> AWS;
            });
    try {
      return parser.parse(text.first(fields)).validate();
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage()).replace("Failed to parse cron expression. ", "");
      throw text.refused(
          "%s; the fields are %s, and a range that wraps is written in two, like 22-23,0-2"
              .formatted(why, text.fieldNames()));
    }
  }

  /** The years of the seventh field. The first match in each January shows them. */
  private static NavigableSet<Integer> yearsOf(CronText text) {
    CronText january = text.ofYearsAlone();
    ExecutionTime times = ExecutionTime.forCron(parsed(january, january.fields().size()));
    NavigableSet<Integer> found = new TreeSet<>();
    for (int year : ALL_YEARS) {
      ZonedDateTime before = utc(LocalDateTime.of(year, 1, 1, 0, 0).minusSeconds(1));
      times
          .nextExecution(before)
          .map(ZonedDateTime::getYear)
          .filter(ALL_YEARS::contains)
          .ifPresent(found::add);
    }
    return found;
  }

  /**
   * The library's definition of Quartz without ranges that wrap, which the library would cut off.
   */
  private static CronDefinition quartz(int lastYear) {
    return CronDefinitionBuilder.defineCron()
        .withSeconds()
        .withStrictRange()
        .and()
        .withMinutes()
        .withStrictRange()
        .and()
        .withHours()
        .withStrictRange()
        .and()
        .withDayOfMonth()
        .supportsL()
        .supportsW()
        .supportsLW()
        .supportsQuestionMark()
        .withStrictRange()
        .and()
        .withMonth()
        .withStrictRange()
        .and()
        .withDayOfWeek()
        .withValidRange(1, 7)
        .withMondayDoWValue(2)
        .supportsHash()
        .supportsL()
        .supportsQuestionMark()
        .and()
        .withYear()
        .withValidRange(FIRST_YEAR, lastYear)
        .withStrictRange()
        .optional()
        .and()
        .instance();
  }

  private static ZonedDateTime utc(LocalDateTime time) {
    return time.atZone(ZoneOffset.UTC);
  }

  private static @Nullable LocalDateTime local(@Nullable ZonedDateTime time) {
    return time == null ? null : time.toLocalDateTime();
  }
}
