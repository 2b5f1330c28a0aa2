package dev.carillon.campaign.engine;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which faults there are in an episode, beside those that its scenario plans.
 *
 * @param spared the kinds of random faults that do not strike; null for no random faults
 * @param single a fault at one call; null for none
 */
public record FaultProfile(@Nullable Set<FaultKind> spared, @Nullable InjectedFault single) {

  /** Each kind of fault often, seldom or never. */
  public static FaultProfile random(Set<FaultKind> spared) {
    return new FaultProfile(spared, null);
  }

  public static FaultProfile none() {
    return new FaultProfile(null, null);
  }

  public static FaultProfile single(InjectedFault fault) {
    return new FaultProfile(null, fault);
  }
}
