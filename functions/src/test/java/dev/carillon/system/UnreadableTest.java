package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.StoredPool;
import dev.carillon.run.Report;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.World.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that a version of the functions cannot read: damaged, or stored by a newer version. */
class UnreadableTest {

  private static final String ONE =
      "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";

  private final World world = new World("2026-03-01T10:00:00Z");

  /** The part of a schedule that cannot be read. */
  private enum Part {
    DEFINITION,
    HEAD
  }

  private void damage(Part part, ScheduleId id) {
    if (part == Part.DEFINITION) {
      world.damageDefinitionOf(id);
    } else {
      world.damageHeadOf(id);
    }
  }

  private List<Arrival> arrivals(ScheduleId id) {
    return world.arrivals.stream()
        .filter(arrival -> arrival.request().job().schedule().equals(id))
        .toList();
  }

  private List<Instant> fires(ScheduleId id) {
    return arrivals(id).stream().map(arrival -> arrival.request().job().at()).sorted().toList();
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void firesOfOtherSchedulesAreOnTimeAndItsOwnFollowOnceItCanBeRead(Part part) {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?")));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?")));
    damage(part, bad);
    world.runUntil("2026-03-01T10:20:30Z");
    assertThat(arrivals(good))
        .hasSize(20)
        .allMatch(arrival -> arrival.at().equals(arrival.request().job().at()));
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:23:30Z");
    assertThat(fires(bad)).isEqualTo(fires(good)).hasSize(23);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void eventsAreCountedByOtherSchedulesAtOnceAndByItOnceItCanBeRead(Part part) {
    ScheduleId bad = world.put("bad", active(partition("d", 1)));
    ScheduleId good = world.put("good", active(partition("d", 1)));
    damage(part, bad);
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(arrivals(good)).hasSize(1);

    world.runFor(Duration.ofMinutes(5));
    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(arrivals(good)).hasSize(1);
    assertThat(arrivals(bad)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void jobsThatCannotBeDecidedDelayNoOtherAtTheirGate(Part part) {
    ScheduleId bad = waitingBeforeAnother(30);
    damage(part, bad);
    assertTheOtherGoesFirst(bad);
  }

  @Test
  void anUnreadableJobDelaysNoOtherAtItsGate() {
    ScheduleId bad = waitingBeforeAnother(1);
    world.damageRowOf(waiting(bad));
    assertTheOtherGoesFirst(bad);
  }

  /**
   * One job holds the only slot. Jobs of the returned schedule wait for it, and another job behind
   * them.
   */
  private ScheduleId waitingBeforeAnother(int jobs) {
    world.put("first", active(partition("a", 1), ONE));
    ScheduleId bad = world.put("bad", active(partition("b", 1), ONE));
    world.put("good", active(partition("c", 1), ONE));
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    IntStream.range(0, jobs).forEach(i -> world.partitions("b", 1));
    world.runFor(Duration.ofSeconds(1));
    world.partitions("c", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    return bad;
  }

  private JobId waiting(ScheduleId schedule) {
    Set<JobState> waiting = Set.of(JobState.PENDING_CONSTRAINT);
    return world.jobs.ofSchedule(schedule, waiting, 1, null).items().get(0).id();
  }

  private void assertTheOtherGoesFirst(ScheduleId bad) {
    endRun();
    assertThat(world.arrivals).hasSize(2);
    assertThat(arrivals(bad)).isEmpty();

    world.runFor(Duration.ofMinutes(5));
    endRun();
    world.repair();
    world.runFor(Duration.ofSeconds(61));
    assertThat(world.arrivals).hasSize(3);
    assertThat(arrivals(bad)).hasSize(1);
  }

  private void endRun() {
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\":"
            + " \"SUCCEEDED\"}}");
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void anUnreadableJobDelaysNoOtherInItsMessage() {
    String delay = "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT30S\"}]";
    ScheduleId bad = world.put("bad", active(partition("d", 1), delay));
    ScheduleId good = world.put("good", active(partition("d", 1), delay));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(10));
    world.damageRowOf(world.jobs.ofSchedule(bad, null, 1, null).items().get(0).id());
    world.runFor(Duration.ofMinutes(5));
    assertThat(arrivals(good))
        .extracting(Arrival::at)
        .containsExactly(Instant.parse("2026-03-01T10:00:30Z"));
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runFor(Duration.ofSeconds(61));
    assertThat(arrivals(bad)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void aSuspensionEndsOnceItCanBeReadAndDelaysNoOtherUntilThen(Part part) {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?")));
    ScheduleId good = world.put("good", active(at("2026-03-01T10:02:15Z")));
    Instant end = Instant.parse("2026-03-01T10:02:15Z");
    world.keep(bad, SuspendMode.BACKLOG, end);
    damage(part, bad);
    world.runUntil("2026-03-01T10:10:30Z");
    assertThat(arrivals(good)).extracting(Arrival::at).containsExactly(end);
    assertThat(world.schedules.find(bad).orElseThrow().head().state())
        .isEqualTo(ScheduleState.SUSPENDED);

    world.repair();
    world.runUntil("2026-03-01T10:13:30Z");
    assertThat(world.schedules.find(bad).orElseThrow().head().state())
        .isEqualTo(ScheduleState.ACTIVE);
    assertThat(fires(bad)).hasSize(13);
  }

  // ---- items that several schedules share

  @Test
  void aCalendarConcernsOnlyTheSchedulesThatExcludeIt() {
    world.calendar("us", "{}");
    String excluding =
        "{\"type\": \"cron\", \"expression\": \"0 * * * * ?\", \"exclude\": [\"us\"]}";
    ScheduleId bad = world.put("bad", active(excluding));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?")));
    world.damageItemOf(new CalendarId("default", "us"));
    world.runUntil("2026-03-01T10:10:30Z");
    assertOnTime(good, 10);
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:13:30Z");
    assertThat(fires(bad)).isEqualTo(fires(good)).hasSize(13);
  }

  @Test
  void aCalendarKeepsNoEventFromOtherSchedules() {
    world.calendar("us", "{}");
    String excluding =
        "{\"type\": \"and\", \"triggers\": [%s, {\"type\": \"cron\", \"expression\":"
            + " \"0 * * * * ?\", \"exclude\": [\"us\"]}]}";
    ScheduleId bad = world.put("bad", active(excluding.formatted(partition("d", 1))));
    ScheduleId good = world.put("good", active(partition("d", 1)));
    world.damageItemOf(new CalendarId("default", "us"));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(arrivals(good)).hasSize(1);

    world.runFor(Duration.ofMinutes(5));
    world.repair();
    world.runFor(Duration.ofMinutes(4));
    assertThat(arrivals(good)).hasSize(1);
    assertThat(arrivals(bad)).hasSize(1);
  }

  @Test
  void limitsConcernOnlyTheirProgram() {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?"), "\"program\": \"p\""));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?")));
    world.damageLimitsOf("p");
    world.runUntil("2026-03-01T10:10:30Z");
    assertOnTime(good, 10);
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:12:30Z");
    assertThat(fires(bad)).isEqualTo(fires(good)).hasSize(12);
  }

  @Test
  void aGateConcernsOnlyTheJobsThatPassIt() {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?"), ONE));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?"), ONE.replace("\"p\"", "\"q\"")));
    ScheduleId plain = world.put("plain", active(cron("0 * * * * ?")));
    world.damageItemOf(GateKey.ofProgram("default", "p"));
    world.runUntil("2026-03-01T10:01:30Z");
    assertOnTime(good, 1);
    assertOnTime(plain, 1);
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:05:30Z");
    assertThat(arrivals(bad)).hasSize(1);
  }

  @Test
  void jobsThatCannotBeDecidedAtAGateAreCheckedWithItOnceAMinute() {
    String disk = "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}";
    world.put("first", active(partition("a", 1), ONE));
    ScheduleId bad =
        world.put("bad", active(partition("b", 1), ONE.replace("[", "[" + disk + ", ")));
    world.report("disk", 12, null);
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    world.partitions("b", 1);
    world.runFor(Duration.ofSeconds(1));
    world.damageItemOf(GateKey.ofResource("default", "disk"));
    endRun();
    world.faults.calls().clear();
    world.runFor(Duration.ofMinutes(10));
    assertThat(arrivals(bad)).isEmpty();
    // The master may repeat each check.
    assertThat(world.faults.calls().stream().filter("Gates.waiters"::equals))
        .hasSizeBetween(10, 20);

    world.repair();
    world.runFor(Duration.ofSeconds(61));
    assertThat(arrivals(bad)).hasSize(1);
  }

  /** Its place at the gate cannot be given up, so it cannot be stored as suspended. */
  @Test
  void aJobAtAGateIsCheckedOnceAMinuteUntilItCanBeSuspended() {
    ScheduleId bad = waitingBeforeAnother(1);
    JobId waiting = waiting(bad);
    world.damageItemOf(GateKey.ofProgram("default", "p"));
    world.keep(bad, SuspendMode.BACKLOG, null);
    world.runFor(Duration.ofMinutes(1));
    world.check(waiting);
    world.runFor(Duration.ofSeconds(1));
    world.faults.calls().clear();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.faults.calls().stream().filter("Schedules.forLaunch"::equals)).hasSize(10);

    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.job(waiting).isSuspended()).isTrue();
    world.faults.calls().clear();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.faults.calls()).doesNotContain("Schedules.forLaunch");
  }

  @ParameterizedTest
  @CsvSource({"merge, false", "merge, true", "skip, false", "skip, true"})
  void firesThatJoinAWaitingJobDoSoOnceItCanBeRead(String whilePending, boolean isItsRow) {
    String more = ONE + ", \"whilePending\": \"" + whilePending + "\"";
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?"), more));
    world.runUntil("2026-03-01T10:02:30Z");
    JobId waiting = waiting(bad);
    if (isItsRow) {
      world.damageRowOf(waiting);
    } else {
      world.damageCollectingJobOf(bad);
    }
    world.runUntil("2026-03-01T10:20:30Z");
    assertThat(waitingJobs(bad)).containsExactly(waiting);

    world.repair();
    world.runUntil("2026-03-01T10:23:30Z");
    assertThat(waitingJobs(bad)).containsExactly(waiting);
    endRun();
    assertThat(arrivals(bad)).hasSize(2);
    assertThat(waitingJobs(bad)).isEmpty();
  }

  /**
   * Both fires are in one message, the first one again. Another job is the last one that waited.
   */
  @Test
  void anUnreadableJobOfAFireDelaysNoOtherFireThatCanJoinAWaitingJob() {
    ScheduleId id = world.put("a", active(cron("0 * * * * ?"), "\"whilePending\": \"skip\""));
    world.runUntil("2026-03-01T10:02:30Z");
    JobId first = JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:01:00Z"));
    JobId third = JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:03:00Z"));
    world.damageRowOf(first);
    world.pause(Duration.ofSeconds(30));
    world.checking(List.of(first, third)).run();
    assertThat(arrivals(id)).hasSize(3);
    assertThat(arrivals(id).get(2).request().job()).isEqualTo(third);
  }

  private List<JobId> waitingJobs(ScheduleId schedule) {
    Set<JobState> waiting = Set.of(JobState.PENDING_CONSTRAINT);
    return world.jobs.ofSchedule(schedule, waiting, 50, null).items().stream()
        .map(Job::id)
        .toList();
  }

  /** Its deletion reads its last jobs, its backfills and its skipped fires. */
  @Test
  void aScheduleDeletesItselfOnceItsLastJobsCanBeReadAndIsCheckedOnceAMinuteUntilThen() {
    String twice = or(at("2026-03-01T10:01:00Z"), at("2026-03-01T10:05:00Z"));
    ScheduleId once = world.put("once", active(twice, "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T10:01:30Z");
    world.damageRowOf(JobId.ofFire(once, 1, Instant.parse("2026-03-01T10:01:00Z")));
    world.runUntil("2026-03-01T10:06:30Z");
    assertThat(arrivals(once)).hasSize(2);
    world.faults.calls().clear();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.faults.calls()).doesNotContain("Schedules.forLaunch");
    assertThat(world.faults.calls().stream().filter("Jobs.suspendedJobs"::equals)).hasSize(10);
    assertThat(world.schedules.find(once)).isPresent();

    world.repair();
    world.runFor(Duration.ofMinutes(1));
    assertThat(world.schedules.find(once)).isEmpty();
    world.faults.calls().clear();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.faults.calls()).doesNotContain("Jobs.suspendedJobs");
  }

  @Test
  void aBackfillConcernsOnlyItsOwnJobs() {
    ScheduleId bad = world.put("bad", active(cron("0 * * * * ?")));
    ScheduleId good = world.put("good", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-01T10:05:30Z");
    BackfillId backfill = world.backfill(bad, "2026-03-01T10:00:30Z", "2026-03-01T10:04:30Z", 2);
    world.damageItemOf(backfill);
    world.runUntil("2026-03-01T10:10:30Z");
    assertOnTime(bad, 10);
    assertOnTime(good, 10);

    world.repair();
    world.runUntil("2026-03-01T10:16:30Z");
    assertThat(arrivals(bad)).hasSize(16 + 4);
  }

  // ---- what a request replaces

  private static final String SCHEDULE = "/v1/namespaces/{ns}/schedules/{name}";
  private static final Map<String, String> REPORT = Map.of("ns", "default", "name", "report");

  private ScheduleId collecting() {
    ScheduleId id = world.put("report", active(partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.damageCollectingJobOf(id);
    return id;
  }

  @Test
  void aPutThatChangesTheGenerationReplacesTheCollectingJob() {
    ScheduleId id = collecting();
    world.request("PUT", SCHEDULE, REPORT, active(partition("d", 3)));
    assertCountsFromZero(id);
  }

  @Test
  void aDeletionReplacesTheCollectingJob() {
    ScheduleId id = collecting();
    world.request("DELETE", SCHEDULE, REPORT, null);
    world.request("PUT", SCHEDULE, REPORT, active(partition("d", 3)));
    assertCountsFromZero(id);
  }

  /** The collecting job of the deleted schedule becomes unreadable only afterwards. */
  @Test
  void aPutThatCreatesTheScheduleAgainReplacesTheCollectingJob() {
    ScheduleId id = world.put("report", active(partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.request("DELETE", SCHEDULE, REPORT, null);
    world.runFor(Duration.ofSeconds(20));
    world.damageCollectingJobOf(id);
    world.request("PUT", SCHEDULE, REPORT, active(partition("d", 3)));
    assertCountsFromZero(id);
  }

  /** The collecting job of a former definition becomes unreadable while it is not needed. */
  @Test
  void aPutThatCollectsAgainReplacesTheCollectingJob() {
    ScheduleId id = world.put("report", active(partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.put("report", active(cron("0 0 3 * * ?")));
    world.runFor(Duration.ofSeconds(20));
    world.damageCollectingJobOf(id);
    world.request("PUT", SCHEDULE, REPORT, active(partition("d", 3)));
    assertCountsFromZero(id);
  }

  /** The request crashes after the suspension is stored, so a check drops what was collected. */
  @Test
  void aCheckThatDropsWhatWasCollectedReplacesTheCollectingJob() {
    ScheduleId id = collecting();
    world.keep(id, SuspendMode.DISCARD, null);
    world.check(new CollectingJobId(id));
    world.runFor(Duration.ofSeconds(1));
    world.resumeAndDie(id);
    world.partitions("d", 2);
    world.runFor(Duration.ofSeconds(1));
    assertThat(arrivals(id)).hasSize(1);
  }

  /** No definition of the schedule needs it any more, so no request would replace it. */
  @Test
  void aCheckReplacesTheCollectingJobOfAScheduleThatCollectsNothing() {
    ScheduleId id = collecting();
    world.put("report", active(cron("0 0 3 * * ?")));
    world.runFor(Duration.ofSeconds(20));
    assertThat(world.isDamagedCollectingJobOf(id)).isTrue();
    world.check(new CollectingJobId(id));
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.isDamagedCollectingJobOf(id)).isFalse();
  }

  private void assertCountsFromZero(ScheduleId id) {
    world.runFor(Duration.ofSeconds(20));
    world.partitions("d", 1);
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(5));
    assertThat(arrivals(id)).isEmpty();
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(arrivals(id)).hasSize(1);
  }

  /** A timer that cannot be read is left out, as if it were lost. */
  @Test
  void anEqualPutRestoresATimer() {
    String minutely = active(cron("0 * * * * ?"));
    world.request("PUT", SCHEDULE, REPORT, minutely);
    ScheduleId id = new ScheduleId("default", "report");
    world.runUntil("2026-03-01T10:05:30Z");
    world.timers.delete(world.timers.all());
    world.runUntil("2026-03-01T10:30:30Z");
    int before = arrivals(id).size();
    assertThat(before).isLessThan(20);

    world.request("PUT", SCHEDULE, REPORT, minutely);
    world.runUntil("2026-03-01T10:40:30Z");
    assertThat(arrivals(id)).hasSize(before + 10);
    world.request("PUT", SCHEDULE, REPORT, minutely);
    world.runUntil("2026-03-01T11:00:30Z");
    assertThat(arrivals(id)).hasSize(before + 30);
  }

  // ---- pools

  @Test
  void aPutOfAPoolReplacesWhatItKnowsOfItsChoices() {
    pool(POOL, "{\"queue\": \"q\", \"depth\": 99}");
    ScheduleId pooled = world.put("pooled", POOLED.formatted("encode"));
    world.runUntil("2026-03-01T10:01:30Z");
    world.damageActivityOf(POOL);
    world.request(
        "PUT",
        "/v1/namespaces/{ns}/pools/{pool}",
        Map.of("ns", "default", "pool", "encode"),
        "{\"queue\": \"q\", \"depth\": 98}");
    world.runUntil("2026-03-01T10:05:30Z");
    assertThat(fires(pooled)).hasSize(5);
  }

  private static final PoolId POOL = new PoolId("default", "encode");
  private static final String POOLED =
      "{\"trigger\": {\"type\": \"cron\", \"expression\": \"0 * * * * ?\"}, \"state\":"
          + " \"ACTIVE\", \"pool\": \"%s\", \"target\": {\"template\": {\"kind\": \"video\"}},"
          + " \"retry\": {\"maxAttempts\": 3, \"backoff\": \"PT1S\"}}";

  private void pool(PoolId id, String document) {
    world
        .gates
        .pools()
        .save(
            null,
            StoredPool.created(id, PoolReader.read(World.read(document)), world.now(), "ann"));
  }

  /** A retry of the unreadable pool, and a waiting job of another namespace, in one check. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPoolConcernsNoOtherJobOfACheckThatHasARetryOfIt(boolean isOfActivity) {
    pool(POOL, "{\"queue\": \"q\", \"depth\": 9, \"maxInFlight\": {\"default\": 9}}");
    world.put("bad", POOLED.formatted("encode"));
    String delay = "\"constraints\": [{\"type\": \"delay\", \"duration\": \"PT2M\"}]";
    ScheduleId good = world.put("other", "good", active(partition("d", 1), delay));
    world.runUntil("2026-03-01T10:01:05Z");
    JobId retried = failFirst();
    damagePool(isOfActivity);
    world.eventOf(
        "other",
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"d\", \"numPartitions\":"
            + " 1}}");
    world.runFor(Duration.ofSeconds(1));
    JobId waiting = world.jobs.ofSchedule(good, null, 1, null).items().get(0).id();
    world.runUntil("2026-03-01T10:01:30Z");
    world.pause(Duration.ofMinutes(2));
    world.checking(List.of(retried, waiting)).run();
    assertThat(arrivals(good)).hasSize(1);

    world.repair();
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.job(retried).attempt()).isEqualTo(2);
    assertThat(world.job(retried).state()).isEqualTo(JobState.ENQUEUED);
  }

  /** The master checks the job each minute, so its own check plans no other one. */
  @Test
  void anEndThatAnUnreadablePoolHoldsBackIsCheckedOnceAMinute() {
    pool(POOL, "{\"queue\": \"q\", \"depth\": 9, \"maxInFlight\": {\"default\": 9}}");
    world.put("bad", POOLED.formatted("encode").replace("0 * * * * ?", "0 1 10 1 3 ? 2026"));
    world.runUntil("2026-03-01T10:01:05Z");
    JobId retried = failFirst();
    world.damageActivityOf(POOL);
    world.reports().cancel(retried, "ann");
    world.runUntil("2026-03-01T10:12:00Z");
    world.faults.calls().clear();
    world.runUntil("2026-03-01T10:22:00Z");
    assertThat(world.job(retried).isConcluding()).isTrue();
    assertThat(world.faults.calls().stream().filter("CheckQueue.send"::equals)).hasSize(10);

    world.repair();
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.job(retried).waitsFor()).isNull();
  }

  private JobId failFirst() {
    LaunchRequest first = world.arrivals.get(0).request();
    world.reports().claim(first.job(), "w", 1, "t").orElseThrow();
    world.reports().report(first.job(), new Report.Failure("t", "boom", true)).orElseThrow();
    return first.job();
  }

  private void damagePool(boolean isOfActivity) {
    if (isOfActivity) {
      world.damageActivityOf(POOL);
    } else {
      world.damageItemOf(POOL);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPoolConcernsNoFireOfAnotherPoolOrNamespace(boolean isOfActivity) {
    PoolId whole = new PoolId("default", "pack");
    pool(POOL, "{\"queue\": \"q\", \"depth\": 99}");
    pool(whole, "{\"queue\": \"r\", \"depth\": 99}");
    ScheduleId bad = world.put("bad", POOLED.formatted("encode"));
    ScheduleId pooled = world.put("pooled", POOLED.formatted("pack"));
    ScheduleId plain = world.put("other", "plain", active(cron("0 * * * * ?")));
    damagePool(isOfActivity);
    world.runUntil("2026-03-01T10:10:30Z");
    assertOnTime(plain, 10);
    assertThat(arrivals(pooled))
        .hasSize(10)
        .allMatch(it -> !it.at().isAfter(it.request().job().at().plusSeconds(2)));
    assertThat(arrivals(bad)).isEmpty();

    world.repair();
    world.runUntil("2026-03-01T10:13:30Z");
    assertThat(fires(bad)).isEqualTo(fires(pooled)).hasSize(13);
  }

  /** An unreadable pool may have the pattern that the job matches. */
  @Test
  void aPoolHoldsUpTheJobsThatItMayMatch() {
    PoolId last = new PoolId("default", "video");
    pool(POOL, "{\"queue\": \"q\", \"match\": {\"kind\": [\"audio\"]}}");
    pool(last, "{\"queue\": \"r\", \"match\": {\"kind\": [\"video\"]}}");
    ScheduleId bad = world.put("bad", POOLED.formatted("match"));
    world.damageItemOf(POOL);
    world.runUntil("2026-03-01T10:02:30Z");
    assertThat(arrivals(bad)).isEmpty();
    assertThat(world.jobs.all()).noneMatch(Job::isEnded);

    world.repair();
    world.runUntil("2026-03-01T10:04:30Z");
    assertThat(fires(bad)).hasSize(4);
  }

  /** A newer version may have stored a pattern that this one cannot compile. */
  @Test
  void aPatternThatCannotBeCompiledHoldsUpTheJobsThatItMayMatchAndNoOthers() {
    String unheardOf = "{\"queue\": \"q\", \"match\": {\"kind\": \"no list\"}}";
    Pool newer = PoolReader.stored(World.read(unheardOf));
    world.gates.pools().save(null, StoredPool.created(POOL, newer, world.now(), "ann"));
    ScheduleId bad = world.put("bad", POOLED.formatted("match"));
    ScheduleId named = world.put("named", POOLED.formatted("encode"));
    world.runUntil("2026-03-01T10:03:30Z");
    assertThat(fires(named)).hasSize(3);
    assertThat(arrivals(bad)).isEmpty();
    assertThat(world.jobs.all()).noneMatch(Job::isEnded);
  }

  /** The end of a run counts once, however long its pool cannot be read. */
  @Test
  void theEndOfAPooledJobIsAnnouncedOnceItsPoolMayChoose() {
    pool(POOL, "{\"queue\": \"q\", \"maxInFlight\": {\"default\": 9}}");
    world.put("bad", POOLED.formatted("encode"));
    ScheduleId next =
        world.put(
            "next",
            active(
                "{\"type\": \"programStatus\", \"program\": \"bad\", \"statuses\":"
                    + " [\"SUCCEEDED\"]}"));
    world.runUntil("2026-03-01T10:01:05Z");
    LaunchRequest first = world.arrivals.get(0).request();
    world.reports().claim(first.job(), "w", 1, "t").orElseThrow();
    world.damageActivityOf(POOL);
    world.reports().report(first.job(), new Report.Success("t", null)).orElseThrow();
    world.runUntil("2026-03-01T10:20:30Z");
    world.repair();
    world.runUntil("2026-03-01T10:23:30Z");
    assertThat(arrivals(next)).hasSize(1);
  }

  private void assertOnTime(ScheduleId id, int count) {
    assertThat(arrivals(id))
        .hasSize(count)
        .allMatch(arrival -> arrival.at().equals(arrival.request().job().at()));
  }
}
