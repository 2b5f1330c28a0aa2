package dev.carillon.constraint;

import dev.carillon.id.GateKey;
import java.math.BigDecimal;
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

  /**
   * The gauge of a resource shows at most, or at least, so much.
   *
   * @param openIfUnknown whether it holds while the gauge shows nothing
   */
  record GaugeWithin(String resource, Side side, BigDecimal bound, boolean openIfUnknown)
      implements Limit {

    /** On which side of its bound a gauge must be; the bound belongs to both. */
    public enum Side {
      AT_MOST,
      AT_LEAST
    }

    @Override
    public @Nullable String group() {
      return null;
    }

    @Override
    public GateKey gate(String namespace, String program) {
      return GateKey.ofResource(namespace, resource);
    }

    @Override
    public boolean needsSlots() {
      return false;
    }

    @Override
    public boolean countsLaunches() {
      return false;
    }

    public boolean holds(BigDecimal value) {
      int order = value.compareTo(bound);
      return side == Side.AT_MOST ? order <= 0 : order >= 0;
    }
  }

  /** The gate that it is asked of; that of the program or group, if it says nothing else. */
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

  /** Whether the gate has to be told of launches. */
  default boolean countsLaunches() {
    return true;
  }
}
