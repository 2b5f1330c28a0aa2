package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An explanation why a schedule or job has not launched.
 *
 * @param state the state of the schedule or job
 * @param summary an explanation in one sentence, for people
 * @param details the complete answer of the API
 */
public record Explanation(String state, String summary, JsonNode details) {

  static Explanation of(JsonNode answer) {
    return new Explanation(answer.path("state").asText(), answer.path("summary").asText(), answer);
  }
}
