package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Why something has not launched.
 *
 * @param state of the schedule, or the job
 * @param summary one sentence for people
 * @param details everything that the API says
 */
public record Explanation(String state, String summary, JsonNode details) {

  static Explanation of(JsonNode answer) {
    return new Explanation(answer.path("state").asText(), answer.path("summary").asText(), answer);
  }
}
