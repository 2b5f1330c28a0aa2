package dev.carillon.bench.cost;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.carillon.bench.harness.Prices;

/** The cost of one case; all values except {@code launches} are per launch. */
record CostLine(
    @JsonProperty("case") String name,
    int launches,
    double writeUnits,
    double readUnits,
    double sqsRequests,
    double invocations,
    double usdPerMillion) {

  /** Divides the total cost by the launches. */
  static CostLine of(
      String name,
      int launches,
      double writeUnits,
      double readUnits,
      double sqsRequests,
      double invocations) {
    double writes = writeUnits / launches;
    double reads = readUnits / launches;
    double requests = sqsRequests / launches;
    double calls = invocations / launches;
    return new CostLine(
        name,
        launches,
        writes,
        reads,
        requests,
        calls,
        Prices.perMillion(writes, reads, requests, calls));
  }
}
