package dev.carillon.campaign.scenario;

import java.util.List;

/**
 * How workers pull jobs from the pool.
 *
 * @param pullers how many workers pull concurrently; 0 for none
 * @param fates the fates of the first requests, in order
 * @param isDrawn whether the fates of later requests, and the ways in which they are sent, are
 *     drawn; otherwise the worker carries out the jobs of each request
 */
public record PullPlan(int pullers, List<Fate> fates, boolean isDrawn) {

  /** Nothing is pulled. */
  public static final PullPlan NONE = new PullPlan(0, List.of(), false);

  public PullPlan {
    fates = List.copyOf(fates);
  }

  /** What happens to a request and to the jobs that it gets. */
  public enum Fate {
    /** The worker carries the jobs out. */
    WORKS,
    /** The worker dies with the answer. */
    DIES,
    /** The answer is lost, and the worker sends the same request again. */
    LOSES_ANSWER,
    /** The answer is lost, and the worker goes on with another request. */
    FORGETS,
    /** The worker sends the same request again while it carries the jobs out. */
    REPEATS,
    /** The worker sends the same request twice at the same time. */
    SENDS_TWICE,
    /** The request has no id, so it is not repeated. */
    HAS_NO_ID
  }
}
