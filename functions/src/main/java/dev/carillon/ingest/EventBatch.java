package dev.carillon.ingest;

import dev.carillon.collect.Acceptance;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.event.RejectedMessages.Rejection;
import dev.carillon.event.Resend;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest.Received;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The events of messages that are processed together. */
final class EventBatch {

  private final Outbox outbox;
  private final Deadline deadline;
  private final Instant receivedAt;
  private final List<PendingEvent> pending = new ArrayList<>();
  private final Set<PendingEvent> searchedAgain = new HashSet<>();
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  EventBatch(Outbox outbox, Deadline deadline, Instant receivedAt) {
    this.outbox = outbox;
    this.receivedAt = receivedAt;
    this.deadline = deadline;
  }

  /** The ids of the messages that must be received again. */
  Set<String> failed() {
    return failed;
  }

  void parse(Received message) {
    String id = message.messageId();
    Optional<String> namespace = message.namespace();
    Optional<Resend> resend =
        namespace.isPresent() ? Optional.empty() : Resend.read(message.body());
    if (resend.isPresent()) {
      pending.add(PendingEvent.resent(id, resend.get()));
      return;
    }
    ParsedMessage parsed = EventParser.parse(message.body(), id, receivedAt, namespace);
    if (parsed instanceof ParsedMessage.Events found) {
      found.events().forEach(event -> pending.add(PendingEvent.sent(id, event)));
    } else if (parsed instanceof ParsedMessage.Malformed malformed) {
      outbox.reject(id, new Rejection(message.body(), malformed.reason()));
    }
  }

  void findSchedules(ScheduleSearch search) {
    search.run(pending, outbox, failed, deadline);
  }

  /** Counts the events whose messages have not failed. */
  CountPass.Result count(CountPass counting) {
    return counting.run(
        pending.stream().filter(event -> !failed.contains(event.messageId())).toList(), deadline);
  }

  /**
   * If some schedules have not counted an event, sends the event again, in messages that name these
   * schedules. If no schedule could count an event, its message is received again, so that it
   * becomes a dead letter in the end. But if only the time was too short, the event is sent again,
   * and the next call continues where this call stopped.
   */
  void settle(CountPass.Result result) {
    for (PendingEvent event : pending) {
      List<ScheduleId> all = event.schedules();
      List<ScheduleId> late = among(all, result.late());
      List<ScheduleId> refused = among(all, result.refused());
      boolean isLate = !late.isEmpty() && result.hasCounted();
      String id = event.messageId();
      if (!all.isEmpty() && late.size() + refused.size() == all.size() && !isLate) {
        failed.add(id);
        continue;
      }
      boolean reports = event.reports() && !event.isAccepted(Acceptance.COUNTED);
      outbox.resend(id, Resend.of(event.event(), late, reports, event.receivedAt()));
      outbox.resend(
          id, Resend.of(event.event(), refused, reports && late.isEmpty(), event.receivedAt()));
      if (event.mustSearchAgain()) {
        searchedAgain.add(event);
        outbox.searchAgain(id, event.event(), receivedAt);
      }
    }
  }

  private static List<ScheduleId> among(List<ScheduleId> ids, Set<ScheduleId> wanted) {
    return ids.stream().filter(wanted::contains).toList();
  }

  /**
   * Ends the runs that events report on. Storing the end of a run can fail for longer than the id
   * of a counted event is remembered. So if schedules have counted the event, it is sent again in a
   * message that only ends the run.
   */
  void endRuns(RunEnds runEnds) {
    List<PendingEvent> reports =
        pending.stream()
            .filter(event -> event.mayEndRun() && !failed.contains(event.messageId()))
            .toList();
    Set<Event> left = runEnds.accept(reports.stream().map(PendingEvent::event).toList(), deadline);
    for (PendingEvent event : reports) {
      String id = event.messageId();
      if (left.contains(event.event()) && event.schedules().isEmpty()) {
        failed.add(id);
      } else if (left.contains(event.event())) {
        outbox.resend(id, List.of(new Resend(event.event(), new Resend.EndRun())));
      }
    }
  }

  void send() {
    outbox.send(failed);
  }

  /** Reports the outcome of each event once, when it is known. */
  void report(CountPass.Result result, Metrics metrics) {
    for (PendingEvent event : pending) {
      if (!event.reports()) {
        continue;
      }
      if (event.isAccepted(Acceptance.COUNTED)) {
        metrics.count(Metric.EVENTS_COUNTED);
      } else if (!isOpen(event, result)) {
        boolean known = event.isAccepted(Acceptance.DUPLICATE);
        metrics.count(known ? Metric.EVENTS_DUPLICATE : Metric.EVENTS_UNMATCHED);
      }
    }
  }

  /** Whether another message will determine the outcome of the event. */
  private boolean isOpen(PendingEvent event, CountPass.Result result) {
    List<ScheduleId> schedules = event.schedules();
    return failed.contains(event.messageId())
        || searchedAgain.contains(event)
        || !Collections.disjoint(schedules, result.late())
        || !Collections.disjoint(schedules, result.refused());
  }
}
