package dev.carillon.time;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cron expression in capitals, split into its fields. It refuses notations that cron-utils
 * accepts but reads wrongly: lists with L or W, ranges that wrap, and several expressions in one.
 * Besides, cron-utils misreads the weekday nearest to the 28th or to a later day; the caller must
 * handle such expressions.
 *
 * @param expression the expression as written
 * @param fields the fields; those of every dialect except unix are in Quartz's form
 */
record CronText(String expression, Dialect dialect, List<String> fields) {

  private static final int YEAR = 6;

  private static final int MOST_CHARACTERS = 500;
  private static final String DAYS = "SUNMONTUEWEDTHUFRISAT";

  private static final String VALUE = "(?:[0-9]{1,4}|[A-Z]{3})";
  private static final String ITEM = "(?:\\*|%1$s(?:-%1$s)?)(?:/[0-9]{1,4})?".formatted(VALUE);
  private static final Pattern LIST = Pattern.compile("%1$s(?:,%1$s)*".formatted(ITEM));
  private static final Pattern SPECIAL_DAY_OF_MONTH =
      Pattern.compile("\\?|L|L-[0-9]{1,2}|LW|(?:[1-9]|[12][0-9]|3[01])W");
  private static final Pattern LATE_WEEKDAY = Pattern.compile("(?:2[89]|3[01])W");
  private static final String DAY_ITEM = "(?:%s|%2$s?L|%2$s#[1-5])".formatted(ITEM, VALUE);
  private static final Pattern DAY_LIST = Pattern.compile("\\?|%1$s(?:,%1$s)*".formatted(DAY_ITEM));
  private static final Pattern LATER_STEP = Pattern.compile("(?:[1-9][0-9]*|-[0-9]+)/");
  private static final Pattern LATER_MONTH = Pattern.compile("(?<!^1)(?<!^\\*)/");
  private static final Pattern ZERO_STEP = Pattern.compile("/0+(?![0-9])");
  private static final Pattern STEPPED_RANGE = Pattern.compile("([0-9A-Z]+)-([0-9A-Z]+)/.*");

  static CronText of(String expression, Dialect dialect) {
    if (expression.length() > MOST_CHARACTERS) {
      throw refused(
          expression.substring(0, 40) + "…", "longer than " + MOST_CHARACTERS + " characters");
    }
    List<String> fields =
        Arrays.asList(expression.strip().toUpperCase(Locale.ROOT).split("\\s+", -1));
    CronText text = new CronText(expression, dialect, fields);
    text.refuseOtherNotations();
    text.refuseWrongNumberOfFields();
    return switch (dialect) {
      case QUARTZ -> text.checkedAsQuartz();
      case UNIX -> text.checkedAsUnix();
      case AWS -> text.checkedAsAws();
    };
  }

  /** The expression for the first second of each year that this expression names. */
  CronText ofYearsAlone() {
    return new CronText(
        expression, dialect, List.of("0", "0", "0", "1", "1", "?", fields.get(YEAR)));
  }

  /** Whether hour or minute contains {@code *} or {@code /}, so that the cron follows real time. */
  boolean followsRealTime() {
    int minute = fields.size() == 5 ? 0 : 1;
    return Stream.of(fields.get(minute), fields.get(minute + 1))
        .anyMatch(field -> field.contains("*") || field.contains("/"));
  }

  /**
   * Whether a day must match both day fields. Otherwise it must match the restricted one or, if
   * both are restricted, either of them.
   */
  boolean wantsBothDays() {
    boolean free = dayOfMonth().equals("*") || dayOfWeek().equals("*");
    boolean stars = dayOfMonth().startsWith("*") || dayOfWeek().startsWith("*");
    return dialect == Dialect.UNIX && stars && !free;
  }

  /** The expression without a restriction of the day of the month. */
  CronText ofAnyDayOfMonth() {
    return with(fields.size() == 5 ? 2 : 3, "*");
  }

  /** The expression without a restriction of the day of the week. */
  CronText ofAnyDayOfWeek() {
    return with(fields.size() == 5 ? 4 : 5, "*");
  }

  /**
   * The day of the month, if the expression means the weekday nearest to the 28th or to a later
   * day; 0 for any other expression.
   */
  int lateWeekday() {
    String day = dayOfMonth();
    return LATE_WEEKDAY.matcher(day).matches() ? Integer.parseInt(day.substring(0, 2)) : 0;
  }

  /** The expression for all days that can be the weekday nearest to that day. */
  CronText aroundLateWeekday() {
    int day = lateWeekday();
    return with(3, (day - 2) + "-" + Math.min(day + 1, 31));
  }

  /** Whether the library describes the expression correctly in words. */
  boolean hasWords() {
    boolean plain = !dayOfMonth().matches(".*[/LW].*") && !dayOfWeek().matches(".*[/#L].*");
    boolean either = dialect != Dialect.UNIX || dayOfMonth().equals("*") || dayOfWeek().equals("*");
    return plain && either && hasWordsOfTime();
  }

  /** The library leaves out where a step begins, and what restricts some lists of seconds. */
  private boolean hasWordsOfTime() {
    int minute = fields.size() == 5 ? 0 : 1;
    boolean oneSecond = minute == 0 || fields.get(0).matches("[0-9]+");
    boolean anyTime = fields.get(minute).equals("*") && fields.get(minute + 1).equals("*");
    return (oneSecond || anyTime)
        && fields.subList(0, minute + 2).stream().noneMatch(it -> LATER_STEP.matcher(it).find())
        && !LATER_MONTH.matcher(fields.get(minute + 3)).find();
  }

