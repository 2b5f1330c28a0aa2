package dev.carillon.runtime;

/** The delays before a further try of a request that a service has not accepted. */
public final class Backoff {

  /** How many times a request is repeated before its caller gets the failure. */
  public static final int MOST_RETRIES = 7;

  private static final long FIRST_MILLIS = 20;

  private Backoff() {}

  /**
   * Sleeps for a random time up to a limit (full jitter). The limit is 20 ms and doubles with each
   * retry. All retries together take about 1.3 s on average.
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
