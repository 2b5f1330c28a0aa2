package dev.carillon.bench.burst;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** The runs of a burst of work, which the handlers of the compared schedulers report here. */
final class Runs {

  private static final int STORED_A_SECOND = 500;
  private static final Duration HEAD_START = Duration.ofSeconds(12);
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int SLOWEST_A_SECOND = 100;

  private final Instant due;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLongArray lateMillis;

  private Runs(Instant due, int number) {
    this.due = due;
    this.lateMillis = new AtomicLongArray(number);
  }

  /** A burst that is due late enough: all its work can be stored before it is due. */
  static Runs of(int number) {
    return new Runs(dueAfterStoring(number), number);
  }

  static Instant dueAfterStoring(int number) {
    return Instant.now()
        .plus(HEAD_START)
        .plusSeconds(number / STORED_A_SECOND)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  static Duration longest(int number) {
    return LONGEST.plusSeconds(number / SLOWEST_A_SECOND);
  }

  Instant due() {
    return due;
  }

  /** Records that one unit of work runs now. */
  void ran() {
    int number = count.getAndIncrement();
    if (number < lateMillis.length()) {
      lateMillis.set(number, Instant.now().toEpochMilli() - due.toEpochMilli());
    }
  }

  /** Waits until all work ran, or until the longest time of a burst has passed. */
  void await() {
    Waiting.comesTrue(longest(lateMillis.length()), () -> count.get() >= lateMillis.length());
  }

  /** Checks that storing ended before the due instant. */
  void requireInTime() {
    if (Instant.now().isAfter(due)) {
      throw new CannotRun(
          "storing the work took too long: it fell due before the scheduler was started");
    }
  }

  /**
   * The latencies. This must be called after all work has ended.
   *
   * @return the latencies of the work that ran; fewer than were due if the burst did not finish
   */
  Latencies latencies() {
    int ran = count.get();
    if (ran > lateMillis.length()) {
      throw new IllegalStateException(ran + " runs instead of " + lateMillis.length());
    }
    if (ran == 0) {
      throw new CannotRun("no work ran within " + longest(lateMillis.length()).toSeconds() + " s");
    }
    long[] all = new long[ran];
    Arrays.setAll(all, lateMillis::get);
    return new Latencies(all);
  }
}
