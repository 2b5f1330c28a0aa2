package dev.carillon.api;

import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Periods;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Time-outs of held jobs, and how fires and events affect those jobs. */
class SuspendedWaitTest {

  private static final String ONCE = "{\"type\": \"cron\", \"expression\": \"0 1 12 * * ?\"}";
  private static final String WINDOW =
      "{\"type\": \"timeWindow\", \"from\": \"18:00\", \"to\": \"19:00\"}";
  private static final String RATE = "{\"type\": \"rate\", \"max\": 1, \"per\": \"P5D\"}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private void put(String trigger, String more) {
    caller.put("a", Docs.of(trigger, ", \"state\": \"ACTIVE\", " + more));
  }

  private static String timeout(String action) {
    return "\"timeout\": {\"after\": \"PT10M\", \"action\": \"%s\"}".formatted(action);
  }

  private static String constraint(String one) {
    return ", \"constraints\": [%s]".formatted(one);
  }

  private void suspend(String mode) {
    caller.act("a", "suspend", "{\"mode\": \"%s\"}".formatted(mode)).is(200);
  }

  private void suspendUntil(String mode, String until) {
    caller
        .act("a", "suspend", "{\"mode\": \"%s\", \"until\": \"%s\"}".formatted(mode, until))
        .is(200);
  }

  private void resume() {
    caller.act("a", "resume", "{}").is(200);
  }

  private void at(String time) {
    world.runUntil("2026-03-10T" + time + "Z");
  }

  private void announce(int partitions) {
    world.partitions("d", partitions);
    world.runFor(Duration.ofSeconds(1));
  }

  private List<Job> jobs(JobState state) {
    return world.jobs.all().stream().filter(job -> job.state() == state).toList();
  }

  private List<String> timedOutAt() {
    return jobs(JobState.TIMED_OUT).stream().map(job -> time(job.endedAt())).toList();
  }

  private List<String> launchedAt() {
    return world.arrivals.stream().map(arrival -> time(arrival.at())).toList();
  }

  private static String time(Instant instant) {
    return instant.toString().substring(11);
  }

  private JsonNode explanation() {
    return caller.get(Caller.SCHEDULES + "/a/explain").is(200).json();
  }

  // ---- collecting jobs

  @ParameterizedTest
  @CsvSource({
    "hold, 12:05:00, 12:11:00Z",
    "hold, 13:04:00, 13:10:00Z",
    "backlog, 13:04:00, 13:10:00Z",
    "drain, 13:04:00, 12:10:00Z",
  })
  void theTimeoutClockOfAHeldCollectingJobStandsStill(String mode, String resumed, String end) {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    at("12:04:00");
    suspend(mode);
    at(resumed);
    resume();
    at("14:00:00");
    assertThat(timedOutAt()).containsExactly(end);
    assertThat(world.arrivals).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "backlog"})
  void aCollectingJobIsLaunchedAtItsTimeout(String mode) {
    put(Docs.partition("d", 2), timeout("launch"));
    announce(1);
    at("12:04:00");
    suspendUntil(mode, "2026-03-10T12:54:00Z");
    at("12:59:59");
    assertThat(world.arrivals).isEmpty();
    at("14:00:00");
    assertThat(launchedAt()).containsExactly("13:00:00Z");
  }

  @Test
  void aJobSatisfiedWhileHeldDoesNotTimeOut() {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    suspend("hold");
    at("13:00:00");
    announce(1);
    at("14:00:00");
    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(launchedAt()).containsExactly("14:00:00Z");
  }

  @Test
  void severalSuspensionsAddUpButADrainDoesNot() {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    at("12:02:00");
    suspend("hold");
    at("12:20:00");
    suspend("backlog");
    at("12:30:00");
    suspend("drain");
    at("12:33:00");
    resume();
    at("12:34:00");
    suspend("hold");
    at("13:34:00");
    resume();
    at("15:00:00");
    assertThat(timedOutAt()).containsExactly("13:38:00Z");
  }

  @Test
  void aSuspensionNoLongerStoredCausesNoEarlyTimeout() {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    world.runFor(Duration.ofSeconds(29));
    for (int pause = 0; pause <= Periods.MOST_PAUSES; pause++) {
      suspend("hold");
      world.runFor(Duration.ofMinutes(15));
      resume();
      world.runFor(Duration.ofSeconds(30));
    }
    assertThat(world.jobs.all()).isEmpty();
    Instant end = world.now().plusSeconds(600 - 11 * 30);
    world.runFor(Duration.ofHours(1));
    assertThat(timedOutAt()).containsExactly(time(end));
  }

  @Test
  void aJobThatTimedOutBeforeTheSuspensionStaysTimedOut() {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    world.sleepUntil("2026-03-10T12:11:00Z");
    suspend("backlog");
    announce(1);
    assertThat(jobs(JobState.TIMED_OUT)).hasSize(1);
  }

  // ---- jobs that wait for constraints

  @ParameterizedTest
  @CsvSource({
    "hold, 12:05:05, 12:11:05Z",
    "hold, 12:07:00, 12:13:00Z",
    "backlog, 13:05:00, 13:11:00Z",
  })
  void theTimeoutClockOfAJobThatWaitsForAWindowStandsStill(
      String mode, String resumed, String end) {
    put(ONCE, timeout("discard") + constraint(WINDOW));
    at("12:05:00");
    suspend(mode);
    at(resumed);
    resume();
    at("15:00:00");
    assertThat(timedOutAt()).containsExactly(end);
    assertThat(world.arrivals).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"12:05:05", "12:07:00", "13:05:00"})
  void aJobThatWaitsForAWindowIsLaunchedAtItsTimeout(String resumed) {
    put(ONCE, timeout("launch") + constraint(WINDOW));
    at("12:05:00");
    suspend("hold");
    at(resumed);
    assertThat(world.arrivals).isEmpty();
    resume();
    Instant end = world.now().plusSeconds(6 * 60);
    at("15:00:00");
    assertThat(world.arrivals).extracting(World.Arrival::at).containsExactly(end);
  }

  @ParameterizedTest
  @CsvSource({
    "discard, 12:05:05",
    "discard, 12:07:00",
    "discard, 13:05:00",
    "launch, 12:05:05",
    "launch, 13:05:00"
  })
  void theTimeoutClockOfAJobAtAGateStandsStill(String action, String resumed) {
    put(Docs.partition("d", 1), timeout(action) + constraint(RATE));
    announce(1);
    at("12:01:00");
    announce(1);
    at("12:05:00");
    suspend("hold");
    at(resumed);
    assertThat(world.arrivals).hasSize(1);
    resume();
    Instant end = world.now().plusSeconds(6 * 60);
    world.runUntil(end.minusMillis(1));
    assertThat(world.arrivals).hasSize(1);
    assertThat(jobs(JobState.TIMED_OUT)).isEmpty();
    at("15:00:00");
    if (action.equals("launch")) {
      assertThat(world.arrivals.get(1).at()).isEqualTo(end);
    } else {
      assertThat(timedOutAt()).containsExactly(time(end));
    }
    assertThat(world.gates.allWaiters()).isEmpty();
  }

  @Test
  void theTimeoutClockOfABacklogStartsAtItsEnd() {
    put(MINUTELY, timeout("discard") + constraint(WINDOW));
    suspend("backlog");
    at("12:02:30");
    resume();
    at("12:12:31");
    assertThat(timedOutAt()).containsExactlyInAnyOrder("12:12:30Z", "12:12:30Z");
  }

  @Test
  void theTimeoutClockOfAManualLaunchRunsDuringASuspension() {
    put(Docs.DAILY, timeout("launch") + constraint(WINDOW));
    suspend("hold");
    at("12:02:00");
    caller.act("a", "launch", "{}").is(202);
    at("12:05:00");
    resume();
    at("13:00:00");
    assertThat(launchedAt()).containsExactly("12:12:00Z");
  }

  @Test
  void explainShowsNoTimeoutWhileTheClockStandsStill() {
    put(Docs.partition("d", 2), timeout("discard"));
    announce(1);
    assertThat(explanation().at("/collecting/timesOut/at").asText())
        .isEqualTo("2026-03-10T12:10:00.000Z");
    suspend("hold");
    assertThat(explanation().at("/collecting/timesOut").isNull()).isTrue();
    at("12:30:01");
    resume();
    assertThat(explanation().at("/collecting/timesOut/at").asText())
        .isEqualTo("2026-03-10T12:40:00.000Z");
  }

  // ---- fires and events while a job is held

  @Test
  void eventsOfABacklogAreMergedIntoTheHeldJob() {
    put(Docs.partition("d", 1), "\"whilePending\": \"merge\"");
    suspend("backlog");
    announce(1);
    announce(2);
    at("12:30:00");
    announce(1);
    resume();
    world.runFor(Duration.ofMinutes(1));
    assertThat(world.arrivals).hasSize(1);
    Job job = world.job(world.arrivals.get(0).request().job());
    assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(4);
    assertThat(job.triggerState().events()).hasSize(3);
    announce(1);
    assertThat(world.arrivals).hasSize(2);
  }

  @Test
  void eventsOfABacklogAreSkippedInFavourOfTheHeldJob() {
    put(Docs.partition("d", 1), "\"whilePending\": \"skip\"");
    suspend("backlog");
    announce(1);
    announce(2);
    resume();
    world.runFor(Duration.ofMinutes(1));
    assertThat(world.arrivals).hasSize(1);
    assertThat(jobs(JobState.SKIPPED)).hasSize(1);
    assertThat(jobs(JobState.SKIPPED).get(0).lastReason()).endsWith("of the schedule still waits");
  }

  @ParameterizedTest
  @CsvSource({"hold, 1", "drain, 1", "backlog, 3"})
  void aWaitingJobStaysTheMergeTargetAfterASuspension(String mode, int merged) {
    put(
        Docs.partition("d", 1),
        "\"whilePending\": \"merge\""
            + constraint("{\"type\": \"delay\", \"duration\": \"PT1H\"}"));
    announce(1);
    suspend(mode);
    announce(2);
    resume();
    announce(4);
    at("14:00:00");
    assertThat(world.arrivals).hasSize(1);
    Job job = world.job(world.arrivals.get(0).request().job());
    assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(merged + 4);
  }

  @Test
  void eventsDuringAHoldAreNotMerged() {
    put(Docs.partition("d", 2), "\"whilePending\": \"merge\"");
    announce(1);
    suspend("hold");
    announce(1);
    announce(1);
    resume();
    world.runFor(Duration.ofMinutes(1));
    Job job = world.job(world.arrivals.get(0).request().job());
    assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void firesOfABacklogAreMergedIntoTheFirstOrSkipped(String policy) {
    put(MINUTELY, "\"whilePending\": \"%s\"".formatted(policy));
    at("12:01:30");
    suspendUntil("backlog", "2026-03-10T13:00:30Z");
    at("12:20:30");
    suspendUntil("backlog", "2026-03-10T12:50:30Z");
    at("12:30:30");
    suspend("backlog");
    at("12:40:30");
    resume();
    at("12:42:30");
    assertThat(launchedAt()).containsExactly("12:01:00Z", "12:40:30Z", "12:41:00Z", "12:42:00Z");
    Job kept = world.job(world.arrivals.get(1).request().job());
    assertThat(kept.scheduledFor()).isEqualTo("2026-03-10T12:02:00Z");
    assertThat(jobs(JobState.SKIPPED)).hasSize(38);
    if (policy.equals("merge")) {
      assertThat(kept.triggerState().leaves().get(0).actual()).isEqualTo(39);
      assertThat(kept.triggerState().leaves().get(0).fire()).isEqualTo("2026-03-10T12:40:00Z");
    }
    assertThat(world.jobs.earliestAttention()).isEmpty();
  }

  @Test
  void firesOfABacklogAreMergedIntoTheJobThatWaitedBefore() {
    put(
        MINUTELY,
        "\"whilePending\": \"merge\""
            + constraint("{\"type\": \"delay\", \"duration\": \"PT90S\"}"));
    at("12:01:30");
    suspend("backlog");
    at("12:05:30");
    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    Job job = world.job(world.arrivals.get(0).request().job());
    assertThat(job.scheduledFor()).isEqualTo("2026-03-10T12:01:00Z");
    assertThat(job.triggerState().leaves().get(0).actual()).isEqualTo(5);
  }

  @Test
  void firesOfABacklogOfAReplacedDefinitionAreMergedIntoItsFirst() {
    put(MINUTELY, "\"whilePending\": \"merge\"");
    at("12:01:30");
    suspend("backlog");
    at("12:03:30");
    caller.put("a", Docs.of(MINUTELY, ", \"whilePending\": \"skip\""));
    at("12:06:30");
    resume();
    at("12:07:30");
    assertThat(launchedAt()).containsExactly("12:01:00Z", "12:06:30Z", "12:07:00Z");
    assertThat(world.arrivals.get(1).request().body()).contains("12:04:00");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "none"})
  void firesOfABacklogDuringAnOutageAreCaughtUp(String catchUp) {
    put(
        MINUTELY,
        "\"whilePending\": \"merge\", \"catchUp\": {\"policy\": \"%s\"}".formatted(catchUp));
    at("12:01:30");
    suspend("backlog");
    world.sleepUntil("2026-03-10T12:10:30Z");
    resume();
    at("12:11:30");
    long fires =
        world.arrivals.stream()
            .map(arrival -> world.job(arrival.request().job()).triggerState())
            .mapToLong(
                triggerState -> triggerState == null ? 1 : triggerState.leaves().get(0).actual())
            .sum();
    assertThat(fires).isEqualTo(11);
  }

  @Test
  void firesExpandedLateInABacklogAreNotMissed() {
    put(MINUTELY, "\"whilePending\": \"skip\", \"catchUp\": {\"policy\": \"none\"}");
    at("12:01:30");
    suspend("backlog");
    world.sleepUntil("2026-03-10T12:10:30Z");
    at("12:11:30");
    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(launchedAt()).containsExactly("12:01:00Z", "12:11:30Z");
    assertThat(world.arrivals.get(1).request().body()).contains("12:02:00");
  }
}
