package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a pass that no launch waits for: it collects fires, announces the ends of jobs, and
 * ends schedules.
 */
final class DeferredWork {

  private static final Logger LOG = LoggerFactory.getLogger(DeferredWork.class);

  private final CheckServices services;
  private final CheckSnapshot snapshot;
  private final Instant now;
  private final Map<ScheduleId, Instant> collecting = new LinkedHashMap<>();
  private final List<Job> ended = new ArrayList<>();

  DeferredWork(CheckServices services, CheckSnapshot snapshot, Instant now) {
    this.services = services;
    this.snapshot = snapshot;
    this.now = now;
  }

  /** Adds that the schedule's collecting job takes its fires up to {@code due}. */
  void collect(ScheduleId schedule, Instant due) {
    collecting.merge(schedule, due, (one, other) -> one.isAfter(other) ? one : other);
  }

  /** Adds that the end of a job is announced. */
  void conclude(Job job) {
    ended.add(job);
  }

  boolean isEmpty() {
    return collecting.isEmpty() && ended.isEmpty() && exhausted().isEmpty();
  }

  /** Does the work. Fires are collected, and schedules are ended, in parallel. */
  void run(IndependentSteps steps) {
    steps.run(() -> services.fanout().forEach(List.copyOf(collecting.keySet()), this::collect));
    steps.run(() -> services.ends().conclude(ended));
    steps.run(() -> services.completion().complete(exhausted(), now));
  }

  /**
   * Collects the fires of a schedule, or ends its collecting job. If something that this needs
   * cannot be read, a later check repeats it.
   */
  private void collect(ScheduleId schedule) {
    Head head = snapshot.heads().get(schedule);
    if (head == null) {
      return;
    }
    Instant due = collecting.getOrDefault(schedule, now);
    try {
      collect(head, due);
    } catch (UnreadableItems | UnreadableJobs damaged) {
      LOG.warn("the fires of {} cannot be collected; it is checked again", head.id(), damaged);
      NextMinute.check(services.shared().timers(), head, services.presentFrom(due));
    }
  }

  private void collect(Head head, Instant due) {
    Compiled known = snapshot.compiled().get(head.id());
    if (head.collects() && known != null && !known.schedule().trigger().isPlainTime()) {
      services.collector().advance(known, head, due);
    } else {
      end(head, known != null && !known.schedule().usesCollectingJob());
    }
  }

  /** Ends a collecting job. If that fails, the message is received again. */
  private void end(Head head, boolean isDropped) {
    OptionalInt cancelled =
        isDropped ? services.collector().drop(head) : services.collector().discard(head);
    if (cancelled.isEmpty()) {
      throw new IllegalStateException(
          "the collecting job of " + head.id() + " is changed too often by other writers");
    }
  }

  /** The schedules that the pass found exhausted. */
  List<Exhausted> exhausted() {
    return Completion.among(snapshot.heads(), snapshot.compiled(), now);
  }
}
