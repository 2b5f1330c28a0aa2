package dev.carillon.constraint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.document.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes constraints as JSON, with their defaults. Optional members without a value are omitted.
 */
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
    } else if (constraint instanceof GateConstraint atGate) {
      write(atGate.limit(), document);
    }
    return document.put("onUnmet", constraint.onUnmet().name().toLowerCase(Locale.ROOT));
  }

  private static void write(Limit limit, ObjectNode document) {
    if (limit instanceof Unfinished unfinished) {
      putGroup(document.put("max", unfinished.max()), unfinished.group());
    } else if (limit instanceof Launches launches) {
      document.put("max", launches.max()).put("per", launches.per().toString());
      putGroup(document, launches.group());
    } else if (limit instanceof SinceSuccess pause) {
      document.put("duration", pause.duration().toString());
    } else if (limit instanceof GaugeWithin gauge) {
      String bound = gauge.side() == Side.AT_MOST ? "atMost" : "atLeast";
      document.put("name", gauge.resource()).set(bound, Json.number(gauge.bound()));
      document.put("ifUnknown", gauge.openIfUnknown() ? "allow" : "wait");
    }
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
