package dev.carillon.launch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.job.Job;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.Schedule;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a job exists, as JSON: {@code {"scheduledFor", "triggeredAt", "leaves": [{"leaf",
 * "type", "satisfied", "expected", "actual", "scheduledFor" (of a time leaf that fired), "events"
 * (ids, of a leaf that counts them)}], "events": [{"id", "timestamp", "eventType", "payload"}],
 * "eventsOmitted"}}. Instants are in UTC with milliseconds; an event's timestamp is in epoch
 * milliseconds, as its producer sent it.
 */
public final class TriggerInformation {

  private static final Map<Class<? extends Trigger.Leaf>, String> TYPES =
      Map.of(
          Trigger.Cron.class, "cron",
          Trigger.Rate.class, "rate",
          Trigger.At.class, "at",
          Trigger.Partition.class, "partition",
          Trigger.Size.class, "size",
          Trigger.AnyEvent.class, "event",
          Trigger.ProgramStatus.class, "programStatus",
          Trigger.Elapsed.class, "elapsed",
          Trigger.Quiet.class, "quiet",
          Trigger.Manual.class, "manual");

  private TriggerInformation() {}

  /**
   * @param fires whether a time leaf fires at the job's scheduledFor. This method calls it only for
   *     the job of a single fire, and then names only the leaves that fired. For a job that a
   *     caller launched, it names no leaf
   */
  public static ObjectNode of(Schedule schedule, Job job, Predicate<Trigger.TimeLeaf> fires) {
    ObjectNode information =
        Json.object()
            .put("scheduledFor", text(job.scheduledFor()))
            .put("triggeredAt", text(job.triggeredAt()));
    TriggerState triggerState = job.triggerState();
    ArrayNode leaves = information.putArray("leaves");
    if (triggerState != null) {
      addLeaves(leaves, schedule.trigger().leaves(), triggerState);
    } else if (job.id().isFire() || job.id().isOfBackfill()) {
      addFired(leaves, schedule.trigger().leaves(), job.scheduledFor(), fires);
    }
    ArrayNode events = information.putArray("events");
    eventsOf(job).forEach(event -> events.add(json(event)));
    return information.put(
        "eventsOmitted", triggerState == null ? 0 : triggerState.eventsOmitted());
  }

  static List<Event> eventsOf(Job job) {
    TriggerState triggerState = job.triggerState();
    return triggerState == null ? List.of() : triggerState.events();
  }

  /** An event as the trigger information shows it. */
  public static ObjectNode json(Event event) {
    return Json.object()
        .put("id", event.id())
        .put("timestamp", event.timestamp().toEpochMilli())
        .put("eventType", event.eventType())
        .set("payload", event.payload());
  }

  private static void addFired(
      ArrayNode added, List<Trigger.Leaf> leaves, Instant at, Predicate<Trigger.TimeLeaf> fires) {
    for (int number = 0; number < leaves.size(); number++) {
      if (leaves.get(number) instanceof Trigger.TimeLeaf time && fires.test(time)) {
        added.add(json(number, time, new LeafCount(1, 1, at)));
      }
    }
  }

  private static void addLeaves(
      ArrayNode added, List<Trigger.Leaf> leaves, TriggerState triggerState) {
    int known = Math.min(leaves.size(), triggerState.leaves().size());
    for (int number = 0; number < known; number++) {
      Trigger.Leaf leaf = leaves.get(number);
      ObjectNode node = json(number, leaf, triggerState.leaves().get(number));
      Trigger.EventLeaf counting = eventLeaf(leaf);
      if (counting != null) {
        ArrayNode ids = node.putArray("events");
        triggerState.events().stream()
            .filter(event -> event.weightFor(counting) > 0)
            .forEach(event -> ids.add(event.id()));
      }
      added.add(node);
    }
  }

  private static Trigger.@Nullable EventLeaf eventLeaf(Trigger.Leaf leaf) {
    return leaf instanceof Trigger.ClockLeaf clock
        ? clock.startingEvents()
        : leaf instanceof Trigger.EventLeaf counting ? counting : null;
  }

  private static ObjectNode json(int number, Trigger.Leaf leaf, LeafCount count) {
    ObjectNode node =
        Json.object()
            .put("leaf", number)
            .put("type", TYPES.get(leaf.getClass()))
            .put("satisfied", count.isSatisfied())
            .put("expected", count.expected())
            .put("actual", count.actual());
    Instant fire = count.fire();
    return fire == null ? node : node.put("scheduledFor", text(fire));
  }

  static String text(Instant instant) {
    return LocalTimes.text(instant, ZoneOffset.UTC);
  }
}
