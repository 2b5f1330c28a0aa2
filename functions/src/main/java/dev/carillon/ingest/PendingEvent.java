package dev.carillon.ingest;

import dev.carillon.collect.Acceptance;
import dev.carillon.event.Event;
import dev.carillon.event.Resend;
import dev.carillon.event.Resend.Count;
import dev.carillon.event.Resend.EndRun;
import dev.carillon.event.Resend.SearchAgain;
import dev.carillon.event.Resend.SearchRest;
import dev.carillon.event.Resend.Work;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event of a received message. */
final class PendingEvent {

  private final String messageId;
  private final Event event;
  private final @Nullable Work work;
  private final @Nullable Instant receivedAt;
  private final Set<ScheduleId> schedules = new LinkedHashSet<>();
  private final Set<Acceptance> accepted = EnumSet.noneOf(Acceptance.class);
  private boolean isHandedOn;

  private PendingEvent(
      String messageId, Event event, @Nullable Work work, @Nullable Instant receivedAt) {
    this.messageId = messageId;
    this.event = event;
    this.work = work;
    this.receivedAt = receivedAt;
    if (work instanceof Count count) {
      schedules.addAll(count.schedules());
    }
  }

  /** A key by which the schedules of a namespace are found. */
  record EventKey(String namespace, String key) {}

  /**
   * Where a search for schedules begins.
   *
   * @param after the schedule after which it begins; null for the first one
   */
  record Start(EventKey key, @Nullable String after) {}

  /** An event that a producer sent. */
  static PendingEvent sent(String messageId, Event event) {
    return new PendingEvent(messageId, event, null, null);
  }

  static PendingEvent resent(String messageId, Resend resend) {
    return new PendingEvent(messageId, resend.event(), resend.work(), resend.receivedAt());
  }

  static List<Event> events(List<PendingEvent> all) {
    List<Event> events = new ArrayList<>();
    all.forEach(each -> events.add(each.event()));
    return events;
  }

  String messageId() {
    return messageId;
  }

  Event event() {
    return event;
  }

  /** The searches that find the schedules; no searches if the message names the schedules. */
  List<Start> searches() {
    if (work instanceof SearchRest rest) {
      return List.of(new Start(new EventKey(event.namespace(), rest.key()), rest.after()));
    }
    if (work != null && !(work instanceof SearchAgain)) {
      return List.of();
    }
    return event.weights().keySet().stream()
        .map(key -> new Start(new EventKey(event.namespace(), key), null))
        .toList();
  }

  /** When the event was received; see {@link Resend}. */
  @Nullable Instant receivedAt() {
    return receivedAt;
  }

  /** Whether the schedule had begun when the event was received. */
  boolean concerns(@Nullable Head head) {
    return receivedAt == null || head == null || !head.life().beganAt().isAfter(receivedAt);
  }

  /** Adds schedules that the event concerns. */
  synchronized void concern(Collection<ScheduleId> found) {
    schedules.addAll(found);
  }

  /** The schedules that have not counted the event. */
  synchronized List<ScheduleId> schedules() {
    return List.copyOf(schedules);
  }

  /** Removes and returns the schedules beyond a number, because another message will name them. */
  synchronized List<ScheduleId> handOnBeyond(int number) {
    List<ScheduleId> rest = schedules.stream().skip(number).toList();
    rest.forEach(schedules::remove);
    isHandedOn |= !rest.isEmpty();
    return rest;
  }

  /** Records that another message carries the event to further schedules. */
  synchronized void handOn() {
    isHandedOn = true;
  }

  synchronized void accept(Acceptance acceptance) {
    accepted.add(acceptance);
  }

  synchronized boolean isAccepted(Acceptance acceptance) {
    return accepted.contains(acceptance);
  }

  /**
   * Whether this message ends the run that the event reports. A message that was sent again for
   * some schedules does not end it, because the original message does.
   */
  boolean mayEndRun() {
    return (work == null || work instanceof EndRun) && !RunEnd.in(event).isEmpty();
  }

  /** Whether this message reports the outcome of the event, because no earlier message did. */
  boolean reports() {
    return work == null
        || work instanceof SearchAgain
        || (work instanceof Count count && count.reports());
  }

  /**
   * Whether the schedules must be searched for again a few seconds later. This is so if the search
   * found no schedule, because the index may not yet show a schedule that was just stored. Events
   * that report the end of a run are excluded: most of them concern no schedule, and each launch
   * would cost another message.
   */
  synchronized boolean mustSearchAgain() {
    return work == null && schedules.isEmpty() && !isHandedOn && RunEnd.in(event).isEmpty();
  }
}
