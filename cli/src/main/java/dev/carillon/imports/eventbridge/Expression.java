package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.NotCarried;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A schedule expression: {@code cron(…)}, {@code rate(…)} or {@code at(…)}. */
record Expression(String text, ZoneId zone) {

  private static final Pattern CRON = Pattern.compile("cron\\((.*)\\)");
  private static final Pattern RATE =
      Pattern.compile("rate\\(\\s*([0-9]{1,6})\\s+(minute|hour|day)s?\\s*\\)");
  private static final Pattern AT = Pattern.compile("at\\((.*)\\)");

  /**
   * The trigger.
   *
   * @param anchor the instant from which a rate counts; null if it is not known
   */
  ObjectNode trigger(@Nullable Instant anchor, Instant now) {
    Matcher cron = CRON.matcher(text.strip());
    if (cron.matches()) {
      ObjectNode trigger = Json.object().put("type", "cron").put("dialect", "aws");
      trigger.put("expression", cron.group(1).strip());
      trigger.putObject("dst").put("gap", "skip").put("overlap", "first");
      return trigger;
    }
    Matcher rate = RATE.matcher(text.strip());
    if (rate.matches()) {
      ObjectNode trigger = Json.object().put("type", "rate");
      trigger.put("every", period(Long.parseLong(rate.group(1)), rate.group(2)).toString());
      return anchor == null ? trigger : trigger.put("anchor", anchor.toString());
    }
    Matcher at = AT.matcher(text.strip());
    if (at.matches()) {
      return at(at.group(1).strip(), now);
    }
    throw new NotCarried("\"" + text + "\" is neither cron(…) nor rate(…) nor at(…)");
  }

  boolean isCron() {
    return CRON.matcher(text.strip()).matches();
  }

  boolean isAt() {
    return AT.matcher(text.strip()).matches();
  }

  private static Duration period(long number, String unit) {
    if (number == 0) {
      throw new NotCarried("a rate of 0 never ends");
    }
    return switch (unit) {
      case "minute" -> Duration.ofMinutes(number);
      case "hour" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private ObjectNode at(String time, Instant now) {
    try {
      LocalDateTime local = LocalDateTime.parse(time);
      if (!local.atZone(zone).toInstant().isAfter(now)) {
        throw new NotCarried("its only time, " + time + ", has passed");
      }
      return Json.object().put("type", "at").put("time", time).put("zone", zone.getId());
    } catch (DateTimeException strange) {
      throw new NotCarried("at(" + time + ") is not a local time");
    }
  }
}
