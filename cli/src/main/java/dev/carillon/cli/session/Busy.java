package dev.carillon.cli.session;

import dev.carillon.client.CarillonException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends a request again while the API is busy. */
public final class Busy {

  private static final int MOST_TRIES = 5;

  private Busy() {}

  /**
   * The answer to a request that is safe to repeat.
   *
   * @param pause waits before the request is sent again
   * @throws CarillonException.Unavailable if the API is still busy after several tries
   */
  public static <T> T repeat(Consumer<Duration> pause, Supplier<T> request) {
    for (int tries = 1; ; tries++) {
      try {
        return request.get();
      } catch (CarillonException.Unavailable busy) {
        if (tries == MOST_TRIES) {
          throw busy;
        }
        pause.accept(busy.retryAfter());
      }
    }
  }
}
