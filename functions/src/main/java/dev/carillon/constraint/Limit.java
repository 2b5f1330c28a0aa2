package dev.carillon.constraint;

import dev.carillon.id.GateKey;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The limit of one constraint at a gate, without its {@code onUnmet}. */
public sealed interface Limit {

  /** The name of the constraint's type in documents. */
  String type();

  /** The group of programs; null for the gate of the program. */
  @Nullable String group();

  /** At most this many unfinished attempts of the program, or of all programs of the group. */
  record Unfinished(int max, @Nullable String group) implements Limit {

    public static final int MOST = 1_000;

    @Override
    public String type() {
      return "concurrency";
    }
  }

  /** At most this many launches of the program, or of the group, in any interval (t − per, t]. */
  record Launches(int max, Duration per, @Nullable String group) implements Limit {

    public static final int MOST = 1_000;

    @Override
    public String type() {
      return "rate";
    }
  }

  /**
   * No run of the program is unfinished, and this time has passed since the end of its last
   * successful run.
   */
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
   * The reported value of a resource is at most, or at least, the bound.
   *
   * @param openIfUnknown whether the limit holds while the value is unknown: never reported,
   *     deleted, or expired
   */
  record GaugeWithin(String resource, Side side, BigDecimal bound, boolean openIfUnknown)
      implements Limit {

    /** The side of the bound on which a value must be; the bound itself is on both. */
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

  /**
   * The gate at which the limit applies: that of the group if there is one, otherwise that of the
   * program.
   */
  default GateKey gate(String namespace, String program) {
    String group = group();
    return group == null
        ? GateKey.ofProgram(namespace, program)
        : GateKey.ofGroup(namespace, group);
  }

  /** Whether the limit counts unfinished attempts, so that jobs hold slots until their end. */
  default boolean needsSlots() {
    return !(this instanceof Launches);
  }

  /** Whether the gate must count launches. */
  default boolean countsLaunches() {
    return true;
  }
}
