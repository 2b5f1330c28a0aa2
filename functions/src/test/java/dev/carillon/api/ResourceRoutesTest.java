package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.metrics.Metric;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceRoutesTest {

  private static final String RESOURCES = "/v1/namespaces/default/resources";

  private final Caller caller = new Caller();

  private Reply put(String name, String report) {
    return caller.send("PUT", RESOURCES + "/" + name, report, Map.of());
  }

  private Reply delete(String name) {
    return caller.send("DELETE", RESOURCES + "/" + name, null, Map.of());
  }

  @Test
  void aGaugeIsReportedReadAndDeleted() {
    Reply first = put("disk", "{\"value\": 3.50}").is(201);
    assertThat(first.json())
        .isEqualTo(
            Caller.json(
                """
                {"namespace": "default", "name": "disk", "value": 3.5, "expiresAt": null,
                 "known": true, "reportedAt": "2026-03-10T12:00:00.000Z", "reportedBy": "local",
                 "waiting": 0}
                """));
    assertThat(caller.get(RESOURCES + "/disk").is(200).body()).isEqualTo(first.body());
    JsonNode again = put("disk", "{\"value\": 100, \"ttl\": \"PT90S\"}").is(200).json();
    assertThat(again.path("value").intValue()).isEqualTo(100);
    assertThat(again.path("expiresAt").asText()).isEqualTo("2026-03-10T12:01:30.000Z");
    delete("disk").is(204);
    delete("disk").is(404);
    caller.get(RESOURCES + "/disk").is(404);
    put("disk", "{\"value\": 1}").is(201);
  }

  @Test
  void aReportThatLosesEveryRaceIsAConflictAndIsCounted() {
    caller.gatesLoseRaces = true;
    put("disk", "{\"value\": 1}").is(409);
    assertThat(caller.world.metrics.counts())
        .isEqualTo(
            Map.of(
                Metric.LOST_RACES,
                (long) OptimisticUpdate.MOST_ATTEMPTS,
                Metric.UPDATES_GIVEN_UP,
                1L));
  }

  @Test
  void aValueIsKnownUntilItExpires() {
    put("disk", "{\"value\": 1, \"ttl\": \"PT1M\"}").is(201);
    caller.world.runFor(Duration.ofMillis(59_999));
    assertThat(caller.get(RESOURCES + "/disk").json().path("known").asBoolean()).isTrue();
    caller.world.runFor(Duration.ofMillis(1));
    JsonNode expired = caller.get(RESOURCES + "/disk").is(200).json();
    assertThat(expired.path("known").asBoolean()).isFalse();
    assertThat(expired.path("value").intValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                | /value
          {"value": null}                   | /value
          {"value": "3"}                    | /value
          {"value": true}                   | /value
          {"value": 1e400}                  | /value
          {"value": 1234567890123456789}    | /value
          {"value": 1, "ttl": "PT0.5S"}     | /ttl
          {"value": 1, "ttl": "P400D"}      | /ttl
          {"value": 1, "ttl": 60}           | /ttl
          {"value": 1, "expires": "PT1S"}   | /expires
          """)
  void anInvalidReportIsRefused(String report, String pointer) {
    assertThat(put("disk", report).is(400).pointers()).containsExactly(pointer);
    caller.get(RESOURCES + "/disk").is(404);
  }

  @Test
  void theResourcesOfANamespaceAreListedPageByPage() {
    for (String name : new String[] {"c", "a", "d", "b"}) {
      put(name, "{\"value\": 1}").is(201);
    }
    delete("c").is(204);
    caller.send("PUT", "/v1/namespaces/other/resources/x", "{\"value\": 1}", Map.of()).is(201);
    JsonNode page = caller.get(RESOURCES + "?limit=2").is(200).json();
    assertThat(page.path("resources").findValuesAsText("name")).containsExactly("a", "b");
    String next = page.path("next").asText();
    JsonNode last = caller.get(RESOURCES + "?limit=2&next=" + next).is(200).json();
    assertThat(last.path("resources").findValuesAsText("name")).containsExactly("d");
    assertThat(last.path("next").isNull()).isTrue();
  }
}
