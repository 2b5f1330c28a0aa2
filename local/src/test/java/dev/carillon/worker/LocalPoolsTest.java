package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job.State;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.OperationState;
import dev.carillon.client.PoolStatus;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.worker.PooledTeam.Way;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs of a pool on the local engine, and a worker with one thread that gets them from the pool's
 * queue, or pulls them.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class LocalPoolsTest {

  private final PooledTeam pooled = new PooledTeam();

  @ParameterizedTest
  @EnumSource
  void threeCustomersTakeTurns(Way way) throws InterruptedException {
    pooled.pool(way, 1);
    pooled.pause();
    for (String customer : List.of("A", "B", "C")) {
      pooled.arrive(customer, 3);
    }
    pooled.awaitStatus(status -> status.waiting().jobs() == 9);
    pooled.resume();
    pooled.finish(9);
    try (Worker worker = pooled.worker(way).handle("encoder", pooled.untilFinished()).start()) {
      assertThat(pooled.begin(9))
          .containsExactly("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3");
      assertThat(worker.denial()).isEmpty();
    }
  }

  /** From a queue of depth 1 the worker gets first what was chosen before the customer came. */
  @ParameterizedTest
  @EnumSource
  void aCustomerWithoutWorkIsNextWhenItHasSome(Way way) throws InterruptedException {
    pooled.pool(way, 1);
    pooled.pause();
    pooled.arrive("A", 5);
    pooled.arrive("B", 1);
    pooled.awaitStatus(status -> status.waiting().jobs() == 6);
    pooled.resume();
    try (Worker worker = pooled.worker(way).handle("encoder", pooled.untilFinished()).start()) {
      assertThat(pooled.begin(1)).containsExactly("A1");
      assertThat(pooled.finishAndBegin(2)).containsExactly("B1", "A2");
      awaitChosen(way, 2);
      pooled.arrive("C", 1);
      pooled.awaitStatus(status -> status.waiting().customers() == 2);
      List<String> rest = pooled.finishAndBegin(4);
      if (way == Way.QUEUE) {
        assertThat(rest).containsExactly("A3", "C1", "A4", "A5");
      } else {
        assertThat(rest).containsExactly("C1", "A3", "A4", "A5");
      }
      pooled.finish(1);
      assertThat(worker.denial()).isEmpty();
    }
  }

  /** Waits until the queue is full again, and this many jobs are left in the pool. */
  private void awaitChosen(Way way, int left) throws InterruptedException {
    if (way == Way.QUEUE) {
      pooled.awaitStatus(status -> status.waiting().jobs() == left);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCustomerThatJoinsIsServedWithinOneRound(Way way) throws InterruptedException {
    pooled.pool(way, 1);
    pooled.pause();
    for (String customer : List.of("A", "B", "C")) {
      pooled.arrive(customer, 3);
    }
    pooled.awaitStatus(status -> status.waiting().jobs() == 9);
    pooled.resume();
    try (Worker worker = pooled.worker(way).handle("encoder", pooled.untilFinished()).start()) {
      assertThat(pooled.begin(1)).containsExactly("A1");
      assertThat(pooled.finishAndBegin(3)).containsExactly("B1", "C1", "A2");
      awaitChosen(way, 4);
      pooled.arrive("D", 2);
      pooled.awaitStatus(status -> status.waiting().customers() == 4);
      List<String> rest = pooled.finishAndBegin(7);
      if (way == Way.QUEUE) {
        assertThat(rest).containsExactly("B2", "D1", "C2", "A3", "B3", "C3", "D2");
      } else {
        assertThat(rest).containsExactly("D1", "B2", "C2", "A3", "B3", "C3", "D2");
      }
      pooled.finish(1);
      assertThat(worker.denial()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBusyWorkerTakesTheMostUrgentNext(Way way) throws InterruptedException {
    AtomicInteger received = new AtomicInteger();
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void received(String queue, int requests) {
            received.addAndGet(requests);
          }
        };
    pooled.pool(way, 3);
    try (Worker worker =
        pooled.worker(way).listener(listener).handle("encoder", pooled.untilFinished()).start()) {
      pooled.arrive("busy", 1);
      assertThat(pooled.begin(1)).containsExactly("busy1");
      for (int priority : List.of(3, 2, 1)) {
        pooled.arrive("P" + priority + "-", LaunchNow.plain().withPriority(priority));
      }
      if (way == Way.QUEUE) {
        await(() -> received.get() == 4);
      } else {
        pooled.awaitStatus(status -> status.waiting().jobs() == 3);
      }
      assertThat(pooled.finishAndBegin(3)).containsExactly("P1-1", "P2-1", "P3-1");
      pooled.finish(1);
      assertThat(worker.denial()).isEmpty();
    }
  }

  @Test
  void theQueueIsFilledToItsDepth() throws InterruptedException {
    pooled.pool(Way.QUEUE, 5);
    pooled.arrive("A", 3);
    awaitBounded(status -> status.moved() == 3);
    pooled.arrive("A", 4);
    awaitBounded(status -> status.visible() == 5 && status.waiting().jobs() == 2);
    pooled.arrive("A", 1);
    awaitBounded(status -> status.waiting().jobs() == 3);
    assertThat(pooled.status().moved()).isEqualTo(5);
    try (Worker worker =
        pooled.worker(Way.QUEUE).handle("encoder", pooled.untilFinished()).start()) {
      pooled.begin(1);
      awaitBounded(status -> status.claimed() == 1 && status.visible() == 5);
      assertThat(pooled.status().waiting().jobs()).isEqualTo(2);
      pooled.finish(8);
      pooled.begin(7);
      awaitBounded(status -> status.claimed() == 8 && status.visible() == 0);
      assertThat(worker.denial()).isEmpty();
    }
  }

  private void awaitBounded(Predicate<PoolStatus> condition) throws InterruptedException {
    pooled.awaitStatus(
        status -> {
          assertThat(status.visible()).isLessThanOrEqualTo(5);
          return condition.test(status);
        });
  }

  /** The queue is created again by the PUT of its pool. */
  @Test
  void aFailedMoveCostsNoTurnAndNoJob() throws InterruptedException {
    pooled.pool(Way.QUEUE, 1);
    String first = pooled.arrive("A", LaunchNow.plain());
    pooled.finish(5);
    try (Worker worker =
        pooled.worker(Way.QUEUE).handle("encoder", pooled.untilFinished()).start()) {
      assertThat(pooled.begin(1)).containsExactly("A1");
      pooled.awaitState(first, State.SUCCEEDED);
      assertThat(worker.denial()).isEmpty();
    }
    String url = pooled.team.queueUrl();
    pooled.team.sqs().deleteQueue(delete -> delete.queueUrl(url));
    String refused = pooled.arrive("B", LaunchNow.plain());
    await(() -> refusals(refused) > 0);
    pooled.arrive("B", 1);
    pooled.arrive("A", 2);
    pooled.resume();
    try (Worker worker =
        pooled.worker(Way.QUEUE).handle("encoder", pooled.untilFinished()).start()) {
      assertThat(pooled.begin(4)).containsExactly("B1", "A2", "B2", "A3");
      assertThat(worker.denial()).isEmpty();
    }
  }

  private long refusals(String jobId) {
    return pooled.namespace.job(jobId).transitions().stream()
        .filter(it -> "REQUEST_REFUSED".equals(it.reasonCode()))
        .count();
  }

  @ParameterizedTest
  @EnumSource
  void aRetryGoesOnAtTheOperationThatFailed(Way way) throws InterruptedException {
    Duration soon = Duration.ofSeconds(1);
    pooled.namespace.put(
        pooled
            .encode(Tracking.USUAL)
            .setRetry(new Retry(3, soon, BigDecimal.ONE, soon))
            .setOperations(
                List.of(
                    new Operation("1", "read", List.of()),
                    new Operation("2", "sort", List.of("1")),
                    new Operation("3", "write", List.of("2"))))
            .build(Trigger.manual()));
    pooled.pool(way, 1);
    BlockingQueue<Map<String, OperationState>> requested = new LinkedBlockingQueue<>();
    Handler failing =
        job -> {
          requested.add(job.operations());
          for (String operation : List.of("1", "2", "3")) {
            boolean isFailing = operation.equals("3") && job.attempt() == 1;
            if (!job.isDone(operation)) {
              job.operation(
                  operation, isFailing ? OperationState.FAILED : OperationState.SUCCEEDED);
            }
            if (isFailing) {
              throw new IllegalStateException("the disk is full");
            }
          }
        };
    try (Worker worker = pooled.worker(way).handle("encoder", failing).start()) {
      String jobId = pooled.arrive("A", LaunchNow.plain());
      assertThat(pooled.awaitState(jobId, State.SUCCEEDED).attempt()).isEqualTo(2);
      assertThat(worker.denial()).isEmpty();
    }
    assertThat(requested.take()).containsValues(OperationState.WAITING).hasSize(3);
    assertThat(requested.take())
        .isEqualTo(
            Map.of(
                "1", OperationState.SUCCEEDED,
                "2", OperationState.SUCCEEDED,
                "3", OperationState.FAILED));
    assertThat(requested).isEmpty();
  }
}
