package dev.carillon.ingest;

import static java.util.Objects.requireNonNull;

import dev.carillon.event.Resend;
import dev.carillon.event.Resend.SearchRest;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.PendingEvent.EventKey;
import dev.carillon.ingest.PendingEvent.Start;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Schedules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the schedules that events concern. If an event concerns very many schedules, it keeps some
 * of them and sends messages for the others at once, so that other invocations count for them
 * meanwhile.
 */
final class ScheduleSearch {

  /** The most schedules of one event that an invocation counts itself. */
  static final int MOST_HERE = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleSearch.class);

  private final Schedules schedules;
  private final Fanout fanout;

  ScheduleSearch(Schedules schedules, Fanout fanout) {
    this.schedules = schedules;
    this.fanout = fanout;
  }

  /**
   * Adds to each event the schedules that it concerns, at most {@link #MOST_HERE}, and sends
   * messages that name the others. A search takes at most half of the time, so that the other half
   * is left to count.
   *
   * @param failed receives the ids of the messages whose schedules could not be read, or could not
   *     be put into another message
   */
  void run(List<PendingEvent> events, Outbox outbox, Set<String> failed, Deadline deadline) {
    Deadline end = deadline.after(1, 2);
    Map<Start, List<PendingEvent>> searches = new LinkedHashMap<>();
    for (PendingEvent event : events) {
      for (Start start : event.searches()) {
        searches.computeIfAbsent(start, any -> new ArrayList<>()).add(event);
      }
    }
    Map<Start, List<PendingEvent>> open = new ConcurrentHashMap<>();
    fanout.forEach(
        List.copyOf(searches.entrySet()),
        search ->
            begin(search.getKey(), search.getValue(), failed, end)
                .ifPresent(next -> open.put(next, search.getValue())));
    for (PendingEvent event : events) {
      outbox.resend(
          event.messageId(),
          Resend.of(event.event(), event.handOnBeyond(MOST_HERE), false, event.receivedAt()));
    }
    outbox.send(failed);
    List<Runnable> left = new ArrayList<>();
    open.forEach(
        (start, concerned) -> {
          Optional<Start> next = Optional.of(start);
          Optional<Page<ScheduleId>> page = read(start, end);
          while (page.isPresent()) {
            List<ScheduleId> found = page.get().items();
            concerned.forEach(event -> handOn(event, found, outbox));
            outbox.send(failed);
            next = next(start, page.get());
            page = next.flatMap(it -> read(it, end));
          }
          next.ifPresent(it -> left.add(() -> handOnSearch(it, concerned, outbox)));
        });
    // The rest of a search is sent only after the batch was counted. If it were sent earlier and
    // this function then crashed, both this message and the sent one would search the rest, and
    // a further crash could double each of them again.
    left.forEach(Runnable::run);
  }

  private static void handOn(PendingEvent event, List<ScheduleId> found, Outbox outbox) {
    event.handOn();
    outbox.resend(event.messageId(), Resend.of(event.event(), found, false, event.receivedAt()));
  }

  private static void handOnSearch(Start start, List<PendingEvent> events, Outbox outbox) {
    for (PendingEvent event : events) {
      event.handOn();
      SearchRest rest = new SearchRest(start.key().key(), requireNonNull(start.after()));
      outbox.resend(
          event.messageId(), List.of(new Resend(event.event(), rest, event.receivedAt())));
    }
  }

  private static Optional<Start> next(Start start, Page<ScheduleId> page) {
    return Optional.ofNullable(page.next()).map(next -> new Start(start.key(), next));
  }

  /**
   * One page of a search; empty if it could not be read, or if too little time would be left to
   * count.
   */
  private Optional<Page<ScheduleId>> read(Start start, Deadline end) {
    EventKey key = start.key();
    if (end.hasPassed()) {
      return Optional.empty();
    }
    try {
      return Optional.of(schedules.withEventKey(key.namespace(), key.key(), start.after()));
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not read the schedules that wait for {}; SQS delivers its events again",
          key,
          unavailable);
      return Optional.empty();
    }
  }

  /** Reads the first page, and returns where the search goes on. */
  private Optional<Start> begin(
      Start start, List<PendingEvent> events, Set<String> failed, Deadline end) {
    Optional<Page<ScheduleId>> page = read(start, end);
    if (page.isEmpty()) {
      events.forEach(event -> failed.add(event.messageId()));
      return Optional.empty();
    }
    events.forEach(event -> event.concern(page.get().items()));
    return next(start, page.get());
  }
}
