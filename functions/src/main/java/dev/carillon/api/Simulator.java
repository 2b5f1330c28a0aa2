package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.runtime.Deadline;

/** Runs scenarios on a virtual clock. */
@FunctionalInterface
public interface Simulator {

  /**
   * The timeline of a scenario.
   *
   * @throws dev.carillon.document.InvalidDocument with every fault of the scenario; also if the
   *     simulation has not ended at the deadline
   */
  ObjectNode simulate(JsonNode scenario, Deadline deadline);
}
