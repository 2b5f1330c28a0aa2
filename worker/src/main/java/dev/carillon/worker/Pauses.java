package dev.carillon.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The pauses of a polling thread. Only the end of the polling interrupts a pause. */
final class Pauses {

  private final WaitingRequests waiting;
  private final Time time;
  private volatile @Nullable Thread pausing;

  Pauses(WaitingRequests waiting, Time time) {
    this.waiting = waiting;
    this.time = time;
  }

  void pause(Duration duration) throws InterruptedException {
    pausing = Thread.currentThread();
    try {
      // The requests are closed before end() reads the current pause. So either this check or end()
      // ends each pause.
      if (!waiting.isClosed()) {
        time.sleep(duration);
      }
    } finally {
      pausing = null;
    }
  }

  /** Ends the present pause. The caller must close the waiting requests first. */
  void end() {
    Thread thread = pausing;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
