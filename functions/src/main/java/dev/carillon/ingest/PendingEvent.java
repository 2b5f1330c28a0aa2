package dev.carillon.ingest;

import dev.carillon.collect.Acceptance;
import dev.carillon.event.Event;
import dev.carillon.id.ScheduleId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An event of a message.
 *
 * @param schedules those that still have to count it
 * @param anew whether it was received before, and its outcome was reported then
 * @param accepted what became of it at the schedules that have counted it
 */
record PendingEvent(
    String messageId,
    Event event,
    Set<ScheduleId> schedules,
    boolean anew,
    Set<Acceptance> accepted) {

  PendingEvent(String messageId, Event event, Set<ScheduleId> schedules, boolean anew) {
    this(messageId, event, schedules, anew, ConcurrentHashMap.newKeySet());
  }

  /** What schedules of a namespace are found by. */
  record EventKey(String namespace, String key) {}

  static List<Event> events(List<PendingEvent> all) {
    List<Event> events = new ArrayList<>();
    all.forEach(each -> events.add(each.event()));
    return events;
  }

  List<EventKey> keys() {
    return event.weights().keySet().stream()
        .map(key -> new EventKey(event.namespace(), key))
        .toList();
  }

  /** One that was sent again for some schedules leaves that to the message that it is of. */
  boolean mayEndRun() {
    return (!anew || schedules.isEmpty()) && !RunEnd.in(event).isEmpty();
  }
}
