package dev.carillon.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.constraint.Gauge;
import dev.carillon.contract.Servers;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.dynamodb.Tables;
import dev.carillon.gate.Gate;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.local.meter.Meter;
import dev.carillon.master.Master;
import dev.carillon.memory.MemoryCheckQueue;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryRejectedMessages;
import dev.carillon.memory.MemoryTargetQueues;
import dev.carillon.metrics.Metrics;
import dev.carillon.report.RunReports;
import dev.carillon.run.Report;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Measures the cost of operations on DynamoDB, counted by DynamoDB Local; the queues are in memory
 * and the clock is virtual. The figures of docs/operate/costs.md come from here.
 */
class CostTest {

  /** The number of due schedules. The documented figures are of {@code -Dcost.schedules=1000}. */
  private static final int DUE = Integer.getInteger("cost.schedules", 1_000);

  private static final int SHARDS = 4;
  private static final Duration RETENTION = Duration.ofDays(90);

  private final Meter meter = new Meter();
  private final AttentionMeter attention = new AttentionMeter();
  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private Deployment deployment = new Deployment();

  @BeforeEach
  void firstTickIsNoPartOfTheCost() {
    deployment.tick();
    meter.reset();
  }

  @Test
  void tickCostsTheSameHoweverManySchedulesAreStored() {
    deployment.store(DUE, "due", "0 1 10 * * ?");
    deployment.tick();
    String few = meter.toString();

    deployment = new Deployment();
    deployment.tick();
    deployment.store(4 * DUE, "rest", "0 0 22 * * ?");
    deployment.store(DUE, "due", "0 1 10 * * ?");
    meter.reset();
    deployment.tick();

    assertThat(meter.toString()).isEqualTo(few);
    assertThat(meter.requests()).doesNotContainKey("Scan");
    assertThat(meter.writeUnits()).isBetween(2.0 * DUE, 2.0 * DUE + 1);
    System.out.printf("tick with %d due: %s%n", DUE, meter);
  }

  @Test
  void plainCronLaunchCostsAtMostFourWriteUnits() {
    deployment.store(DUE, "daily", "0 1 10 * * ?");
    meter.reset();
    deployment.tick();
    now = Instant.parse("2026-03-01T10:01:00Z");
    deployment.check();

    assertThat(deployment.targets.delivered()).hasSize(DUE);
    assertThat(meter.writeUnits() / DUE).isLessThanOrEqualTo(4.01);
    assertThat(meter.requests()).doesNotContainKey("Scan");
    System.out.printf("daily cron, %d launches: %s%n", DUE, meter);
  }

  @Test
  void excludedCalendarsAreReadOnceForAllJobsOfAPass() {
    deployment.calendar("us-holidays", "{\"dates\": [\"2026-12-25\"]}");
    deployment.store(DUE, "plain", "0 1 10 * * ?");
    double plain = readUnitsOfLaunches();

    deployment = new Deployment();
    deployment.tick();
    deployment.calendar("us-holidays", "{\"dates\": [\"2026-12-25\"]}");
    deployment.store(
        DUE, "excluding", "0 1 10 * * ?\", \"exclude\": [\"us-holidays\"], \"zone\": \"UTC");
    double excluding = readUnitsOfLaunches();

    assertThat(excluding - plain).isBetween(1.0, DUE / 50.0);
    System.out.printf("calendar of %d launches: %.1f read units%n", DUE, excluding - plain);
  }

  private double readUnitsOfLaunches() {
    Instant before = now;
    deployment.tick();
    meter.reset();
    now = Instant.parse("2026-03-01T10:01:00Z");
    deployment.check();
    assertThat(deployment.targets.delivered()).hasSize(DUE);
    now = before;
    return meter.readUnits();
  }

