package dev.carillon.master;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The oldest instant that a tick found due; the tick's own if there is none before it. */
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
