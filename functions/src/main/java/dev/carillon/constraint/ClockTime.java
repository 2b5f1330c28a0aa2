package dev.carillon.constraint;

import java.time.DateTimeException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of the day as users write them, {@code HH:mm} or {@code HH:mm:ss}, in seconds. */
final class ClockTime {

  private static final Pattern FORM =
      Pattern.compile("([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?");
  private static final Pattern END_OF_DAY = Pattern.compile("24:00(:00)?");

  private ClockTime() {}

  /**
   * @throws DateTimeException if the text is not a time of the day
   */
  static int parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new DateTimeException("not a time of the day");
    }
    int seconds = form.group(3) == null ? 0 : Integer.parseInt(form.group(3));
    return (Integer.parseInt(form.group(1)) * 60 + Integer.parseInt(form.group(2))) * 60 + seconds;
  }

  /**
   * @throws DateTimeException if the text is not a time of the day or {@code 24:00}
   */
  static int parseEnd(String text) {
    return END_OF_DAY.matcher(text).matches() ? TimeWindow.END_OF_DAY : parse(text);
  }

  static String text(int secondOfDay) {
    int minutes = secondOfDay / 60;
    String text = "%02d:%02d".formatted(minutes / 60, minutes % 60);
    return secondOfDay % 60 == 0 ? text : text + ":%02d".formatted(secondOfDay % 60);
  }
}