  @Test
  void eachMinuteLaunchCostsAtMostTwoPointThreeWriteUnits() {
    int schedules = Math.max(20, DUE / 10);
    int minutes = 30;
    deployment.store(schedules, "minutely", "0 * * * * ?");
    for (int minute = 0; minute < 20; minute++) {
      deployment.tick();
      deployment.check();
      now = now.plusSeconds(60);
    }
    meter.reset();
    int before = deployment.targets.delivered().size();
    for (int minute = 0; minute < minutes; minute++) {
      deployment.tick();
      deployment.check();
      now = now.plusSeconds(60);
    }

    int launches = deployment.targets.delivered().size() - before;
    assertThat(launches).isEqualTo(schedules * minutes);
    assertThat(meter.writeUnits() / launches).isLessThanOrEqualTo(2.3);
    assertThat(meter.requests()).doesNotContainKey("Scan");
    System.out.printf("each-minute cron, %d launches: %s%n", launches, meter);
  }

  @Test
  void thousandEventsForOneScheduleCostAFewWrites() {
    deployment.put(
        "events",
        """
        {"trigger": {"type": "partition", "dataset": "d", "count": 1000}, "state": "ACTIVE",
         "target": {"queue": "work", "template": {"job": "${jobId}"}}}
        """);
    meter.reset();
    deployment.ingest(1_000);

    assertThat(meter.writeRequests() / 1_000.0).isLessThanOrEqualTo(0.1);
    assertThat(meter.writeUnits() / 1_000.0).isLessThanOrEqualTo(0.5);
    deployment.check();
    assertThat(deployment.targets.delivered()).hasSize(1);
    System.out.printf("1,000 events in one batch, one launch: %s%n", meter);
  }

  @Test
  void thousandEventsInBatchesOfAHundredStayWithinTheSameBounds() {
    deployment.put(
        "events",
        """
        {"trigger": {"type": "partition", "dataset": "d", "count": 1000}, "state": "ACTIVE",
         "target": {"queue": "work", "template": {"job": "${jobId}"}}}
        """);
    meter.reset();
    for (int batch = 0; batch < 10; batch++) {
      deployment.ingest(100);
    }

    assertThat(meter.writeRequests() / 1_000.0).isLessThanOrEqualTo(0.1);
    assertThat(meter.writeUnits() / 1_000.0).isLessThanOrEqualTo(0.5);
    System.out.printf("1,000 events in batches of 100: %s%n", meter);
  }

  @Test
  void oneEventThatLaunchesOneJob() {
    deployment.put(
        "event",
        """
        {"trigger": {"type": "partition", "dataset": "d", "count": 1}, "state": "ACTIVE",
         "target": {"queue": "work", "template": {"job": "${jobId}"}}}
        """);
    meter.reset();
    deployment.ingest(1);
    deployment.check();

    assertThat(deployment.targets.delivered()).hasSize(1);
    assertThat(meter.writeUnits()).isLessThanOrEqualTo(12);
    System.out.printf("one event, one launch: %s%n", meter);
  }

  @Test
  void timeoutThatDoesNotComeCostsAPlainLaunchNothing() {
    assertThat(writeUnitsOfFires("")).isEqualTo(2.0);
    deployment = new Deployment();
    deployment.tick();
    String timeout = "\"timeout\": {\"after\": \"PT1H\", \"action\": \"discard\"},";
    assertThat(writeUnitsOfFires(timeout)).isEqualTo(2.0);
  }

  @Test
  void fireThatMayBeMergedCostsFourWriteUnitsMore() {
    double units = writeUnitsOfFires("\"whilePending\": \"merge\",");
    System.out.printf("fire that may be merged: %.1f, %s%n", units, meter);
    assertThat(units).isLessThanOrEqualTo(6.0);
  }

  /** The write units of a launch, without those of its timer. */
  private double writeUnitsOfFires(String more) {
    int launches = Math.min(100, DUE / 4);
    Instant before = now;
    for (int number = 0; number < launches; number++) {
      deployment.put(
          "fires-" + number,
          """
          {"trigger": {"type": "cron", "expression": "0 1 10 * * ?"}, "state": "ACTIVE", %s
           "target": {"queue": "work", "template": {"job": "${jobId}"}}}
          """
              .formatted(more));
    }
    deployment.tick();
    now = Instant.parse("2026-03-01T10:01:00Z");
    meter.reset();
    deployment.check();
    assertThat(deployment.targets.delivered()).hasSize(launches);
    now = before;
    return meter.writeUnits() / launches;
  }

