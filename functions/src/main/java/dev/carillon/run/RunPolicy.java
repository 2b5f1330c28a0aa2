package dev.carillon.run;

/**
 * How the runs of a schedule's jobs are tracked and retried. A job keeps the policy of its first
 * launch, because its schedule can be replaced while it runs.
 */
public record RunPolicy(Tracking tracking, RetryPolicy retry) {

  public static final RunPolicy USUAL = new RunPolicy(Tracking.USUAL, RetryPolicy.USUAL);
}
