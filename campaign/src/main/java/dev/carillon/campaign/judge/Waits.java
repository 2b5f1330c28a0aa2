package dev.carillon.campaign.judge;

/**
 * How the jobs of a document wait; times in milliseconds.
 *
 * @param delay after the trigger was satisfied before which none is launched
 * @param timeout after a job was opened; 0 for none
 * @param launches whether what has waited for so long is launched as it is, rather than given up
 */
public record Waits(long delay, long timeout, boolean launches, Pending pending) {

  public static final Waits NOT = new Waits(0, 0, false, Pending.QUEUE);

  /** What a fire or an event does while a job waits. */
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

  /** What a job may be held back by itself. */
  long longest() {
    return launchesAnyway() ? Math.min(delay, timeout) : delay;
  }
}
