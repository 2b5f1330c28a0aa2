package dev.carillon.campaign.scenario;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;

/**
 * The behaviour of the workers of tracked jobs, and the requests of callers about these jobs.
 *
 * @param seed the seed of what is drawn
 * @param behaviours the behaviours for the first deliveries, in order
 * @param requests the requests of callers
 * @param isDrawn whether the behaviours for all further deliveries are drawn; otherwise they
 *     succeed
 * @param usesQueue whether some reports are messages of the report queue
 * @param pulls how workers pull from the pool
 */
public record WorkerPlan(
    long seed,
    List<Behaviour> behaviours,
    List<JobRequest> requests,
    boolean isDrawn,
    boolean usesQueue,
    PullPlan pulls) {

  /** A plan in which no worker pulls. */
  public WorkerPlan(
      long seed,
      List<Behaviour> behaviours,
      List<JobRequest> requests,
      boolean isDrawn,
      boolean usesQueue) {
    this(seed, behaviours, requests, isDrawn, usesQueue, PullPlan.NONE);
  }

  /** A plan in which all reports are requests over HTTP. */
  public WorkerPlan(
      long seed, List<Behaviour> behaviours, List<JobRequest> requests, boolean isDrawn) {
    this(seed, behaviours, requests, isDrawn, false);
  }

  /** A plan without workers. */
  public static final WorkerPlan NONE = new WorkerPlan(0, List.of(), List.of(), false);

  public WorkerPlan {
    behaviours = List.copyOf(behaviours);
    requests = List.copyOf(requests);
  }

  /** This plan, with workers that pull. */
  public WorkerPlan pulling(PullPlan plan) {
    return new WorkerPlan(seed, behaviours, requests, isDrawn, usesQueue, plan);
  }

  /** What a worker does with a delivery. */
  public enum Behaviour {
    /** Sends heartbeats, and reports success. */
    SUCCEEDS,
    /** Reports a failure that can be retried. */
    FAILS,
    /** Reports a failure that is final. */
    FAILS_FOR_GOOD,
    /** Dies with the message, which is delivered again. */
    DIES_AFTER_RECEIVE,
    /** Deletes the message, and dies before it claims. */
    DIES_BEFORE_CLAIM,
    DIES_AFTER_CLAIM,
    DIES_IN_THE_MIDDLE,
    /** Is paused for longer than its claim lives, and reports success then. */
    STALLS,
    /** Is paused for longer than its claim lives, and reports a failure then. */
    STALLS_AND_FAILS,
    /** Sends heartbeats for longer than a run may take. */
    LINGERS,
    /** A second worker claims the attempt as well, and the first worker claims it again. */
    CLAIMS_TWICE,
    /** Reports the end again, some time after the first report was answered. */
    REPORTS_TWICE,
    /** Sends the reports of a run in any order, and two different ends. */
    REPORTS_IN_DISORDER,
    /** Reports with tokens of earlier claims of the job, and with one that never existed. */
    USES_OLD_TOKENS
  }

  /**
   * A request of a caller about a job.
   *
   * @param kind CANCEL or RETRY
   * @param job the number of the job among those that have arrived by then
   */
  public record JobRequest(long at, Kind kind, int job) {}
}
