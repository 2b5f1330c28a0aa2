package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.schedule.Policies.Tracking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;

/** What happens to the requests and attempts of a worker process on the local engine. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class WorkerCasesTest {

  private final Team team = new Team();
  private final WorkerHost host = WorkerHost.shared();

  private void work(int threads) {
    host.work(team.queue(), threads);
  }

  private List<String> begun(String jobId) {
    return host.said("begun", jobId);
  }

  @Test
  void aRequestThatIsLostIsSentAgainAndTakesEffectOnce() throws InterruptedException {
    Duration minute = Duration.ofMinutes(1);
    Duration enqueueTimeout = Duration.ofSeconds(4);
    team.store(new Tracking(enqueueTimeout, minute, minute, minute), 9);
    String jobId = team.enqueue();
    String url = team.queueUrl();
    team.sqs().purgeQueue(purge -> purge.queueUrl(url));
    work(2);
    Job job = team.awaitEnd(jobId);
    assertThat(job.state()).isEqualTo(State.SUCCEEDED);
    Duration lost =
        Duration.between(
            team.transition(jobId, State.ENQUEUED).orElseThrow().at(),
            team.transition(jobId, State.CLAIMED).orElseThrow().at());
    assertThat(lost).isGreaterThanOrEqualTo(enqueueTimeout);
    assertThat(begun(jobId)).hasSize(1);
  }

  /**
   * The process is stopped in the middle of an attempt, and goes on when the claim has ended. A
   * heartbeat extends the claim from when it was sent, which is after the claim and may be before
   * it was received. The time-out is long, because a worker on a slow machine fails the attempt
   * itself if the first answers take 0.8 of it.
   */
  @Test
  void whenHeartbeatsStopTheLateReportChangesNothing() throws Exception {
    Duration timeout = Duration.ofSeconds(20);
    team.store(new Tracking(Duration.ofMinutes(1), timeout, timeout, Duration.ofMinutes(5)), 3);
    try (WorkerHost paused = WorkerHost.start()) {
      paused.work(team.queue(), 2);
      String jobId = team.launch(Map.of("waits", 1), 5);
      await(() -> team.state(jobId) == State.RUNNING);
      paused.pause();
      await(() -> team.transition(jobId, State.RETRY_WAIT).isPresent());
      Job.Transition ended = team.transition(jobId, State.RETRY_WAIT).orElseThrow();
      assertThat(ended.reasonCode()).isEqualTo("HEARTBEAT_MISSING");
      assertThat(ended.at())
          .isAfterOrEqualTo(team.transition(jobId, State.CLAIMED).orElseThrow().at().plus(timeout));
      work(2);
      paused.goOn();
      paused.awaitSaid("ended", jobId, "1 LOST");

      Job job = team.awaitEnd(jobId);
      assertThat(job.state()).isEqualTo(State.SUCCEEDED);
      assertThat(job.attempt()).isGreaterThan(1);
      assertThat(ends(job)).containsOnlyOnce(State.SUCCEEDED).doesNotContain(State.FAILED);
    }
  }

  private static List<State> ends(Job job) {
    return job.transitions().stream().map(Job.Transition::state).toList();
  }

  @Test
  void twoDeliveriesAreOneRun() throws InterruptedException {
    String jobId = team.enqueue();
    String url = team.queueUrl();
    Message message =
        team.sqs()
            .receiveMessage(
                receive ->
                    receive
                        .queueUrl(url)
                        .waitTimeSeconds(5)
                        .visibilityTimeout(0)
                        .messageAttributeNames("All"))
            .messages()
            .get(0);
    team.sqs()
        .sendMessage(
            send ->
                send.queueUrl(url)
                    .messageBody(message.body())
                    .messageAttributes(message.messageAttributes()));
    work(2);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    await(() -> team.isEmpty(url));
    host.awaitSaid("unclaimed", jobId, "superseded");
    assertThat(begun(jobId)).hasSize(1);
  }

  @Test
  void aFatalFailureIsNotRetried() throws InterruptedException {
    work(2);
    String jobId = team.launch(Map.of("isFatal", true), 5);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.FAILED);
    assertThat(begun(jobId)).hasSize(1);
  }

  @Test
  void ofFiveJobsWithThreeAttemptsThreeSucceed() throws InterruptedException {
    work(3);
    List<String> jobs =
        Stream.of(0, 0, 1, 3, 3).map(fails -> team.launch(Map.of("fails", fails), 5)).toList();
    for (String jobId : jobs) {
      team.awaitEnd(jobId);
    }
    assertThat(jobs.stream().map(team::state))
        .containsExactly(
            State.SUCCEEDED, State.SUCCEEDED, State.SUCCEEDED, State.FAILED, State.FAILED);
    assertRound(jobs, 1, 2, 3);
    assertRound(jobs, 2, 1, 2);
    assertRound(jobs, 3, 0, 2);
  }

  private void assertRound(List<String> jobs, int attempt, int succeeded, int failed)
      throws InterruptedException {
    for (String ending : List.of("SUCCEEDED", "RETRIABLE")) {
      int expected = ending.equals("SUCCEEDED") ? succeeded : failed;
      await(
          () ->
              jobs.stream()
                      .flatMap(jobId -> host.said("ended", jobId).stream())
                      .filter((attempt + " " + ending)::equals)
                      .count()
                  == expected);
    }
  }

  @Test
  void aBusyWorkerTakesTheMostUrgentNext() throws InterruptedException {
    work(1);
    String busy = team.launch(Map.of("waits", 1), 5);
    await(() -> !begun(busy).isEmpty());
    List<String> jobs = new ArrayList<>();
    for (int priority : new int[] {3, 2, 1}) {
      jobs.add(launchAndAwait(priority));
    }
    host.release(team.queue());
    for (String jobId : jobs) {
      team.awaitEnd(jobId);
    }
    assertThat(jobs.stream().map(jobId -> team.transition(jobId, State.CLAIMED).orElseThrow().at()))
        .isSortedAccordingTo(Comparator.reverseOrder());
  }

  /** Launches a job of this priority, and waits until the worker has its request. */
  private String launchAndAwait(int priority) throws InterruptedException {
    int before = host.said("received", team.queue()).size();
    String jobId = team.launch(priority, priority);
    await(() -> host.said("received", team.queue()).size() == before + 1);
    return jobId;
  }
}
