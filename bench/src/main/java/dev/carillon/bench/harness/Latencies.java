package dev.carillon.bench.harness;

import java.util.Arrays;

/** Latencies relative to an instant, in milliseconds; negative before the instant. */
public final class Latencies {

  private static final double MILLIS_A_SECOND = 1_000;

  private final long[] sorted;

  public Latencies(long[] millis) {
    sorted = millis.clone();
    Arrays.sort(sorted);
  }

  public int count() {
    return sorted.length;
  }

  /**
   * The nearest-rank percentile.
   *
   * @param percent the share of values that are not above the result; greater than 0
   * @return in seconds
   */
  public double percentile(double percent) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, rank) - 1] / MILLIS_A_SECOND;
  }

  /** The largest latency in seconds. */
  public double max() {
    return sorted[sorted.length - 1] / MILLIS_A_SECOND;
  }

  /** The number of values before the instant. */
  public int early() {
    return (int) Arrays.stream(sorted).filter(millis -> millis < 0).count();
  }

  /**
   * The number of values per second. The time begins at the instant, or at the first value if that
   * is earlier, and ends at the last value.
   */
  public double perSecond() {
    long from = Math.min(0, sorted[0]);
    long span = Math.max(1, sorted[sorted.length - 1] - from);
    return sorted.length * MILLIS_A_SECOND / span;
  }
}
