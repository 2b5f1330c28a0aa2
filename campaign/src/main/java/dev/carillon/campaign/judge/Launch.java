package dev.carillon.campaign.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.campaign.judge.History.Arrival;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as its receiver understands it.
 *
 * @param version of the document that it was rendered from
 * @param number of the operation that asked for it; -1 if the trigger did
 * @param scheduledFor the instant that it stands for
 * @param fire the fire that its time leaf had; {@link History#NEVER} if none
 * @param counts by leaf
 * @param events the ids of those counted, in order
 */
record Launch(
    Arrival arrival,
    int version,
    int number,
    long scheduledFor,
    long fire,
    List<Long> counts,
    List<String> events) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Launch read(Arrival arrival) {
    try {
      JsonNode body = JSON.readTree(arrival.body());
      JsonNode trigger = body.path("trigger");
      List<Long> counts = new ArrayList<>();
      long fire = History.NEVER;
      for (JsonNode leaf : trigger.path("leaves")) {
        while (counts.size() <= leaf.path("leaf").asInt()) {
          counts.add(0L);
        }
        counts.set(leaf.path("leaf").asInt(), leaf.path("actual").asLong());
        if (leaf.hasNonNull("scheduledFor")) {
          fire = instant(leaf.path("scheduledFor"));
        }
      }
      List<String> events = new ArrayList<>();
      trigger.path("events").forEach(event -> events.add(event.path("id").asText()));
      return new Launch(
          arrival,
          body.path("v").asInt(),
          body.hasNonNull("n") ? body.path("n").asInt() : -1,
          instant(body.path("at")),
          fire,
          counts,
          events);
    } catch (JsonProcessingException damaged) {
      throw new IllegalArgumentException("a request that is not JSON: " + arrival, damaged);
    }
  }

  private static long instant(JsonNode text) {
    return Instant.parse(text.asText()).toEpochMilli();
  }

  /** The backfill that asked for it; empty if none did. */
  String backfill() {
    return arrival.backfill();
  }

  boolean isByHand() {
    return number >= 0;
  }
}
