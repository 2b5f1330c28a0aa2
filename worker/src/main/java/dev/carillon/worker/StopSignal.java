package dev.carillon.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stops a handler once, by an interrupt and by a reason that the handler can read. */
final class StopSignal {

  private @Nullable Thread handler;
  private @Nullable StopReason reason;
  private boolean hasEnded;

  /** The calling thread runs the handler from now on. */
  synchronized void enter() {
    handler = Thread.currentThread();
    if (reason != null) {
      handler.interrupt();
    }
  }

  /** The handler has ended: its thread is not interrupted any more, and no interrupt is left. */
  synchronized void leave() {
    handler = null;
    hasEnded = true;
    Thread.interrupted();
  }

  /**
   * Stops the handler. Returns false if it has ended or was stopped before; then the first reason
   * stays.
   */
  synchronized boolean stop(StopReason why) {
    if (hasEnded || reason != null) {
      return false;
    }
    reason = why;
    if (handler != null) {
      handler.interrupt();
    }
    return true;
  }

  synchronized Optional<StopReason> reason() {
    return Optional.ofNullable(reason);
  }
}
