package dev.carillon.system;

import static dev.carillon.metrics.Metric.DEDUP_WINDOW;
import static dev.carillon.metrics.Metric.EVENTS_COUNTED;
import static dev.carillon.metrics.Metric.EVENTS_DUPLICATE;
import static dev.carillon.metrics.Metric.EVENTS_REJECTED;
import static dev.carillon.metrics.Metric.EVENTS_UNMATCHED;
import static dev.carillon.metrics.Metric.FIRES;
import static dev.carillon.metrics.Metric.JOBS_CANCELLED;
import static dev.carillon.metrics.Metric.JOBS_FAILED;
import static dev.carillon.metrics.Metric.LAG;
import static dev.carillon.metrics.Metric.LAUNCHES;
import static dev.carillon.metrics.Metric.LAUNCH_LATENCY;
import static dev.carillon.metrics.Metric.OLDEST_DUE_AGE;
import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.id.ScheduleId;
import dev.carillon.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private Map<Metric, Long> counts() {
    return world.metrics.counts();
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(5));
  }

  @Test
  void eachFireIsOneFireAndOneLaunch() {
    world.put("minutely", active(cron("0 * * * * ?")));
    world.runFor(Duration.ofSeconds(605));
    assertThat(counts()).isEqualTo(Map.of(FIRES, 10L, LAUNCHES, 10L));
    assertThat(world.metrics.values(LAUNCH_LATENCY)).hasSize(10).containsOnly(0L);
  }

  @Test
  void repeatedChecksOfAFireAreCountedOnce() {
    world.put("minutely", active(cron("0 * * * * ?")));
    world.runFor(Duration.ofSeconds(65));
    world.checkQueue.send(
        List.of(new Check(world.now(), List.of(world.jobs.all().get(0).id()))), world.now());
    settle();
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L, LAUNCHES, 1L));
  }

  @Test
  void latencyIsTheTimeFromDueToLaunched() {
    world.put("minutely", active(cron("0 * * * * ?")));
    world.runFor(Duration.ofSeconds(1));
    world.sleepUntil("2026-03-01T10:01:30Z");
    settle();
    assertThat(world.metrics.values(LAUNCH_LATENCY)).containsExactly(30_000L);
  }

  @Test
  void refusedRequestIsALaunchOnceItIsAccepted() {
    world.targets.refuse("arn:aws:sqs:us-east-1:000000000000:work", "not now");
    world.put("minutely", active(cron("0 1 10 1 3 ? 2026")));
    world.runFor(Duration.ofSeconds(61));
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L));
    world.targets.accept("arn:aws:sqs:us-east-1:000000000000:work");
    world.runFor(Duration.ofSeconds(20));
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L, LAUNCHES, 1L));
    assertThat(world.metrics.values(LAUNCH_LATENCY).get(0)).isBetween(1_000L, 20_000L);
  }

  @Test
  void requestThatCanNeverBeSentIsAFailure() {
    world.put(
        "empty",
        active(cron("0 1 10 1 3 ? 2026"))
            .replace("{\"at\": \"${scheduledFor}\", \"job\": \"${jobId}\"}", "\"${customer}\""));
    world.runFor(Duration.ofSeconds(65));
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L, JOBS_FAILED, 1L));
  }

  @Test
  void firesThatAreCollectedWithEventsAreCountedToo() {
    world.put("both", active(and(cron("0 * * * * ?"), partition("d", 1))));
    world.runFor(Duration.ofSeconds(125));
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L));
    world.partitions("d", 1);
    settle();
    assertThat(counts()).isEqualTo(Map.of(FIRES, 1L, EVENTS_COUNTED, 1L, LAUNCHES, 1L));
    world.put("either", active(or(cron("30 * * * * ?"), partition("e", 1))));
    world.runFor(Duration.ofSeconds(60));
    assertThat(counts().get(FIRES)).isEqualTo(3);
  }

  @Test
  void countsOfAScheduleThatIsChangedAreCancelled() {
    ScheduleId id = world.put("p", active(partition("d", 3)));
    world.partitions("d", 1);
    settle();
    world.delete(id);
    assertThat(counts()).isEqualTo(Map.of(EVENTS_COUNTED, 1L, JOBS_CANCELLED, 1L));
  }

  @Test
  void eachEventHasOneOutcome() {
    world.put("one", active(partition("d", 100)));
    world.put("two", active(partition("d", 100)));
    ScheduleId suspended = world.put("three", active(partition("asleep", 1)));
    world.suspend(suspended);
    String event =
        "{\"id\": \"1\", \"eventType\": \"PARTITION\","
            + " \"payload\": {\"datasetId\": \"d\", \"numPartitions\": 1}}";
    world.event(event);
    world.event(event);
    settle();
    world.event(event);
    world.partitions("unused", 1);
    world.partitions("asleep", 1);
    world.event("no JSON");
    settle();
    assertThat(counts())
        .isEqualTo(
            Map.of(
                EVENTS_COUNTED, 1L,
                EVENTS_DUPLICATE, 2L,
                EVENTS_UNMATCHED, 2L,
                EVENTS_REJECTED, 1L));
  }

  @Test
  void anEventThatIsSentAgainIsCountedOnce() {
    ScheduleId stuck = world.put("stuck", active(partition("d", 100)));
    world.put("well", active(partition("d", 100)));
    world.failSavesOf(stuck);
    world.partitions("d", 1);
    settle();
    world.failSavesOf(null);
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.jobs.collectingJob(stuck, world.now())).isPresent();
    assertThat(counts()).isEqualTo(Map.of(EVENTS_COUNTED, 1L));
  }

  @Test
  void anEventThatNoScheduleHasCountedHasNoOutcome() {
    ScheduleId stuck = world.put("stuck", active(partition("d", 100)));
    world.failSavesOf(stuck);
    world.partitions("d", 1);
    settle();
    assertThat(counts()).isEmpty();
    world.failSavesOf(null);
    world.runFor(Duration.ofMinutes(2));
    assertThat(counts()).isEqualTo(Map.of(EVENTS_COUNTED, 1L));
  }

  @Test
  void ticksAreReportedEvenIfNothingIsDue() {
    world.runFor(Duration.ofSeconds(121));
    assertThat(world.metrics.values(OLDEST_DUE_AGE)).isEmpty();
    assertThat(world.metrics.values(LAG)).isEmpty();
    assertThat(counts()).isEmpty();
  }

  @Test
  void ticksReportTheAgeOfTheOldestDueWork() {
    world.put("yearly", active(cron("0 0 12 1 3 ?")));
    settle();
    world.metrics.discard();
    world.sleepUntil("2026-03-01T12:30:00Z");
    settle();
    world.runFor(Duration.ofSeconds(60));
    assertThat(world.metrics.values(OLDEST_DUE_AGE)).containsExactly(1_800L);
  }

  @Test
  void jobsWhoseMessagesWereLostAreDueToo() {
    world.put("p", active(partition("d", 1)));
    settle();
    world.loseChecks();
    world.partitions("d", 1);
    settle();
    world.metrics.discard();
    world.sleepUntil("2026-03-01T10:10:30Z");
    settle();
    assertThat(world.metrics.values(OLDEST_DUE_AGE)).containsExactly(605L);
  }

  /** The entry of a pool stays due as long as a job waits in it. */
  @Test
  void aWaitingPoolHidesNoJobThatIsDue() {
    Pooled pooled = new Pooled(world);
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.runUntil("2026-03-01T10:10:00Z");
    world.put("p", active(partition("d", 1)));
    settle();
    world.loseChecks();
    world.partitions("d", 1);
    settle();
    world.metrics.discard();
    world.sleepUntil("2026-03-01T10:20:30Z");
    settle();
    assertThat(world.metrics.values(OLDEST_DUE_AGE)).containsExactly(605L);
  }

  /** No timer or job is overdue while jobs of a pool wait for workers. */
  @Test
  void aWaitingPoolIsNotOverdue() {
    Pooled pooled = new Pooled(world);
    pooled.pool("{}");
    pooled.schedule("a", "");
    pooled.arrive("a", 1);
    world.metrics.discard();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.metrics.values(OLDEST_DUE_AGE)).isEmpty();
  }

  @Test
  void lagGrowsAsLongAsTicksAreIncomplete() {
    world.runFor(Duration.ofSeconds(1));
    world.faults.failAll("Timers.due");
    world.runFor(Duration.ofSeconds(120));
    assertThat(world.metrics.values(LAG)).containsExactly(60L, 120L);
  }

  @Test
  void dedupWindowShortensWhenThereAreTooManyIds() {
    world.put("p", active(partition("d", 1_000_000)));
    world.partitions("d", 1);
    settle();
    world.partitions("d", 1);
    settle();
    assertThat(world.metrics.values(DEDUP_WINDOW)).containsExactly(600L);
    for (int i = 0; i < 10_000; i++) {
      world.partitions("d", 1);
    }
    world.runFor(Duration.ofSeconds(42));
    world.metrics.discard();
    world.partitions("d", 1);
    settle();
    assertThat(world.metrics.values(DEDUP_WINDOW)).containsExactly(42L);
  }
}
