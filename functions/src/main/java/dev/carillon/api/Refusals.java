package dev.carillon.api;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.pool.PoolQueue;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What queues refuse, as troubles of the status: one example of each kind. */
final class Refusals {

  private enum Kind {
    LAUNCH,
    MOVE,
    CALLBACK;

    /** What of the job was refused and is sent again; null for nothing. */
    static @Nullable Kind of(Job job) {
      if (job.isRefused()) {
        return job.isReady() ? MOVE : LAUNCH;
      }
      return job.callbackAt() == null ? null : CALLBACK;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final Schedules schedules;
  private final Map<JobState, Integer> unfinished;
  private final Map<Kind, String> troubles = new EnumMap<>(Kind.class);

  Refusals(Schedules schedules, Map<JobState, Integer> unfinished) {
    this.schedules = schedules;
    this.unfinished = unfinished;
  }

  /** Whether there is an example of each kind, so that further jobs add nothing. */
  boolean isComplete() {
    return troubles.size() == Kind.values().length;
  }

  void add(Job job) {
    Kind kind = Kind.of(job);
    if (kind != null) {
      troubles.computeIfAbsent(kind, it -> trouble(it, job));
    }
  }

  Collection<String> troubles() {
    return troubles.values();
  }

  private String trouble(Kind kind, Job job) {
    ScheduleId schedule = job.id().schedule();
    int waiting = unfinished.getOrDefault(job.state(), 0);
    String example = "for example that of %s, of the schedule %s".formatted(job.id(), schedule);
    return switch (kind) {
      case LAUNCH ->
          "jobs in PENDING_CONSTRAINT: %d; some launches are refused, %s to the queue %s: %s"
              .formatted(waiting, example, queue(job.id(), "/target/queue"), job.lastReason());
      case MOVE ->
          "jobs in READY: %d; some moves into queues of pools are refused, %s in the pool %s: %s"
              .formatted(waiting, example, PoolQueue.pool(job).name(), job.lastReason());
      case CALLBACK ->
          "some callbacks are refused, %s to the queue %s: %s"
              .formatted(
                  example,
                  queue(job.id(), "/onEnd/queue"),
                  Objects.requireNonNull(job.callback()).trouble());
    };
  }

  /** The queue at a place of the job's document; a phrase if the document cannot be read. */
  private String queue(JobId job, String pointer) {
    ScheduleId schedule = job.schedule();
    try {
      return schedules
          .find(schedule)
          .filter(it -> it.head().generation() == job.generation())
          .map(it -> it.definition().document().at(pointer).asText())
          .orElse("of its former definition");
    } catch (UnreadableSchedules damaged) {
      LOG.warn("{} cannot be read to name its queue", schedule, damaged);
      return "of its damaged definition";
    }
  }
}
