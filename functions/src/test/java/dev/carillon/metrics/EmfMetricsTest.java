package dev.carillon.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
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
            "LostRaces Count",
            "UpdatesGivenUp Count");
  }
}
