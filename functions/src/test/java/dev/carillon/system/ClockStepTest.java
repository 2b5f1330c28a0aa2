package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.checker.Checker.Received;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.memory.MemoryCheckQueue.Message;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two checkers receive the message of a retry. One of them has read the job and not stored anything
 * when the other one handles the message, with a clock that steps back meanwhile. Then the first
 * one sends the request, and stops before it has sent the message of the time-out.
 */
class ClockStepTest {

  private static final String TRACKED =
      "\"program\": \"p\", \"tracking\": {\"enqueueTimeout\": \"PT1M\"},"
          + " \"retry\": {\"maxAttempts\": 2, \"backoff\": \"PT5S\"}, \"constraints\": [%s]";

  private static final Duration STEP = Duration.ofSeconds(2);

  private World world;

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"type\": \"concurrency\", \"max\": 1}"})
  void aRetryIsNotLostIfTheClockOfAnotherCheckerStepsBack(String constraint) {
    boolean hasStepped = true;
    for (int readings = 0; hasStepped; readings++) {
      world = new World("2026-03-01T10:00:30Z");
      JobId job = waitingForItsRetry(TRACKED.formatted(constraint));
      world.sleepUntil(world.job(job).notBefore().toString());
      List<Message> messages = world.checkQueue.receive(world.now(), 10);
      assertThat(messages).hasSize(1);
      Message message = messages.get(0);
      AtomicInteger left = new AtomicInteger(readings);
      world.faults.afterNext("Jobs.find", () -> handleWhileTheClockStepsBack(message, left));
      world.call(() -> handle(message));
      world.faults.around(() -> {}, () -> {});
      world.runFor(Duration.ofMinutes(5));
      hasStepped = left.get() < 0;

      String where = "the clock steps back after " + readings + " readings";
      assertThat(world.job(job).state()).as(where).isEqualTo(JobState.FAILED);
      assertThat(world.job(job).attempt()).as(where).isEqualTo(2);
      assertThat(world.job(job).waitsFor()).as(where).isNull();
    }
  }

  private JobId waitingForItsRetry(String more) {
    world.put("a", active(partition("a", 1), more));
    world.partitions("a", 1);
    world.runFor(Duration.ofMinutes(1));
    JobId job = world.arrivals.get(0).request().job();
    assertThat(world.job(job).state()).isEqualTo(JobState.RETRY_WAIT);
    return job;
  }

  /**
   * @param left after how many readings the clock steps back; afterwards less than 0 if it has
   */
  private void handleWhileTheClockStepsBack(Message message, AtomicInteger left) {
    Instant due = world.now();
    world.giveClock(() -> left.getAndDecrement() > 0 ? due : due.minus(STEP));
    if (handle(message).isEmpty()) {
      world.checkQueue.delete(message);
    }
    world.giveClock(world::now);
    stopAfterSending();
  }

  private Set<String> handle(Message message) {
    Deadline deadline = new Deadline(world.now().plusSeconds(8), world::now);
    return world
        .process()
        .checker()
        .handle(List.of(new Received("m", message.check(), message.receiveCount())), deadline);
  }

  /** Stops the checker once it has sent a request and stored that. */
  private void stopAfterSending() {
    int from = world.faults.calls().size();
    world.faults.around(
        () -> {},
        () -> {
          List<String> since = world.faults.calls().subList(from, world.faults.calls().size());
          if (since.contains("TargetQueues.send")
              && since.get(since.size() - 1).equals("Jobs.update")) {
            throw new Faults.Killed();
          }
        });
  }
}
