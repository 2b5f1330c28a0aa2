package dev.carillon.campaign.scenario;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;

/**
 * What the workers of tracked jobs do, and what callers ask of these jobs.
 *
 * @param seed determines what is drawn
 * @param behaviours of the first deliveries, in order; the behaviour of all others is drawn
 * @param requests of callers
 * @param isDrawn whether deliveries after the first ones behave at random; otherwise they succeed
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

  /** Workers that pull nothing. */
  public WorkerPlan(
      long seed,
      List<Behaviour> behaviours,
      List<JobRequest> requests,
      boolean isDrawn,
      boolean usesQueue) {
    this(seed, behaviours, requests, isDrawn, usesQueue, PullPlan.NONE);
  }

  /** Workers whose reports are requests. */
  public WorkerPlan(
      long seed, List<Behaviour> behaviours, List<JobRequest> requests, boolean isDrawn) {
    this(seed, behaviours, requests, isDrawn, false);
  }

  /** No workers. */
  public static final WorkerPlan NONE = new WorkerPlan(0, List.of(), List.of(), false);

  public WorkerPlan {
    behaviours = List.copyOf(behaviours);
    requests = List.copyOf(requests);
  }

  /** These workers, of which some pull. */
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
    /** A second worker claims the attempt as well, and the first claims it once more. */
    CLAIMS_TWICE,
    /** Reports its end again, some time after that was answered. */
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
