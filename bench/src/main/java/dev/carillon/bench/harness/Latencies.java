package dev.carillon.bench.harness;

import java.util.Arrays;

/** How long after an instant each of some things happened, in milliseconds; negative: before. */
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
   * @param percent of the things that happened within the result, above 0
   * @return in seconds
   */
  public double percentile(double percent) {
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, rank) - 1] / MILLIS_A_SECOND;
  }

  /** In seconds. */
  public double max() {
    return sorted[sorted.length - 1] / MILLIS_A_SECOND;
  }

  /** How many happened before the instant. */
  public int early() {
    return (int) Arrays.stream(sorted).filter(millis -> millis < 0).count();
  }

  /** Counted from the instant, or from the first if that was earlier, to the last. */
  public double perSecond() {
    long from = Math.min(0, sorted[0]);
    long span = Math.max(1, sorted[sorted.length - 1] - from);
    return sorted.length * MILLIS_A_SECOND / span;
  }
}
