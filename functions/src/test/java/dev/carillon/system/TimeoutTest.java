package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that wait for their trigger or for constraints beyond their time-out. */
class TimeoutTest {

  private static final String MINUTELY = "0 * * * * ?";
  private static final String DAILY = "0 0 11 * * ?";

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String timeout(String after, String action) {
    return "\"timeout\": {\"after\": \"%s\", \"action\": \"%s\"}".formatted(after, action);
  }

  private static String window(String from, String to) {
    return "{\"type\": \"timeWindow\", \"from\": \"%s\", \"to\": \"%s\"}".formatted(from, to);
  }

  private static String constraints(String... constraints) {
    return ", \"program\": \"p\", \"constraints\": [%s]".formatted(String.join(", ", constraints));
  }

  private static final String ONE = "{\"type\": \"concurrency\", \"max\": 1}";

  private void at(String time) {
    world.runUntil("2026-03-01T" + time + "Z");
  }

  private List<String> launchedAt() {
    return world.arrivals.stream().map(arrival -> arrival.at().toString().substring(11)).toList();
  }

  private Job only(ScheduleId id) {
    List<Job> jobs = world.jobs.ofSchedule(id, null, 10, null).items();
    assertThat(jobs).hasSize(1);
    return jobs.get(0);
  }

  private static String end(Job job) {
    return job.state() + " " + job.endedAt() + ": " + job.lastReason();
  }

  private CollectingJob collectingJob(ScheduleId id) {
    return world.jobs.collectingJob(id, world.now()).orElseThrow().collectingJob();
  }

  // ---- for the trigger

  /** Ingest has read the head before the resumption, and counts the event after it. */
  @Test
  void aJobThatACallerOpensAsSuspendedAfterTheResumptionTimesOut() {
    ScheduleId id = world.put("t", active(partition("d", 3), timeout("PT1M", "discard")));
    world.keep(id, SuspendMode.BACKLOG, null);
    world.runFor(Duration.ofSeconds(1));
    world.faults.afterNext(
        "Schedules.heads",
        () -> {
          world.resume(id);
          world.runFor(Duration.ofSeconds(5));
        });
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(2));
    assertThat(only(id).state()).isEqualTo(JobState.TIMED_OUT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT10M", "PT2H"})
  void discardsAJobThatCollectsBeyondItsTimeout(String after) {
    ScheduleId id = world.put("t", active(partition("d", 3), timeout(after, "discard")));
    world.partitions("d", 2);
    Instant end = world.now().plus(Duration.parse(after));
    world.runUntil(end.minusMillis(1));
    assertThat(world.jobs.size()).isZero();
    world.runUntil(end);
    assertThat(end(only(id)))
        .isEqualTo(
            "TIMED_OUT " + end + ": its trigger was not satisfied within " + Duration.parse(after));
    assertThat(only(id).triggerState().leaves().get(0).actual()).isEqualTo(2);
    assertThat(collectingJob(id).open()).isNull();
    world.partitions("d", 2);
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.arrivals).isEmpty();
    world.partitions("d", 1);
    world.runFor(Duration.ofHours(5));
    assertThat(world.arrivals).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT10M", "PT2H"})
  void launchesAtTheTimeoutWithTwoOfThreeEvents(String after) {
    String three = and(partition("a", 1), partition("b", 1), partition("c", 2));
    ScheduleId id = world.put("story8", active(three, timeout(after, "launch")));
    world.partitions("a", 1);
    Instant end = world.now().plus(Duration.parse(after));
    world.runFor(Duration.ofMinutes(3));
    world.partitions("c", 2);
    world.runUntil(end.minusMillis(1));
    assertThat(world.arrivals).isEmpty();
    world.runUntil(end.plusSeconds(3));
    assertThat(world.arrivals.get(0).at()).isEqualTo(end);
    Job job = only(id);
    assertThat(job.scheduledFor()).isEqualTo(end);
    assertThat(job.triggerState().leaves())
        .extracting(leaf -> leaf.isSatisfied())
        .containsExactly(true, false, true);
    assertThat(job.transitions().get(1).reasonText())
        .isEqualTo(
            "launched at its time-out of "
                + Duration.parse(after)
                + " although not all conditions hold");
    world.runFor(Duration.ofHours(5));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aJobThatIsSatisfiedInTimeDoesNotLaunchAgainAtTheTimeout() {
    ScheduleId id = world.put("t", active(partition("d", 2), timeout("PT10M", "launch")));
    world.partitions("d", 1);
    at("10:05:00");
    world.partitions("d", 1);
    at("10:09:00");
    world.partitions("d", 1);
    at("10:18:59");
    assertThat(launchedAt()).containsExactly("10:05:00Z");
    at("10:40:00");
    assertThat(launchedAt()).containsExactly("10:05:00Z", "10:19:00Z");
    assertThat(collectingJob(id).wakeup()).isNull();
  }

  @Test
  void anEventAtTheExactInstantCounts() {
    world.put("t", active(partition("d", 2), timeout("PT10M", "discard")));
    world.partitions("d", 1);
    world.settle();
    world.setClock("2026-03-01T10:10:00Z");
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(1));
    assertThat(launchedAt()).containsExactly("10:10:00Z");
  }

  @Test
  void aFireAtTheExactInstantCounts() {
    world.put("t", active(and(cron(DAILY), partition("d", 1)), timeout("PT1H", "discard")));
    world.partitions("d", 1);
    at("12:00:00");
    assertThat(launchedAt()).containsExactly("11:00:00Z");
  }

  @Test
  void anEventAfterAnOutageIsTooLate() {
    ScheduleId id = world.put("t", active(partition("d", 2), timeout("PT10M", "discard")));
    world.partitions("d", 1);
    at("10:01:00");
    world.partitions("d", 1);
    world.sleepUntil("2026-03-01T10:30:00Z");
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.arrivals).isEmpty();
    assertThat(only(id).state()).isEqualTo(JobState.TIMED_OUT);
    assertThat(collectingJob(id).open().openedAt()).isEqualTo("2026-03-01T10:30:00Z");
  }

