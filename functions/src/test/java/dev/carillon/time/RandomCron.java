package dev.carillon.time;

import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/** Makes valid cron expressions of every kind. */
final class RandomCron {

  private final Random random;

  RandomCron(Random random) {
    this.random = random;
  }

  String expression(Dialect dialect) {
    String time = list(0, 59, 0.3) + " " + list(0, 23, 0.4) + " ";
    return switch (dialect) {
      case UNIX -> time + list(1, 31, 0.4) + " " + month() + " " + unixDayOfWeek();
      case QUARTZ -> list(0, 59, 0.1) + " " + time + quartzDays(month()) + year();
      case AWS -> time + awsDays(month()) + awsYear();
    };
  }

  /** An expression with fires a few days apart, many of them in the hours around {@code hour}. */
  String dailyAround(int hour, Dialect dialect) {
    String hours = oneOf("*", "*", "*/2", "0-5", "22,23,0-4", near(hour), near(hour), near(hour));
    String time = oneOf("0", "30", "*", "0,30", "*/7", "15-45/10", "59") + " " + hours;
    if (dialect == Dialect.UNIX) {
      return time + " " + oneOf("* * *", "* * *", "*/2 * *", "* * SAT,7", "1-7 * SUN");
    }
    if (dialect == Dialect.AWS) {
      return time + " " + oneOf("* * ? *", "? * * *", "? * SUN *", "L * ? 2000-2199", "? * 6-2 *");
    }
    String days = oneOf("* * ?", "* * ?", "? * *", "? * SUN", "L * ?", "? * FRI-MON", "30 * ?");
    return oneOf("0", "0", "0", "30", "*/20", "1,59", "*") + " " + time + " " + days;
  }

  private String near(int hour) {
    return oneOf(
        "" + hour,
        hour + "," + (hour + 1) % 24,
        (hour + 23) % 24 + "," + hour,
        Math.max(0, hour - 1) + "-" + Math.min(23, hour + 1));
  }

  private String quartzDays(String month) {
    return random.nextBoolean()
        ? quartzDayOfMonth() + " " + month + " ?"
        : "? " + month + " " + quartzDayOfWeek();
  }

  private String awsDays(String month) {
    return random.nextBoolean()
        ? oneOf("L", "LW", number(1, 31) + "W", list(1, 31, 0.3), list(1, 31, 0.3))
            + " "
            + month
            + " ?"
        : "? " + month + " " + awsDayOfWeek();
  }

  private String awsDayOfWeek() {
    return oneOf(
        "*",
        "L",
        number(1, 7) + "L",
        number(1, 7) + "#" + number(1, 5),
        oneOf("FRI-MON", "6-2", "MON-FRI", "2-6", "TUE,THU", "SUN", "SUN,2-4", "FRI#2"));
  }

  private String awsYear() {
    String named = year();
    return named.isEmpty() ? oneOf(" *", " *", " 2010-2199", " */2") : named;
  }

  private String quartzDayOfMonth() {
    return oneOf(
        "L", "LW", "L-" + number(1, 30), number(1, 31) + "W", list(1, 31, 0.3), list(1, 31, 0.3));
  }

  private String quartzDayOfWeek() {
    return oneOf(
        "*",
        "L",
        number(1, 7) + "L",
        number(1, 7) + "#" + number(1, 5),
        oneOf("FRI-MON", "SAT-SUN", "6-2", "MON-FRI", "TUE,THU", "SUN", "5-5", "WED-TUE"),
        oneOf("MONL", "FRI#2", "2#1,4#2", "2L,3", "MON-WED,6#3", "2#1,6L", "MON,L", "SUN#5"),
        oneOf("SAT-SUN,WED", "6-1,3", "3,7-2", "FRI-MON,2#3"),
        list(1, 7, 0));
  }

  private String unixDayOfWeek() {
    return oneOf(
        "*",
        oneOf(
            "MON", "SUN", "7", "0", "5-7", "0-6", "*/2", "1,7", "MON-FRI", "SUN-THU", "2,SUN-MON"),
        list(0, 6, 0.4));
  }

  private String month() {
    return oneOf("*", "*", oneOf("JAN", "FEB", "MAR-JUN", "DEC,JAN", "2"), list(1, 12, 0));
  }

  private String year() {
    int year = number(2015, 2029);
    return oneOf("", "", "", " " + year, " " + year + "/" + number(1, 5), " 2016,2019-2021,2024");
  }

  private String list(int lowest, int highest, double always) {
    if (random.nextDouble() < always) {
      return "*";
    }
    StringJoiner items = new StringJoiner(",");
    for (int i = random.nextInt(4) == 0 ? 3 : 1; i > 0; i--) {
      items.add(item(lowest, highest));
    }
    return items.toString();
  }

  private String item(int lowest, int highest) {
    int a = number(lowest, highest);
    int b = number(a, highest);
    int step = number(1, Math.max(1, (highest - lowest) / 2));
    return oneOf(
        "" + a, "" + b, a + "-" + b, "*/" + step, a + "/" + step, a + "-" + b + "/" + step);
  }

  private int number(int lowest, int highest) {
    return lowest + random.nextInt(highest - lowest + 1);
  }

  private String oneOf(String... choices) {
    return List.of(choices).get(random.nextInt(choices.length));
  }
}
