package dev.carillon.bench.cost;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.carillon.bench.harness.Prices;

/** What one case cost; everything but {@code launches} is for one launch. */
record CostLine(
    @JsonProperty("case") String name,
    int launches,
    double writeUnits,
    double readUnits,
    double sqsRequests,
    double invocations,
    double usdPerMillion) {

  /** From what all launches cost together. */
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
