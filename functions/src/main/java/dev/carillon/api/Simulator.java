package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.runtime.Deadline;

/** Plays scenarios. */
@FunctionalInterface
public interface Simulator {

  /**
   * The timeline of a scenario.
   *
   * @throws dev.carillon.document.InvalidDocument holding every fault that was found; also if it is
   *     not done by the deadline
   */
  ObjectNode play(JsonNode scenario, Deadline deadline);
}
