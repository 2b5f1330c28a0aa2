package dev.carillon.constraint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.document.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes constraints as JSON, with their defaults; optional parts without a value are left out. */
public final class ConstraintWriter {

  private ConstraintWriter() {}

  public static ArrayNode write(Constraints constraints) {
    ArrayNode list = Json.object().arrayNode();
    constraints.all().forEach(constraint -> list.add(write(constraint)));
    return list;
  }

  private static ObjectNode write(Constraint constraint) {
    ObjectNode document = Json.object().put("type", constraint.type());
    if (constraint instanceof Delay delay) {
      document.put("duration", delay.duration().toString());
    } else if (constraint instanceof TimeWindow window) {
      write(window, document);
    } else if (constraint instanceof Concurrency concurrency) {
      putGroup(document.put("max", concurrency.max()), concurrency.group());
    } else if (constraint instanceof Rate rate) {
      document.put("max", rate.max()).put("per", rate.per().toString());
      putGroup(document, rate.group());
    } else if (constraint instanceof SinceLastRun since) {
      document.put("duration", since.duration().toString());
    } else if (constraint instanceof Resource resource) {
      String bound = resource.side() == Side.AT_MOST ? "atMost" : "atLeast";
      document.put("name", resource.name()).set(bound, Json.number(resource.bound()));
      document.put("ifUnknown", resource.ifUnknown().name().toLowerCase(Locale.ROOT));
    }
    return document.put("onUnmet", constraint.onUnmet().name().toLowerCase(Locale.ROOT));
  }

  private static void putGroup(ObjectNode document, @Nullable String group) {
    if (group != null) {
      document.put("group", group);
    }
  }

  private static void write(TimeWindow window, ObjectNode document) {
    document.put("from", ClockTime.text(window.from())).put("to", ClockTime.text(window.to()));
    if (window.ownZone() != null) {
      document.put("zone", window.ownZone().getId());
    }
    if (!window.days().equals(Days.ALL)) {
      ArrayNode days = document.putArray("days");
      Days.names(window.days()).forEach(days::add);
    }
  }
}