  private String dayOfMonth() {
    return fields.get(fields.size() == 5 ? 2 : 3);
  }

  private String dayOfWeek() {
    return fields.get(fields.size() == 5 ? 4 : 5);
  }

  boolean hasYear() {
    return fields.size() > YEAR;
  }

  /** The library's form of the expression, from its first {@code count} fields. */
  String first(int count) {
    return String.join(" ", fields.subList(0, count));
  }

  IllegalArgumentException refused(String why) {
    return refused(expression, why);
  }

  String fieldNames() {
    return switch (dialect) {
      case QUARTZ -> "second minute hour day-of-month month day-of-week [year]";
      case UNIX -> "minute hour day-of-month month day-of-week";
      case AWS -> "minute hour day-of-month month day-of-week year";
    };
  }

  private static IllegalArgumentException refused(String expression, String why) {
    return new IllegalArgumentException("'" + expression + "': " + why);
  }

  private void refuseOtherNotations() {
    if (expression.contains("|")) {
      throw refused("'|' is not supported; use an 'or' trigger of several crons");
    }
    if (expression.strip().startsWith("@")) {
      String daily =
          switch (dialect) {
            case QUARTZ -> "0 0 0 * * ?";
            case UNIX -> "0 0 * * *";
            case AWS -> "0 0 * * ? *";
          };
      throw refused("nicknames are not supported; write the fields, '" + daily + "' for @daily");
    }
    if (fields.stream().anyMatch(field -> ZERO_STEP.matcher(field).find())) {
      throw refused("a step of 0 never ends; give at least 1 behind '/'");
    }
    if (expression.contains("(")) {
      throw refused("write only the fields, without 'cron(' and ')'");
    }
  }

  private void refuseWrongNumberOfFields() {
    int count = expression.isBlank() ? 0 : fields.size();
    List<Integer> right =
        switch (dialect) {
          case QUARTZ -> List.of(YEAR, YEAR + 1);
          case UNIX -> List.of(5);
          case AWS -> List.of(6);
        };
    if (!right.contains(count)) {
      throw refused(
          "%d fields, but dialect %s has %s: %s%s"
              .formatted(
                  count,
                  dialect.name().toLowerCase(Locale.ROOT),
                  right.stream().map(String::valueOf).collect(Collectors.joining(" or ")),
                  fieldNames(),
                  count == 5 ? "; five are those of \"dialect\": \"unix\"" : ""));
    }
  }

  private CronText checkedAsUnix() {
    fields.forEach(this::refuseUnlessList);
    // The library reads SUN as 7, which cannot begin a range, so 0 is written instead.
    return with(4, fields.get(4).replaceAll("(^|,)SUN-", "$10-"));
  }

  private CronText checkedAsAws() {
    String days = fields.get(2);
    String weekdays = fields.get(4);
    if (days.startsWith("L-")) {
      throw refused("'%s' is not supported by dialect aws; use L, the last day".formatted(days));
    }
    if (weekdays.contains("/")) {
      throw refused(
          "'%s' has a step, which dialect aws does not support; list the days".formatted(weekdays));
    }
    if (weekdays.contains("#") && weekdays.contains(",")) {
      throw refused(
          "'%s' lists '#' with other days, which dialect aws does not support; use an 'or' trigger of several crons"
              .formatted(weekdays));
    }
    List<String> quartz = new ArrayList<>(List.of("0"));
    quartz.addAll(fields.subList(0, fields.get(5).equals("*") ? 5 : 6));
    return new CronText(expression, dialect, List.copyOf(quartz)).checkedAsQuartz();
  }

  private CronText checkedAsQuartz() {
    for (int i = 0; i < fields.size(); i++) {
      if (i != 3 && i != 5) {
        refuseUnlessList(fields.get(i));
      }
    }
    if (fields.get(3).equals("?") == fields.get(5).equals("?")) {
      throw refused(
          "exactly one of day-of-month and day-of-week must be '?', the one that does not matter");
    }
    checkDayOfMonth(fields.get(3));
    checkDayOfWeek(fields.get(5));
    return with(5, fields.get(5).replaceAll("(^|,)L(?=,|$)", "$1SAT"));
  }

  private void checkDayOfMonth(String field) {
    if (SPECIAL_DAY_OF_MONTH.matcher(field).matches()) {
      return;
    }
    if (field.contains(",") && (field.contains("L") || field.contains("W"))) {
      throw refused(
          "'%s' lists L or W with other days, which is not supported; use an 'or' trigger of several crons"
              .formatted(field));
    }
    refuseUnlessList(field);
  }

  private void checkDayOfWeek(String field) {
    if (!DAY_LIST.matcher(field).matches()) {
      refuseUnlessList(field);
    }
    for (String item : field.split(",", -1)) {
      Matcher range = STEPPED_RANGE.matcher(item);
      if (range.matches() && day(range.group(1)) > day(range.group(2))) {
        throw refused(
            "'%s' is a range around the end of the week with a step, which is not supported; list the days"
                .formatted(item));
      }
    }
  }

  private static int day(String value) {
    int name = DAYS.indexOf(value);
    return Character.isDigit(value.charAt(0)) ? Integer.parseInt(value) : name / 3 + 1;
  }

  private void refuseUnlessList(String field) {
    if (!LIST.matcher(field).matches()) {
      throw refused("'%s' is not understood; the fields are %s".formatted(field, fieldNames()));
    }
  }

  private CronText with(int index, String value) {
    String[] changed = fields.toArray(String[]::new);
    changed[index] = value;
    return new CronText(expression, dialect, List.of(changed));
  }
}
