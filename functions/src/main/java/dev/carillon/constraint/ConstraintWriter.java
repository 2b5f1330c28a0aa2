package dev.carillon.constraint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Json;
import java.util.Locale;

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
    }
    return document.put("onUnmet", constraint.onUnmet().name().toLowerCase(Locale.ROOT));
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