  @Test
  void theTimeoutOfACollectingJobCostsAnEventNothing() {
    double without = writeUnitsOfTwoEvents("without", "");
    String timeout = "\"timeout\": {\"after\": \"PT5M\", \"action\": \"launch\"},";
    assertThat(writeUnitsOfTwoEvents("with", timeout)).isEqualTo(without);
  }

  private double writeUnitsOfTwoEvents(String name, String more) {
    deployment = new Deployment();
    deployment.put(
        name,
        """
        {"trigger": {"type": "partition", "dataset": "d", "count": 2}, "state": "ACTIVE", %s
         "target": {"queue": "work", "template": {"job": "${jobId}"}}}
        """
            .formatted(more));
    meter.reset();
    attention.reset();
    deployment.ingest(1);
    deployment.ingest(1);
    deployment.check();
    assertThat(deployment.targets.delivered()).hasSize(1);
    System.out.printf("two events, one launch, %s a time-out: %s%n", name, meter);
    return meter.writeUnits();
  }

  @Test
  void launchThatNeedNotWaitForItsSlotCostsAtMostTenWriteUnitsBesideItsTimer() {
    int launches = Math.min(200, DUE);
    for (int number = 0; number < launches; number++) {
      deployment.put(
          "limited-" + number,
          """
          {"trigger": {"type": "cron", "expression": "0 1 10 * * ?"}, "state": "ACTIVE",
           "constraints": [{"type": "concurrency", "max": 1}],
           "target": {"queue": "work", "template": {"job": "${jobId}"}}}
          """);
    }
    deployment.tick();
    now = Instant.parse("2026-03-01T10:01:00Z");
    meter.reset();
    deployment.check();
    assertThat(deployment.targets.delivered()).hasSize(launches);
    deployment.endRuns();

    System.out.printf("%d launches under concurrency: %s%n", launches, meter);
    assertThat(meter.writeUnits() / launches).isLessThanOrEqualTo(10);
  }

  /**
   * Launch, claim, heartbeats and end of a run; the timer and the event of the end are apart. Two
   * of the units are those of its entry in the list of unfinished jobs.
   */
  @Test
  void aTrackedJobCostsSevenWriteUnitsAndAHeartbeatOne() {
    int jobs = Math.min(100, DUE / 4);
    int heartbeats = 10;
    for (int number = 0; number < jobs; number++) {
      deployment.put(
          "tracked-" + number,
          """
          {"trigger": {"type": "cron", "expression": "0 1 10 * * ?"}, "state": "ACTIVE",
           "tracking": {}, "target": {"queue": "work", "template": {"job": "${jobId}"}}}
          """);
    }
    deployment.tick();
    now = Instant.parse("2026-03-01T10:01:00Z");
    meter.reset();
    deployment.check();
    double launches = meter.writeUnits();
    List<JobId> launched = deployment.targets.delivered().stream().map(LaunchRequest::job).toList();
    assertThat(launched).hasSize(jobs);
    launched.forEach(job -> deployment.reports.claim(job, "encoder-of-team-1", 1, token(job)));
    double claims = meter.writeUnits() - launches;
    System.out.printf("%d tracked jobs, launch and claim: %s%n", jobs, meter);
    meter.reset();
    for (int beat = 0; beat < heartbeats; beat++) {
      now = now.plusSeconds(12);
      launched.forEach(
          job -> deployment.reports.report(job, new Report.Heartbeat(token(job), null, Map.of())));
    }
    System.out.printf("%d heartbeats: %s%n", jobs * heartbeats, meter);
    assertThat(meter.writeUnits()).isEqualTo(1.0 * jobs * heartbeats);
    meter.reset();
    launched.forEach(job -> deployment.reports.report(job, new Report.Success(token(job), null)));
    double ends = meter.writeUnits();
    System.out.printf("%d tracked jobs, end: %s%n", jobs, meter);
    assertThat((launches + claims + ends) / jobs).isLessThanOrEqualTo(7);
  }

