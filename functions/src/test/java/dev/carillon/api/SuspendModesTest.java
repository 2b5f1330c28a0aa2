package dev.carillon.api;

import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The jobs of a schedule during a suspension and at its end. */
class SuspendModesTest {

  private static final ScheduleId ID = new ScheduleId("default", "a");
  private static final String SECONDLY = "{\"type\": \"cron\", \"expression\": \"* * * * * ?\"}";
  private static final String EACH_TEN_SECONDS =
      "{\"type\": \"cron\", \"expression\": \"0/10 * * * * ?\"}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private void suspend(String mode) {
    caller.act("a", "suspend", "{\"mode\": \"%s\", \"reason\": \"why\"}".formatted(mode)).is(200);
  }

  private void suspendUntil(String mode, String until) {
    caller
        .act("a", "suspend", "{\"mode\": \"%s\", \"until\": \"%s\"}".formatted(mode, until))
        .is(200);
  }

  private void resume() {
    caller.act("a", "resume", "{}").is(200);
  }

  private Head head() {
    return world.schedules.heads(List.of(ID)).get(ID);
  }

  private void announce(int partitions) {
    world.partitions("d", partitions);
    world.runFor(Duration.ofSeconds(1));
  }

  /** The scheduledFor of the launches, in the order of their arrival. */
  private List<String> launched() {
    return world.arrivals.stream()
        .map(arrival -> Caller.json(arrival.request().body()).path("at").asText())
        .map(at -> at.substring(11, 19))
        .toList();
  }

  private List<JobState> states() {
    return world.jobs.all().stream().map(Job::state).toList();
  }

  private Job onlyJob() {
    assertThat(world.jobs.all()).hasSize(1);
    return world.jobs.all().get(0);
  }

  // ---- fires

  /** Suspends the schedule at the end of an outage, when three fires are due. */
  private void suspendAfterAnOutage(String mode) {
    caller.put("a", Docs.active(MINUTELY));
    world.sleepUntil("2026-03-10T12:03:30Z");
    suspend(mode);
    world.runUntil("2026-03-10T12:08:30Z");
  }

  @Test
  void holdKeepsDueFiresAndMakesNoNewJobs() {
    suspendAfterAnOutage("hold");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runUntil("2026-03-10T12:10:30Z");
    assertThat(launched())
        .containsExactlyInAnyOrder("12:01:00", "12:02:00", "12:03:00", "12:09:00", "12:10:00");
    assertThat(world.requestsByJob().values()).containsOnly(1L);
  }

  @Test
  void backlogAlsoKeepsNewFires() {
    suspendAfterAnOutage("backlog");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runUntil("2026-03-10T12:09:30Z");
    assertThat(launched())
        .containsExactlyInAnyOrder(
            "12:01:00",
            "12:02:00",
            "12:03:00",
            "12:04:00",
            "12:05:00",
            "12:06:00",
            "12:07:00",
            "12:08:00",
            "12:09:00");
    assertThat(world.requestsByJob().values()).containsOnly(1L);
  }

  @Test
  void drainLaunchesDueFiresAndMakesNoNewJobs() {
    suspendAfterAnOutage("drain");
    assertThat(launched()).containsExactlyInAnyOrder("12:01:00", "12:02:00", "12:03:00");

    resume();
    world.runUntil("2026-03-10T12:09:30Z");
    assertThat(launched()).hasSize(4).contains("12:09:00");
  }

  @Test
  void discardLaunchesNoFires() {
    suspendAfterAnOutage("discard");
    resume();
    world.runUntil("2026-03-10T12:09:30Z");
    assertThat(launched()).containsExactly("12:09:00");
  }

  @Test
  void catchUpDecidesOnFiresMissedBeforeABacklogButNotOnTheBacklog() {
    caller.put(
        "a", Docs.of(MINUTELY, ", \"state\": \"ACTIVE\", \"catchUp\": {\"policy\": \"none\"}"));
    world.runUntil("2026-03-10T12:00:30Z");
    suspend("backlog");
    world.runUntil("2026-03-10T12:20:30Z");
    resume();
    world.runUntil("2026-03-10T12:21:30Z");

    assertThat(launched()).hasSize(21).contains("12:01:00", "12:20:00", "12:21:00");
    assertThat(states()).containsOnly(JobState.LAUNCHED);
  }

  @Test
  void aBacklogOfPlainFiresHasNoItemsAndNoTimers() {
    caller.put("a", Docs.active(SECONDLY));
    suspend("backlog");
    world.runUntil("2026-03-10T13:00:00Z");

    assertThat(world.jobs.all()).isEmpty();
    assertThat(world.timers.all()).isEmpty();
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void theExplanationCountsTheFiresOfABacklog() {
    caller.put("a", Docs.active(SECONDLY));
    suspend("backlog");
    assertThat(explained()).doesNotContain("fires kept");
    world.runFor(Duration.ofSeconds(90));
    assertThat(explained()).endsWith("; fires kept since then, to be launched on resume: 90");
    world.runFor(Duration.ofHours(1));
    assertThat(explained()).endsWith(": more than 1000");
    caller.put("a", Docs.of(MINUTELY)).is(200);
    world.runFor(Duration.ofMinutes(3));
    assertThat(explained()).endsWith(": 3");
    suspend("hold");
    assertThat(explained()).doesNotContain("fires kept");
  }

  private String explained() {
    return caller
        .get("/v1/namespaces/default/schedules/a/explain")
        .is(200)
        .json()
        .path("summary")
        .asText();
  }

  @Test
  void aBacklogOfAnHourOfSecondsIsLaunchedPageByPage() {
    caller.put("a", Docs.active(SECONDLY));
    suspend("backlog");
    world.runUntil("2026-03-10T13:00:00Z");
    resume();
    world.runUntil("2026-03-10T13:02:00Z");

    assertThat(launched()).hasSize(3_600 + 120).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({"hold, 0", "backlog, 1", "drain, 0", "discard, 0"})
  void theOnlyFireOfASchedule(String mode, int launches) {
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:20Z")));
    world.runUntil("2026-03-10T12:00:10Z");
    suspend(mode);
    world.runUntil("2026-03-10T12:05:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("SUSPENDED");

    resume();
    world.runUntil("2026-03-10T12:06:00Z");
    assertThat(world.arrivals).hasSize(launches);
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void aScheduleThatDeletesItselfDoesSoAfterItsKeptFire() {
    caller.put(
        "a",
        Docs.of(
            Docs.at("2026-03-10T12:00:20Z"),
            ", \"state\": \"ACTIVE\", \"afterCompletion\": \"delete\""));
    world.sleepUntil("2026-03-10T12:00:30Z");
    suspend("hold");
    world.runUntil("2026-03-10T12:05:00Z");
    assertThat(onlyJob().isSuspended()).isTrue();
    caller.schedule("a").is(200);

    resume();
    world.runUntil("2026-03-10T12:06:00Z");
    assertThat(world.arrivals).hasSize(1);
    caller.schedule("a").is(404);
  }

  private static String deletedAfter(String instant, String more) {
    return Docs.of(Docs.at(instant), ", \"afterCompletion\": \"delete\"" + more);
  }

  @ParameterizedTest
  @CsvSource({"hold, 0", "backlog, 1", "drain, 0", "discard, 0"})
  void theOnlyFireOfAScheduleThatDeletesItself(String mode, int launches) {
    caller.put("a", deletedAfter("2026-03-10T12:00:20Z", ", \"state\": \"ACTIVE\""));
    world.runUntil("2026-03-10T12:00:10Z");
    suspend(mode);
    world.runUntil("2026-03-10T12:05:00Z");
    caller.schedule("a").is(200);

    resume();
    world.runUntil("2026-03-10T12:06:00Z");
    assertThat(world.arrivals).hasSize(launches);
    caller.schedule("a").is(404);
    assertThat(world.timers.all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"hold, 0", "backlog, 1", "drain, 0", "discard, 0"})
  void theOnlyFireOfAScheduleThatDeletesItselfInASuspensionThatEndsByItself(
      String mode, int launches) {
    caller.put("a", deletedAfter("2026-03-10T12:00:20Z", ", \"state\": \"ACTIVE\""));
    world.runUntil("2026-03-10T12:00:10Z");
    suspendUntil(mode, "2026-03-10T12:05:00Z");
    world.runUntil("2026-03-10T12:04:59Z");
    caller.schedule("a").is(200);

    world.runUntil("2026-03-10T12:06:00Z");
    assertThat(world.arrivals).hasSize(launches);
    caller.schedule("a").is(404);
    assertThat(world.timers.all()).isEmpty();
  }

  @Test
  void aScheduleThatIsActivatedAfterItsOnlyFireDeletesItself() {
    caller.put("a", deletedAfter("2026-03-10T12:00:20Z", ""));
    world.runUntil("2026-03-10T12:05:00Z");
    resume();
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("COMPLETED");

    world.runUntil("2026-03-10T12:06:00Z");
    caller.schedule("a").is(404);
  }

  @Test
  void aScheduleThatDeletesItselfFirstLaunchesTheJobThatWaitsAtTheResumption() {
    caller.put(
        "a",
        deletedAfter(
            "2026-03-10T12:00:20Z",
            ", \"state\": \"ACTIVE\", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT10M\"}]"));
    world.runUntil("2026-03-10T12:01:00Z");
    suspend("hold");
    world.runUntil("2026-03-10T12:05:00Z");
    resume();
    world.runUntil("2026-03-10T12:10:19Z");
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("COMPLETED");

    world.runUntil("2026-03-10T12:11:00Z");
    assertThat(launched()).containsExactly("12:00:20");
    caller.schedule("a").is(404);
  }

  // ---- events

  @Test
  void holdLetsACollectingJobContinueAndOpensNoOther() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    announce(1);
    suspend("hold");
    announce(1);
    announce(1);
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.arrivals).isEmpty();
    assertThat(onlyJob().isSuspended()).isTrue();
    assertThat(explanation(onlyJob()).path("summary").asText())
        .isEqualTo(
            "it waits until its schedule is resumed; the schedule was suspended by local at"
                + " 2026-03-10T12:00:01.000Z, mode hold: why");

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
    announce(1);
    assertThat(world.arrivals).hasSize(1);
    announce(1);
    assertThat(world.arrivals).hasSize(2);
  }

  /**
   * The end of the first suspension releases the job, and its check finds the second suspension.
   */
  @Test
  void aHeldJobIsReleasedWhenASecondSuspensionThatFollowsAtOnceEnds() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    suspend("backlog");
    announce(3);
    resume();
    suspend("hold");
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.arrivals).isEmpty();
    resume();
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void backlogCountsAllEvents() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    announce(1);
    suspend("backlog");
    announce(1);
    announce(2);
    announce(1);
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(2);
    announce(1);
    assertThat(world.arrivals).hasSize(3);
  }

  @Test
  void drainLaunchesTheCollectingJobAndIgnoresFurtherEvents() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    announce(1);
    suspend("drain");
    announce(1);
    assertThat(world.arrivals).hasSize(1);
    announce(2);
    announce(2);
    assertThat(world.arrivals).hasSize(1);

    resume();
    announce(1);
    assertThat(world.arrivals).hasSize(1);
    announce(1);
    assertThat(world.arrivals).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"drain, true", "discard, false"})
  void anOpenJobWhoseTimePassesIsExplained(String mode, boolean isKept) {
    String elapsed =
        """
        {"type": "elapsed", "since": {"type": "event", "key": "k"}, "duration": "PT2H"}
        """;
    caller.put("a", Docs.active(Docs.and(Docs.partition("d", 1), elapsed)));
    announce(1);
    assertThat(elapses()).isNotNull();
    suspend(mode);
    if (isKept) {
      assertThat(elapses()).isEqualTo("2026-03-10T14:00:00.000Z");
    } else {
      assertThat(elapses()).isNull();
    }
  }

  private @Nullable String elapses() {
    return caller
        .get("/v1/namespaces/default/schedules/a/explain")
        .json()
        .path("elapses")
        .textValue();
  }

  @Test
  void aDrainedJobThatWaitsForTheClockIsLaunchedOnTime() {
    caller.put("a", Docs.active(Docs.and(Docs.partition("d", 1), Docs.DAILY)));
    announce(1);
    suspend("drain");
    world.runUntil("2026-03-11T02:59:59Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-12T12:00:00Z");
    assertThat(world.arrivals).extracting(World.Arrival::at).containsExactly(threeOClock());
    assertThat(world.timers.all()).isEmpty();
  }

  @Test
  void aHeldJobCountsFiresDuringTheSuspension() {
    caller.put("a", Docs.active(Docs.and(Docs.partition("d", 1), Docs.DAILY)));
    announce(1);
    suspend("hold");
    world.runUntil("2026-03-12T12:00:00Z");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(launched()).containsExactly("03:00:00");
    announce(1);
    assertThat(world.arrivals).hasSize(1);
    world.runUntil("2026-03-13T12:00:00Z");
    assertThat(world.arrivals).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"hold, 0", "drain, 0", "backlog, 2"})
  void firesThatAreCollectedBySomeTrigger(String mode, int kept) {
    caller.put("a", Docs.active(Docs.or(Docs.partition("d", 9), MINUTELY)));
    world.runUntil("2026-03-10T12:01:30Z");
    suspend(mode);
    world.runUntil("2026-03-10T12:03:30Z");
    assertThat(launched()).containsExactly("12:01:00");

    resume();
    world.runUntil("2026-03-10T12:03:40Z");
    assertThat(launched()).hasSize(1 + kept);
    world.runUntil("2026-03-10T12:04:30Z");
    assertThat(launched()).hasSize(2 + kept).contains("12:04:00");
  }

  @ParameterizedTest
  @CsvSource({"hold, 0, 5", "drain, 0, 5", "backlog, 3, 1"})
  void timeThatPasses(String mode, int kept, int hoursToTheNext) {
    caller.put(
        "a",
        Docs.active("{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT5H\"}"));
    world.runUntil("2026-03-10T13:00:00Z");
    suspend(mode);
    world.runUntil("2026-03-11T04:00:00Z");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(kept);
    world.runFor(Duration.ofHours(hoursToTheNext).plusMinutes(1));
    assertThat(world.arrivals)
        .as("since the resumption, or the last kept one at 03:00")
        .hasSize(kept + (mode.equals("backlog") ? 0 : 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "drain", "discard"})
  void timeThatPassesAfterALaunchFromBeforeTheSuspension(String mode) {
    ScheduleId id =
        world.put(
            "a",
            Docs.active(
                "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT5H\"}"));
    world.runUntil("2026-03-10T13:00:00Z");
    world.launchNow(id);
    world.runUntil("2026-03-10T14:00:00Z");
    suspend(mode);
    world.runUntil("2026-03-10T19:00:00Z");
    resume();
    world.runUntil("2026-03-10T23:59:59Z");
    assertThat(world.arrivals).as("the caller's launch").hasSize(1);
    world.runUntil("2026-03-11T00:01:00Z");
    assertThat(world.arrivals).as("five hours after the resumption").hasSize(2);
  }

  // ---- waiting jobs

  private static String withConstraint(String constraint) {
    return Docs.of(
        Docs.partition("d", 1),
        ", \"state\": \"ACTIVE\", \"constraints\": [%s]".formatted(constraint));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "backlog"})
  void aWaitingJobIsHeldWhenItsConstraintsOpen(String mode) {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    announce(1);
    suspend(mode);
    world.runFor(Duration.ofMinutes(30));
    assertThat(world.arrivals).isEmpty();
    assertThat(onlyJob().isSuspended()).isTrue();
    assertThat(caller.get("/v1/status").json().path("jobs").path("PENDING_CONSTRAINT").asInt())
        .isEqualTo(1);

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aWaitingJobWhoseConstraintsOpenAfterTheResumptionIsOnTime() {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    announce(1);
    suspend("hold");
    world.runFor(Duration.ofSeconds(20));
    resume();
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.arrivals)
        .extracting(World.Arrival::at)
        .containsExactly(Instant.parse("2026-03-10T12:01:00Z"));
  }

  @Test
  void aDrainedWaitingJobIsOnTime() {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    announce(1);
    suspend("drain");
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.arrivals)
        .extracting(World.Arrival::at)
        .containsExactly(Instant.parse("2026-03-10T12:01:00Z"));
  }

  @Test
  void aHeldJobAtAGateLetsOthersPass() {
    world.finishRunsAfter(Duration.ofSeconds(30));
    String one = "{\"type\": \"concurrency\", \"max\": 1, \"group\": \"g\"}";
    caller.put("a", withConstraint(one));
    caller.put("b", withConstraint(one));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    announce(1);
    assertThat(world.arrivals).hasSize(1);
    suspend("hold");
    world.runFor(Duration.ofMinutes(10));
    List<String> early =
        world.arrivals.stream().map(arrival -> arrival.request().job().schedule().name()).toList();
    assertThat(early).filteredOn("b"::equals).hasSize(2);

    resume();
    world.runFor(Duration.ofMinutes(10));
    assertThat(world.requestsByJob()).hasSize(4);
    assertThat(states()).containsOnly(JobState.SUCCEEDED);
  }

  /**
   * The request of a job was accepted, but the reply was lost, and the job was held at the
   * redelivery.
   */
  @Test
  void theEndOfARunIsRecordedEvenIfItsJobIsHeld() {
    world.targets.refuse("arn:aws:sqs:us-east-1:000000000000:work", "no answer");
    caller.put("a", withConstraint("{\"type\": \"concurrency\", \"max\": 1}"));
    announce(1);
    suspend("hold");
    world.runFor(Duration.ofMinutes(1));
    assertThat(onlyJob().isSuspended()).isTrue();
    world.event(
        """
        {"eventType": "PROGRAM_STATUS",
         "payload": {"programId": "a", "status": "SUCCEEDED", "runId": "%s"}}
        """
            .formatted(onlyJob().id()));
    world.runFor(Duration.ofSeconds(1));
    assertThat(onlyJob().state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aManualLaunchDuringASuspensionIsNotHeld() {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    caller.act("a", "launch", "{}").is(202);
    suspend("hold");
    caller.act("a", "launch", "{\"ignoreConstraints\": true}").is(202);
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.arrivals).as("the second, not the first").hasSize(1);

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(2);
  }

  @ParameterizedTest(name = "{0}, then {1} until {2}")
  @CsvSource({"hold, hold, 2026-03-10T13:00:00Z", "hold, backlog,", "backlog, hold,"})
  void aSuspensionThatFollowsAnotherDoesNotHoldManualLaunchesOfTheFirst(
      String first, String second, @Nullable String until) {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    caller.act("a", "launch", "{\"payload\": 1}").is(202);
    suspend(first);
    caller.act("a", "launch", "{\"payload\": 2}").is(202);
    if (until == null) {
      suspend(second);
    } else {
      suspendUntil(second, until);
    }
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.arrivals).as("the second, not the first").hasSize(1);

    resume();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(2);
  }

  @Test
  void aSuspensionHoldsManualLaunchesOfADrain() {
    caller.put("a", withConstraint("{\"type\": \"delay\", \"duration\": \"PT1M\"}"));
    suspend("hold");
    suspend("drain");
    caller.act("a", "launch", "{}").is(202);
    suspend("hold");
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.arrivals).isEmpty();
  }

  // ---- automatic resumption

  @ParameterizedTest
  @ValueSource(strings = {"discard", "drain", "backlog", "hold"})
  void untilEndsTheSuspensionExactlyAndTheNextFireIsOnTime(String mode) {
    caller.put("a", Docs.active(EACH_TEN_SECONDS));
    world.runUntil("2026-03-10T12:00:05Z");
    suspendUntil(mode, "2026-03-10T12:40:29.500Z");
    world.runUntil("2026-03-10T12:40:28Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-10T12:40:30Z");

    JsonNode resumed = caller.schedule("a").json();
    assertThat(resumed.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(resumed.path("suspended").isNull()).isTrue();
    List<Instant> arrivals = world.arrivals.stream().map(World.Arrival::at).toList();
    Instant end = Instant.parse("2026-03-10T12:40:29.500Z");
    assertThat(arrivals.subList(0, arrivals.size() - 1))
        .hasSize(mode.equals("backlog") ? 242 : 0)
        .allMatch(end::equals);
    assertThat(arrivals.get(arrivals.size() - 1)).isEqualTo(end.plusMillis(500));
  }

  @Test
  void firesAfterAnUnprocessedEndOfASuspensionAreCaughtUp() {
    caller.put("a", Docs.active(EACH_TEN_SECONDS));
    suspendUntil("hold", "2026-03-10T12:40:29.500Z");
    world.sleepUntil("2026-03-10T12:41:05Z");
    world.runUntil("2026-03-10T12:41:05Z");

    assertThat(launched()).contains("12:40:30", "12:40:40", "12:40:50", "12:41:00").hasSize(4);
    Instant active = Instant.parse(Caller.NOW);
    assertThat(head().life().periods().all())
        .containsExactly(
            new Period(null, active),
            new Period(SuspendMode.HOLD, active),
            new Period(null, Instant.parse("2026-03-10T12:40:29.500Z")));
  }

  @Test
  void aChangeAfterTheEndOfASuspensionFindsTheScheduleResumed() {
    caller.put("a", Docs.active(EACH_TEN_SECONDS));
    suspendUntil("hold", "2026-03-10T12:40:29.500Z");
    world.sleepUntil("2026-03-10T12:41:05Z");
    suspend("hold");
    world.runUntil("2026-03-10T12:50:05Z");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runUntil("2026-03-10T12:50:06Z");
    assertThat(launched())
        .containsExactlyInAnyOrder("12:40:30", "12:40:40", "12:40:50", "12:41:00");
  }

  @Test
  void suspendingAgainReplacesUntil() {
    caller.put("a", Docs.active(MINUTELY));
    suspendUntil("hold", "2026-03-10T12:05:30Z");
    suspendUntil("hold", "2026-03-10T12:10:30Z");
    world.runUntil("2026-03-10T12:08:30Z");
    assertThat(world.arrivals).isEmpty();
    caller.act("a", "suspend", "{}").is(200);
    world.runUntil("2026-03-10T12:20:30Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(head().suspension().mode()).isEqualTo(SuspendMode.HOLD);
    assertThat(head().suspension().at()).isEqualTo(Caller.NOW);

    suspendUntil("hold", "2026-03-10T12:21:30Z");
    world.runUntil("2026-03-10T12:22:30Z");
    assertThat(launched()).containsExactly("12:22:00");
  }

  @Test
  void aResumptionAndANewSuspensionInvalidateTheOldEnd() {
    caller.put("a", Docs.active(MINUTELY));
    suspendUntil("drain", "2026-03-10T12:05:30Z");
    resume();
    suspend("drain");
    world.runUntil("2026-03-10T12:10:30Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(head().suspension()).isNotNull();
  }

  @Test
  void anEndSurvivesAReplacement() {
    caller.put("a", Docs.active(MINUTELY));
    suspendUntil("backlog", "2026-03-10T12:05:30Z");
    world.runUntil("2026-03-10T12:02:30Z");
    caller.put("a", Docs.of(EACH_TEN_SECONDS)).is(200);
    world.runUntil("2026-03-10T12:05:29Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-10T12:05:31Z");
    assertThat(launched()).as("from the replacement on").hasSize(18);
  }

  // ---- changes of the mode

  @Test
  void discardCancelsHeldJobs() {
    suspendAfterAnOutage("hold");
    suspend("discard");
    world.runFor(Duration.ofSeconds(1));
    assertThat(states()).hasSize(3).containsOnly(JobState.CANCELLED);
  }

  @Test
  void drainLaunchesHeldJobs() {
    suspendAfterAnOutage("hold");
    suspend("drain");
    world.runFor(Duration.ofSeconds(1));
    assertThat(launched()).containsExactlyInAnyOrder("12:01:00", "12:02:00", "12:03:00");
  }

  @Test
  void aBacklogUnderHoldIsLaunchedAtTheResumption() {
    suspendAfterAnOutage("backlog");
    suspend("hold");
    world.runUntil("2026-03-10T12:12:30Z");
    assertThat(world.arrivals).isEmpty();

    resume();
    world.runUntil("2026-03-10T12:13:30Z");
    assertThat(launched()).hasSize(9).contains("12:08:00", "12:13:00").doesNotContain("12:09:00");
  }

  @Test
  void drainLaunchesABacklog() {
    suspendAfterAnOutage("backlog");
    suspend("drain");
    world.runUntil("2026-03-10T12:12:30Z");
    assertThat(launched()).hasSize(8).contains("12:08:00").doesNotContain("12:09:00");
  }

  @Test
  void discardedJobsStayCancelledInEveryLaterMode() {
    suspendAfterAnOutage("discard");
    suspend("backlog");
    world.runUntil("2026-03-10T12:10:30Z");
    resume();
    world.runUntil("2026-03-10T12:11:30Z");
    assertThat(launched()).containsExactlyInAnyOrder("12:09:00", "12:10:00", "12:11:00");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "backlog"})
  void aNewDefinitionCancelsKeptJobs(String mode) {
    suspendAfterAnOutage(mode);
    caller.put("a", Docs.of(EACH_TEN_SECONDS)).is(200);
    world.runFor(Duration.ofSeconds(1));
    assertThat(states()).hasSize(3).containsOnly(JobState.CANCELLED);
    assertThat(head().suspension().mode().text()).isEqualTo(mode);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hold", "backlog"})
  void aDeletionCancelsKeptJobs(String mode) {
    suspendAfterAnOutage(mode);
    caller.delete("a").is(204);
    world.runFor(Duration.ofSeconds(1));
    assertThat(states()).hasSize(3).containsOnly(JobState.CANCELLED);
    assertThat(world.jobs.suspendedJobs(ID, Long.MAX_VALUE, 10)).isEmpty();
  }

  @Test
  void theStateActiveInADocumentResumes() {
    suspendAfterAnOutage("hold");
    caller.put("a", Docs.active(MINUTELY)).is(200);
    world.runFor(Duration.ofSeconds(1));
    assertThat(launched()).hasSize(3);
  }

  @Test
  void theLastTenSuspensionsAreStored() {
    caller.put("a", Docs.active(Docs.DAILY));
    IntStream.range(0, 12)
        .forEach(
            time -> {
              suspend("hold");
              world.runFor(Duration.ofSeconds(1));
              resume();
              world.runFor(Duration.ofSeconds(1));
            });
    Life life = head().life();
    assertThat(life.periods().all().stream().filter(it -> it.mode() == SuspendMode.HOLD))
        .hasSize(Periods.MOST_PAUSES);
    assertThat(life.beganAt()).isEqualTo("2026-03-10T12:00:03Z");
  }

  // ---- views

  @Test
  void theScheduleShowsModeReasonAndEndOfItsSuspension() {
    caller.put("a", Docs.active(MINUTELY));
    JsonNode suspended =
        caller
            .act(
                "a",
                "suspend",
                """
                {"mode": "backlog", "reason": "repairs", "until": "2026-03-10T18:00:00Z"}
                """)
            .is(200)
            .json();
    assertThat(suspended.path("suspended"))
        .isEqualTo(
            Caller.json(
                """
                {"mode": "backlog", "reason": "repairs", "until": "2026-03-10T18:00:00.000Z",
                 "by": "local", "at": "2026-03-10T12:00:00.000Z"}
                """));
    JsonNode explanation = caller.get(Caller.SCHEDULES + "/a/explain").is(200).json();
    assertThat(explanation.path("summary").asText())
        .isEqualTo(
            "it was suspended by local at 2026-03-10T12:00:00.000Z, mode backlog,"
                + " until 2026-03-10T18:00:00.000Z: repairs");
    assertThat(explanation.path("suspended")).isEqualTo(suspended.path("suspended"));
  }

  private JsonNode explanation(Job job) {
    return caller.get("/v1/namespaces/default/jobs/" + job.id() + "/explain").is(200).json();
  }

  private static Instant threeOClock() {
    return Instant.parse("2026-03-11T03:00:00Z");
  }
}
