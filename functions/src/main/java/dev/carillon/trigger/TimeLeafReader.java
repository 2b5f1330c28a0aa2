package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InstantRange;
import dev.carillon.document.TextForm;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.Dialect;
import dev.carillon.time.Dst;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.Trigger.Adjustment;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Cron;
import dev.carillon.trigger.Trigger.Rate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.zone.ZoneOffsetTransition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the triggers that name instants. */
final class TimeLeafReader {

  static final List<String> CRON =
      List.of("type", "expression", "zone", "dialect", "dst", "exclude", "flexible");
  static final List<String> RATE = List.of("type", "every", "anchor", "exclude", "flexible");
  static final List<String> AT = List.of("type", "time", "zone");

  private static final TextForm EXPRESSION = TextForm.line(256);
  private static final Duration LONGEST_RATE = Duration.ofDays(3_660);

  private final ScheduleId id;
  private final @Nullable ZoneId zone;
  private final @Nullable Instant now;
  private final Faults faults;

  /**
   * @param id the schedule; its name determines the offset of flexible fires
   * @param zone the schedule's zone; null if the document's zone was refused, and then local times
   *     are read in UTC
   * @param now the instant after which the trigger must have fires; null if that does not matter
   */
  TimeLeafReader(ScheduleId id, @Nullable ZoneId zone, @Nullable Instant now, Faults faults) {
    this.id = id;
    this.zone = zone;
    this.now = now;
    this.faults = faults;
  }

  Cron cron(Fields fields) {
    Adjustment adjustment = adjustment(fields, Flexible.LONGEST);
    String dialect = fields.choice("dialect", List.of("quartz", "unix", "aws"), "quartz");
    boolean refused = fields.has("dialect") && !fields.get("dialect").asText().equals(dialect);
    Cron cron =
        new Cron(
            fields.text("expression", EXPRESSION),
            Dialect.valueOf(dialect.toUpperCase(Locale.ROOT)),
            fields.optionalZone("zone"),
            dst(fields.object("dst")),
            adjustment);
    if (now != null && !refused && !cron.expression().isEmpty()) {
      refuseUnlessItFires(fields, cron, now);
    }
    return cron;
  }

  private void refuseUnlessItFires(Fields fields, Cron cron, Instant now) {
    try {
      if (TimeLeaves.fireTimes(cron, id, usualZone(), now).next(now).isEmpty()) {
        fields.refuse(
            "expression", "it never fires after " + Timestamps.text(now) + "; name future times");
      }
    } catch (IllegalArgumentException invalid) {
      String reason = String.valueOf(invalid.getMessage());
      fields.include("expression", List.of(new Fault("", reason)));
    }
  }

  private static Dst dst(Fields fields) {
    fields.allowOnly(List.of("gap", "overlap"));
    String gap = fields.choice("gap", List.of("shift", "skip"), "");
    String overlap = fields.choice("overlap", List.of("first", "second", "both"), "");
    return new Dst(
        gap.isEmpty() ? null : Dst.Gap.valueOf(gap.toUpperCase(Locale.ROOT)),
        overlap.isEmpty() ? null : Dst.Overlap.valueOf(overlap.toUpperCase(Locale.ROOT)));
  }

  Rate rate(Fields fields) {
    Duration every = fields.duration("every", Duration.ofSeconds(1), LONGEST_RATE);
    boolean bounds = !fields.isRefused("every") && every.compareTo(Flexible.LONGEST) < 0;
    Duration most = bounds ? every : Flexible.LONGEST;
    return new Rate(every, fields.optionalInstant("anchor"), adjustment(fields, most));
  }

  private Adjustment adjustment(Fields fields, Duration mostFlexible) {
    Duration flexible =
        fields.has("flexible")
            ? fields.duration("flexible", Duration.ofSeconds(1), mostFlexible)
            : Duration.ZERO;
    return new Adjustment(flexible, exclude(fields));
  }

  private List<String> exclude(Fields fields) {
    JsonNode list = fields.get("exclude");
    if (!fields.has("exclude") || !list.isArray()) {
      if (fields.has("exclude")) {
        fields.refuse("exclude", "give a list of names of calendars, like [\"us-holidays\"]");
      }
      return List.of();
    }
    Set<String> names = new LinkedHashSet<>();
    for (int index = 0; index < list.size(); index++) {
      JsonNode name = list.get(index);
      String pointer = fields.at("exclude") + "/" + index;
      if (!name.isTextual() || !TextForm.NAME.fits(name.textValue())) {
        faults.add(
            pointer, Faults.shown(name) + " is not a calendar name; " + TextForm.NAME.remedy());
      } else if (!names.add(name.textValue())) {
        faults.add(pointer, Faults.shown(name) + " is repeated; name each calendar once");
      }
    }
    return List.copyOf(names);
  }

  /**
   * Reads a local time in the trigger's own zone or, if it has none, in the schedule's zone. A
   * local time that clocks skip means the first instant after the gap; a local time that occurs
   * twice means its first instant.
   */
  At at(Fields fields) {
    ZoneId own = fields.optionalZone("zone");
    boolean namesItsOffset = namesItsOffset(fields.get("time"));
    if (own != null && namesItsOffset && !fields.isRefused("zone")) {
      fields.refuse("zone", "\"time\" already has an offset; leave the zone out");
    }
    Instant time =
        fields.parsed(
            "time",
            text -> InstantRange.bounded(instant(text, own == null ? usualZone() : own)),
            InstantRange.END_OF_TIME,
            "give an instant like \"2030-01-31T08:00:00Z\" or a local time like"
                + " \"2030-01-31T08:00\", of whole milliseconds, "
                + InstantRange.TEXT);
    boolean isKnown = namesItsOffset || knowsZone(fields);
    if (now != null && isKnown && !time.isAfter(now)) {
      fields.refuse("time", "it is in the past, because now is " + now + "; give a later time");
    }
    return new At(time);
  }

  private ZoneId usualZone() {
    return zone == null ? ZoneOffset.UTC : zone;
  }

  /**
   * Whether local times can be read, because the trigger's own zone or, if it has none, the
   * schedule's zone is valid.
   */
  private boolean knowsZone(Fields fields) {
    return !fields.isRefused("zone") && (zone != null || fields.has("zone"));
  }

  private static boolean namesItsOffset(JsonNode time) {
    try {
      Instant.parse(time.asText());
      return true;
    } catch (DateTimeParseException noInstant) {
      return false;
    }
  }

  private static Instant instant(String text, ZoneId zone) {
    LocalDateTime local;
    try {
      local = LocalDateTime.parse(text);
    } catch (DateTimeParseException notLocal) {
      return Instant.parse(text);
    }
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap() ? change.getInstant() : local.atZone(zone).toInstant();
  }
}
