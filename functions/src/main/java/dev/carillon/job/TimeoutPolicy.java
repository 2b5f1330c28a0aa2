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
 * How long the jobs of a schedule wait, for their trigger and for constraints. What comes at the
 * very instant of the time-out is not too late: an event counts, and a window that opens lets the
 * job through.
 */
public record TimeoutPolicy(Schedule schedule, Head head) {

  /**
   * When a job times out if it still waits then; empty for never, and while a suspension holds jobs
   * back. A backfill's job stands for a fire of which that is long past: it waits until it launches
   * or its backfill is cancelled.
   */
  public Optional<Instant> end(JobId job) {
    Timeout timeout = schedule.timeout();
    if (timeout == null || job.isOfBackfill()) {
      return Optional.empty();
    }
    return head.life().waitEnd(job.at(), timeout.after(), job.isByHand());
  }

  /** As {@link #end}, as long as that has not come. */
  public Optional<Instant> endAhead(JobId job, Instant now) {
    return end(job).filter(end -> end.isAfter(now));
  }

  /** Whether a job that still waits is launched whatever else its constraints say. */
  public boolean launches(JobId job, Instant now) {
    return isOver(job, now, Action.LAUNCH);
  }

  /** Whether a job that still waits is over. */
  public boolean discards(JobId job, Instant now) {
    return isOver(job, now, Action.DISCARD);
  }

  private boolean isOver(JobId job, Instant now, Action action) {
    Timeout timeout = schedule.timeout();
    return timeout != null
        && timeout.action() == action
        && end(job).filter(end -> !end.isAfter(now)).isPresent();
  }

  /**
   * What those constraints say that follow from the clock, and the time-out: "not yet" looks again
   * when that comes, at the latest. A look that comes after it judges the instant at which it came,
   * too.
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
    return verdict instanceof NotYet wait && wait.lookAt() != null
        ? new NotYet(soonest(wait.lookAt(), job.id(), now), wait.reason())
        : verdict;
  }

  /** The instant, or the time-out if that comes before it. */
  public Instant soonest(Instant at, JobId job, Instant now) {
    return endAhead(job, now).filter(end -> end.isBefore(at)).orElse(at);
  }

  /** Why a job is over that the clock has found too late. */
  public Reason whyTooLate(TooLate late, Job job) {
    return late.unmet() == null
        ? Reason.of(ReasonCode.REQUEST_TIMED_OUT, after(), String.valueOf(job.lastReason()))
        : whyTooLate(late.unmet());
  }

  /** Why a job is over whose constraints did not let it through. */
  public Reason whyTooLate(String unmet) {
    return Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, after(), unmet);
  }

  /** Why a job is over whose trigger was not satisfied. */
  public Reason whyGivenUp() {
    return Reason.of(ReasonCode.TRIGGER_TIMED_OUT, after());
  }

  /** A job that goes on to its launch, with the reason if that is its time-out. */
  public Job launching(Job job, Instant now, Instant leaseEnd) {
    return job.isHeldBack() && launches(job.id(), now)
        ? job.launching(now, leaseEnd, launchedAnyway())
        : job.launching(now, leaseEnd);
  }

  /** Why a job was launched although something was missing. */
  public Reason launchedAnyway() {
    return Reason.of(ReasonCode.LAUNCHED_AT_TIMEOUT, after());
  }

  private String after() {
    Timeout timeout = schedule.timeout();
    return timeout == null ? "" : timeout.after().toString();
  }
}
