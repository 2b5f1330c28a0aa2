package dev.carillon.ingest;

import dev.carillon.Deadline;
import dev.carillon.Fanout;
import dev.carillon.Shared;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.event.Resend;
import dev.carillon.ingest.Collector.StaleHeadException;
import dev.carillon.job.Accumulation.Acceptance;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.Schedules;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a batch of events: for each schedule that one of them concerns, all that concern it, in
 * order, as one change. An event is acknowledged when every schedule has counted it, or a message
 * that names the others was accepted.
 */
public final class Ingest {

  private static final int MOST_HEAD_READS = 5;
  private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Collector collector;
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
    this.collector = new Collector(shared.jobs(), shared.checks(), clock);
    this.runEnds = new RunEnds(shared.jobs(), shared.gates(), shared.checks(), clock);
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
    Batch batch = new Batch();
    for (Received message : messages) {
      batch.parse(message);
    }
    batch.findSchedules();
    Set<ScheduleId> uncounted = batch.count(deadline);
    batch.handOn(uncounted);
    batch.endRuns(deadline);
    batch.report(uncounted);
    return batch.failed;
  }

  /**
   * An event of a message.
   *
   * @param schedules those that still have to count it
   * @param anew whether it was received before, and what became of it told then
   * @param accepted what became of it at the schedules that have counted it
   */
  private record Pending(
      String messageId,
      Event event,
      Set<ScheduleId> schedules,
      boolean anew,
      Set<Acceptance> accepted) {

    Pending(String messageId, Event event, Set<ScheduleId> schedules, boolean anew) {
      this(messageId, event, schedules, anew, ConcurrentHashMap.newKeySet());
    }

    static List<Event> events(List<Pending> all) {
      List<Event> events = new ArrayList<>();
      all.forEach(each -> events.add(each.event()));
      return events;
    }
  }

  /** The events of some messages. */
  private final class Batch {
    final List<Pending> pending = new ArrayList<>();
    final Set<String> failed = new HashSet<>();

    void parse(Received message) {
      String id = message.messageId();
      Optional<String> namespace = message.namespace();
      Optional<Resend> resend =
          namespace.isPresent() ? Optional.empty() : Resend.read(message.body());
      if (resend.isPresent()) {
        Set<ScheduleId> rest = new LinkedHashSet<>(resend.get().schedules());
        pending.add(new Pending(id, resend.get().event(), rest, true));
        return;
      }
      ParsedMessage parsed = EventParser.parse(message.body(), id, clock.instant(), namespace);
      if (parsed instanceof ParsedMessage.Events found) {
        for (Event event : found.events()) {
          pending.add(new Pending(id, event, new LinkedHashSet<>(), false));
        }
      } else if (parsed instanceof ParsedMessage.Malformed malformed) {
        attempt(
            id,
            () -> {
              rejectedEvents.reject(message.body(), malformed.reason());
              metrics.count(Metric.EVENTS_REJECTED);
            });
      }
    }

    void findSchedules() {
      Map<String, Set<ScheduleId>> found = new HashMap<>();
      for (Pending event : pending) {
        if (event.schedules().isEmpty()) {
          attempt(event.messageId(), () -> event.schedules().addAll(find(event.event(), found)));
        }
      }
    }

    private Set<ScheduleId> find(Event event, Map<String, Set<ScheduleId>> found) {
      Set<ScheduleId> concerned = new LinkedHashSet<>();
      for (String key : event.weights().keySet()) {
        concerned.addAll(
            found.computeIfAbsent(
                event.namespace() + "|" + key,
                any -> schedules.withEventKey(event.namespace(), key)));
      }
      return concerned;
    }

    Set<ScheduleId> count(Deadline deadline) {
      Map<ScheduleId, List<Pending>> bySchedule = new LinkedHashMap<>();
      for (Pending event : pending) {
        if (!failed.contains(event.messageId())) {
          for (ScheduleId id : event.schedules()) {
            bySchedule.computeIfAbsent(id, any -> new ArrayList<>()).add(event);
          }
        }
      }
      Set<ScheduleId> uncounted = ConcurrentHashMap.newKeySet();
      Map<ScheduleId, Head> heads = readHeads(bySchedule.keySet(), uncounted);
      fanout.forEach(
          List.copyOf(bySchedule.entrySet()),
          schedule -> {
            ScheduleId id = schedule.getKey();
            if (!uncounted.contains(id)
                && (deadline.hasPassed() || !counted(heads.get(id), schedule.getValue()))) {
              uncounted.add(id);
            }
          });
      return uncounted;
    }

    private Map<ScheduleId, Head> readHeads(Set<ScheduleId> ids, Set<ScheduleId> unread) {
      try {
        Map<ScheduleId, Head> heads = schedules.heads(ids);
        definitions.of(heads.values());
        return heads;
      } catch (RuntimeException unavailable) {
        LOG.warn("the schedules that events concern cannot be read", unavailable);
        unread.addAll(ids);
        return Map.of();
      }
    }

    /** Sends what some schedules have not counted anew; where none has, the message comes again. */
    void handOn(Set<ScheduleId> uncounted) {
      for (Pending event : pending) {
        List<ScheduleId> rest = new ArrayList<>(event.schedules());
        rest.retainAll(uncounted);
        if (rest.isEmpty()) {
          continue;
        }
        if (rest.size() == event.schedules().size()) {
          failed.add(event.messageId());
        } else {
          attempt(
              event.messageId(),
              () ->
                  queue.send(Resend.of(event.event(), rest).stream().map(Resend::write).toList()));
        }
      }
    }

    /** Of events as they came; a rest that was sent anew has been through this. */
    void endRuns(Deadline deadline) {
      for (Pending event : pending) {
        if (!event.anew() && !failed.contains(event.messageId())) {
          attempt(
              event.messageId(),
              () -> {
                if (deadline.hasPassed()) {
                  throw new IllegalStateException("no time is left");
                }
                runEnds.accept(event.event());
              });
        }
      }
    }

    /** Each event once, when it is known; one that nobody could count comes again. */
    void report(Set<ScheduleId> uncounted) {
      for (Pending event : pending) {
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

    private void attempt(String messageId, Runnable step) {
      try {
        step.run();
      } catch (RuntimeException unavailable) {
        LOG.warn("message {} comes again", messageId, unavailable);
        failed.add(messageId);
      }
    }
  }

  /** Whether the schedule needs these events no more: it has counted them, or takes none. */
  private boolean counted(@Nullable Head first, List<Pending> events) {
    try {
      Head head = first;
      for (int reads = 0; reads < MOST_HEAD_READS; reads++) {
        Head present = head == null ? null : head.asOf(clock.instant());
        if (head == null || present == null || !present.collects()) {
          return true;
        }
        if (collect(present, events)) {
          return true;
        }
        head = schedules.heads(List.of(head.id())).get(head.id());
      }
      return false;
    } catch (RuntimeException unknown) {
      LOG.warn("events could not be counted", unknown);
      return false;
    }
  }

  /**
   * Events find a schedule that has become one of plain times as long as the index lags, or in a
   * message sent anew. Its fires are jobs by themselves and must not be collected as well.
   */
  private boolean collect(Head head, List<Pending> events) {
    Compiled compiled = definitions.of(List.of(head)).get(head.id());
    if (compiled == null) {
      return false;
    }
    if (compiled.schedule().trigger().isPlainTime()) {
      collector.discard(head);
      return true;
    }
    try {
      List<Acceptance> accepted = collector.collect(compiled, head, Pending.events(events));
      for (int i = 0; i < events.size(); i++) {
        events.get(i).accepted().add(accepted.get(i));
      }
      return true;
    } catch (StaleHeadException stale) {
      return false;
    }
  }
}
