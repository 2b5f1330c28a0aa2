package dev.carillon.ingest;

import dev.carillon.check.Shared;
import dev.carillon.collect.Acceptance;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.event.Resend;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.PendingEvent.EventKey;
import dev.carillon.ingest.RejectedEvents.Rejection;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a batch of events: for each schedule that one of them concerns, all that concern it, in
 * order, as one change; then ends the runs that they report on. An event is acknowledged when all
 * that is done, or messages that name what is left were accepted.
 */
public final class Ingest {

  /**
   * What is kept of the time for counting: schedules that are found and not counted are no gain.
   */
  private static final Duration TIME_TO_COUNT = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final ScheduleCounts counts;
  private final RunEnds runEnds;
  private final IngestQueue queue;
  private final RejectedEvents rejectedEvents;
  private final InstantSource clock;
  private final Fanout fanout;
  private final Metrics metrics;

  public Ingest(
      Shared shared,
      IngestQueue queue,
      RejectedEvents rejectedEvents,
      InstantSource clock,
      Fanout fanout,
      Metrics metrics) {
    this.schedules = shared.schedules();
    this.definitions = shared.definitions();
    this.counts = new ScheduleCounts(shared, clock);
    this.runEnds = new RunEnds(shared, clock);
    this.queue = queue;
    this.rejectedEvents = rejectedEvents;
    this.clock = clock;
    this.fanout = fanout;
    this.metrics = metrics;
  }

  /**
   * One message as it was received.
   *
   * @param namespace whose events its queue takes, whatever they say; empty for any
   */
  public record Received(String messageId, String body, Optional<String> namespace) {

    /** From the queue that takes events of any namespace. */
    public Received(String messageId, String body) {
      this(messageId, body, Optional.empty());
    }
  }

  /** The ids of the messages that must be received again. */
  public Set<String> handle(List<Received> messages, Deadline deadline) {
    Batch batch = new Batch(deadline);
    messages.forEach(batch::parse);
    batch.findSchedules();
    batch.count();
    batch.settle();
    batch.endRuns();
    batch.outbox.send(batch.failed, deadline);
    batch.report();
    return batch.failed;
  }

  /** The events of some messages. */
  private final class Batch {
    final Deadline deadline;
    final List<PendingEvent> pending = new ArrayList<>();
    final Set<ScheduleId> uncounted = ConcurrentHashMap.newKeySet();
    final Set<String> failed = ConcurrentHashMap.newKeySet();
    final Outbox outbox = new Outbox(queue, rejectedEvents, fanout, metrics);

    Batch(Deadline deadline) {
      this.deadline = deadline;
    }

    void parse(Received message) {
      String id = message.messageId();
      Optional<String> namespace = message.namespace();
      Optional<Resend> resend =
          namespace.isPresent() ? Optional.empty() : Resend.read(message.body());
      if (resend.isPresent()) {
        Set<ScheduleId> rest = new LinkedHashSet<>(resend.get().schedules());
        pending.add(new PendingEvent(id, resend.get().event(), rest, true));
        return;
      }
      ParsedMessage parsed = EventParser.parse(message.body(), id, clock.instant(), namespace);
      if (parsed instanceof ParsedMessage.Events found) {
        for (Event event : found.events()) {
          pending.add(new PendingEvent(id, event, new LinkedHashSet<>(), false));
        }
      } else if (parsed instanceof ParsedMessage.Malformed malformed) {
        outbox.reject(id, new Rejection(message.body(), malformed.reason()));
      }
    }

    void findSchedules() {
      List<PendingEvent> fresh = pending.stream().filter(event -> !event.anew()).toList();
      Map<EventKey, Set<ScheduleId>> found = new ConcurrentHashMap<>();
      fanout.forEach(
          fresh.stream().flatMap(event -> event.keys().stream()).distinct().toList(),
          key -> find(key).ifPresent(concerned -> found.put(key, concerned)));
      for (PendingEvent event : fresh) {
        for (EventKey key : event.keys()) {
          Set<ScheduleId> concerned = found.get(key);
          if (concerned == null) {
            failed.add(event.messageId());
          } else {
            event.schedules().addAll(concerned);
          }
        }
      }
    }

