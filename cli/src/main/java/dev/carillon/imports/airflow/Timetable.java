package dev.carillon.imports.airflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.UnixDays;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a DAG runs.
 *
 * @param expression five fields of the dialect unix; null for none
 * @param every the interval of a rate; null for none. If the DAG has neither, it runs only on
 *     request
 * @param note the differences from the DAG; null for none
 */
record Timetable(@Nullable String expression, @Nullable Duration every, @Nullable String note) {

  /** The timetable of a DAG that runs only on request. */
  static final Timetable MANUAL = new Timetable(null, null, null);

  private static final Map<String, String> PRESETS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@quarterly", "0 0 1 */3 *",
          "@yearly", "0 0 1 1 *");

  /** A time span as Python prints it, like {@code 1 day, 0:00:00}. */
  private static final Pattern SPAN =
      Pattern.compile(
          "(?:([0-9]{1,5}) days?, )?([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]{6}))?");

  /**
   * The characters of crontabs: numbers, and names of months and days. L and # do not occur in
   * crontabs.
   */
  private static final Pattern CRON = Pattern.compile("(?:[A-Za-z]{3}|[0-9*/,\\s-])+");

  private static final int FIELDS = 5;
  private static final int HOUR = 1;
  private static final Set<String> EVERY_HOUR = Set.of("*", "*/1", "0-23");

  /**
   * The typed interval of Airflow 2.
   *
   * @throws NotCarried if no trigger of Carillon is equivalent
   */
  static Timetable ofTyped(JsonNode interval) {
    String type = interval.path("__type").asText();
    return switch (type) {
      case "CronExpression" -> ofText(interval.path("value").asText());
      case "TimeDelta" ->
          ofPeriod(
              Duration.ofDays(interval.path("days").asLong())
                  .plusSeconds(interval.path("seconds").asLong())
                  .plusNanos(1_000 * interval.path("microseconds").asLong()));
      default ->
          throw new NotCarried(
              "its interval is a "
                  + type
                  + ", which can have months, but a rate cannot; give it as a cron");
    };
  }

  /**
   * A summary as Airflow prints it: a preset, a cron, a time span or a name.
   *
   * @throws NotCarried if no trigger of Carillon is equivalent
   */
  static Timetable ofText(String text) {
    Matcher span = SPAN.matcher(text);
    if (span.matches()) {
      return ofPeriod(span(span));
    }
    return switch (text) {
      case "@once" ->
          new Timetable(null, null, "@once becomes a manual trigger; a call launches it");
      case "@continuous" ->
          throw new NotCarried(
              "@continuous begins a run when one ends; give it a programStatus trigger");
      default -> ofCron(text);
    };
  }

  private static Timetable ofCron(String text) {
    if (text.matches("(?i).*(dataset|asset).*")) {
      throw new NotCarried(
          "it waits for data ("
              + text
              + "), and the files do not say which; give it a partition or"
              + " event trigger");
    }
    String[] fields = PRESETS.getOrDefault(text, text).split("\\s+");
    boolean isKnown = CRON.matcher(text).matches() || PRESETS.containsKey(text);
    if (fields.length != FIELDS || !isKnown) {
      throw new NotCarried(
          "its timetable \"" + text + "\" is neither a preset nor five fields nor a time span");
    }
    return new Timetable(String.join(" ", UnixDays.either(fields)), null, null);
  }

  private static Duration span(Matcher span) {
    long days = span.group(1) == null ? 0 : Long.parseLong(span.group(1));
    long micros = span.group(5) == null ? 0 : Long.parseLong(span.group(5));
    return Duration.ofDays(days)
        .plusHours(Long.parseLong(span.group(2)))
        .plusMinutes(Long.parseLong(span.group(3)))
        .plusSeconds(Long.parseLong(span.group(4)))
        .plusNanos(1_000 * micros);
  }

  private static Timetable ofPeriod(Duration period) {
    if (!period.equals(period.truncatedTo(ChronoUnit.SECONDS))
        || period.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new NotCarried("its interval " + period + " is not a whole number of seconds above 0");
    }
    return new Timetable(null, period, null);
  }

  /**
   * The trigger.
   *
   * @param start the instant from which a rate counts; null if it is unknown
   */
  ObjectNode trigger(@Nullable Instant start) {
    if (expression != null) {
      return cron(expression);
    }
    if (every == null) {
      return Json.object().put("type", "manual");
    }
    ObjectNode rate = Json.object().put("type", "rate").put("every", every.toString());
    return start == null ? rate : rate.put("anchor", start.toString());
  }

  /**
   * A cron, with Airflow's behaviour when clocks change. If a DAG runs in every hour, Airflow
   * counts real time. Otherwise it runs at the second occurrence of a time that occurs twice, and
   * after the gap for a time that does not exist.
   */
  private static ObjectNode cron(String expression) {
    ObjectNode cron = Json.object().put("type", "cron").put("dialect", "unix");
    cron.put("expression", expression);
    boolean countsRealTime = EVERY_HOUR.contains(expression.split(" ", FIELDS)[HOUR]);
    cron.putObject("dst")
        .put("gap", countsRealTime ? "skip" : "shift")
        .put("overlap", countsRealTime ? "both" : "second");
    return cron;
  }
}
