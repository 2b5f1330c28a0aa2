package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.at;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.run.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs whose schedule wants to know how they end. */
class CallbackRunTest {

  private static final String ENDED = "arn:aws:sqs:us-east-1:000000000000:ended";
  private static final String ON_END =
      "\"program\": \"p\", \"onEnd\": {\"queue\": \"ended\","
          + " \"template\": {\"job\": \"${jobId}\", \"attempt\": \"${attempt}\","
          + " \"outcome\": \"${outcome}\", \"output\": \"${output}\", \"error\": \"${error}\"}}";
  private static final String TRACKED =
      ON_END + ", \"tracking\": {}, \"retry\": {\"maxAttempts\": 1}";
  private static final String DUE = at("2026-03-01T10:00:31Z");

  private final World world = new World("2026-03-01T10:00:30Z");

  private ScheduleId put(String trigger, String more) {
    return world.put("a", active(trigger, more));
  }

  private JobId launched(String more) {
    put(DUE, more);
    run(3);
    return world.arrivals.get(0).request().job();
  }

  private void run(int seconds) {
    world.runFor(Duration.ofSeconds(seconds));
  }

  private void claim(JobId job, int attempt) {
    String token = "token " + attempt;
    world.reports().claim(job, "w", attempt, token).orElseThrow();
  }

  private void report(JobId job, Report report) {
    assertThat(world.reports().report(job, report).orElseThrow().result())
        .isInstanceOf(Accepted.class);
  }

  private List<LaunchRequest> callbacks() {
    return world.arrivals.stream()
        .map(World.Arrival::request)
        .filter(LaunchRequest::isCallback)
        .toList();
  }

  private List<String> outcomes() {
    return callbacks().stream()
        .map(callback -> callback.attributes().get("carillon-outcome"))
        .toList();
  }

  private LaunchRequest callback() {
    assertThat(callbacks()).hasSize(1);
    return callbacks().get(0);
  }

  private Callback stored(JobId job) {
    return Objects.requireNonNull(world.job(job).callback());
  }

  @Test
  void aSuccessIsCalledBackWithItsOutput() {
    JobId job = launched(TRACKED);
    claim(job, 1);
    run(30);
    assertThat(callbacks()).isEmpty();
    report(job, new Report.Success("token 1", Json.object().put("rows", 7)));
    run(1);
    assertThat(callback().queueArn()).isEqualTo(ENDED);
    assertThat(Json.readObject(callback().body()))
        .isEqualTo(
            Json.readObject(
                """
                {"job": "%s", "attempt": 1, "outcome": "SUCCEEDED", "output": {"rows": 7}, "error": null}
                """
                    .formatted(job)));
    assertThat(stored(job).sentAt()).isNotNull();
    assertThat(world.job(job).waitsFor()).isNull();
  }

  @Test
  void aFailureIsCalledBackWithTheErrorOfTheWorker() {
    JobId job = launched(TRACKED);
    claim(job, 1);
    report(job, new Report.Failure("token 1", "boom", true));
    run(1);
    assertThat(callback().body()).contains("\"outcome\":\"FAILED\"", "\"error\":\"boom\"");
  }

  @Test
  void aFailedAttemptThatIsRetriedIsNoEnd() {
    JobId job = launched(ON_END + ", \"tracking\": {}, \"retry\": {\"backoff\": \"PT1S\"}");
    claim(job, 1);
    report(job, new Report.Failure("token 1", "boom", true));
    run(10);
    assertThat(world.job(job).attempt()).isEqualTo(2);
    assertThat(callbacks()).isEmpty();
    claim(job, 2);
    report(job, new Report.Success("token 2", null));
    run(1);
    assertThat(outcomes()).containsExactly("SUCCEEDED");
    assertThat(callback().deduplicationId()).isEqualTo(job + ".2.end");
  }

  @Test
  void anAttemptThatNoWorkerClaimsIsCalledBackAsFailed() {
    launched(TRACKED);
    world.runFor(Duration.ofMinutes(16));
    assertThat(callback().body()).contains("\"outcome\":\"FAILED\"", "no worker claimed it");
  }

  @Test
  void aJobThatIsNotTrackedCallsBackOnceItWasSent() {
    JobId job = launched(ON_END);
    assertThat(outcomes()).containsExactly("LAUNCHED");
    assertThat(world.job(job).state()).isEqualTo(JobState.LAUNCHED);
    assertThat(world.job(job).waitsFor()).isNull();
  }

