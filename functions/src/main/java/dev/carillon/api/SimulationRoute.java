package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.InstantSource;

/** Schedules that are tried before they are stored. */
final class SimulationRoute {

  /** What Lambda takes as a request. */
  private static final int MOST_BODY_BYTES = 6 * 1024 * 1024;

  /** Leaves time to write the answer before API Gateway waits no longer. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Simulator simulator;
  private final InstantSource clock;

  SimulationRoute(Simulator simulator, InstantSource clock) {
    this.simulator = simulator;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent play(Call call) {
    JsonNode scenario = call.body(MOST_BODY_BYTES);
    try {
      ObjectNode timeline =
          simulator.play(scenario, new Deadline(clock.instant().plus(LONGEST), clock));
      if (Listing.bytes(timeline) > Listing.MOST_ANSWER_BYTES) {
        throw Problem.invalid(
            "/to",
            "the timeline is larger than an answer can be; play a shorter time, or \"carillon"
                + " simulate\"");
      }
      return Answer.of(200, timeline);
    } catch (InvalidDocument invalid) {
      throw Problem.invalid(invalid.faults());
    }
  }
}
