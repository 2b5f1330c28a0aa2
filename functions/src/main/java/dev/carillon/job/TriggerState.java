package dev.carillon.job;

import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.EventLeaf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a job's trigger: the counts of its leaves, and the events. The launch request
 * carries it as the trigger information.
 *
 * @param leaves one for each leaf of the trigger, in order
 * @param events the first {@link #MOST_FIRST} and the last {@link #MOST_LAST} events in order of
 *     arrival; together they have at most {@link #MOST_EVENT_BYTES} of payload, unless one event
 *     alone has more
 * @param eventsOmitted how many further events were counted
 */
public record TriggerState(List<LeafCount> leaves, List<Event> events, long eventsOmitted) {

  public static final int MOST_FIRST = 20;
  public static final int MOST_LAST = 20;
  public static final int MOST_EVENT_BYTES = 64 * 1024;

  /** The state of a job that has counted nothing. */
  public static TriggerState of(List<Trigger.Leaf> leaves) {
    List<LeafCount> nothing = new ArrayList<>();
    for (Trigger.Leaf leaf : leaves) {
      long expected = leaf instanceof EventLeaf counting ? counting.expected() : 1;
      nothing.add(new LeafCount(expected, 0, null));
    }
    return new TriggerState(List.copyOf(nothing), List.of(), 0);
  }

  /** The state with other counts. */
  public TriggerState with(List<LeafCount> counted) {
    return new TriggerState(List.copyOf(counted), events, eventsOmitted);
  }

  /**
   * Adds an event. If there is no room, the oldest of the last events is dropped, or else the last
   * of the first ones. The added event always stays.
   */
  public TriggerState with(List<LeafCount> counted, Event event) {
    List<Event> kept = new ArrayList<>(events);
    long omitted = eventsOmitted;
    kept.add(event);
    int bytes = 0;
    for (Event each : kept) {
      bytes += bytes(each);
    }
    while (kept.size() > MOST_FIRST + MOST_LAST || (bytes > MOST_EVENT_BYTES && kept.size() > 1)) {
      int dropped = Math.min(kept.size() - 2, MOST_FIRST);
      bytes -= bytes(kept.remove(dropped));
      omitted++;
    }
    return new TriggerState(List.copyOf(counted), List.copyOf(kept), omitted);
  }

  private static int bytes(Event event) {
    int names = event.id().length() + event.eventType().length();
    for (String key : event.weights().keySet()) {
      names += key.length();
    }
    return Json.write(event.payload()).getBytes(StandardCharsets.UTF_8).length + names;
  }
}