  @Test
  void fireOpensAJobThatTimesOut() {
    ScheduleId id =
        world.put("t", active(and(cron(DAILY), partition("d", 1)), timeout("PT1H", "discard")));
    at("12:00:00");
    assertThat(end(only(id))).startsWith("TIMED_OUT 2026-03-01T12:00:00Z");
    world.partitions("d", 1);
    at("12:59:59");
    assertThat(collectingJob(id).open().triggerState().leaves().get(0).isSatisfied()).isFalse();
  }

  @Test
  void aPeriodRestartsAfterADiscard() {
    String both =
        and(
            "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT1H\"}",
            partition("d", 1));
    ScheduleId id = world.put("t", active(both, timeout("PT10M", "discard")));
    at("12:30:00");
    assertThat(world.jobs.ofSchedule(id, null, 10, null).items())
        .extracting(TimeoutTest::end)
        .allMatch(end -> end.startsWith("TIMED_OUT"))
        .extracting(end -> end.substring(21, 29))
        .containsExactly("12:20:00", "11:10:00");
  }

  @Test
  void theMasterReplacesALostTimeoutMessage() {
    world.put("t", active(partition("d", 2), timeout("PT10M", "launch")));
    world.loseChecks();
    world.partitions("d", 1);
    at("10:20:00");
    assertThat(world.arrivals).hasSize(1);
    assertThat(world.arrivals.get(0).at())
        .isBetween("2026-03-01T10:10:00Z", "2026-03-01T10:11:30Z");
  }

  // ---- for constraints

