package dev.carillon.runtime;

/** Delays before a request that a service has not accepted is sent again. */
public final class Backoff {

  /** How many times a request is repeated before its caller gets the failure. */
  public static final int MOST_RETRIES = 7;

  private static final long FIRST_MILLIS = 20;

  private Backoff() {}

  /**
   * Sleeps for up to 20 ms, doubled with each retry, with full jitter; about 1.3 s over all
   * retries.
   *
   * @param retry counted from 0
   */
  public static void pause(int retry) {
    long most = FIRST_MILLIS << retry;
    try {
      Thread.sleep(Randomness.below(most) + 1);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting to send again", interruption);
    }
  }
}
