package dev.carillon.job;

import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.Verdict;
import dev.carillon.constraint.Verdict.Never;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.constraint.Verdict.Satisfied;
import dev.carillon.constraint.Verdict.TooLate;
import dev.carillon.id.JobId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Timeout;
import dev.carillon.schedule.Timeout.Action;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How long the jobs of a schedule wait for their trigger and for constraints. The instant of the
 * time-out itself is still in time: an event at this instant counts, and a window that opens at
 * this instant lets the job launch.
 */
public record TimeoutPolicy(Schedule schedule, Head head) {

  /**
   * When a job times out if it still waits; empty if it never does, or while a suspension holds
   * jobs. A job of a backfill never times out, because its fire passed long ago: it waits until it
   * launches or its backfill is cancelled.
   */
  public Optional<Instant> end(JobId job) {
    Timeout timeout = schedule.timeout();
    if (timeout == null || job.isOfBackfill()) {
      return Optional.empty();
    }
    return head.life().waitEnd(job.at(), timeout.after(), job.isManual());
  }

  /** Like {@link #end}, but empty if that instant has passed. */
  public Optional<Instant> endAhead(JobId job, Instant now) {
    return end(job).filter(end -> end.isAfter(now));
  }

  /** Whether a job that still waits has timed out and is launched in spite of its constraints. */
  public boolean launches(JobId job, Instant now) {
    return hasPassed(job, now, Action.LAUNCH);
  }

  /** Whether a job that still waits has timed out and ends. */
  public boolean discards(JobId job, Instant now) {
    return hasPassed(job, now, Action.DISCARD);
  }

  private boolean hasPassed(JobId job, Instant now, Action action) {
    Timeout timeout = schedule.timeout();
    return timeout != null
        && timeout.action() == action
        && end(job).filter(end -> !end.isAfter(now)).isPresent();
  }

  /**
   * Checks the constraints of the clock, and the time-out. The next check of a job that must wait
   * is not later than its time-out. If the time-out discards the job and has passed, the
   * constraints must hold now and also at the instant of the time-out.
   */
  public Verdict byClock(Job job, Instant now) {
    Constraints constraints = schedule.constraints();
    if (discards(job.id(), now) && job.isRefused()) {
      return new TooLate(null);
    }
    if (constraints.isEmpty() || job.ignoresConstraints() || launches(job.id(), now)) {
      return new Satisfied();
    }
    Verdict verdict = constraints.byClock(job.triggeredAt(), now);
    if (discards(job.id(), now) && !(verdict instanceof Never)) {
      Verdict then = constraints.byClock(job.triggeredAt(), end(job.id()).orElse(now));
      return Stream.of(then, verdict)
          .filter(NotYet.class::isInstance)
          .findFirst()
          .<Verdict>map(unmet -> new TooLate(((NotYet) unmet).reason()))
          .orElse(verdict);
    }
    return verdict instanceof NotYet wait && wait.checkAt() != null
        ? new NotYet(soonest(wait.checkAt(), job.id(), now), wait.reason())
        : verdict;
  }

  /** The instant, or the job's time-out if that is earlier. */
  public Instant soonest(Instant at, JobId job, Instant now) {
    return endAhead(job, now).filter(end -> end.isBefore(at)).orElse(at);
  }

  /** The reason of a job that ends because its time-out passed. */
  public Reason whyTooLate(TooLate late, Job job) {
    return late.unmet() == null
        ? Reason.of(ReasonCode.REQUEST_TIMED_OUT, after(), String.valueOf(job.lastReason()))
        : whyTooLate(late.unmet());
  }

  /** The reason of a job that ends because its constraints did not hold in time. */
  public Reason whyTooLate(String unmet) {
    return Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, after(), unmet);
  }

  /** The reason of a job that ends because its trigger was not satisfied in time. */
  public Reason whyGivenUp() {
    return Reason.of(ReasonCode.TRIGGER_TIMED_OUT, after());
  }

  /**
   * A checker leases the job. If the job launches at its time-out, that is recorded as the reason.
   */
  public Job launching(Job job, Instant now, Instant leaseEnd) {
    return job.isBlocked() && launches(job.id(), now)
        ? job.launching(now, leaseEnd, launchedAnyway())
        : job.launching(now, leaseEnd);
  }

  /** The reason of a job that launches at its time-out. */
  public Reason launchedAnyway() {
    return Reason.of(ReasonCode.LAUNCHED_AT_TIMEOUT, after());
  }

  private String after() {
    Timeout timeout = schedule.timeout();
    return timeout == null ? "" : timeout.after().toString();
  }
}
