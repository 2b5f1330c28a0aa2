package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.InstantSource;

/** Simulates schedules before they are stored. */
final class SimulationRoute {

  /** The largest request that Lambda accepts. */
  private static final int MOST_BODY_BYTES = 6 * 1024 * 1024;

  /**
   * The time limit of a simulation. The limit leaves time to write the answer before API Gateway
   * times out.
   */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Simulator simulator;
  private final InstantSource clock;

  SimulationRoute(Simulator simulator, InstantSource clock) {
    this.simulator = simulator;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent simulate(Call call) {
    JsonNode scenario = call.body(MOST_BODY_BYTES);
    try {
      ObjectNode timeline =
          simulator.simulate(scenario, new Deadline(clock.instant().plus(LONGEST), clock));
      if (Listing.bytes(timeline) > Listing.MOST_ANSWER_BYTES) {
        throw Problem.invalid(
            "/to",
            "the timeline is larger than one answer can be; simulate a shorter range, or use"
                + " \"carillon simulate\"");
      }
      return Answer.of(200, timeline);
    } catch (InvalidDocument invalid) {
      throw Problem.invalid(invalid.faults());
    }
  }
}