  @ParameterizedTest
  @ValueSource(strings = {"PT10M", "PT2H"})
  void discardsAJobThatWaitsForAWindow(String after) {
    ScheduleId id =
        world.put(
            "t",
            active(cron(DAILY), timeout(after, "discard") + constraints(window("18:00", "19:00"))));
    Instant end = Instant.parse("2026-03-01T11:00:00Z").plus(Duration.parse(after));
    world.runUntil(end.minusMillis(1));
    assertThat(only(id).state()).isEqualTo(JobState.PENDING_CONSTRAINT);
    world.runUntil("2026-03-01T20:00:00Z");
    assertThat(end(only(id)))
        .isEqualTo(
            "TIMED_OUT %s: its constraints did not hold within %s: its time window from 18:00 to 19:00 in Z is closed"
                .formatted(end, Duration.parse(after)));
    assertThat(world.arrivals).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT10M", "PT2H"})
  void launchesAJobThatWaitsForAWindow(String after) {
    ScheduleId id =
        world.put(
            "t",
            active(cron(DAILY), timeout(after, "launch") + constraints(window("18:00", "19:00"))));
    Instant end = Instant.parse("2026-03-01T11:00:00Z").plus(Duration.parse(after));
    world.runUntil("2026-03-01T20:00:00Z");
    assertThat(world.arrivals).extracting(World.Arrival::at).containsExactly(end);
    assertThat(only(id).transitions().get(1).reasonText())
        .contains("although not all conditions hold");
    assertThat(only(id).scheduledFor()).isEqualTo("2026-03-01T11:00:00Z");
  }

  @Test
  void aWindowThatOpensAtTheExactInstantLetsTheJobLaunch() {
    world.put(
        "t",
        active(cron(DAILY), timeout("PT1H", "discard") + constraints(window("12:00", "13:00"))));
    at("13:30:00");
    assertThat(launchedAt()).containsExactly("12:00:00Z");
  }

  @Test
  void aWindowThatOpensInAnOutageAfterTheTimeoutDoesNotLaunchTheJob() {
    ScheduleId id =
        world.put(
            "t",
            active(
                cron(DAILY), timeout("PT1H", "discard") + constraints(window("12:30", "14:00"))));
    at("11:30:00");
    world.sleepUntil("2026-03-01T13:00:00Z");
    world.runFor(Duration.ofMinutes(5));
    assertThat(only(id).state()).isEqualTo(JobState.TIMED_OUT);
    assertThat(world.arrivals).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT10M", "PT2H", "P2DT1H"})
  void discardsAJobThatWaitsAtAGateAndGivesUpItsPlace(String after) {
    String rate = "{\"type\": \"rate\", \"max\": 1, \"per\": \"P5D\"}";
    ScheduleId id =
        world.put("t", active(partition("d", 1), timeout(after, "discard") + constraints(rate)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(5));
    world.partitions("d", 1);
    Instant end = world.now().plus(Duration.parse(after));
    world.runUntil(end.minusMillis(1));
    assertThat(world.gates.allWaiters()).hasSize(1);
    world.runUntil(end);
    assertThat(world.gates.allWaiters()).isEmpty();
    List<Job> timedOut = world.jobs.ofSchedule(id, Set.of(JobState.TIMED_OUT), 10, null).items();
    assertThat(timedOut)
        .extracting(TimeoutTest::end)
        .containsExactly(
            "TIMED_OUT %s: its constraints did not hold within %s: program p is at its limit of launches within PT120H: 1"
                .formatted(end, Duration.parse(after)));
  }

  private String ended(JobId job, String status) {
    return "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"%s\", \"runId\": \"%s\"}}"
        .formatted(status, job);
  }

  @Test
  void launchAtAGateStillNeedsASlot() {
    ScheduleId id =
        world.put(
            "t",
            active(
                partition("d", 1),
                timeout("PT10M", "launch")
                    + constraints(ONE, "{\"type\": \"sinceLastRun\", \"duration\": \"PT5H\"}")));
    world.partitions("d", 1);
    at("10:01:00");
    JobId first = world.arrivals.get(0).request().job();
    world.partitions("d", 1);
    at("10:30:00");
    assertThat(world.arrivals).hasSize(1);
    world.event("end", ended(first, "SUCCEEDED"));
    at("10:31:00");
    assertThat(world.arrivals).hasSize(2);
    assertThat(world.arrivals.get(1).at()).isEqualTo("2026-03-01T10:30:00Z");
    assertThat(world.gates.allWaiters()).isEmpty();
    assertThat(world.jobs.ofSchedule(id, Set.of(JobState.TIMED_OUT), 10, null).items()).isEmpty();
  }

  @Test
  void aLaunchAtATimeoutIgnoresARateButIsCountedByIt() {
    world.put(
        "t",
        active(
            partition("d", 1),
            timeout("PT10M", "launch")
                + constraints("{\"type\": \"rate\", \"max\": 1, \"per\": \"PT1H\"}")));
    world.partitions("d", 1);
    at("10:01:00");
    world.partitions("d", 1);
    at("10:12:00");
    world.partitions("d", 1);
    at("12:00:00");
    assertThat(launchedAt()).containsExactly("10:00:00Z", "10:11:00Z", "10:22:00Z");
  }

  @Test
  void aSlotThatIsFreedAtTheExactInstantIsTaken() {
    world.put("t", active(partition("d", 1), timeout("PT10M", "discard") + constraints(ONE)));
    world.partitions("d", 1);
    at("10:01:00");
    world.partitions("d", 1);
    at("10:10:59");
    world.setClock("2026-03-01T10:11:00Z");
    world.event("end", ended(world.arrivals.get(0).request().job(), "SUCCEEDED"));
    at("10:12:00");
    assertThat(launchedAt()).containsExactly("10:00:00Z", "10:11:00Z");
  }

  @Test
  void aJobThatTimesOutAtAGateLetsTheNextLaunch() {
    world.put("t", active(partition("d", 1), timeout("PT10M", "discard") + constraints(ONE)));
    world.put("u", active(partition("e", 1), constraints(ONE).substring(2)));
    world.partitions("d", 1);
    at("10:01:00");
    world.partitions("d", 1);
    at("10:02:00");
    world.partitions("e", 1);
    at("10:20:00");
    world.event("end", ended(world.arrivals.get(0).request().job(), "SUCCEEDED"));
    at("10:21:00");
    assertThat(launchedAt()).containsExactly("10:00:00Z", "10:20:00Z");
    assertThat(world.arrivals.get(1).request().job().schedule().name()).isEqualTo("u");
  }

  @Test
  void aRefusedRequestIsSentAgainUntilItTimesOut() {
    ScheduleId id = world.put("t", active(cron(DAILY), timeout("PT3M", "discard")));
    world.targets.refuse("arn:aws:sqs:us-east-1:000000000000:work", "denied");
    at("11:10:00");
    assertThat(end(only(id)))
        .startsWith("TIMED_OUT 2026-03-01T11:03:00Z: its request was not accepted within PT3M: ");
  }

  @Test
  void aJobThatIsSetAsideTimesOutInTime() {
    ScheduleId id = world.put("t", active(cron("0 1 10 * * ?"), timeout("PT4M0.5S", "discard")));
    world.failChecksOf(JobId.ofFire(id, 1, Instant.parse("2026-03-01T10:01:00Z")));
    at("10:04:59");
    world.failChecksOf(null);
    at("10:05:00");
    assertThat(only(id).lastReason()).contains("failed 5 times");
    at("10:05:01");
    assertThat(end(only(id))).startsWith("TIMED_OUT 2026-03-01T10:05:00.500Z");
  }

  @Test
  void aJobThatNeedsNotWaitIsLaunchedHoweverLate() {
    world.put("t", active(cron(DAILY), timeout("PT1M", "discard") + constraints(ONE)));
    world.sleepUntil("2026-03-01T13:00:00Z");
    world.runFor(Duration.ofMinutes(1));
    assertThat(launchedAt()).containsExactly("13:00:00Z");
  }

  @Test
  void aTimeoutThatWasNotReachedLeavesNothing() {
    world.put("t", active(cron(MINUTELY), timeout("PT5M", "launch")));
    at("10:10:00");
    assertThat(world.arrivals).hasSize(10);
    assertThat(world.jobs.earliestAttention()).isEmpty();
  }
}
