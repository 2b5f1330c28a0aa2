package dev.carillon.time;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A slow cron matcher that is simple enough to be trusted. It reads only valid expressions. */
final class CronOracle {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final int DAYS_TO_LOOK = 366 * 84;

  private final BitSet seconds;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet months;
  private final BitSet years;
  private final Predicate<LocalDate> day;
  private final boolean realTime;

  CronOracle(String expression, Dialect dialect) {
    boolean quartz = dialect != Dialect.UNIX;
    String[] fields = (dialect == Dialect.QUARTZ ? expression : "0 " + expression).split(" ");
    seconds = set(fields[0], 0, 59);
    minutes = set(fields[1], 0, 59);
    hours = set(fields[2], 0, 23);
    months = set(named(fields[4], MONTHS, 1), 1, 12);
    years = set(fields.length > 6 ? fields[6] : "*", 1970, dialect == Dialect.AWS ? 2199 : 2099);
    years.clear(2100, 2200);
    day = quartz ? quartzDay(fields[3], fields[5]) : unixDay(fields[3], fields[5]);
    realTime = (fields[1] + fields[2]).matches(".*[*/].*");
  }

  /** Fires in (from, to], found by converting every local time to real time. */
  List<Fire> fires(ZoneRules rules, Dst dst, Instant from, Instant to) {
    TreeMap<Instant, Fire> found = new TreeMap<>();
    LocalDateTime start = LocalDateTime.ofInstant(from, ZoneOffset.UTC).minusHours(40);
    LocalDateTime end = LocalDateTime.ofInstant(to, ZoneOffset.UTC).plusHours(40);
    for (LocalDateTime minute = start.truncatedTo(ChronoUnit.MINUTES);
        minute.isBefore(end);
        minute = minute.plusMinutes(1)) {
      if (matchesMinute(minute)) {
        LocalDateTime matching = minute;
        seconds.stream()
            .mapToObj(matching::withSecond)
            .flatMap(local -> at(local, rules, dst))
            .filter(fire -> fire.at().isAfter(from) && !fire.at().isAfter(to))
            .forEach(fire -> found.merge(fire.at(), fire, (a, b) -> a.shift() == null ? b : a));
      }
    }
    return new ArrayList<>(found.values());
  }

