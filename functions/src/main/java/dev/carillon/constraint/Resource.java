package dev.carillon.constraint;

import dev.carillon.constraint.Limit.GaugeWithin.Side;
import java.math.BigDecimal;

/** The gauge that users report of a resource is on one side of a bound. */
public record Resource(
    String name, Side side, BigDecimal bound, IfUnknown ifUnknown, OnUnmet onUnmet)
    implements GateConstraint {

  /** What a gauge means that was never reported, was deleted, or has expired. */
  public enum IfUnknown {
    /** The constraint does not hold. */
    WAIT,
    /** It holds. */
    ALLOW
  }

  @Override
  public String type() {
    return "resource";
  }

  @Override
  public Limit limit() {
    return new Limit.GaugeWithin(name, side, bound, ifUnknown == IfUnknown.ALLOW);
  }
}
