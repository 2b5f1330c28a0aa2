package dev.carillon.campaign.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.campaign.judge.History.Arrival;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A request as its receiver reads it.
 *
 * @param version the version of the document that the request was rendered from
 * @param number the number of the operation that asked for the launch; -1 if the trigger caused it
 * @param scheduledFor the instant that the job is for
 * @param fire the fire of the time leaf; {@link History#NEVER} for none
 * @param counts the counts by leaf
 * @param events the ids of the counted events, in order
 * @param fires the instants that satisfied leaves, by leaf
 * @param triggeredAt when its trigger was satisfied
 */
record Launch(
    Arrival arrival,
    int version,
    int number,
    long scheduledFor,
    long fire,
    List<Long> counts,
    List<String> events,
    SortedMap<Integer, Long> fires,
    long triggeredAt) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Launch read(Arrival arrival) {
    try {
      JsonNode body = JSON.readTree(arrival.body());
      JsonNode trigger = body.path("trigger");
      List<Long> counts = new ArrayList<>();
      SortedMap<Integer, Long> fires = new TreeMap<>();
      long fire = History.NEVER;
      for (JsonNode leaf : trigger.path("leaves")) {
        while (counts.size() <= leaf.path("leaf").asInt()) {
          counts.add(0L);
        }
        counts.set(leaf.path("leaf").asInt(), leaf.path("actual").asLong());
        if (leaf.hasNonNull("scheduledFor")) {
          fire = instant(leaf.path("scheduledFor"));
          fires.put(leaf.path("leaf").asInt(), fire);
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
          events,
          fires,
          trigger.hasNonNull("triggeredAt") ? instant(trigger.path("triggeredAt")) : History.NEVER);
    } catch (JsonProcessingException damaged) {
      throw new IllegalArgumentException("request body is not JSON: " + arrival, damaged);
    }
  }

  private static long instant(JsonNode text) {
    return Instant.parse(text.asText()).toEpochMilli();
  }

  /** The counts of as many leaves as given, from the first one on. */
  List<Long> counts(int leaves) {
    return IntStream.range(0, leaves)
        .mapToObj(leaf -> leaf < counts.size() ? counts.get(leaf) : (Long) 0L)
        .toList();
  }

  /** The backfill of the job; empty for none. */
  String backfill() {
    return arrival.backfill();
  }

  boolean isManual() {
    return number >= 0;
  }
}