    /** Empty if that is unknown, or for later. */
    private Optional<Set<ScheduleId>> find(EventKey key) {
      if (deadline.isWithin(TIME_TO_COUNT)) {
        return Optional.empty();
      }
      try {
        return Optional.of(schedules.withEventKey(key.namespace(), key.key()));
      } catch (RuntimeException unavailable) {
        LOG.warn("the schedules that wait for {} are unknown", key, unavailable);
        return Optional.empty();
      }
    }

    void count() {
      Map<ScheduleId, List<PendingEvent>> bySchedule = new LinkedHashMap<>();
      for (PendingEvent event : pending) {
        if (!failed.contains(event.messageId())) {
          for (ScheduleId id : event.schedules()) {
            bySchedule.computeIfAbsent(id, any -> new ArrayList<>()).add(event);
          }
        }
      }
      Map<ScheduleId, Head> heads = readHeads(bySchedule.keySet());
      fanout.forEach(
          List.copyOf(bySchedule.entrySet()),
          schedule -> {
            ScheduleId id = schedule.getKey();
            if (!uncounted.contains(id)
                && (deadline.hasPassed() || !counts.count(heads.get(id), schedule.getValue()))) {
              uncounted.add(id);
            }
          });
    }

    private Map<ScheduleId, Head> readHeads(Set<ScheduleId> ids) {
      try {
        Map<ScheduleId, Head> heads =
            UnreadableSchedules.readable(ids, uncounted, schedules::heads);
        definitions.of(heads.values());
        return heads;
      } catch (RuntimeException unavailable) {
        LOG.warn("the schedules that events concern cannot be read", unavailable);
        uncounted.addAll(ids);
        return Map.of();
      }
    }

    /** What only some schedules have not counted is sent anew for those; the rest comes again. */
    void settle() {
      for (PendingEvent event : pending) {
        List<ScheduleId> rest = new ArrayList<>(event.schedules());
        rest.retainAll(uncounted);
        if (!rest.isEmpty() && rest.size() == event.schedules().size()) {
          failed.add(event.messageId());
        } else {
          outbox.resend(event.messageId(), Resend.of(event.event(), rest));
        }
      }
    }

    /**
     * A run that cannot be ended now may be so for longer than counted events are known: so an
     * event that was counted is sent anew for that alone.
     */
    void endRuns() {
      for (PendingEvent event : pending) {
        String id = event.messageId();
        if (!event.mayEndRun() || failed.contains(id) || endRun(event.event())) {
          continue;
        }
        if (event.schedules().isEmpty()) {
          failed.add(id);
        } else {
          outbox.resend(id, List.of(Resend.counted(event.event())));
        }
      }
    }

    /**
     * @return whether nothing is left to do for it
     */
    private boolean endRun(Event event) {
      if (deadline.hasPassed()) {
        return false;
      }
      try {
        runEnds.accept(event);
        return true;
      } catch (RuntimeException unavailable) {
        LOG.warn("the run that event {} reports on could not be ended", event.id(), unavailable);
        return false;
      }
    }

    /** Each event once, when it is known; one that nobody could count comes again. */
    void report() {
      for (PendingEvent event : pending) {
        boolean open =
            failed.contains(event.messageId())
                || !Collections.disjoint(event.schedules(), uncounted);
        if (event.anew()) {
          continue;
        }
        if (event.accepted().contains(Acceptance.COUNTED)) {
          metrics.count(Metric.EVENTS_COUNTED);
        } else if (!open) {
          boolean known = event.accepted().contains(Acceptance.DUPLICATE);
          metrics.count(known ? Metric.EVENTS_DUPLICATE : Metric.EVENTS_UNMATCHED);
        }
      }
    }
  }
}