  private Stream<Fire> at(LocalDateTime local, ZoneRules rules, Dst dst) {
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.size() == 1) {
      return Stream.of(new Fire(local.toInstant(offsets.get(0)), null));
    }
    if (offsets.isEmpty()) {
      boolean shift = dst.gap() == null ? !realTime : dst.gap() == Dst.Gap.SHIFT;
      Instant behind = rules.getTransition(local).getInstant();
      return shift ? Stream.of(new Fire(behind, Fire.Shift.GAP)) : Stream.empty();
    }
    boolean both = dst.overlap() == null ? realTime : dst.overlap() == Dst.Overlap.BOTH;
    boolean second = dst.overlap() == Dst.Overlap.SECOND;
    return Stream.of(offsets.get(0), offsets.get(1))
        .filter(offset -> both || offset.equals(offsets.get(second ? 1 : 0)))
        .map(offset -> new Fire(local.toInstant(offset), Fire.Shift.OVERLAP));
  }

  /** The next match on the time line without a zone, until 2099; null if there is none. */
  LocalDateTime next(LocalDateTime time) {
    for (int i = 0; i < DAYS_TO_LOOK; i++) {
      LocalDate date = time.toLocalDate().plusDays(i);
      LocalDateTime match = matches(date).filter(time::isBefore).findFirst().orElse(null);
      if (match != null) {
        return match;
      }
    }
    return null;
  }

  LocalDateTime previous(LocalDateTime time) {
    for (int i = 0; i < DAYS_TO_LOOK; i++) {
      LocalDate date = time.toLocalDate().minusDays(i);
      LocalDateTime match = matches(date).filter(time::isAfter).reduce((a, b) -> b).orElse(null);
      if (match != null) {
        return match;
      }
    }
    return null;
  }

  private Stream<LocalDateTime> matches(LocalDate date) {
    if (!matchesDay(date)) {
      return Stream.empty();
    }
    return hours.stream()
        .boxed()
        .flatMap(hour -> minutes.stream().mapToObj(minute -> date.atTime(hour, minute)))
        .flatMap(minute -> seconds.stream().mapToObj(minute::withSecond));
  }

  private boolean matchesMinute(LocalDateTime time) {
    return minutes.get(time.getMinute())
        && hours.get(time.getHour())
        && matchesDay(time.toLocalDate());
  }

  private boolean matchesDay(LocalDate date) {
    return years.get(date.getYear()) && months.get(date.getMonthValue()) && day.test(date);
  }

  private static Predicate<LocalDate> quartzDay(String dayOfMonth, String dayOfWeek) {
    return dayOfWeek.equals("?") ? dayOfMonth(dayOfMonth) : dayOfWeek(dayOfWeek);
  }

  private static Predicate<LocalDate> unixDay(String dayOfMonth, String dayOfWeek) {
    Predicate<LocalDate> ofMonth = dayOfMonth(dayOfMonth);
    BitSet days = set(named(dayOfWeek.replace("SUN-", "0-"), DAYS, 0).replace("7/", "0/"), 0, 7);
    Predicate<LocalDate> ofWeek =
        date -> days.get(date.getDayOfWeek().getValue() % 7) || isSunday(date) && days.get(7);
    boolean both = dayOfMonth.startsWith("*") || dayOfWeek.startsWith("*");
    return both ? ofMonth.and(ofWeek) : ofMonth.or(ofWeek);
  }

  private static boolean isSunday(LocalDate date) {
    return date.getDayOfWeek() == DayOfWeek.SUNDAY;
  }

  private static Predicate<LocalDate> dayOfMonth(String field) {
    if (field.equals("LW")) {
      return date -> date.equals(nearestWeekday(date, date.lengthOfMonth()));
    }
    if (field.startsWith("L")) {
      int before = field.equals("L") ? 0 : Integer.parseInt(field.substring(2));
      return date -> date.getDayOfMonth() == date.lengthOfMonth() - before;
    }
    if (field.endsWith("W")) {
      int target = Integer.parseInt(field.substring(0, field.length() - 1));
      return date -> target <= date.lengthOfMonth() && date.equals(nearestWeekday(date, target));
    }
    BitSet days = set(field, 1, 31);
    return date -> days.get(date.getDayOfMonth());
  }

  private static LocalDate nearestWeekday(LocalDate month, int target) {
    return IntStream.rangeClosed(1, month.lengthOfMonth())
        .mapToObj(month::withDayOfMonth)
        .filter(date -> date.getDayOfWeek().getValue() <= 5)
        .min((a, b) -> distance(a, target) - distance(b, target))
        .orElseThrow();
  }

  private static int distance(LocalDate date, int target) {
    return Math.abs(date.getDayOfMonth() - target);
  }

  private static Predicate<LocalDate> dayOfWeek(String field) {
    return Stream.of(named(field, DAYS, 1).split(","))
        .map(CronOracle::dayOfWeekItem)
        .reduce(Predicate::or)
        .orElseThrow();
  }

  private static Predicate<LocalDate> dayOfWeekItem(String item) {
    if (item.equals("L")) {
      return date -> date.getDayOfWeek() == DayOfWeek.SATURDAY;
    }
    if (item.endsWith("L")) {
      int last = Integer.parseInt(item.substring(0, 1));
      return date -> number(date) == last && date.getDayOfMonth() + 7 > date.lengthOfMonth();
    }
    if (item.contains("#")) {
      int of = Integer.parseInt(item.substring(0, 1));
      int nth = Integer.parseInt(item.substring(2));
      return date -> number(date) == of && (date.getDayOfMonth() + 6) / 7 == nth;
    }
    BitSet days = set(item, 1, 7);
    return date -> days.get(number(date));
  }

  private static int number(LocalDate date) {
    return date.getDayOfWeek().getValue() % 7 + 1;
  }

  private static String named(String field, List<String> names, int first) {
    String numbers = field;
    for (String name : names) {
      numbers = numbers.replace(name, String.valueOf(names.indexOf(name) + first));
    }
    return numbers;
  }

  private static BitSet set(String field, int lowest, int highest) {
    BitSet set = new BitSet();
    for (String item : field.split(",")) {
      String[] parts = item.split("/");
      int step = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      String[] range = parts[0].replace("*", lowest + "-" + highest).split("-");
      int from = Integer.parseInt(range[0]);
      int to = range.length > 1 ? Integer.parseInt(range[1]) : parts.length > 1 ? highest : from;
      int size = highest - lowest + 1;
      for (int i = from; i <= (to < from ? to + size : to); i += step) {
        set.set((i - lowest) % size + lowest);
      }
    }
    return set;
  }
}
