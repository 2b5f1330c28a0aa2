package dev.carillon.campaign.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A namespace and the launches that its documents and events ask for.
 *
 * @param launches the launches that fall due, each once
 * @param judgedFrom the earliest due instant that is judged
 * @param judgedTo the end of the due instants that are judged
 * @param rate the rate that all its launches share; null for none
 */
public record Tenant(
    String namespace, List<Due> launches, long judgedFrom, long judgedTo, @Nullable Rate rate) {

  /** A launch of a schedule at an instant. */
  public record Due(String schedule, long at) {}

  /**
   * A rate.
   *
   * @param per milliseconds
   */
  public record Rate(int max, long per) {}
}
