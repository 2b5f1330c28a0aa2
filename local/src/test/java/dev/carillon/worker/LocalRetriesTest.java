package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Job.Transition;
import dev.carillon.client.OperationState;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of failed attempts, with a worker on the local engine. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalRetriesTest {

  private final Team team = new Team();

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
    BlockingQueue<Integer> attempts = new LinkedBlockingQueue<>();
    Handler failing =
        job -> {
          attempts.add(job.attempt());
          throw new IllegalStateException("attempt " + job.attempt());
        };
    try (Worker worker = team.worker().handle("exporter", failing).start()) {
      Job job = team.awaitEnd(team.launch(1, 5));
      assertThat(worker.denial()).isEmpty();
      assertThat(job.state()).isEqualTo(State.FAILED);
      assertThat(attempts).containsExactly(1, 2, 3, 4);
      for (int attempt = 1; attempt < policy.maxAttempts(); attempt++) {
        Duration drawn = RunDecision.retryDelay(policy, JobId.parse(job.jobId()), attempt);
        Instant failed = at(job, State.RETRY_WAIT, attempt);
        assertThat(at(job, State.ENQUEUED, attempt + 1))
            .as("attempt %d", attempt + 1)
            .isAfterOrEqualTo(failed.plus(drawn));
      }
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
    BlockingQueue<Map<String, OperationState>> claimed = new LinkedBlockingQueue<>();
    BlockingQueue<String> carriedOut = new LinkedBlockingQueue<>();
    Handler handler =
        job -> {
          claimed.add(job.operations());
          for (String operation : List.of("1", "2", "3")) {
            if (!job.isDone(operation)) {
              carryOut(job, operation);
              carriedOut.add(operation);
            }
          }
        };
    try (Worker worker = team.worker().handle("exporter", handler).start()) {
      assertThat(team.awaitEnd(team.launch(1, 5)).state()).isEqualTo(State.SUCCEEDED);
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(carriedOut).containsExactly("1", "2", "3");
    assertThat(claimed.take()).containsValues(OperationState.WAITING).hasSize(3);
    assertThat(claimed.take())
        .isEqualTo(
            Map.of(
                "1", OperationState.SUCCEEDED,
                "2", OperationState.SUCCEEDED,
                "3", OperationState.FAILED));
  }

  private static void carryOut(ClaimedJob job, String operation) {
    job.operation(operation, OperationState.RUNNING);
    if (operation.equals("3") && job.attempt() == 1) {
      job.operation(operation, OperationState.FAILED);
      throw new IllegalStateException("the disk is full");
    }
    job.operation(operation, OperationState.SUCCEEDED);
  }
}
