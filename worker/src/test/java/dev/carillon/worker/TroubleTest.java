package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals and outages. */
@Timeout(600)
class TroubleTest {

  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofSeconds(1);

  private final Rig rig = new Rig();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource({
    "409, superseded, superseded a, true",
    "409, not-yet, not yet a, false",
    "404, not-found, unknown a, true"
  })
  void aClaimThatIsRefusedSaysWhatBecomesOfTheMessage(
      int status, String type, String heard, boolean isDeleted) throws InterruptedException {
    rig.api.refuse("claim", status, FakeApi.problem(type));
    rig.start();
    rig.queue.send("a", 1, 5);

    assertThat(rig.nextHeard()).isEqualTo(heard);
    if (isDeleted) {
      assertThat(Rig.next(rig.queue.deleted)).isEqualTo("a#1");
    }
    rig.time.move(RequestQueue.VISIBILITY);
    assertThat(rig.queue.extended).isEmpty();
    assertThat(rig.queue.deleted).isEmpty();
  }

  /** A caller that shuts down its executor interrupts its threads, even if one has a request. */
  @Test
  void aRequestWhoseClaimIsInterruptedGoesBack() throws InterruptedException {
    rig.api.refuse("claim", 503, "");
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void trouble(String doing, RuntimeException failure) {
            Thread.currentThread().interrupt();
          }
        });
    rig.start();
    rig.queue.send("a", 1, 5);

    assertThat(Rig.next(rig.queue.returned)).isEqualTo("a#1");
  }

  @Test
  void aClaimWithoutAnAnswerIsSentAgainByTheSameClaimant() throws InterruptedException {
    rig.api.refuse("claim", 503, "");
    rig.start();
    rig.queue.send("a", 1, 5);
    JsonNode first = rig.api.next("claim").body();
    rig.time.awaitTasks(2);
    rig.api.accept("claim");
    rig.time.move(LONGEST_FIRST_PAUSE);

    assertThat(rig.api.next("claim").body()).isEqualTo(first);
    rig.nextBegun();
  }

  @ParameterizedTest
  @CsvSource({"200, null", "302, ''", "408, ''"})
  void aClaimWithoutAnAnswerOfTheApiLeavesTheMessageAndIsSentAgain(int status, String answer)
      throws InterruptedException {
    rig.api.refuse("claim", status, answer);
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.api.next("claim");
    rig.time.awaitTasks(2);
    assertThat(rig.queue.deleted).isEmpty();
    rig.api.accept("claim");
    rig.time.move(LONGEST_FIRST_PAUSE);
    rig.nextBegun();
  }

  @ParameterizedTest
  @CsvSource({"404, unknown-route", "409, state-conflict", "400, invalid-request"})
  void aClaimThatIsRefusedForGoodLeavesTheMessage(int status, String type)
      throws InterruptedException {
    rig.api.refuse("claim", status, FakeApi.problem(type));
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.api.next("claim");
    rig.api.accept("claim");
    rig.queue.send("b", 1, 5);
    assertThat(rig.nextBegun().jobId()).isEqualTo("b");
    assertThat(Rig.next(rig.queue.deleted)).isEqualTo("b#2");
    assertThat(rig.queue.returned).isEmpty();
  }

  @Test
  void aClaimBesideAnotherChangeIsSentAgain() throws InterruptedException {
    rig.api.refuse("claim", 409, FakeApi.problem("concurrent-change"));
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.time.awaitTasks(2);
    rig.api.accept("claim");
    rig.time.move(LONGEST_FIRST_PAUSE);
    rig.nextBegun();
  }

  @Test
  void aClaimThatIsNeverAnsweredGoesBackToTheQueueAfterFiveMinutes() throws InterruptedException {
    rig.api.refuse("claim", 503, "");
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.queue.send("b", 1, 5);
    while (!rig.api.next("claim").job().equals("b")) {
      rig.time.awaitTasks(2);
      rig.time.move(Duration.ofSeconds(10));
    }
    assertThat(rig.time.now()).isGreaterThanOrEqualTo(Duration.ofMinutes(5).toNanos());
    assertThat(rig.queue.returned).containsExactly("a#1");
  }

  @Test
  void aPauseThatTheServerAsksForIsBoundedByTheFiveMinutes() throws InterruptedException {
    rig.api.refuse("claim", 503, "", Map.of("Retry-After", "3600"));
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.time.awaitTaskIn(Duration.ofMinutes(5));
    rig.time.move(Duration.ofMinutes(6));
    assertThat(Rig.next(rig.queue.returned)).isEqualTo("a#1");
    assertThat(rig.api.rest("claim")).hasSize(2);
  }

  @Test
  void aReportWithoutAnAnswerIsSentAgainWhileTheClaimIsRenewed() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.api.refuse("succeed", 500, "");
    rig.release();
    rig.api.next("succeed");
    for (int i = 0; i < 6; i++) {
      rig.time.awaitTasks(4);
      rig.time.move(Duration.ofSeconds(10));
      rig.api.next("succeed");
    }
    assertThat(rig.api.rest("heartbeat")).hasSizeGreaterThanOrEqualTo(4);
    // With four tasks the report waits for its next attempt, so that one is the first to be
    // accepted.
    rig.time.awaitTasks(4);
    rig.api.accept("succeed");
    rig.time.move(Duration.ofSeconds(10));
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
  }

  @Test
  void aSuccessThatIsRefusedEndsTheJob() throws InterruptedException {
    rig.api.refuse("succeed", 413, "{\"detail\": \"the output is too large\"}");
    rig.start(job -> job.output(1));
    rig.queue.send("a", 1, 5);
    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("error").asText()).contains("the output is too large");
    assertThat(report.get("retriable").asBoolean()).isFalse();
  }

  @Test
  void aQueueThatFailsIsPolledAgain() throws InterruptedException {
    rig.queue.fault = new IllegalStateException("no connection");
    rig.start();
    rig.time.awaitTasks(2);
    rig.queue.fault = null;
    rig.queue.send("a", 1, 5);
    rig.time.move(LONGEST_FIRST_PAUSE);
    rig.nextBegun();
  }

  @Test
  void virtualThreadsAreUsedWhereTheJvmHasThem() throws InterruptedException {
    rig.builder.virtualThreads(2);
    if (Runtime.version().feature() < 21) {
      assertThatThrownBy(() -> rig.start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has no virtual threads; use Java 21 or newer");
    } else {
      rig.start(job -> job.output(Thread.currentThread().toString()));
      rig.queue.send("a", 1, 5);
      assertThat(rig.api.next("succeed").body().get("output").asText()).startsWith("VirtualThread");
    }
  }

  /** Adds a listener that fails when the job a is claimed. */
  private void listenWithAFault(Runnable fault) {
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void claimed(ClaimedJob job, Duration waited) {
            if (job.jobId().equals("a")) {
              fault.run();
            }
          }
        });
  }

  @Test
  void aListenerThatThrowsDisturbsNothing() throws InterruptedException {
    listenWithAFault(
        () -> {
          throw new IllegalStateException("a fault of the listener");
        });
    rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
  }

  @Test
  void aListenerThatMissesAClassDisturbsNothing() throws InterruptedException {
    listenWithAFault(
        () -> {
          throw new NoClassDefFoundError("a/class/of/another/version");
        });
    rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
  }

  @Test
  void anErrorOutsideTheHandlerEndsNoThread() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    rig.builder.executor(threads, 1);
    listenWithAFault(
        () -> {
          throw new OutOfMemoryError("simulated");
        });
    rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    rig.queue.send("b", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED b");
    threads.shutdown();
  }

  @Test
  void aWorkerNeedsAnApiAQueueAndAHandler() {
    assertThatThrownBy(() -> Worker.builder().start()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Worker.builder().threads(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Worker.builder().name("a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Worker.builder().closesWithin(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void eachSourceNeedsAThread() {
    WorkerBuilder builder =
        Worker.builder()
            .carillon(rig.api.client())
            .queue(rig.queue)
            .pool("encode")
            .pool("team/encode")
            .pool("default/encode")
            .handle("exporter", job -> {})
            .threads(2);
    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at least 3, not 2");
  }
}