  /** The end is stored with an entry of the attention index, which the callback removes. */
  @Test
  void aCallbackCostsThreeWriteUnits() {
    int jobs = 100;
    for (int number = 0; number < jobs; number++) {
      deployment.put(
          "calling-" + number,
          """
          {"trigger": {"type": "cron", "expression": "0 1 10 * * ?"}, "state": "ACTIVE",
           "target": {"queue": "work", "template": {"job": "${jobId}"}},
           "onEnd": {"queue": "ended", "template": {"job": "${jobId}", "how": "${outcome}"}}}
          """);
    }
    deployment.tick();
    now = Instant.parse("2026-03-01T10:01:00Z");
    meter.reset();
    deployment.check();
    System.out.printf("%d launches with callbacks: %s%n", jobs, meter);
    assertThat(deployment.targets.delivered()).hasSize(2 * jobs);
    assertThat(meter.writeUnits() / jobs).isEqualTo(5);
    assertThat(attention.ofJobs() / jobs).isEqualTo(2);
  }

  /**
   * What the entries of the attention indexes cost a job, those of jobs and those of gates; of the
   * jobs that wait at a gate the first does not. The decisions have the figures.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          plain         |                                                          | 0 | 0
          delay, near   | {"type": "delay", "duration": "PT5M"}                    | 4 | 0
          delay, far    | {"type": "delay", "duration": "PT30M"}                   | 4 | 0
          window, near  | {"type": "timeWindow", "from": "10:05", "to": "22:00"}   | 4 | 0
          window, far   | {"type": "timeWindow", "from": "10:35", "to": "22:00"}   | 4 | 0
          slot, free    | {"type": "concurrency", "max": 1000, "group": "g"}       | 2 | 0
          slot, waiting | {"type": "concurrency", "max": 1, "group": "g"}          | 5.6 | 3.6
          rate, waiting | {"type": "rate", "max": 1, "per": "PT30S", "group": "g"} | 3.6 | 1.8
          """)
  void entriesOfTheAttentionIndexes(
      String what, @Nullable String constraint, double ofJobs, double ofGates) {
    int jobs = 10;
    String more = constraint == null ? "" : ", \"constraints\": [" + constraint + "]";
    deployment.store(jobs, "waiting", "0 1 10 * * ?", more);
    attention.reset();
    int ended = 0;
    for (int steps = 0; ended < jobs && steps < 300; steps++, now = now.plusSeconds(10)) {
      if (now.getEpochSecond() % 60 == 0) {
        deployment.tick();
      }
      deployment.check();
      ended = deployment.endRuns(ended);
    }
    assertThat(deployment.targets.delivered()).hasSize(jobs);
    System.out.printf(
        "attention, %s: %.1f and %.1f%n",
        what, attention.ofJobs() / jobs, attention.ofGates() / jobs);
    assertThat(attention.ofJobs() / jobs).isLessThanOrEqualTo(ofJobs);
    assertThat(attention.ofGates() / jobs).isLessThanOrEqualTo(ofGates);
  }

  @Test
  void entriesOfTheAttentionIndexesOfEventsAndBackfills() {
    writeUnitsOfTwoEvents("counted", "");
    System.out.printf("attention, two events: %.1f%n", attention.ofJobs());
    assertThat(attention.ofJobs()).isLessThanOrEqualTo(6);

    attention.reset();
    double units = unitsOfBackfill(1);
    double entries = attention.ofJobs() / DUE;
    System.out.printf("attention, backfill: %.3f of %.1f%n", entries, units);
    assertThat(entries).isLessThanOrEqualTo(0.1);
  }

  private static String token(JobId job) {
    return new UUID(job.hashCode(), 7).toString();
  }

  /** What other schedules of the namespace limit is not read: a pass reads its own gates. */
  @Test
  void aLaunchCostsTheSameHoweverManySchedulesOfItsNamespaceHaveLimits() {
    int launches = 20;
    String one = ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    deployment.store(launches, "free", "0 1 10 * * ?", "");
    deployment.tick();
    double[] free = launchesAt("2026-03-01T10:01:00Z");
    deployment.store(launches, "limited", "0 3 10 * * ?", one);
    deployment.tick();
    double[] limited = launchesAt("2026-03-01T10:03:00Z");
    deployment.store(DUE, "other", "0 0 9 1 1 ?", one);
    deployment.store(launches, "later", "0 5 10 * * ?", one);
    deployment.store(launches, "free-later", "0 6 10 * * ?", "");
    deployment.tick();
    double[] later = launchesAt("2026-03-01T10:05:00Z");
    deployment.tick();
    double[] freeLater = launchesAt("2026-03-01T10:06:00Z");

    assertThat(deployment.targets.delivered().size()).isEqualTo(4 * launches);
    System.out.printf(
        "%d launches: %.0f write and %.0f read units; under a limit %.0f and %.0f; the same beside"
            + " %d other schedules with limits: %.0f and %.0f; %.0f and %.0f%n",
        launches,
        free[0],
        free[1],
        limited[0],
        limited[1],
        DUE,
        freeLater[0],
        freeLater[1],
        later[0],
        later[1]);
    assertThat(later).isEqualTo(limited);
    assertThat(freeLater[0]).isEqualTo(free[0]);
    assertThat(freeLater[1] - free[1])
        .as("the gate of each program is read, because it may have limits")
        .isLessThanOrEqualTo(launches);
  }

