package dev.carillon.campaign.judge;

/**
 * How long the jobs of a document wait; times in milliseconds.
 *
 * @param delay the time that must pass after the trigger was satisfied before a job launches
 * @param timeout the time after the opening of a job at which it times out; 0 for none
 * @param launches whether a job launches as it is at its time-out, instead of ending
 */
public record WaitPolicy(long delay, long timeout, boolean launches, Pending pending) {

  public static final WaitPolicy NOT = new WaitPolicy(0, 0, false, Pending.QUEUE);

  /** The effect of a fire or an event while a job waits. */
  public enum Pending {
    QUEUE,
    MERGE,
    SKIP
  }

  boolean discards() {
    return timeout > 0 && !launches;
  }

  public boolean launchesAnyway() {
    return timeout > 0 && launches;
  }

  /** The longest time that a job waits if no other job holds it up. */
  long longest() {
    return launchesAnyway() ? Math.min(delay, timeout) : delay;
  }
}
