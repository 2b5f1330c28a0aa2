package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Runs;
import dev.carillon.client.schedule.Policies.Tracking;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.Message;

/** A worker on the local engine. Each test has a namespace and a queue of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalWorkerTest {

  private final Team team = new Team();
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final AtomicInteger received = new AtomicInteger();
  private Worker worker;

  @AfterEach
  void stopWorker() {
    if (worker != null) {
      worker.close();
    }
  }

  private void start(int threads, Handler handler) {
    worker =
        team.worker()
            .threads(threads)
            .listener(
                new WorkerListener() {
                  @Override
                  public void received(String queue, int requests) {
                    received.addAndGet(requests);
                  }
                })
            .handle(
                "exporter",
                job -> {
                  begun.add(job.jobId() + " " + job.attempt());
                  handler.handle(job);
                })
            .start();
  }

  private static Tracking tracking(Duration claimTimeout, Duration heartbeatTimeout) {
    Duration minute = Duration.ofMinutes(1);
    return new Tracking(minute, claimTimeout, heartbeatTimeout, minute.multipliedBy(5));
  }

  @Test
  void aJobSucceedsAtItsFirstAttempt() throws InterruptedException {
    start(
        2,
        job -> {
          job.progress(Map.of("rows", 7));
          job.output(Map.of("file", "f"));
        });
    String jobId = team.launch(1, 5);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(begun).containsExactly(jobId + " 1");
  }

  @Test
  void aRequestThatIsLostIsSentAgainAndTakesEffectOnce() throws InterruptedException {
    team.store(Team.SHORT, 3);
    String jobId = team.enqueue();
    String url = team.queueUrl();
    team.sqs().purgeQueue(purge -> purge.queueUrl(url));
    start(2, job -> {});
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(begun).hasSize(1);
  }

  @Test
  void aWorkerThatClaimsAndIsSilentIsFollowedByAnother() throws InterruptedException {
    team.store(tracking(Duration.ofSeconds(2), Duration.ofMinutes(1)), 3);
    String jobId = team.enqueue();
    team.runs().claim(jobId, "silent", 1);
    start(2, job -> {});
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(begun).containsExactly(jobId + " 2");
  }

  @Test
  void whenHeartbeatsStopTheLateReportChangesNothing() throws InterruptedException {
    Duration heartbeatTimeout = Duration.ofSeconds(6);
    team.store(tracking(Duration.ofMinutes(1), heartbeatTimeout), 3);
    String jobId = team.enqueue();
    Runs runs = team.runs();
    Claim claim = runs.claim(jobId, "silent", 1);
    runs.heartbeat(jobId, claim.claimToken(), null, Map.of(), Duration.ofSeconds(10));
    CountDownLatch reported = new CountDownLatch(1);
    start(2, job -> reported.await());
    assertThat(begun.take()).isEqualTo(jobId + " 2");
    assertThat(team.transition(jobId, State.RETRY_WAIT).orElseThrow().at())
        .isAfterOrEqualTo(
            team.transition(jobId, State.RUNNING).orElseThrow().at().plus(heartbeatTimeout));

    assertThatThrownBy(() -> runs.succeed(jobId, claim.claimToken(), null))
        .isInstanceOfSatisfying(
            CarillonException.Conflict.class,
            stale -> assertThat(stale.problem().type()).isEqualTo(Runs.STALE_CLAIM));
    assertThat(team.state(jobId)).isIn(State.CLAIMED, State.RUNNING);
    reported.countDown();
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(begun).isEmpty();
  }

  @Test
  void aHandlerRunsLongerThanItsHeartbeatTimeout() throws InterruptedException {
    team.store(tracking(Duration.ofMinutes(1), Duration.ofSeconds(5)), 3);
    CountDownLatch heartbeats = new CountDownLatch(6);
    worker =
        team.worker()
            .listener(
                new WorkerListener() {
                  @Override
                  public void heartbeat(ClaimedJob job, boolean isAnswered) {
                    heartbeats.countDown();
                  }
                })
            .handle("exporter", job -> heartbeats.await())
            .start();
    String jobId = team.launch(1, 5);
    Job job = team.awaitEnd(jobId);
    assertThat(job.state()).isEqualTo(State.SUCCEEDED);
    assertThat(job.attempt()).isEqualTo(1);
  }

  @Test
  void aCancelStopsTheHandler() throws InterruptedException {
    start(2, job -> new CountDownLatch(1).await());
    String jobId = team.launch(1, 5);
    begun.take();
    team.runs().cancel(jobId);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.CANCELLED);
    assertThat(begun).isEmpty();
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
    start(2, job -> {});
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    await(() -> team.isEmpty(url));
    assertThat(begun).hasSize(1);
  }

  @Test
  void aFatalFailureIsNotRetried() throws InterruptedException {
    start(
        2,
        job -> {
          throw new FatalJobException("no such table");
        });
    assertThat(team.awaitEnd(team.launch(1, 5)).state()).isEqualTo(State.FAILED);
    assertThat(begun).hasSize(1);
  }

  @Test
  void ofFiveJobsWithThreeAttemptsThreeSucceed() throws InterruptedException {
    start(
        3,
        job -> {
          int number = job.body(JsonNode.class).get("n").asInt();
          if (number > 2 || (number == 2 && job.attempt() == 1)) {
            throw new IllegalStateException("job " + number);
          }
        });
    List<String> jobs = IntStream.range(0, 5).mapToObj(number -> team.launch(number, 5)).toList();
    for (String jobId : jobs) {
      team.awaitEnd(jobId);
    }
    assertThat(jobs.stream().map(team::state))
        .containsExactly(
            State.SUCCEEDED, State.SUCCEEDED, State.SUCCEEDED, State.FAILED, State.FAILED);
    assertThat(begun).hasSize(2 + 2 + 3 + 3).doesNotHaveDuplicates();
  }

  @Test
  void aBusyWorkerTakesTheMostUrgentNext() throws InterruptedException {
    CountDownLatch free = new CountDownLatch(1);
    start(1, job -> free.await());
    String busy = team.launch(0, 5);
    assertThat(begun.take()).isEqualTo(busy + " 1");
    String third = launchAndAwait(3);
    String second = launchAndAwait(2);
    String first = launchAndAwait(1);
    free.countDown();
    for (String next : List.of(first, second, third)) {
      assertThat(begun.take()).isEqualTo(next + " 1");
    }
  }

  /** Launches a job of this priority, and waits until the worker has its request. */
  private String launchAndAwait(int priority) throws InterruptedException {
    int before = received.get();
    String jobId = team.launch(priority, priority);
    await(() -> received.get() == before + 1);
    return jobId;
  }
}
