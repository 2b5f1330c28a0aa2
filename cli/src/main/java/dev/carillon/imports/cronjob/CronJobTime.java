package dev.carillon.imports.cronjob;

import dev.carillon.imports.NotCarried;
import dev.carillon.imports.UnixDays;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The time of a CronJob, as Kubernetes' library reads it.
 *
 * @param expression five fields of the dialect unix; empty for {@code @every}
 * @param every the interval; null for an expression
 * @param zone the zone; null if the CronJob names none
 */
record CronJobTime(String expression, @Nullable Duration every, @Nullable String zone) {

  private static final Map<String, String> MACROS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final Pattern ZONE = Pattern.compile("(?:CRON_TZ|TZ)=(\\S+)\\s+(.*)");
  private static final Pattern EVERY = Pattern.compile("@every\\s+(\\S+)");

  /** A part of a duration of Go, like {@code 1.5h}. */
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,9}\\.?[0-9]{0,9}|\\.[0-9]{1,9})([hms])");

  static CronJobTime of(String schedule, @Nullable String timeZone) {
    Matcher zoned = ZONE.matcher(schedule.strip());
    String zone = timeZone;
    String time = schedule.strip();
    if (zoned.matches()) {
      zone = timeZone == null ? zoned.group(1) : timeZone;
      time = zoned.group(2).strip();
    }
    Matcher every = EVERY.matcher(time);
    if (every.matches()) {
      return new CronJobTime("", period(every.group(1)), zone);
    }
    return new CronJobTime(expression(time), null, zone);
  }

  /** The whole seconds of a duration of Go, because Kubernetes' library cuts the others. */
  private static Duration period(String text) {
    BigDecimal seconds = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find() && part.start() == end) {
      seconds = seconds.add(new BigDecimal(part.group(1)).multiply(seconds(part.group(2))));
      end = part.end();
    }
    if (end < text.length() || seconds.compareTo(BigDecimal.ONE) < 0) {
      throw new NotCarried("@every " + text + " is not a period of a second or more");
    }
    return Duration.ofSeconds(seconds.longValue());
  }

  private static BigDecimal seconds(String unit) {
    return switch (unit) {
      case "h" -> BigDecimal.valueOf(3_600);
      case "m" -> BigDecimal.valueOf(60);
      default -> BigDecimal.ONE;
    };
  }

  private static String expression(String time) {
    if (time.startsWith("@")) {
      String fields = MACROS.get(time.toLowerCase(Locale.ROOT));
      if (fields == null) {
        throw new NotCarried(time + " is unknown; write five fields");
      }
      return fields;
    }
    String[] fields = time.replace('?', '*').split("\\s+");
    if (fields.length != 5) {
      throw new NotCarried("\"" + time + "\" has no five fields");
    }
    return String.join(" ", UnixDays.either(fields));
  }
}
