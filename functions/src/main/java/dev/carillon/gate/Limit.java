package dev.carillon.gate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What one constraint asks of a gate, without what becomes of a job when it does not hold. */
public sealed interface Limit {

  /** Null for the gate of the program. */
  @Nullable String group();

  /** At most so many unfinished attempts. */
  record Unfinished(int max, @Nullable String group) implements Limit {}

  /** At most so many launches in any interval (t − per, t]. */
  record Launches(int max, Duration per, @Nullable String group) implements Limit {}

  /** No unfinished run, and so long since the end of the last successful one. */
  record SinceSuccess(Duration duration) implements Limit {
    @Override
    public @Nullable String group() {
      return null;
    }
  }

  default GateKey gate(String namespace, String program) {
    String group = group();
    return group == null
        ? GateKey.ofProgram(namespace, program)
        : GateKey.ofGroup(namespace, group);
  }

  /** Whether it counts unfinished attempts, so that jobs must hold slots until their end. */
  default boolean needsSlots() {
    return !(this instanceof Launches);
  }
}