  @Test
  void aGaugeCostsALaunchNothingToWriteAndALookOneReadUnit() {
    int launches = Math.min(100, DUE / 4);
    String under =
        ", \"constraints\": [{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}]";
    deployment.store(launches, "free", "0 1 10 * * ?", "");
    deployment.store(launches, "under", "0 2 10 * * ?", under);
    deployment.report(10);
    deployment.tick();

    double[] free = launchesAt("2026-03-01T10:01:00Z");
    double[] limited = launchesAt("2026-03-01T10:02:00Z");
    assertThat(deployment.targets.delivered()).hasSize(2 * launches);
    System.out.printf("%d launches under a gauge: %s%n", launches, meter);
    assertThat(limited[0]).isEqualTo(free[0]);
    assertThat(limited[1] - free[1]).isLessThanOrEqualTo(2);
  }

  /** Write and read units. */
  private double[] launchesAt(String instant) {
    now = Instant.parse(instant);
    meter.reset();
    deployment.check();
    return new double[] {meter.writeUnits(), meter.readUnits()};
  }

  @Test
  void aReportCostsAtMostThreeWriteUnitsAndAJobThatWaitedForItEighteen() {
    int jobs = 100;
    String under =
        ", \"constraints\": [{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}]";
    deployment.report(9);
    meter.reset();
    deployment.report(7);
    assertThat(meter.writeUnits()).as("no job waits").isEqualTo(1);
    deployment.store(jobs, "under", "0 1 10 * * ?", under);
    deployment.tick();
    double[] waiting = launchesAt("2026-03-01T10:01:00Z");
    assertThat(deployment.targets.delivered()).isEmpty();
    meter.reset();
    deployment.report(8);
    System.out.printf("report of a gauge for which jobs wait: %s%n", meter);
    assertThat(meter.writeUnits()).isLessThanOrEqualTo(3);

    deployment.report(10);
    double[] woken = launchesAt("2026-03-01T10:02:00Z");
    assertThat(deployment.targets.delivered()).hasSize(jobs);
    double each = (waiting[0] + woken[0]) / jobs;
    System.out.printf("jobs that waited for a gauge: %.2f write units each%n", each);
    assertThat(each).isLessThanOrEqualTo(18);
  }

