package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.metrics.Metric;
import dev.carillon.schedule.SuspendMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillTest {

  private static final String DAILY = cron("0 0 3 * * ?");
  private static final String BEGIN = "2026-02-01T00:00:00Z";
  private static final String NOW = "2026-03-01T10:00:30Z";

  private final World world = new World(NOW);

  private static String constraint(String fields) {
    return "\"program\": \"p\", \"constraints\": [{%s}]".formatted(fields);
  }

  private static String concurrency(int max) {
    return constraint("\"type\": \"concurrency\", \"max\": " + max);
  }

  private Stream<LaunchRequest> launched() {
    return world.arrivals.stream().map(World.Arrival::request);
  }

  private List<Instant> scheduledFor() {
    return launched().map(request -> request.job().at()).toList();
  }

  private static List<Instant> days(int count) {
    return Stream.iterate(
            Instant.parse("2026-02-01T03:00:00Z"), day -> day.plus(Duration.ofDays(1)))
        .limit(count)
        .toList();
  }

  private List<Job> jobsIn(JobState... states) {
    return world.jobs.all().stream().filter(job -> List.of(states).contains(job.state())).toList();
  }

  private void end(JobId job) {
    world.event(
        "{\"id\": \"end-%s\", \"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
            .formatted(job, job));
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void itsFiresAreLaunchedInOrderUnderSeparateIds() {
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-26T00:00:00Z", 1);
    world.runFor(Duration.ofSeconds(2));

    assertThat(scheduledFor()).isEqualTo(days(25));
    assertThat(launched().map(LaunchRequest::job))
        .allMatch(job -> job.toString().endsWith("~b" + backfill.name()));
    Backfill over = world.backfill(backfill);
    assertThat(over.state()).isEqualTo(State.COMPLETED);
    assertThat(over.ended()).isEqualTo(Map.of(JobState.LAUNCHED, 25L));
    assertThat(over.attentionAt()).isNull();
    assertThat(over.endedAt()).isNotNull();
  }

  @Test
  void itRepeatsEarlierFiresAndRemovesNoneOfTheSchedule() {
    ScheduleId id = world.put("a", active(cron("0 * * * * ?")));
    world.runUntil("2026-03-01T10:03:30Z");
    world.backfill(id, "2026-03-01T10:00:30Z", "2026-03-01T10:03:00Z", 2);
    world.runUntil("2026-03-01T10:05:30Z");

    assertThat(launched().filter(request -> request.job().isFire())).hasSize(5);
    assertThat(launched().filter(request -> request.job().isOfBackfill())).hasSize(3);
    assertThat(world.requestsByJob().values()).containsOnly(1L);
  }

  @Test
  void itsRequestsEqualThoseOfTheFireExceptForTheirPriority() {
    ScheduleId id =
        world.put(
            "a",
            """
            {"state": "ACTIVE", "priority": 0, "trigger": %s, "target": {"queue": "q", "template":
              "${todaysDate} ${scheduledFor} ${previousScheduledFor} ${triggeredAt} ${priority}"}}
            """
                .formatted(DAILY));
    world.backfill(id, BEGIN, "2026-02-02T00:00:00Z", 1);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.bodies())
        .containsExactly(
            "2026-02-01 2026-02-01T03:00:00.000Z 2026-01-31T03:00:00.000Z"
                + " 2026-02-01T03:00:00.000Z 9");
    assertThat(launched().map(request -> request.attributes().get("carillon-priority")))
        .containsExactly("9");
  }

  @Test
  void noMoreThanItsConcurrencyAreUnfinishedAtATime() {
    world.finishRunsAfter(Duration.ofSeconds(8));
    ScheduleId id = world.put("a", active(DAILY, concurrency(10)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 3);
    List<Integer> unfinished = new ArrayList<>();
    world.faults.around(
        () -> {},
        () ->
            unfinished.add(
                jobsIn(JobState.PENDING_CONSTRAINT, JobState.PENDING_LAUNCH, JobState.ENQUEUED)
                    .size()));
    world.runFor(Duration.ofMinutes(2));

    assertThat(unfinished).contains(3).allMatch(count -> count <= 3);
    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(19));
    assertThat(world.backfill(backfill).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void anUnreadableJobDoesNotHoldBackTheOtherFires() {
    ScheduleId id = world.put("a", active(DAILY, concurrency(10)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-05T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(1));
    JobId damaged = world.arrivals.get(0).request().job();
    world.damageRowOf(damaged);
    end(world.arrivals.get(1).request().job());
    assertThat(scheduledFor()).isEqualTo(days(3));

    world.cancel(backfill);
    end(world.arrivals.get(2).request().job());
    assertThat(world.backfill(backfill).openJobs()).containsExactly(damaged);
    world.repairRowOf(damaged);
    end(damaged);
    assertThat(world.backfill(backfill).hasEnded()).isTrue();
    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 3L));
  }

  @Test
  void aFireOfTheScheduleLaunchesFirst() {
    ScheduleId id = world.put("a", active(cron("0 1 10 * * ?"), concurrency(1)));
    world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 5);
    world.runUntil("2026-03-01T10:01:10Z");
    assertThat(launched()).hasSize(1);

    end(world.arrivals.get(0).request().job());

    assertThat(launched().map(request -> request.job().isFire())).containsExactly(false, true);
  }

  @Test
  void onlyLaunchedJobsContinueWhenItIsCancelled() {
    ScheduleId id = world.put("a", active(DAILY, concurrency(1)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 4);
    world.runFor(Duration.ofSeconds(1));
    world.cancel(backfill);
    world.runFor(Duration.ofSeconds(1));

    assertThat(launched()).hasSize(1);
    assertThat(jobsIn(JobState.CANCELLED)).hasSize(3);
    assertThat(jobsIn(JobState.CANCELLED).get(0).lastReason())
        .isEqualTo("its backfill was cancelled");
    assertThat(world.backfill(backfill).hasEnded()).isFalse();

    end(world.arrivals.get(0).request().job());
    world.runFor(Duration.ofHours(2));

    assertThat(launched()).hasSize(1);
    Backfill over = world.backfill(backfill);
    assertThat(over.state()).isEqualTo(State.CANCELLED);
    assertThat(over.hasEnded()).isTrue();
    assertThat(over.ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 1L, JobState.CANCELLED, 3L));
  }

  @Test
  void nothingOfItLaunchesOnceItsCancellationIsStored() {
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 2);
    boolean[] done = new boolean[1];
    world.faults.around(
        () -> {
          if (!done[0] && world.arrivals.size() >= 4) {
            done[0] = true;
            world.cancel(backfill);
          }
        },
        () -> {});
    world.runFor(Duration.ofMinutes(3));

    Backfill over = world.backfill(backfill);
    assertThat(over.hasEnded()).isTrue();
    assertThat(over.state()).isEqualTo(State.CANCELLED);
    assertThat(over.taken())
        .isEqualTo(over.ended().values().stream().mapToLong(count -> count).sum());
    assertThat(over.ended().get(JobState.LAUNCHED)).isEqualTo((long) world.arrivals.size());
    assertThat(world.arrivals.size()).isLessThanOrEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"replace", "suspend", "delete"})
  void aChangeOfItsScheduleCancelsIt(String change) {
    ScheduleId id = world.put("a", active(DAILY, concurrency(1)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(1));
    switch (change) {
      case "replace" -> world.put("a", active(cron("0 0 4 * * ?"), concurrency(1)));
      case "suspend" -> world.suspend(id);
      default -> world.delete(id);
    }
    end(world.arrivals.get(0).request().job());
    world.runFor(Duration.ofHours(2));

    assertThat(launched()).hasSize(1);
    Backfill over = world.backfill(backfill);
    assertThat(over.hasEnded()).isTrue();
    assertThat(over.state()).isEqualTo(State.CANCELLED);
    assertThat(over.reason()).isEqualTo(Backfill.NOT_WANTED);
    assertThat(over.ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 1L, JobState.CANCELLED, 1L));
  }

  @Test
  void itStaysCancelledWhenItsScheduleIsResumed() {
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-20T00:00:00Z", 2);
    world.suspend(id);
    world.resume(id);
    world.runFor(Duration.ofMinutes(3));

    assertThat(launched()).isEmpty();
    assertThat(world.backfill(backfill).state()).isEqualTo(State.CANCELLED);
  }

  @ParameterizedTest
  @EnumSource(SuspendMode.class)
  void aSuspendedScheduleCanBeFilled(SuspendMode mode) {
    ScheduleId id = world.put("a", active(DAILY));
    world.keep(id, mode, null);
    world.backfill(id, BEGIN, "2026-02-04T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(1));
    world.resume(id);

    assertThat(scheduledFor()).isEqualTo(days(3));
  }

  @ParameterizedTest
  @EnumSource(
      value = SuspendMode.class,
      names = {"HOLD", "BACKLOG"})
  void itLaunchesNothingWhileItsScheduleHoldsJobs(SuspendMode mode) {
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 3);
    world.keep(id, mode, null);
    world.runFor(Duration.ofMinutes(5));
    assertThat(launched()).isEmpty();
    assertThat(jobsIn(JobState.PENDING_CONSTRAINT)).hasSize(3).allMatch(Job::isSuspended);

    world.resume(id);
    world.runFor(Duration.ofMinutes(1));
    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(10));
    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.LAUNCHED, 10L));
  }

  /**
   * A check that read the suspended head dies at each of its later calls; the resumption's own
   * checks came before.
   */
  @Test
  void jobsThatWereHeldBackWhileTheScheduleWasResumedAreLaunched() {
    int calls = callsOfTheFirstCheck();
    for (int resumed = 0; resumed < calls; resumed++) {
      for (int killed = resumed; killed < calls; killed++) {
        launchesAllAfterResumeAndKill(resumed, killed);
      }
    }
  }

  private static int callsOfTheFirstCheck() {
    World world = new World(NOW);
    ScheduleId id = world.put("a", active(DAILY));
    world.backfill(id, BEGIN, "2026-02-03T00:00:00Z", 2);
    world.keep(id, SuspendMode.HOLD, null);
    world.handleChecks();
    return world.faults.calls().size();
  }

  private static void launchesAllAfterResumeAndKill(int resumed, int killed) {
    World world = new World(NOW);
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-03T00:00:00Z", 2);
    world.keep(id, SuspendMode.HOLD, null);
    world.faults.around(
        () -> {
          if (world.faults.calls().size() == resumed) {
            world.faults.around(() -> {}, () -> {});
            world.resume(id);
            world.handleChecks();
            int call = world.faults.calls().size() + killed - resumed;
            world.faults.choose(call, Faults.Kind.KILL_AFTER);
          }
        },
        () -> {});
    world.handleChecks();
    world.runFor(Duration.ofMinutes(5));

    assertThat(world.backfill(backfill).ended())
        .as("resumed before call %s, killed after call %s", resumed, killed)
        .isEqualTo(Map.of(JobState.LAUNCHED, 2L));
  }

  @Test
  void itContinuesWhileItsScheduleIsDrained() {
    ScheduleId id = world.put("a", active(DAILY));
    world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 3);
    world.keep(id, SuspendMode.DRAIN, null);
    world.runFor(Duration.ofSeconds(5));

    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(10));
  }

  @Test
  void itIsCancelledWithItsSuspendedJobs() {
    ScheduleId id = world.put("a", active(DAILY));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 3);
    world.keep(id, SuspendMode.HOLD, null);
    world.runFor(Duration.ofMinutes(1));
    world.keep(id, SuspendMode.DISCARD, null);
    world.runFor(Duration.ofHours(2));
    world.resume(id);
    world.runFor(Duration.ofMinutes(1));

    assertThat(launched()).isEmpty();
    assertThat(world.backfill(backfill).hasEnded()).isTrue();
    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.CANCELLED, 3L));
  }

  @Test
  void constraintsHoldForItsJobs() {
    String window = "\"type\": \"timeWindow\", \"from\": \"12:00\", \"to\": \"12:30\"";
    ScheduleId id = world.put("a", active(DAILY, constraint(window)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 4);
    world.runUntil("2026-03-01T11:59:59Z");
    assertThat(launched()).isEmpty();
    assertThat(jobsIn(JobState.PENDING_CONSTRAINT)).hasSize(4);

    world.runUntil("2026-03-01T12:00:05Z");

    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(10));
    assertThat(world.backfill(backfill).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void aScheduleResumedAfterItsLastFireIsDeletedWhenTheBackfillHasEnded() {
    String window = constraint("\"type\": \"timeWindow\", \"from\": \"12:00\", \"to\": \"12:30\"");
    String document =
        active(cron("0 5 10 1 2,3 ? 2026"), window + ", \"afterCompletion\": \"delete\"");
    ScheduleId id = world.put("a", document);
    world.keep(id, SuspendMode.DRAIN, null);
    world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 4);
    world.runUntil("2026-03-01T10:10:00Z");
    world.resume(id);
    world.runUntil("2026-03-01T11:59:59Z");
    assertThat(world.schedules.find(id)).isPresent();

    world.runUntil("2026-03-01T12:01:00Z");
    assertThat(scheduledFor()).containsExactly(Instant.parse("2026-02-01T10:05:00Z"));
    assertThat(world.schedules.find(id)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void neitherTheTimeoutNorPendingJobsAffectIt(String whilePending) {
    String more =
        """
        "timeout": {"after": "PT5M", "action": "discard"}, "whilePending": "%s",
        "constraints": [{"type": "timeWindow", "from": "12:00", "to": "12:30"}]
        """
            .formatted(whilePending);
    ScheduleId id = world.put("a", active(DAILY, more));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 4);
    world.runUntil("2026-03-01T12:00:05Z");

    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(10));
    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.LAUNCHED, 10L));
  }

  @Test
  void skippedJobsCountAsWell() {
    String window =
        "\"type\": \"timeWindow\", \"from\": \"12:00\", \"to\": \"12:30\", \"onUnmet\": \"skip\"";
    ScheduleId id = world.put("a", active(DAILY, constraint(window)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-11T00:00:00Z", 4);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.SKIPPED, 10L));
  }

  @Test
  void itContinuesWhenItsMessageIsLost() {
    ScheduleId id = world.put("a", active(DAILY));
    world.loseChecks();
    world.backfill(id, BEGIN, "2026-02-06T00:00:00Z", 1);
    world.runFor(Duration.ofSeconds(10));
    assertThat(world.arrivals).isEmpty();
    world.runFor(Duration.ofSeconds(85));

    assertThat(scheduledFor()).isEqualTo(days(5));
  }

  @Test
  void itContinuesWithinTheHourIfTheEndsOfItsJobsAreNotReported() {
    ScheduleId id = world.put("a", active(DAILY, concurrency(1)));
    world.backfill(id, BEGIN, "2026-02-03T00:00:00Z", 1);
    world.runFor(Duration.ofMinutes(5));
    Job first = world.job(world.arrivals.get(0).request().job());
    world.jobs.update(
        List.of(
            new Jobs.Update(
                first,
                first.reported(
                    JobState.SUCCEEDED,
                    world.now(),
                    Reason.of(ReasonCode.RUN_ENDED, "x", "SUCCEEDED"),
                    null))));
    world.runFor(Duration.ofMinutes(65));

    assertThat(world.arrivals.size() + jobsIn(JobState.PENDING_CONSTRAINT).size()).isEqualTo(2);
  }

  @Test
  void whileItWaitsForItsJobsItIsCheckedOnceAnHour() {
    ScheduleId id = world.put("a", active(DAILY, concurrency(1)));
    world.backfill(id, BEGIN, "2026-02-03T00:00:00Z", 1);
    world.runFor(Duration.ofMinutes(5));
    int before = world.faults.calls().size();
    world.runFor(Duration.ofHours(3));

    assertThat(
            world.faults.calls().subList(before, world.faults.calls().size()).stream()
                .filter(call -> call.contains("ackfill")))
        .hasSizeBetween(3, 12);
  }

  @Test
  void aJobThatKeepsFailingDelaysNoOther() {
    ScheduleId id = world.put("a", active(DAILY));
    JobId poison =
        JobId.ofBackfill(new BackfillId(id, "1"), 1, Instant.parse("2026-02-02T03:00:00Z"));
    world.failChecksOf(poison);
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-09T00:00:00Z", 2);
    world.runFor(Duration.ofMinutes(30));
    assertThat(scheduledFor()).hasSize(7);
    assertThat(world.job(poison).lastReason()).contains("its check failed");

    world.failChecksOf(null);
    world.runFor(Duration.ofMinutes(30));

    assertThat(scheduledFor()).containsExactlyInAnyOrderElementsOf(days(8));
    assertThat(world.backfill(backfill).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void tenThousandFiresNeedNoMoreOpenJobsThanAFew() {
    ScheduleId id = world.put("a", active(cron("0/10 * * * * ?")));
    BackfillId backfill = world.backfill(id, "2026-02-01T00:00:00Z", "2026-02-02T03:46:40Z", 100);
    List<Integer> open = new ArrayList<>();
    world.faults.around(() -> {}, () -> open.add(world.backfill(backfill).open().size()));
    world.runFor(Duration.ofSeconds(1));

    assertThat(launched().filter(request -> request.job().isOfBackfill())).hasSize(10_000);
    assertThat(open).allMatch(count -> count <= 100);
    assertThat(world.requestsByJob().values()).containsOnly(1L);
  }

  @Test
  void theAgeOfItsFiresIsNotLatency() {
    ScheduleId id = world.put("a", active(DAILY));
    world.backfill(id, BEGIN, "2026-02-06T00:00:00Z", 2);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.metrics.sum(Metric.LAUNCHES)).isEqualTo(5);
    assertThat(world.metrics.sum(Metric.LAUNCH_LATENCY)).isZero();
    assertThat(world.metrics.sum(Metric.FIRES)).isZero();
  }

  /** The message about the job's end was lost; the job concerns a gate. */
  @Test
  void aCheckOfAJobThatHasEndedHasItsBackfillCountIt() {
    ScheduleId id = world.put("a", active(DAILY, concurrency(1)));
    BackfillId backfill = world.backfill(id, BEGIN, "2026-02-02T00:00:00Z", 1);
    world.handleChecks();
    Job launched = world.jobs.all().get(0);
    Reason reported = Reason.of(ReasonCode.RUN_ENDED, "e", JobState.SUCCEEDED);
    Job ended = launched.reported(JobState.SUCCEEDED, world.now(), reported, null);
    world.jobs.update(List.of(new Update(launched, ended)));
    world.handleChecks();
    assertThat(world.backfill(backfill).ended()).isEmpty();

    world.checking(List.of(launched.id())).run();
    world.handleChecks();
    assertThat(world.backfill(backfill).ended()).isEqualTo(Map.of(JobState.SUCCEEDED, 1L));
  }
}
