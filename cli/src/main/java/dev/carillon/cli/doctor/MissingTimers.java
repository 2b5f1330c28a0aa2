package dev.carillon.cli.doctor;

import dev.carillon.cli.session.Busy;
import dev.carillon.client.Job;
import dev.carillon.client.Namespace;
import dev.carillon.client.Page;
import dev.carillon.client.Preview;
import dev.carillon.client.StoredSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds schedules whose fires passed without a job. {@code nextFire} does not show this, because it
 * is always later than now.
 */
final class MissingTimers {

  /** How far back fires are examined. A timer that was lost in this time is found. */
  private static final Duration LOOKED_BACK = Duration.ofHours(24);

  private final Namespace namespace;
  private final Instant from;
  private final Instant to;
  private final Consumer<Duration> pause;

  /**
   * @param to the instant up to which each fire has its job
   * @param pause waits before a request that was throttled is sent again
   */
  MissingTimers(Namespace namespace, Instant now, Instant to, Consumer<Duration> pause) {
    this.namespace = namespace;
    this.from = now.minus(LOOKED_BACK);
    this.to = to;
    this.pause = pause;
  }

  /**
   * Whether a fire has no job, although it was due long enough ago. Fires from before the schedule
   * was last stored or resumed are not examined. Fires from before the last change of the newest
   * job are not examined either. Some of them have no job of their own: they were merged into that
   * job, dropped while it waited, or skipped by {@code catchUp}.
   */
  boolean concerns(StoredSchedule schedule) {
    Instant start = later(from, began(schedule));
    Page<Job> jobs = Busy.repeat(pause, () -> namespace.jobs(schedule.name(), null, 1, null));
    for (Job newest : jobs.items()) {
      if (isUnfinished(newest)) {
        return false;
      }
      start = later(start, lastChange(newest));
    }
    Instant first = start;
    if (!first.isBefore(to)) {
      return false;
    }
    List<Preview.Fire> next =
        Busy.repeat(pause, () -> namespace.preview(schedule.name(), first, 1)).fires();
    return !next.isEmpty() && !next.get(0).scheduledFor().isAfter(to);
  }

  /** A server of an older version does not show when a schedule was resumed. */
  private static Instant began(StoredSchedule schedule) {
    Instant resumed = schedule.activeSince();
    return resumed == null ? schedule.updatedAt() : resumed;
  }

  private static boolean isUnfinished(Job job) {
    return switch (job.state()) {
      case LAUNCHED, SUCCEEDED, FAILED, SKIPPED, TIMED_OUT, CANCELLED -> false;
      default -> true;
    };
  }

  private static Instant lastChange(Job job) {
    Instant last = job.scheduledFor() == null ? Instant.MIN : job.scheduledFor();
    for (Job.Transition transition : job.transitions()) {
      last = later(last, transition.at());
    }
    return last;
  }

  private static Instant later(Instant first, Instant second) {
    return second.isAfter(first) ? second : first;
  }
}
