package dev.carillon.imports.quartz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.imports.Draft;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.QuartzDst;
import dev.carillon.imports.QuartzRanges;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The times of a trigger.
 *
 * @param machine the zone of Quartz's machine, in which starts and ends without an offset are; the
 *     zone of the trigger concerns only its cron
 */
record QuartzTrigger(XmlElement element, ZoneId machine, Instant now) {

  private static final Pattern OFFSET = Pattern.compile(".*(Z|[+-][0-9]{2}:[0-9]{2})");

  /** Whether the start or the end is in the zone of the machine. */
  boolean hasLocalBounds() {
    return Stream.of("start-time", "end-time")
        .flatMap(bound -> Stream.ofNullable(element.text(bound)))
        .anyMatch(text -> !OFFSET.matcher(text).matches());
  }

  void add(Draft draft) {
    Instant start = instant("start-time");
    Instant last = instant("end-time");
    // Only a cron also fires at its end.
    Instant end = last != null && element.name().equals("cron") ? last.plusSeconds(1) : last;
    if (end != null && !end.isAfter(now)) {
      throw new NotCarried("its end-time, " + last + ", has passed");
    }
    switch (element.name()) {
      case "cron" -> {
        String expression = QuartzRanges.inTwo(required("cron-expression"));
        ObjectNode cron = draft.trigger("cron").put("expression", expression);
        QuartzDst.add(cron);
        bound(draft, cron, start, end);
      }
      case "simple" -> simple(draft, start, end);
      case "calendar-interval" -> bound(draft, rate(draft, interval(), start), start, end);
      default -> throw new NotCarried("the trigger type " + element.name() + " is unknown");
    }
    if (element.text("start-time-seconds-in-future") != null) {
      draft.note("start-time-seconds-in-future has no equivalent");
    }
  }

  private void simple(Draft draft, @Nullable Instant start, @Nullable Instant end) {
    long count = element.text("repeat-count") == null ? 0 : number("repeat-count");
    if (count < 0) {
      bound(draft, rate(draft, Duration.ofMillis(number("repeat-interval")), start), start, end);
      return;
    }
    if (start == null) {
      throw new NotCarried("it counts from its start, which the file does not name");
    }
    if (count == 0) {
      at(draft, start);
      return;
    }
    Duration every = Duration.ofMillis(number("repeat-interval"));
    Instant last = start.plus(every.multipliedBy(count));
    if (!last.isAfter(now)) {
      throw new NotCarried("its last fire, " + last + ", has passed");
    }
    Instant after = last.plusSeconds(1);
    boolean endsBefore = end != null && end.isBefore(after);
    bound(draft, rate(draft, every, start), start, endsBefore ? end : after);
  }

  private void at(Draft draft, Instant start) {
    if (!start.isAfter(now)) {
      throw new NotCarried("its only time, " + start + ", has passed");
    }
    draft.trigger("at").put("time", start.toString());
  }

  private static ObjectNode rate(Draft draft, Duration every, @Nullable Instant start) {
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new NotCarried("its interval is below a second");
    }
    ObjectNode rate = draft.trigger("rate").put("every", every.toString());
    if (start == null) {
      draft.note("its interval counts from the creation of the schedule");
      return rate;
    }
    return rate.put("anchor", start.toString());
  }

  private void bound(
      Draft draft, ObjectNode trigger, @Nullable Instant start, @Nullable Instant end) {
    boolean begins = start != null && start.isAfter(now);
    draft.bound(trigger, begins ? start : null, end);
  }

  private Duration interval() {
    long number = number("repeat-interval");
    String unit = required("repeat-interval-unit");
    return switch (unit) {
      case "SECOND" -> Duration.ofSeconds(number);
      case "MINUTE" -> Duration.ofMinutes(number);
      case "HOUR" -> Duration.ofHours(number);
      case "DAY" -> Duration.ofDays(number);
      case "WEEK" -> Duration.ofDays(7 * number);
      default -> throw new NotCarried("a " + unit + " has no fixed length; write a cron");
    };
  }

  private String required(String child) {
    String text = element.text(child);
    if (text == null || text.isEmpty()) {
      throw new NotCarried(child + " is missing");
    }
    return text;
  }

  private long number(String child) {
    String text = required(child);
    if (!text.matches("-?[0-9]{1,15}")) {
      throw new NotCarried(child + " is not a number: " + text);
    }
    return Long.parseLong(text);
  }

  /** The instant of a child; null if it is missing. */
  private @Nullable Instant instant(String child) {
    String text = element.text(child);
    if (text == null) {
      return null;
    }
    try {
      return OFFSET.matcher(text).matches()
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).atZone(machine).toInstant();
    } catch (DateTimeException strange) {
      throw new NotCarried(child + " is not a time: " + text);
    }
  }
}
