package dev.carillon.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes ranges that wrap, like {@code 22-2}, in two: {@code 22-23,0-2}. Quartz reads the former,
 * and Carillon refuses it.
 */
public final class QuartzRanges {

  private static final Pattern RANGE =
      Pattern.compile("([0-9]{1,2}|[A-Za-z]{3})-([0-9]{1,2}|[A-Za-z]{3})(?:/([1-9][0-9]?))?");

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** The fields before the year, in which Quartz allows no such range. */
  private static final List<Field> FIELDS =
      List.of(
          new Field(0, 59, List.of()),
          new Field(0, 59, List.of()),
          new Field(0, 23, List.of()),
          new Field(1, 31, List.of()),
          new Field(1, 12, MONTHS),
          new Field(1, 7, DAYS));

  private QuartzRanges() {}

  /**
   * The expression without ranges that wrap, and without the steps of named ranges: Quartz ignores
   * these steps.
   */
  public static String inTwo(String expression) {
    String[] given = expression.strip().split("\\s+", -1);
    List<String> fields = new ArrayList<>();
    for (int at = 0; at < given.length; at++) {
      fields.add(at < FIELDS.size() ? FIELDS.get(at).inTwo(given[at]) : given[at]);
    }
    return String.join(" ", fields);
  }

  /**
   * A field of an expression.
   *
   * @param names the names of its values; empty if they have none
   */
  private record Field(int first, int last, List<String> names) {

    String inTwo(String field) {
      List<String> items = new ArrayList<>();
      for (String item : field.split(",", -1)) {
        Matcher range = RANGE.matcher(item);
        items.add(range.matches() ? inTwo(range) : item);
      }
      return String.join(",", items);
    }

    private String inTwo(Matcher range) {
      int from = value(range.group(1));
      int to = value(range.group(2));
      boolean isNamed = names.contains(range.group(1).toUpperCase(Locale.ROOT));
      if (to >= from || to < first || from > last) {
        return isNamed ? range.group(1) + "-" + range.group(2) : range.group();
      }
      if (range.group(3) != null && !isNamed) {
        return stepped(from, to, Integer.parseInt(range.group(3)));
      }
      return range(from, last, isNamed) + "," + range(first, to, isNamed);
    }

    private String range(int from, int to, boolean isNamed) {
      return from == to ? text(from, isNamed) : text(from, isNamed) + "-" + text(to, isNamed);
    }

    /** The single values, because the steps go on behind the last value of the field. */
    private String stepped(int from, int to, int step) {
      int size = last - first + 1;
      return IntStream.iterate(from, it -> it <= to + size, it -> it + step)
          .mapToObj(it -> text(it > last ? it - size : it, false))
          .collect(Collectors.joining(","));
    }

    private String text(int value, boolean isNamed) {
      return isNamed ? names.get(value - first) : String.valueOf(value);
    }

    /** The number of a value; -1 if the field has no such name. */
    private int value(String text) {
      int name = names.indexOf(text.toUpperCase(Locale.ROOT));
      if (name >= 0) {
        return first + name;
      }
      return Character.isDigit(text.charAt(0)) ? Integer.parseInt(text) : -1;
    }
  }
}
