package dev.carillon.checker;

import dev.carillon.decision.JobDecision;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wake-ups to send before the messages of a pass are acknowledged. */
final class FollowUps {

  private static final Logger LOG = LoggerFactory.getLogger(FollowUps.class);

  private final Map<Subject, Instant> wakeups = new LinkedHashMap<>();
  private final Map<Subject, Instant> undecided = new HashMap<>();
  private final Instant now;

  FollowUps(Instant now) {
    this.now = now;
  }

  Map<Subject, Instant> wakeups() {
    return wakeups;
  }

  /**
   * The wake-ups since the last call, without those of subjects that cannot be read and whose
   * entries in the attention index are due. The master checks such a subject each minute. If each
   * of these checks planned another one, their number would grow.
   */
  Map<Subject, Instant> take(Jobs jobs) {
    Map<Subject, Instant> taken = new LinkedHashMap<>(wakeups);
    Map<Subject, Instant> unreadable = unreadable();
    if (!unreadable.isEmpty()) {
      Map<Subject, Instant> shownAt = shownAt(jobs, unreadable.keySet());
      unreadable.forEach(
          (subject, at) -> {
            if (!shownAt.getOrDefault(shown(subject), Instant.MAX).isAfter(now)) {
              taken.remove(subject, at);
            }
          });
    }
    wakeups.clear();
    undecided.clear();
    return taken;
  }

  /** When the attention index shows subjects; empty if it cannot be read now. */
  private static Map<Subject, Instant> shownAt(Jobs jobs, Set<Subject> subjects) {
    try {
      return jobs.attentionOf(subjects.stream().map(FollowUps::shown).distinct().toList());
    } catch (RuntimeException unavailable) {
      LOG.warn("could not read when the master checks {} subjects", subjects.size(), unavailable);
      return Map.of();
    }
  }

  /** The subject as the attention index shows it: a run as its job. */
  private static Subject shown(Subject subject) {
    return subject instanceof RunId run ? run.job() : subject;
  }

  /**
   * Adds a wake-up. If a subject has two wake-ups, only the earlier one is sent, because its check
   * determines when the next one is due.
   */
  void add(Subject subject, Instant at) {
    wakeups.merge(subject, at, (one, other) -> one.isBefore(other) ? one : other);
  }

  /** Adds the next check of a subject that cannot be decided on now. */
  void addUndecided(Subject subject, Instant at) {
    add(subject, at);
    undecided.put(subject, at);
  }

  /** Adds the next check of a subject that cannot be read now. */
  void addUnreadable(Subject subject) {
    addUndecided(subject, now.plus(JobDecision.UNREADABLE_PAUSE));
  }

  /** Those of the undecided subjects that cannot be read. A job whose lease lasts can be read. */
  private Map<Subject, Instant> unreadable() {
    Map<Subject, Instant> unreadable = new HashMap<>(undecided);
    unreadable.values().removeIf(now.plus(JobDecision.UNREADABLE_PAUSE)::isAfter);
    return unreadable;
  }

  /** The wake-ups without the next checks of subjects that cannot be read. */
  Map<Subject, Instant> ofReadable() {
    Map<Subject, Instant> readable = new LinkedHashMap<>(wakeups);
    unreadable().forEach(readable::remove);
    return readable;
  }

  /** The wake-ups without the next checks of subjects that could not be decided on. */
  Map<Subject, Instant> ofDecided() {
    Map<Subject, Instant> decided = new LinkedHashMap<>(wakeups);
    undecided.forEach(decided::remove);
    return decided;
  }

  void addAll(Map<Subject, Instant> more) {
    more.forEach(this::add);
  }

  /**
   * Like {@link #add}, unless the instant is so far away that the attention index alone carries the
   * wake-up.
   */
  void addIfNear(Subject subject, Instant at) {
    if (Wakeup.plan(at, now).isInMessage()) {
      add(subject, at);
    }
  }

  /** Wakes the backfill of a job that has ended, so that it counts the job and continues. */
  void endOf(Job job) {
    if (job.isEnded()) {
      job.id().backfill().ifPresent(backfill -> add(backfill, now));
    }
  }

  /**
   * Leaves a job to the writer that has changed it. The job is checked again at two instants: when
   * the next report of a tracked run is due, and at the end of the lease of another checker, which
   * may still be launching the job. The current message may be the only one that carries these
   * wake-ups.
   */
  void leaveToOther(Job job) {
    endOf(job);
    Instant reportBy = job.reportBy();
    if (job.isBeingLaunched(now)) {
      add(job.id(), Objects.requireNonNull(job.launchingUntil()));
    } else if (job.isConcluding()) {
      add(job.runId(), now);
    } else if (job.run() != null && reportBy != null) {
      add(job.runId(), reportBy);
    }
  }

  /**
   * Handles a job that another writer has changed first. A job that still waits is checked again,
   * at once or when its retry is due: the rest of this check may still have to be done. That writer
   * may also die before it has sent its own follow-up checks, and the current message may be the
   * only one that names the job.
   */
  void lostRace(Job present) {
    if (present.state() == JobState.PENDING_CONSTRAINT || present.isReady()) {
      add(present.id(), now);
    } else if (present.state() == JobState.RETRY_WAIT) {
      addIfNear(present.runId(), Objects.requireNonNull(present.notBefore()));
    } else {
      leaveToOther(present);
    }
  }

  /**
   * Adds the next wake-up of a job that was stored as waiting.
   *
   * @param timeout when the job times out; empty for never
   */
  void waiting(Job job, Optional<Instant> timeout) {
    JobId id = job.id();
    boolean isUntilTimeout = job.waitsAt() != null || job.isReady();
    Optional<Instant> next = isUntilTimeout ? timeout : Optional.ofNullable(job.notBefore());
    next.ifPresent(at -> addIfNear(id, at));
  }
}
