package dev.carillon.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stops a handler once: interrupts it, and sets a reason that the handler can read. */
final class StopSignal {

  private @Nullable Thread handler;
  private @Nullable StopReason reason;
  private boolean hasEnded;

  /** Records that the calling thread runs the handler from now on. */
  synchronized void enter() {
    handler = Thread.currentThread();
    if (reason != null) {
      handler.interrupt();
    }
  }

  /**
   * Records that the handler has ended. From now on, its thread is not interrupted, and no
   * interrupt is pending.
   */
  synchronized void leave() {
    handler = null;
    hasEnded = true;
    Thread.interrupted();
  }

  /**
   * Stops the handler. Returns false if it has ended or was stopped before; the first reason then
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
