package dev.carillon.constraint;

import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Days of the week as users write them. */
final class Days {

  static final Set<DayOfWeek> ALL = Set.of(DayOfWeek.values());

  /** {@code MON} to {@code SUN}. */
  static final List<String> NAMES = Arrays.stream(DayOfWeek.values()).map(Days::name).toList();

  private Days() {}

  static String name(DayOfWeek day) {
    return day.name().substring(0, 3);
  }

  static DayOfWeek named(String name) {
    return DayOfWeek.of(NAMES.indexOf(name) + 1);
  }

  /** Names of the days, in the order of the week. */
  static List<String> names(Set<DayOfWeek> days) {
    return days.stream().sorted().map(Days::name).toList();
  }

  static String text(Set<DayOfWeek> days) {
    return names(days).stream().collect(Collectors.joining(", "));
  }
}
