package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.Tenant.Due;
import java.util.Collection;
import java.util.List;

/**
 * What happened in a deployment without faults.
 *
 * @param end when it ended
 * @param arrivals the requests that arrived, in their order
 * @param failures the failures of functions, including time-outs, and the messages that became dead
 *     letters
 */
public record NeighbourHistory(long end, List<Arrival> arrivals, Collection<Violation> failures) {

  /**
   * A request as it arrived.
   *
   * @param launch the launch that the request's body names
   */
  public record Arrival(String namespace, Due launch, long at) {
    public long lateness() {
      return at - launch.at();
    }
  }

  /** The arrivals of a namespace that are judged, in order. */
  public List<Arrival> of(Tenant tenant) {
    return arrivals.stream()
        .filter(arrival -> arrival.namespace().equals(tenant.namespace()))
        .filter(arrival -> arrival.launch().at() >= tenant.judgedFrom())
        .filter(arrival -> arrival.launch().at() < tenant.judgedTo())
        .toList();
  }
}
