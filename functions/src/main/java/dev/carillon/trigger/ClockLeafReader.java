package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.trigger.Trigger.Elapsed;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.trigger.Trigger.Quiet;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** Reads the triggers that are satisfied when a period has elapsed. */
final class ClockLeafReader {

  static final List<String> ELAPSED = List.of("type", "since", "duration");
  static final List<String> QUIET = List.of("type", "of", "period", "atMost");

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(3_660);
  private static final String LAST_LAUNCH = "lastLaunch";

  private final Faults faults;
  private final BiFunction<JsonNode, String, Trigger> reader;

  /**
   * @param reader reads a trigger at a pointer
   */
  ClockLeafReader(Faults faults, BiFunction<JsonNode, String, Trigger> reader) {
    this.faults = faults;
    this.reader = reader;
  }

  Elapsed elapsed(Fields fields) {
    Duration duration = fields.duration("duration", SHORTEST, LONGEST);
    if (fields.get("since").isTextual()) {
      fields.choice("since", List.of(LAST_LAUNCH));
      return new Elapsed(null, duration);
    }
    if (!fields.has("since")) {
      fields.refuse("since", "give \"" + LAST_LAUNCH + "\" or a trigger that names events");
      return new Elapsed(null, duration);
    }
    return new Elapsed(events(fields, "since"), duration);
  }

  Quiet quiet(Fields fields) {
    EventLeaf of = unreadable();
    if (fields.has("of")) {
      of = events(fields, "of");
    } else {
      fields.refuse("of", "give a trigger that names events");
    }
    Duration period = fields.duration("period", SHORTEST, LONGEST);
    Duration atMost = fields.has("atMost") ? fields.duration("atMost", SHORTEST, LONGEST) : null;
    boolean isRead = !fields.isRefused("period") && !fields.isRefused("atMost");
    if (isRead && atMost != null && atMost.compareTo(period) < 0) {
      fields.refuse("atMost", "it is shorter than \"period\"; give at least as much");
    }
    return new Quiet(of, period, atMost);
  }

  private static EventLeaf unreadable() {
    return new Trigger.Partition("", 1);
  }

  /**
   * Reads a trigger that names events. Each event counts as one, so the trigger's amount must be 1.
   */
  private EventLeaf events(Fields fields, String name) {
    JsonNode given = fields.get(name);
    Trigger trigger = reader.apply(given, fields.at(name));
    if (!(trigger instanceof EventLeaf leaf)) {
      String type = Faults.shown(given.path("type"));
      faults.add(
          fields.at(name) + "/type",
          type + " names no events; use \"partition\", \"size\", \"event\" or \"programStatus\"");
      return unreadable();
    }
    if (leaf.expected() != 1) {
      String amount = leaf instanceof Trigger.Size ? "bytes" : "count";
      faults.add(
          fields.at(name) + "/" + amount,
          "\"%s\" is %d, but each event counts as one here; give 1"
              .formatted(amount, leaf.expected()));
    }
    return leaf;
  }
}
