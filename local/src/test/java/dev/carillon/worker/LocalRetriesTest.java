package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Job.Transition;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.decision.RunDecision;
import dev.carillon.id.JobId;
import dev.carillon.run.RetryPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of failed attempts, with a worker process on the local engine. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalRetriesTest {

  private final Team team = new Team();
  private final WorkerHost host = WorkerHost.shared();

  @Test
  void delaysGrowUpToTheirLimitAndAfterTheLastAttemptTheJobHasFailed() throws InterruptedException {
    RetryPolicy policy = new RetryPolicy(4, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(3));
    team.store(
        Tracking.USUAL,
        new Retry(
            policy.maxAttempts(),
            policy.backoff(),
            BigDecimal.valueOf(policy.rate()),
            policy.maxBackoff()),
        List.of());
    host.work(team.queue(), 1);
    String jobId = team.launch(Map.of("fails", policy.maxAttempts()), 5);
    Job job = team.awaitEnd(jobId);
    assertThat(job.state()).isEqualTo(State.FAILED);
    assertThat(host.said("begun", jobId)).containsExactly("1 {}", "2 {}", "3 {}", "4 {}");
    for (int attempt = 1; attempt < policy.maxAttempts(); attempt++) {
      Duration drawn = RunDecision.retryDelay(policy, JobId.parse(job.jobId()), attempt);
      Instant failed = at(job, State.RETRY_WAIT, attempt);
      assertThat(at(job, State.ENQUEUED, attempt + 1))
          .as("attempt %d", attempt + 1)
          .isAfterOrEqualTo(failed.plus(drawn));
    }
  }

  private static Instant at(Job job, State state, int time) {
    return job.transitions().stream()
        .filter(it -> it.state() == state)
        .skip(time - 1L)
        .map(Transition::at)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRetryGoesOnAtTheOperationThatFailed() throws InterruptedException {
    team.store(
        Tracking.USUAL,
        Retry.USUAL,
        List.of(
            new Operation("1", "read", List.of()),
            new Operation("2", "sort", List.of("1")),
            new Operation("3", "write", List.of("2"))));
    host.work(team.queue(), 1);
    String jobId = team.launch(Map.of("failsAt", "3"), 5);
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
    assertThat(host.said("begun", jobId))
        .containsExactly(
            "1 {1=WAITING, 2=WAITING, 3=WAITING}", "2 {1=SUCCEEDED, 2=SUCCEEDED, 3=FAILED}");
    assertThat(host.said("did", jobId)).containsExactly("1", "2", "3");
  }
}
