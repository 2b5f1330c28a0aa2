package dev.carillon.ingest;

import dev.carillon.check.Shared;
import dev.carillon.collect.Acceptance;
import dev.carillon.collect.Collector;
import dev.carillon.collect.Collector.StaleHeadException;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts events for one schedule at a time, under its current head. */
final class ScheduleCounts {

  private static final int MOST_HEAD_READS = 5;
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleCounts.class);

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Collector collector;
  private final InstantSource clock;

  ScheduleCounts(Shared shared, InstantSource clock) {
    this.schedules = shared.schedules();
    this.definitions = shared.definitions();
    this.collector = new Collector(shared.jobs(), shared.checks(), shared.updates(), clock);
    this.clock = clock;
  }

  /**
   * Counts the events for a schedule, without those that it has counted already.
   *
   * @param first the schedule's head as it was read; null if there is none
   * @return true if the schedule has counted the events or takes no events; false if counting must
   *     be tried again
   */
  boolean count(@Nullable Head first, List<PendingEvent> events) {
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
      LOG.warn(
          "could not count events of {}; their messages will be received again",
          first == null ? "a schedule" : first.id(),
          unknown);
      return false;
    }
  }

  /**
   * Counts events in the schedule's collecting job. Events can also reach a schedule that now has
   * only time leaves: while the index lags, and in messages that were sent again. Such a schedule
   * collects nothing, because its fires become jobs directly.
   */
  private boolean collect(Head head, List<PendingEvent> events) {
    Compiled compiled = definitions.of(List.of(head)).get(head.id());
    if (compiled == null) {
      return false;
    }
    if (compiled.schedule().trigger().isPlainTime()) {
      collector.discard(head);
      return true;
    }
    try {
      List<Acceptance> accepted = collector.collect(compiled, head, PendingEvent.events(events));
      for (int i = 0; i < events.size(); i++) {
        events.get(i).accept(accepted.get(i));
      }
      return true;
    } catch (StaleHeadException stale) {
      return false;
    }
  }
}