  @Test
  void backfillCostsAtMostFourWriteUnitsAFire() {
    for (int concurrency : List.of(1, 10)) {
      double units = unitsOfBackfill(concurrency);
      assertThat(units).isLessThanOrEqualTo(concurrency == 1 ? 4 : 2.5);
    }
  }

  private double unitsOfBackfill(int concurrency) {
    int fires = DUE;
    deployment = new Deployment();
    deployment.store(1, "daily", "0 0 3 * * ?");
    deployment.backfill(new ScheduleId("default", "daily-0"), fires, concurrency);
    meter.reset();
    deployment.check();

    assertThat(deployment.targets.delivered()).hasSize(fires);
    assertThat(meter.requests()).doesNotContainKey("Scan");
    System.out.printf("backfill of %d, %d at a time: %s%n", fires, concurrency, meter);
    return meter.writeUnits() / fires;
  }

  @Test
  void thousandsOfJobsThatWaitForOneWindowCostNothingWhileItIsClosed() {
    int jobs = 10 * DUE;
    Instant opening = Instant.parse("2026-03-01T22:00:00Z");
    meter.reset();
    deployment.tick();
    double idle = meter.readUnits();
    deployment.storeWaiting(jobs, opening);
    now = opening.minus(Duration.ofHours(1));
    meter.reset();
    deployment.tick();
    assertThat(meter.writeUnits()).isEqualTo(1);
    assertThat(meter.readUnits()).isLessThanOrEqualTo(idle);
    System.out.printf("tick with %d jobs that wait: %s%n", jobs, meter);

    now = opening.minusSeconds(30);
    deployment.tick();
    now = opening.minusMillis(1);
    deployment.check();
    assertThat(deployment.targets.delivered()).isEmpty();
    now = opening;
    meter.reset();
    long began = System.nanoTime();
    deployment.check();

    assertThat(deployment.targets.delivered()).hasSize(jobs);
    System.out.printf(
        "%d jobs launch at one opening: %s in %d ms%n",
        jobs, meter, (System.nanoTime() - began) / 1_000_000);
    List<Integer> priorities =
        deployment.targets.delivered().stream()
            .map(request -> Integer.parseInt(request.attributes().get("priority")))
            .toList();
    assertThat(priorities).isSorted();
  }

  @Test
  void dailyAuditOfWholeTimersWritesNoTimer() {
    deployment.store(DUE, "yearly", "0 0 9 1 6 ?");
    now = now.plus(Duration.ofHours(24));
    meter.reset();
    deployment.tick();

    assertThat(meter.requests("Scan")).isPositive();
    assertThat(meter.requests("BatchWriteItem")).isZero();
    System.out.printf("daily audit of %d schedules: %s%n", DUE, meter);
  }

  @Test
  void idleTickWritesNothingButHowFarItCame() {
    deployment.tick();

    assertThat(meter.requests()).doesNotContainKey("Scan");
    assertThat(meter.writeUnits()).isEqualTo(1);
    System.out.printf("idle tick: %s%n", meter);
  }

  @Test
  void eachShardCostsAnIdleTickOneRequestAndEachShardOfAttentionTwo() {
    deployment.tick();
    double usual = meter.readUnits();
    int requests = meter.requests("Query");
    deployment = new Deployment(SHARDS + 1);
    deployment.tick();
    meter.reset();
    deployment.tick();

    assertThat(meter.requests("Query")).isEqualTo(requests + 3);
    assertThat(meter.readUnits() - usual).isBetween(0.0, 2.0);
    System.out.printf("one more of both shards: %.1f read units%n", meter.readUnits() - usual);
  }

