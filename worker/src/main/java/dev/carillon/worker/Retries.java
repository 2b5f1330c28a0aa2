package dev.carillon.worker;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Sends a request again while its failure is temporary, for a bounded time. */
final class Retries {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Time time;
  private final Backoff backoff;
  private volatile boolean isAbandoned;

  Retries(Time time, Backoff backoff) {
    this.time = time;
    this.backoff = backoff;
  }

  /** A failure after which the request is sent again. */
  interface Observer {
    void failed(RuntimeException failure);
  }

  /** From now on, a call ends with its first failure. */
  void abandon() {
    isAbandoned = true;
  }

  /**
   * The answer to a request.
   *
   * @param mayGoOn whether another try is still worth while
   * @throws RuntimeException the last failure
   */
  <T> T call(BooleanSupplier mayGoOn, Observer observer, Supplier<T> request)
      throws InterruptedException {
    long began = time.now();
    for (int failures = 1; ; failures++) {
      try {
        return request.get();
      } catch (RuntimeException failure) {
        if (!Refusals.isTemporary(failure)
            || isAbandoned
            || !mayGoOn.getAsBoolean()
            || time.now() - began >= LONGEST.toNanos()) {
          throw failure;
        }
        observer.failed(failure);
        Duration left = LONGEST.minusNanos(time.now() - began);
        time.sleep(Refusals.pause(failure, backoff.pause(failures), left));
      }
    }
  }
}
