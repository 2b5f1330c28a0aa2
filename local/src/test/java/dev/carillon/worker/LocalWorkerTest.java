package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.schedule.Policies.Tracking;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A worker on the local engine. Each test has a namespace and a queue of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalWorkerTest {

  private final Team team = new Team();
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
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
  void aWorkerThatClaimsAndIsSilentIsFollowedByAnother() throws InterruptedException {
    team.store(tracking(Duration.ofSeconds(5), Duration.ofMinutes(1)), 3);
    String jobId = team.enqueue();
    team.runs().claim(jobId, "silent", 1);
    start(2, job -> {});
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(begun).containsExactly(jobId + " 2");
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
}
