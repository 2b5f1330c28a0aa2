package dev.carillon.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmfMetricsTest {

  private final List<String> lines = new ArrayList<>();
  private final EmfMetrics metrics =
      new EmfMetrics(
          "Carillon", "prod", lines::add, () -> Instant.ofEpochMilli(1_700_000_000_000L));

  @Test
  void invocationPrintsOneLineInTheEmbeddedFormat() {
    metrics.count(Metric.FIRES);
    metrics.count(Metric.FIRES);
    metrics.add(Metric.LAUNCH_LATENCY, 120);
    metrics.add(Metric.LAUNCH_LATENCY, 80);
    metrics.publish();
    assertThat(lines)
        .containsExactly(
            "{\"_aws\":{\"Timestamp\":1700000000000,\"CloudWatchMetrics\":[{\"Namespace\":\"Carillon\","
                + "\"Dimensions\":[[\"Stack\"]],\"Metrics\":[{\"Name\":\"Fires\",\"Unit\":\"Count\"},"
                + "{\"Name\":\"LaunchLatency\",\"Unit\":\"Milliseconds\"}]}]},\"Stack\":\"prod\","
                + "\"Fires\":2,\"LaunchLatency\":[120,80]}");
  }

  @Test
  void eachPoolAndCustomerHasALineOfItsOwn() {
    PoolId encode = new PoolId("media", "encode");
    metrics.count(Metric.FIRES);
    metrics.add(Metric.POOL_MOVED, Scope.of(encode), 2);
    metrics.add(Metric.POOL_VISIBLE, Scope.of(encode), 7);
    metrics.add(Metric.POOL_VISIBLE, Scope.of(encode), 9);
    metrics.add(Metric.POOL_MOVED, Scope.of(encode, "acme"), 1);
    metrics.add(Metric.POOL_MOVED, Scope.of(encode), 3);
    metrics.publish();
    metrics.publish();
    assertThat(lines).hasSize(3);
    assertThat(Json.readObject(lines.get(0)).has("Pool")).isFalse();
    assertThat(lines.get(1))
        .isEqualTo(
            "{\"_aws\":{\"Timestamp\":1700000000000,\"CloudWatchMetrics\":[{\"Namespace\":\"Carillon\","
                + "\"Dimensions\":[[\"Stack\",\"Pool\"]],\"Metrics\":[{\"Name\":\"PoolMoved\",\"Unit\":\"Count\"},"
                + "{\"Name\":\"PoolVisible\",\"Unit\":\"Count\"}]}]},\"Stack\":\"prod\","
                + "\"Pool\":\"media/encode\",\"PoolMoved\":5,\"PoolVisible\":[7,9]}");
    JsonNode ofCustomer = Json.readObject(lines.get(2));
    assertThat(ofCustomer.at("/_aws/CloudWatchMetrics/0/Dimensions"))
        .isEqualTo(Json.readObject("{\"all\": [[\"Stack\", \"Pool\", \"Customer\"]]}").path("all"));
    assertThat(ofCustomer.path("Customer").asText()).isEqualTo("acme");
    assertThat(ofCustomer.path("PoolMoved").asInt()).isEqualTo(1);
  }

  @Test
  void invocationWithoutMetricsPrintsNoLine() {
    metrics.publish();
    metrics.count(Metric.FIRES);
    metrics.publish();
    metrics.publish();
    metrics.count(Metric.FIRES);
    metrics.discard();
    metrics.publish();
    assertThat(lines).hasSize(1);
  }

  @Test
  void tooManyValuesAreRepresentedByTheirRanks() {
    for (int value = 1_000; value >= 1; value--) {
      metrics.add(Metric.LAUNCH_LATENCY, value);
    }
    metrics.publish();
    JsonNode values = Json.readObject(lines.get(0)).path("LaunchLatency");
    assertThat(values).hasSize(EmfMetrics.MOST_VALUES);
    assertThat(values.get(0).asDouble()).isEqualTo(1);
    assertThat(values.get(49).asDouble()).isBetween(485.0, 515.0);
    assertThat(values.get(99).asDouble()).isEqualTo(1_000);
  }

  @Test
  void namesAreThoseOfTheDashboard() {
    assertThat(List.of(Metric.values()))
        .extracting(metric -> metric.text() + " " + metric.unit().text())
        .containsExactly(
            "Fires Count",
            "Launches Count",
            "LaunchLatency Milliseconds",
            "OldestDueAge Seconds",
            "Lag Seconds",
            "JobsSucceeded Count",
            "JobsFailed Count",
            "Retries Count",
            "AttemptsClaimed Count",
            "AttemptsStarted Count",
            "AttemptsSucceeded Count",
            "AttemptsFailed Count",
            "AttemptsOverdue Count",
            "HeartbeatsMissed Count",
            "JobsSkipped Count",
            "JobsTimedOut Count",
            "JobsCancelled Count",
            "EventsCounted Count",
            "EventsDuplicate Count",
            "EventsUnmatched Count",
            "EventsRejected Count",
            "ReportsRejected Count",
            "ReportsStale Count",
            "MessagesFailed Count",
            "DedupWindow Seconds",
            "PoolMoved Count",
            "PoolPulled Count",
            "PoolOldestAge Seconds",
            "PoolWaiting Count",
            "PoolVisible Count",
            "PoolDepth Count",
            "LostRaces Count",
            "UpdatesGivenUp Count");
  }
}
