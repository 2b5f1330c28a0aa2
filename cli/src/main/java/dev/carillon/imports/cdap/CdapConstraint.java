package dev.carillon.imports.cdap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Members;
import dev.carillon.imports.NotCarried;
import java.time.Duration;

/** Converts run constraints of CDAP. */
final class CdapConstraint {

  private CdapConstraint() {}

  /** Adds constraints to a schedule and returns the longest delay. */
  static Duration add(Draft draft, JsonNode constraints) {
    Duration delay = Duration.ZERO;
    if (constraints.isEmpty()) {
      return delay;
    }
    ArrayNode list = draft.document().putArray("constraints");
    boolean needsEnds = false;
    for (JsonNode json : constraints) {
      Members constraint = Members.of(json);
      ObjectNode converted = of(constraint);
      String type = converted.path("type").asText();
      boolean waits = constraint.isTrue("waitUntilMet");
      if (type.equals("delay")) {
        Duration own = Duration.parse(converted.path("duration").asText());
        delay = own.compareTo(delay) > 0 ? own : delay;
      } else if (!waits) {
        converted.put("onUnmet", "skip");
      }
      needsEnds |= type.equals("concurrency") || type.equals("sinceLastRun");
      constraint.noteUnread(draft);
      list.add(converted);
    }
    if (needsEnds) {
      draft.document().putObject("tracking").put("runTimeout", "P14D");
      draft.document().putObject("retry").put("maxAttempts", 1);
      draft.note("its constraints need a worker that reports the end of each run");
    }
    return delay;
  }

  private static ObjectNode of(Members constraint) {
    String type = constraint.required("type");
    ObjectNode converted = Json.object();
    return switch (type) {
      case "CONCURRENCY" ->
          converted.put("type", "concurrency").put("max", constraint.whole("maxConcurrency"));
      case "DELAY" ->
          converted
              .put("type", "delay")
              .put("duration", duration(constraint, "millisAfterTrigger"));
      case "LAST_RUN" ->
          converted
              .put("type", "sinceLastRun")
              .put("duration", duration(constraint, "millisSinceLastRun"));
      case "TIME_RANGE" -> timeRange(converted, constraint);
      default -> throw new NotCarried("the constraint type " + type + " is unknown");
    };
  }

  private static ObjectNode timeRange(ObjectNode converted, Members constraint) {
    converted.put("type", "timeWindow").put("from", time(constraint.required("startTime")));
    converted.put("to", time(constraint.required("endTime")));
    return converted.put("zone", constraint.text("timeZone"));
  }

  /** The time with two digits of the hour; CDAP also accepts one digit. */
  private static String time(String time) {
    return time.matches("[0-9]:.*") ? "0" + time : time;
  }

  private static String duration(Members constraint, String name) {
    Long millis = constraint.whole(name);
    if (millis == null || millis < 1) {
      throw new NotCarried("a constraint's " + name + " is missing or below 1");
    }
    return Duration.ofMillis(millis).toString();
  }
}
