package dev.carillon.constraint;

import dev.carillon.id.GateKey;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What one constraint asks of a gate, without what becomes of a job when it does not hold. */
public sealed interface Limit {

  /** The name of its constraint's type in documents. */
  String type();

  /** Null for the gate of the program. */
  @Nullable String group();

  /** At most so many unfinished attempts of the program, or of all programs of the group. */
  record Unfinished(int max, @Nullable String group) implements Limit {

    public static final int MOST = 1_000;

    @Override
    public String type() {
      return "concurrency";
    }
  }

  /** At most so many launches of the program, or of all of the group, in any (t − per, t]. */
  record Launches(int max, Duration per, @Nullable String group) implements Limit {

    public static final int MOST = 1_000;

    @Override
    public String type() {
      return "rate";
    }
  }

  /** No unfinished run of the program, and so long since the end of the last successful one. */
  record SinceSuccess(Duration duration) implements Limit {

    @Override
    public String type() {
      return "sinceLastRun";
    }

    @Override
    public @Nullable String group() {
      return null;
    }
  }

  /**
   * The gauge that users report of a resource shows at most, or at least, so much.
   *
   * @param openIfUnknown whether it holds while nothing is known of the gauge: it was never
   *     reported, was deleted, or has expired
   */
  record GaugeWithin(String resource, Side side, BigDecimal bound, boolean openIfUnknown)
      implements Limit {

    /** On which side of its bound a gauge must be; the bound belongs to both. */
    public enum Side {
      AT_MOST,
      AT_LEAST
    }

    @Override
    public String type() {
      return "resource";
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