  /** The functions on separate tables. */
  private final class Deployment {
    final MemoryTargetQueues targets = new MemoryTargetQueues();
    private final InstantSource clock = () -> now;
    private final Tables tables = Servers.tables();
    private final MemoryCheckQueue checks = new MemoryCheckQueue();
    private final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    private final Schedules unrecorded =
        new DynamoSchedules(Servers.dynamoDb(), tables, SHARDS, RETENTION, clock, Servers.fanout());
    private final DynamoJobs unmetered =
        new DynamoJobs(Servers.dynamoDb(), tables, SHARDS, RETENTION, Servers.fanout());
    private final Gates gates;
    private final Master master;
    private final Checker checker;
    private final Ingest ingest;
    private final RunReports reports;
    private int events;

    Deployment() {
      this(SHARDS);
    }

    Deployment(int shards) {
      DynamoDbClient client = Servers.dynamoDb(List.of(meter, attention));
      Fanout fanout = Servers.fanout();
      Schedules schedules = new DynamoSchedules(client, tables, shards, RETENTION, clock, fanout);
      DynamoCalendars calendars = new DynamoCalendars(client, tables, fanout);
      DynamoTimers timers = new DynamoTimers(client, tables, shards, fanout);
      DynamoJobs jobs = new DynamoJobs(client, tables, shards, RETENTION, fanout);
      gates = new DynamoGates(client, tables, shards, RETENTION, fanout);
      DynamoStatus status = new DynamoStatus(client, tables, fanout);
      CompiledSchedules definitions = new CompiledSchedules(schedules, calendars, parser);
      Shared shared =
          new Shared(
              schedules,
              definitions,
              timers,
              jobs,
              jobs,
              gates,
              new DynamoPools(client, tables, shards, fanout),
              checks,
              new MemoryIngestQueue(),
              OptimisticUpdate.uncounted());
      master =
          new Master(
              shared,
              parser,
              () -> false,
              status,
              Duration.ofMinutes(1),
              fanout,
              clock,
              Metrics.NONE);
      Requests requests =
          new Requests(new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of()));
      reports = new RunReports(shared, clock);
      checker =
          new Checker(
              shared,
              requests,
              targets,
              Servers.fanout(),
              clock,
              rest -> now = now.plus(rest),
              Duration.ZERO);
      ingest =
          new Ingest(
              shared, new MemoryRejectedMessages(), clock, new Fanout(Runnable::run), Metrics.NONE);
    }

    void calendar(String name, String document) {
      NamedCalendar calendar = new CalendarReader(ZoneOffset.UTC).read(Json.readObject(document));
      CalendarId id = new CalendarId("default", name);
      new DynamoCalendars(Servers.dynamoDb(), tables, Servers.fanout())
          .save(null, StoredCalendar.created(id, calendar, now, "test"));
    }

    void store(int count, String prefix, String cron) {
      store(count, prefix, cron, "");
    }

    void store(int count, String prefix, String cron, String more) {
      String document =
          """
          {"trigger": {"type": "cron", "expression": "%s"}, "state": "ACTIVE",
           "target": {"queue": "work", "template": {"date": "${yesterdaysDate}", "job": "${jobId}"}}%s}
          """
              .formatted(cron, more);
      List<Integer> numbers = IntStream.range(0, count).boxed().toList();
      Servers.fanout().forEach(numbers, number -> put(prefix + "-" + number, document));
    }

