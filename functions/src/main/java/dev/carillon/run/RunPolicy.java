package dev.carillon.run;

import java.util.List;

/**
 * How the runs of a schedule's jobs are tracked and retried, and what operations they consist of. A
 * job keeps the policy of its first launch, because its schedule can be replaced while the job
 * runs.
 *
 * @param operations the operations; empty for none
 */
public record RunPolicy(Tracking tracking, RetryPolicy retry, List<Operation> operations) {

  public static final RunPolicy USUAL = new RunPolicy(Tracking.USUAL, RetryPolicy.USUAL, List.of());

  /** The policy with the operations of a launch instead of those of the schedule. */
  public RunPolicy with(List<Operation> own) {
    return new RunPolicy(tracking, retry, own);
  }
}
