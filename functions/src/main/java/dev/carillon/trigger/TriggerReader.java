package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.id.ScheduleId;
import dev.carillon.trigger.Trigger.And;
import dev.carillon.trigger.Trigger.ClockLeaf;
import dev.carillon.trigger.Trigger.Manual;
import dev.carillon.trigger.Trigger.Or;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trigger from its JSON form. It adds what is wrong to the faults; the result is valid only
 * if no fault was added.
 */
public final class TriggerReader {

  public static final int MOST_CHILDREN = 32;

  /** How deep {@code and} and {@code or} can be nested. */
  public static final int DEEPEST = 8;

  public static final int MOST_EVENT_KEYS = 40;
  public static final int MOST_TIME_LEAVES = 8;

  private static final List<String> TYPES =
      List.of(
          "cron",
          "rate",
          "at",
          "partition",
          "size",
          "event",
          "programStatus",
          "elapsed",
          "quiet",
          "manual",
          "and",
          "or");

  private final Faults faults;
  private final TimeLeafReader times;
  private final EventLeafReader events;
  private final ClockLeafReader clocks;

  /**
   * @param id the schedule; its name determines the offset of fires that the trigger spreads
   * @param zone the schedule's zone, in which local times are read; null if it was refused
   * @param now the instant after which the trigger must have fires; null for a stored trigger,
   *     which was validated earlier
   */
  public TriggerReader(ScheduleId id, @Nullable ZoneId zone, @Nullable Instant now, Faults faults) {
    this.faults = faults;
    this.times = new TimeLeafReader(id, zone, now, faults);
    this.events = new EventLeafReader(id.namespace(), now == null, faults);
    this.clocks = new ClockLeafReader(faults, (document, at) -> read(document, at, DEEPEST));
  }

  public Trigger read(JsonNode document, String pointer) {
    Trigger trigger = read(document, pointer, 0);
    long timeLeaves = 0;
    for (Trigger.Leaf leaf : trigger.leaves()) {
      timeLeaves += leaf instanceof TimeLeaf || leaf instanceof ClockLeaf ? 1 : 0;
    }
    bound(pointer, "time triggers", timeLeaves, MOST_TIME_LEAVES);
    bound(pointer, "event keys and calendars", trigger.indexKeys().size(), MOST_EVENT_KEYS);
    return trigger;
  }

  private void bound(String pointer, String what, long found, int most) {
    if (found > most) {
      faults.add(
          pointer,
          "the trigger has %d %s; at most %d are allowed, so split the schedule"
              .formatted(found, what, most));
    }
  }

  private Trigger read(JsonNode document, String pointer, int depth) {
    Fields fields = Fields.of(document, pointer, faults);
    Optional<String> type = fields.choice("type", TYPES);
    return type.isPresent() ? read(type.get(), fields, depth) : unreadable();
  }

  /** A placeholder for a trigger that could not be read. */
  private static Trigger unreadable() {
    return new Trigger.AnyEvent("", 1, null);
  }

  private Trigger read(String type, Fields fields, int depth) {
    return switch (type) {
      case "and" -> composite(fields, depth, this::and);
      case "or" -> composite(fields, depth, (read, children) -> new Or(children));
      case "manual" -> leaf(fields, List.of("type"), read -> new Manual());
      case "cron" -> leaf(fields, TimeLeafReader.CRON, times::cron);
      case "rate" -> leaf(fields, TimeLeafReader.RATE, times::rate);
      case "at" -> leaf(fields, TimeLeafReader.AT, times::at);
      case "partition" -> leaf(fields, EventLeafReader.PARTITION, events::partition);
      case "size" -> leaf(fields, EventLeafReader.SIZE, events::size);
      case "elapsed" -> leaf(fields, ClockLeafReader.ELAPSED, clocks::elapsed);
      case "quiet" -> leaf(fields, ClockLeafReader.QUIET, clocks::quiet);
      case "event" -> leaf(fields, EventLeafReader.EVENT, events::event);
      default -> leaf(fields, EventLeafReader.PROGRAM_STATUS, events::programStatus);
    };
  }

  private static Trigger leaf(
      Fields fields, List<String> known, Function<Fields, Trigger> reading) {
    fields.allowOnly(known);
    return reading.apply(fields);
  }

  private Trigger composite(
      Fields fields, int depth, BiFunction<Fields, List<Trigger>, Trigger> reading) {
    fields.allowOnly(List.of("type", "triggers"));
    JsonNode children = fields.get("triggers");
    if (!children.isArray() || children.isEmpty() || children.size() > MOST_CHILDREN) {
      String found = children.isArray() ? ", not " + children.size() : "";
      fields.refuse("triggers", "give a list of 1 to " + MOST_CHILDREN + " triggers" + found);
    }
    if (depth >= DEEPEST) {
      fields.refuse(
          "triggers", "\"and\" and \"or\" nest at most " + DEEPEST + " levels deep; flatten them");
      return unreadable();
    }
    return reading.apply(fields, children(children, fields.at("triggers"), depth));
  }

  private List<Trigger> children(JsonNode children, String pointer, int depth) {
    List<Trigger> triggers = new ArrayList<>();
    if (children.isArray()) {
      for (JsonNode child : children) {
        triggers.add(read(child, pointer + "/" + triggers.size(), depth + 1));
      }
    }
    return List.copyOf(triggers);
  }

  private Trigger and(Fields fields, List<Trigger> children) {
    for (int index = 0; index < children.size(); index++) {
      if (isOnlyManual(children.get(index))) {
        faults.add(
            fields.at("triggers") + "/" + index,
            "\"manual\" is never satisfied, so this \"and\" never is; remove it");
      }
    }
    return new And(children);
  }

  private static boolean isOnlyManual(Trigger trigger) {
    return trigger instanceof Manual
        || (trigger instanceof Or or
            && !or.triggers().isEmpty()
            && or.triggers().stream().allMatch(TriggerReader::isOnlyManual));
  }
}