  @Test
  void aJobWithoutOnEndStoresNothingMore() {
    JobId job = launched("\"program\": \"p\"");
    assertThat(world.job(job).version()).isEqualTo(2);
    assertThat(world.job(job).callback()).isNull();
    assertThat(world.job(job).waitsFor()).isNull();
  }

  @Test
  void anEndThatAnEventReportsIsCalledBack() {
    JobId job = launched(ON_END + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    run(60);
    assertThat(callbacks()).isEmpty();
    world.event(
        """
        {"eventType": "PROGRAM_STATUS",
         "payload": {"programId": "p", "status": "SUCCEEDED", "runId": "%s"}}
        """
            .formatted(job));
    run(2);
    assertThat(outcomes()).containsExactly("SUCCEEDED");
  }

  @Test
  void anEventThatNamesNoRunEndsTheOldestWithItsCallback() {
    launched(ON_END + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"FAILED\"}}");
    run(2);
    assertThat(outcomes()).containsExactly("FAILED");
  }

  @Test
  void aJobThatAConstraintSkipsIsCalledBack() {
    put(
        DUE,
        ON_END
            + ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"11:00\", \"to\": \"12:00\","
            + " \"onUnmet\": \"skip\"}]");
    run(3);
    assertThat(callback().body()).contains("\"outcome\":\"SKIPPED\"");
    assertThat(callback().attributes()).containsEntry("carillon-outcome", "SKIPPED");
  }

  @Test
  void aJobThatTimesOutWhileItWaitsIsCalledBack() {
    put(
        DUE,
        ON_END
            + ", \"timeout\": {\"after\": \"PT1M\", \"action\": \"discard\"}, \"constraints\":"
            + " [{\"type\": \"timeWindow\", \"from\": \"11:00\", \"to\": \"12:00\"}]");
    run(30);
    assertThat(callbacks()).isEmpty();
    run(60);
    assertThat(outcomes()).containsExactly("TIMED_OUT");
  }

  @Test
  void aJobThatTimesOutWhileItCollectsIsCalledBack() {
    put(
        partition("d", 2),
        ON_END + ", \"timeout\": {\"after\": \"PT1M\", \"action\": \"discard\"}");
    world.partitions("d", 1);
    run(90);
    assertThat(outcomes()).containsExactly("TIMED_OUT");
    assertThat(callback().body()).contains("its trigger was not satisfied");
  }

  @Test
  void aWaitingJobOfADeletedScheduleIsCalledBackAsCancelled() {
    ScheduleId id =
        put(
            DUE,
            ON_END
                + ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"10:10\", \"to\": \"12:00\"}]");
    run(3);
    world.delete(id);
    world.runFor(Duration.ofMinutes(12));
    assertThat(outcomes()).containsExactly("CANCELLED");
  }

  @Test
  void aRunCallsBackByItsOwnDefinitionAfterItsScheduleWasReplaced() {
    JobId job = launched(TRACKED);
    claim(job, 1);
    put(partition("d", 1), "\"program\": \"p\", \"tracking\": {}");
    report(job, new Report.Success("token 1", null));
    run(2);
    assertThat(callback().queueArn()).isEqualTo(ENDED);
    assertThat(callback().job()).isEqualTo(job);
  }

  @Test
  void aRunCallsBackAfterItsScheduleWasDeleted() {
    JobId job = launched(TRACKED);
    claim(job, 1);
    world.delete(job.schedule());
    report(job, new Report.Success("token 1", null));
    run(2);
    assertThat(outcomes()).containsExactly("SUCCEEDED");
  }

  @Test
  void aRefusedCallbackIsSentAgainLaterEachTime() {
    world.targets.lose(ENDED);
    JobId job = launched(ON_END);
    assertThat(stored(job).trouble()).isEqualTo("the queue does not exist; create it");
    assertThat(stored(job).sentAt()).isNull();
    world.runFor(Duration.ofMinutes(12));
    int refusals = stored(job).refusals();
    assertThat(refusals).isBetween(8, 11);
    Instant next = Objects.requireNonNull(world.job(job).callbackAt());
    assertThat(next).isAfter(world.now()).isBefore(world.now().plus(Duration.ofMinutes(5)));
    world.targets.accept(ENDED);
    world.runUntil(next.plusSeconds(1));
    assertThat(outcomes()).containsExactly("LAUNCHED");
    assertThat(stored(job)).isEqualTo(new Callback(refusals, next, null));
  }

  @Test
  void aRefusedCallbackDoesNotRepeatTheEventOfTheEnd() {
    world.put(
        "after",
        active("{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"SUCCEEDED\"]}"));
    world.targets.lose(ENDED);
    JobId job = launched(TRACKED);
    claim(job, 1);
    report(job, new Report.Success("token 1", null));
    world.runFor(Duration.ofMinutes(40));
    assertThat(stored(job).refusals()).isGreaterThan(10);
    assertThat(world.arrivals).filteredOn(it -> !it.request().job().equals(job)).hasSize(1);
  }

  @Test
  void aCallbackThatNoQueueAcceptsIsGivenUpWithItsReason() {
    JobId job = launched("\"onEnd\": {\"queue\": \"ended\", \"template\": \"${output}\"}");
    assertThat(callbacks()).isEmpty();
    assertThat(stored(job).trouble()).contains("the body is empty");
    assertThat(world.job(job).waitsFor()).isNull();
  }

  @Test
  void aLostMessageIsRepeatedByTheIndex() {
    put(DUE, ON_END + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]");
    run(3);
    JobId job = world.arrivals.get(0).request().job();
    world.event(
        """
        {"eventType": "PROGRAM_STATUS",
         "payload": {"programId": "p", "status": "SUCCEEDED", "runId": "%s"}}
        """
            .formatted(job));
    world.loseChecks();
    run(1);
    assertThat(world.job(job).state()).isEqualTo(JobState.SUCCEEDED);
    world.runFor(Duration.ofMinutes(3));
    assertThat(outcomes()).containsExactly("SUCCEEDED");
  }

  @Test
  void aRetryByACallerEndsOnceMoreWithACallbackOfItsOwn() {
    JobId job = launched(TRACKED);
    claim(job, 1);
    report(job, new Report.Failure("token 1", "boom", false));
    run(2);
    assertThat(world.reports().retry(job, "ann").orElseThrow().result())
        .isInstanceOf(Accepted.class);
    run(3);
    claim(job, 2);
    report(job, new Report.Success("token 2", null));
    run(2);
    assertThat(callbacks().stream().map(LaunchRequest::deduplicationId))
        .containsExactly(job + ".1.end", job + ".2.end");
    assertThat(outcomes()).containsExactly("FAILED", "SUCCEEDED");
  }

  @Test
  void aJobWithACallbackThatIsOwedIsNotRetried() {
    world.targets.lose(ENDED);
    JobId job = launched(TRACKED);
    claim(job, 1);
    report(job, new Report.Failure("token 1", "boom", false));
    run(2);
    assertThat(world.reports().retry(job, "ann").orElseThrow().result())
        .isEqualTo(new Refused(Refusal.BUSY));
  }

  @Test
  void aFireThatIsPassedOverForAWaitingJobCallsNothingBack() {
    put(
        "{\"type\": \"rate\", \"every\": \"PT10S\"}",
        ON_END
            + ", \"whilePending\": \"skip\", \"constraints\":"
            + " [{\"type\": \"timeWindow\", \"from\": \"10:02\", \"to\": \"12:00\"}]");
    run(60);
    List<Job> skipped =
        world.jobs.all().stream().filter(job -> job.state() == JobState.SKIPPED).toList();
    assertThat(skipped).isNotEmpty();
    assertThat(skipped).allSatisfy(job -> assertThat(job.callback()).isNull());
    assertThat(callbacks()).isEmpty();
  }

  @Test
  void endedJobsThatOweACallbackAreNotCountedAsUnfinished() {
    world.targets.lose(ENDED);
    launched(ON_END);
    assertThat(world.jobs.countUnfinished(2, 100)).isEmpty();
  }

  /** Its definition is a former one, and excludes a calendar that cannot be read for a while. */
  @Test
  void aCallbackWaitsUntilTheCalendarOfItsDefinitionIsRepaired() {
    world.calendar("us", "{}");
    String excluding =
        "{\"type\": \"cron\", \"expression\": \"31 0 10 * * ?\", \"exclude\": [\"us\"]}";
    put(excluding, TRACKED);
    run(3);
    JobId job = world.arrivals.get(0).request().job();
    claim(job, 1);
    put(partition("d", 1), TRACKED);
    world.damageItemOf(new CalendarId("default", "us"));
    report(job, new Report.Success("token 1", null));
    run(60);
    assertThat(callbacks()).isEmpty();
    world.repair();
    run(1_200);
    assertThat(outcomes()).containsExactly("SUCCEEDED");
  }
}
