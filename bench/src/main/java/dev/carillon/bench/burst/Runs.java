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

/** The runs of work that is due at one second: what the peers' empty handlers call. */
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

  /** Due when everything can be stored long before. */
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

  /** Notes that a piece of work runs now. */
  void ran() {
    int number = count.getAndIncrement();
    if (number < lateMillis.length()) {
      lateMillis.set(number, Instant.now().toEpochMilli() - due.toEpochMilli());
    }
  }

  /** Returns when all ran, or when a burst has taken as long as any is waited for. */
  void await() {
    Waiting.comesTrue(longest(lateMillis.length()), () -> count.get() >= lateMillis.length());
  }

  /** To be called when everything is stored. */
  void requireInTime() {
    if (Instant.now().isAfter(due)) {
      throw new CannotRun("storing the work took so long that it was due before the start");
    }
  }

  /**
   * To be called when nothing runs any more.
   *
   * @return of those that ran; fewer than were due if the burst was given up
   */
  Latencies latencies() {
    int ran = count.get();
    if (ran > lateMillis.length()) {
      throw new IllegalStateException(ran + " runs instead of " + lateMillis.length());
    }
    if (ran == 0) {
      throw new CannotRun("nothing ran in " + longest(lateMillis.length()).toSeconds() + " s");
    }
    long[] all = new long[ran];
    Arrays.setAll(all, lateMillis::get);
    return new Latencies(all);
  }
}
