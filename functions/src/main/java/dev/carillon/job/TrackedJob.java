package dev.carillon.job;

import dev.carillon.run.Claim;
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a tracked job whose attempt goes on. Its pool, its worker or a caller makes them.
 * The methods return the job's next version, as the methods of {@link Job} do.
 */
public final class TrackedJob {

  private TrackedJob() {}

  /**
   * The job keeps waiting in its pool, without the delay after a refused move.
   *
   * @param attention when the master sends a check of the job; null for never
   */
  public static Job undelayed(Job job, @Nullable Instant attention) {
    return job.with(job.version() + 1, job.delivery(), new Wait.InPool(null, attention));
  }

  /** The pool has chosen the job: its attempt counts for the limit of its customer. */
  public static Job counted(Job job) {
    Place place = Objects.requireNonNull(job.place());
    Place counted = new Place(place.pool(), place.since(), true);
    return job.with(job.delivery().with(job.requiredRun().with(counted)));
  }

  /** The request of the attempt is rendered for a worker that pulls, with values missing. */
  public static Job noted(Job job, String missing, Instant now) {
    Reason reason = Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, missing);
    return job.withTransitions(
        Transition.append(job.transitions(), new Transition(now, job.state(), reason)));
  }

  /**
   * A worker has claimed the attempt, which proves that its request was sent.
   *
   * @param until when its first report is due
   */
  public static Job claimed(Job job, Claim claim, Instant now, Instant until) {
    Instant launched = job.launchedAt() == null ? now : job.launchedAt();
    Delivery held = job.delivery().accepted(launched).with(job.requiredRun().with(claim));
    Reason reason = Reason.of(ReasonCode.CLAIMED, claim.worker());
    Wait report = new Wait.Report(until, null);
    return job.next(JobState.CLAIMED, now, reason, held, report, job.ticket());
  }

  /**
   * A report of the worker was accepted: the run goes on.
   *
   * @param until when the next report is due
   */
  public static Job goesOn(Job job, Run reported, Instant now, Instant until) {
    Wait report = new Wait.Report(until, null);
    Delivery delivery = job.delivery().with(reported);
    Job running = job.next(JobState.RUNNING, now, null, delivery, report, job.ticket());
    return job.state() == JobState.RUNNING ? running.withTransitions(job.transitions()) : running;
  }

  /** The worker is asked to stop with its next report. */
  public static Job cancelRequested(Job job, Instant now, Reason reason) {
    Delivery asked = job.delivery().with(job.requiredRun().cancelRequested());
    return job.next(job.state(), now, reason, asked, job.waitsFor(), job.ticket());
  }
}
