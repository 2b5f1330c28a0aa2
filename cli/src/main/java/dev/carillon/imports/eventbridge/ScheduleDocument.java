package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Place;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the Carillon schedule for a schedule of EventBridge Scheduler. */
record ScheduleDocument(Place place, String item, JsonNode json, Conversion how) {

  private static final List<String> OF_AWS =
      List.of("Arn", "LastModificationDate", "KmsKeyArn", "ResponseMetadata");

  Draft draft() {
    Members schedule = Members.of(json).ignoring(OF_AWS);
    String group = schedule.text("GroupName");
    String namespace = group == null || group.equals("default") ? how.namespace() : group;
    Draft draft = new Draft(place, item, namespace, schedule.required("Name"));
    String description = schedule.text("Description");
    draft.describe(description == null ? "" : description);
    String zone = schedule.text("ScheduleExpressionTimezone");
    trigger(draft, schedule, draft.zone(zone == null ? "UTC" : zone));
    new TargetDocument(json.path("Arn").asText(""), how).add(draft, schedule.object("Target"));
    if ("DELETE".equals(schedule.text("ActionAfterCompletion"))) {
      draft.document().put("afterCompletion", "delete");
    }
    draft.state(!"DISABLED".equals(schedule.text("State")));
    schedule.noteUnread(draft);
    return draft;
  }

  private void trigger(Draft draft, Members schedule, ZoneId zone) {
    Expression expression = new Expression(schedule.required("ScheduleExpression"), zone);
    Instant created = instant(schedule.get("CreationDate"), "CreationDate");
    Instant start = instant(schedule.get("StartDate"), "StartDate");
    Instant end = instant(schedule.get("EndDate"), "EndDate");
    // EventBridge ignores both dates of an at(…).
    if (!expression.isAt() && end != null && !end.isAfter(how.now())) {
      throw new NotCarried("its EndDate, " + end + ", has passed");
    }
    ObjectNode trigger = expression.trigger(start == null ? created : start, how.now());
    draft.document().set("trigger", trigger);
    String type = trigger.path("type").asText();
    if (!type.equals("at")) {
      boolean bounds = start != null && start.isAfter(how.now());
      draft.bound(trigger, bounds ? start : null, end);
    }
    flexible(draft, trigger, schedule.object("FlexibleTimeWindow"));
  }

  private static void flexible(Draft draft, ObjectNode trigger, Members window) {
    Long minutes = window.whole("MaximumWindowInMinutes");
    if (!"FLEXIBLE".equals(window.text("Mode")) || minutes == null) {
      return;
    }
    Duration flexible = Duration.ofMinutes(minutes);
    if (trigger.path("type").asText().equals("at")) {
      draft.note("it launches at the beginning of its flexible window");
      return;
    }
    if (trigger.has("every")) {
      Duration every = Duration.parse(trigger.path("every").asText());
      if (every.compareTo(flexible) < 0) {
        draft.note("its flexible window is longer than its rate and becomes " + every);
        flexible = every;
      }
    }
    trigger.put("flexible", flexible.toString());
  }

  /** An instant as the command line prints it: ISO-8601 with an offset, or seconds since 1970. */
  private static @Nullable Instant instant(JsonNode date, String name) {
    if (date.isMissingNode()) {
      return null;
    }
    try {
      return date.isNumber()
          ? Instant.ofEpochMilli(
              date.decimalValue().multiply(BigDecimal.valueOf(1_000)).longValue())
          : OffsetDateTime.parse(date.asText()).toInstant();
    } catch (DateTimeException strange) {
      throw new NotCarried(name + " is not an instant: " + date);
    }
  }
}
