package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The wake-ups that have to be sent before the messages of a pass are acknowledged. */
final class FollowUps {

  private final Map<Subject, Instant> wakeups = new LinkedHashMap<>();
  private final Instant now;

  FollowUps(Instant now) {
    this.now = now;
  }

  Map<Subject, Instant> wakeups() {
    return wakeups;
  }

  void add(Subject subject, Instant at) {
    wakeups.put(subject, at);
  }

  void addAll(Map<Subject, Instant> more) {
    wakeups.putAll(more);
  }

  /** As {@link #add}, unless the attention index alone carries a wake-up for that instant. */
  void addIfNear(Subject subject, Instant at) {
    if (Wakeup.plan(at, now).isInMessage()) {
      add(subject, at);
    }
  }

  /** Has the backfill of a job that has ended count it, and go on. */
  void endOf(Job job) {
    if (job.isEnded()) {
      job.id().backfill().ifPresent(backfill -> add(backfill, now));
    }
  }

  /** A job that another checker may still be launching is checked when that one's lease ends. */
  void leaveToOther(Job job) {
    endOf(job);
    if (job.isBeingLaunched(now)) {
      add(job.id(), Objects.requireNonNull(job.launchingUntil()));
    }
  }

  /**
   * Another writer has changed the job. If it only merged events into the job, or put off the check
   * of one that waits at a gate, the rest of the check is still to be done.
   */
  void lostRace(Job before, Job present) {
    boolean hasGrown = !Objects.equals(before.triggerState(), present.triggerState());
    boolean waitsAsBefore =
        before.waitsAt() != null && Objects.equals(before.waitsAt(), present.waitsAt());
    boolean isUndone =
        present.state() == JobState.PENDING_CONSTRAINT
            && before.state() == JobState.PENDING_CONSTRAINT
            && (hasGrown || waitsAsBefore);
    if (isUndone) {
      add(present.id(), now);
    } else {
      leaveToOther(present);
    }
  }

  /**
   * A job that waits, and is stored so.
   *
   * @param timeout when it times out; empty for never
   */
  void waiting(Job job, Optional<Instant> timeout) {
    JobId id = job.id();
    Optional<Instant> next = job.waitsAt() == null ? Optional.ofNullable(job.notBefore()) : timeout;
    next.ifPresent(at -> addIfNear(id, at));
  }
}
