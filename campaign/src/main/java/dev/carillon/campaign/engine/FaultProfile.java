package dev.carillon.campaign.engine;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The faults of an episode, in addition to those that its scenario plans.
 *
 * @param disabled the disabled kinds of random faults; null for no random faults at all
 * @param single one fault at one call; null for none
 */
public record FaultProfile(@Nullable Set<FaultKind> disabled, @Nullable InjectedFault single) {

  /** Random faults: each kind is frequent, rare or absent. */
  public static FaultProfile random(Set<FaultKind> disabled) {
    return new FaultProfile(disabled, null);
  }

  public static FaultProfile none() {
    return new FaultProfile(null, null);
  }

  public static FaultProfile single(InjectedFault fault) {
    return new FaultProfile(null, fault);
  }
}
