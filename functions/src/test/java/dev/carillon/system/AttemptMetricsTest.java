package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.metrics.Metric;
import dev.carillon.run.Report;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is counted of the attempts of tracked jobs. */
class AttemptMetricsTest {

  private static final Set<Metric> OF_ATTEMPTS =
      Set.of(
          Metric.RETRIES,
          Metric.ATTEMPTS_CLAIMED,
          Metric.ATTEMPTS_STARTED,
          Metric.ATTEMPTS_SUCCEEDED,
          Metric.ATTEMPTS_FAILED,
          Metric.ATTEMPTS_OVERDUE,
          Metric.HEARTBEATS_MISSED);
  private static final String TRACKED =
      "\"program\": \"p\", \"tracking\": {\"enqueueTimeout\": \"PT5M\", \"claimTimeout\": \"PT1M\","
          + " \"heartbeatTimeout\": \"PT1M\", \"runTimeout\": \"PT3M\"},"
          + " \"retry\": {\"maxAttempts\": 2, \"backoff\": \"PT1S\", \"maxBackoff\": \"PT1S\"}";

  private final World world = new World("2026-03-01T10:00:30Z");

  private void assertCounts(Map<Metric, Long> expected) {
    Map<Metric, Long> counts = new EnumMap<>(Metric.class);
    counts.putAll(world.metrics.counts());
    counts.keySet().retainAll(OF_ATTEMPTS);
    assertThat(counts).isEqualTo(expected);
  }

  private JobId launched() {
    world.put("a", active(partition("a", 1), TRACKED));
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    return world.arrivals.get(0).request().job();
  }

  private void claim(JobId job) {
    world.reports().claim(job, "w", null, "t" + world.arrivals.size());
  }

  private void heartbeat(JobId job) {
    report(job, new Report.Heartbeat("t" + world.arrivals.size(), null, Map.of()));
  }

  private void report(JobId job, Report report) {
    world.reports().report(job, report);
  }

  @Test
  void anAttemptIsClaimedStartedAndEndedOnceHoweverOftenThatIsReported() {
    JobId job = launched();
    for (int i = 0; i < 2; i++) {
      claim(job);
    }
    for (int i = 0; i < 2; i++) {
      heartbeat(job);
    }
    for (int i = 0; i < 2; i++) {
      report(job, new Report.Success("t1", null));
    }
    world.runFor(Duration.ofMinutes(10));
    assertCounts(
        Map.of(
            Metric.ATTEMPTS_CLAIMED, 1L,
            Metric.ATTEMPTS_STARTED, 1L,
            Metric.ATTEMPTS_SUCCEEDED, 1L));
  }

  @Test
  void aFailureThatIsTheFirstReportStartsAndEndsItsAttempt() {
    JobId job = launched();
    claim(job);
    report(job, new Report.Failure("t1", "boom", true));
    world.runFor(Duration.ofSeconds(5));
    claim(job);
    report(job, new Report.Success("t2", null));
    assertCounts(
        Map.of(
            Metric.RETRIES, 1L,
            Metric.ATTEMPTS_CLAIMED, 2L,
            Metric.ATTEMPTS_STARTED, 2L,
            Metric.ATTEMPTS_FAILED, 1L,
            Metric.ATTEMPTS_SUCCEEDED, 1L));
  }

  @Test
  void heartbeatsThatStopAreCountedBesideAttemptsThatNoWorkerClaims() {
    JobId job = launched();
    claim(job);
    heartbeat(job);
    world.runFor(Duration.ofMinutes(10));
    assertCounts(
        Map.of(
            Metric.RETRIES, 1L,
            Metric.ATTEMPTS_CLAIMED, 1L,
            Metric.ATTEMPTS_STARTED, 1L,
            Metric.ATTEMPTS_OVERDUE, 2L,
            Metric.HEARTBEATS_MISSED, 1L));
  }

  @Test
  void anAttemptThatDoesNotStartOrTakesTooLongIsOverdue() {
    JobId job = launched();
    claim(job);
    world.runFor(Duration.ofSeconds(70));
    claim(job);
    for (int second = 0; second < 200; second += 20) {
      heartbeat(job);
      world.runFor(Duration.ofSeconds(20));
    }
    assertCounts(
        Map.of(
            Metric.RETRIES, 1L,
            Metric.ATTEMPTS_CLAIMED, 2L,
            Metric.ATTEMPTS_STARTED, 1L,
            Metric.ATTEMPTS_OVERDUE, 2L));
  }
}
