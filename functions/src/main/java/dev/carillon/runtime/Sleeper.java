package dev.carillon.runtime;

import java.time.Duration;

/** Waits until a check is due. */
@FunctionalInterface
public interface Sleeper {

  /**
   * Waits at least for a duration.
   *
   * @throws Interrupted if the thread is interrupted; the thread stays interrupted
   */
  void sleep(Duration rest);

  /** The wait was broken off because the process ends. */
  final class Interrupted extends IllegalStateException {
    public Interrupted(InterruptedException cause) {
      super("interrupted while sleeping", cause);
    }
  }
}