    /** Stores waiting jobs of ten schedules with ten priorities. */
    void storeWaiting(int count, Instant opening) {
      for (int priority = 0; priority < 10; priority++) {
        put(
            "night-" + priority,
            """
            {"trigger": {"type": "cron", "expression": "0 0 3 1 1 ?"}, "state": "ACTIVE",
             "priority": %d, "constraints": [{"type": "timeWindow", "from": "22:00", "to": "06:00"}],
             "target": {"queue": "work", "template": {"job": "${jobId}"},
               "attributes": {"priority": "${priority}"}}}
            """
                .formatted(priority));
      }
      List<Job> waiting =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      NewJob.dueFire(
                              JobId.ofFire(
                                  new ScheduleId("default", "night-" + i % 10),
                                  1,
                                  now.plusMillis(i)),
                              now.getEpochSecond(),
                              "night-" + i % 10)
                          .withCustomerAndPriority(null, i % 10)
                          .waitingUntil(
                              opening,
                              opening,
                              now,
                              Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed")))
              .toList();
      assertThat(unmetered.insert(waiting)).allMatch(Optional::isEmpty);
    }

    void put(String name, String document) {
      ScheduleId id = new ScheduleId("default", name);
      Schedule schedule = parser.parse(id, Json.readObject(document), now);
      assertThat(unrecorded.save(Lifecycle.create(null, schedule, now, "test"))).isTrue();
    }

    /** Reports a gauge, and runs the checks that follow. */
    void report(int value) {
      GateKey disk = GateKey.ofResource("default", "disk");
      Gate before = gates.find(List.of(disk)).get(disk);
      Gauge gauge = new Gauge(BigDecimal.valueOf(value), null, now, "test");
      assertThat(gates.update(before, before.reported(gauge, now))).isTrue();
      checks.send(Check.of(now, List.of(disk)), now);
    }

    /** A backfill of one fire per day, from the year 2000 on. */
    void backfill(ScheduleId schedule, int fires, int concurrency) {
      Instant first = Instant.parse("2000-01-01T03:00:00Z");
      Instant last = first.plus(Duration.ofDays(fires - 1L));
      long activation = unrecorded.heads(List.of(schedule)).get(schedule).activation();
      Backfill.Order order =
          new Backfill.Order(
              1,
              activation,
              schedule.name(),
              first.minusSeconds(1),
              last,
              concurrency,
              fires,
              "ann",
              now);
      BackfillId id = new BackfillId(schedule, "x1y2z");
      assertThat(unmetered.saveBackfill(null, Backfill.create(id, order, first))).isTrue();
      checks.send(Check.of(now, List.of(id)), now);
    }

    void tick() {
      master.tick(deadline());
    }

    /** Handles the visible check messages in batches. */
    void check() {
      List<MemoryCheckQueue.Message> batch = received();
      while (!batch.isEmpty()) {
        List<Checker.Received> received =
            batch.stream().map(m -> new Checker.Received("" + m.id(), m.check(), 1)).toList();
        assertThat(checker.handle(received, deadline())).isEmpty();
        batch.forEach(checks::delete);
        batch = received();
      }
    }

    private List<MemoryCheckQueue.Message> received() {
      List<MemoryCheckQueue.Message> due = checks.receive(now, 10);
      return due.isEmpty() ? checks.receiveOverdue(now, 10) : due;
    }

    /** Reports the end of every run that was launched. */
    void endRuns() {
      endRuns(0);
    }

    /** The same for those launched since a call that returned {@code first}. */
    int endRuns(int first) {
      List<LaunchRequest> launched = targets.delivered();
      if (launched.size() == first) {
        return first;
      }
      List<Ingest.Received> ends =
          launched.subList(first, launched.size()).stream()
              .map(
                  request ->
                      new Ingest.Received(
                          "end-" + request.job(),
                          """
                          {"eventType": "PROGRAM_STATUS",
                           "payload": {"programId": "%s", "status": "SUCCEEDED", "runId": "%s"}}
                          """
                              .formatted(request.job().schedule().name(), request.job())))
              .toList();
      assertThat(ingest.handle(ends, deadline())).isEmpty();
      return launched.size();
    }

    void ingest(int count) {
      List<Ingest.Received> batch =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      new Ingest.Received(
                          "message-" + ++events,
                          """
                          {"eventType": "PARTITION", "timestamp": 1772359200000,
                           "payload": {"datasetId": "d", "partitionKeys": ["date=2026-03-01/part-%d"]}}
                          """
                              .formatted(i)))
              .toList();
      assertThat(ingest.handle(batch, deadline())).isEmpty();
    }

    private Deadline deadline() {
      return new Deadline(now.plusSeconds(600), clock);
    }
  }
}
