package dev.carillon.master;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The oldest due instant that a tick has found so far. If the tick has found no instant before its
 * own, this is the instant of the tick.
 */
final class Oldest {

  private Instant dueAt;

  Oldest(Instant now) {
    this.dueAt = now;
  }

  Instant dueAt() {
    return dueAt;
  }

  void found(@Nullable Instant due) {
    if (due != null && due.isBefore(dueAt)) {
      dueAt = due;
    }
  }
}
