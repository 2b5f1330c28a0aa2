package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of the worker. */
@Timeout(600)
class ClosingTest {

  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofSeconds(1);

  private final Rig rig = new Rig();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @Test
  void closingGivesBackARequestWhoseClaimIsNotAnswered() throws InterruptedException {
    rig.api.refuse("claim", 503, "");
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.time.awaitTasks(2);
    Thread closing = rig.beginToClose();
    rig.time.move(LONGEST_FIRST_PAUSE);
    closing.join();
    assertThat(rig.queue.returned).containsExactly("a#1");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void closingGivesBackWhatWaitsAndLetsTheRestFinish() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.queue.send("b", 1, 5);
    rig.awaitReceived(2);
    Thread closing = rig.beginToClose();

    assertThat(Rig.next(rig.queue.returned)).isEqualTo("b#2");
    rig.release();
    closing.join();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void whatArrivesWhileTheWorkerClosesGoesBack() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    rig.queue.awaitReceives(2);
    rig.beginToClose().join();
    rig.queue.send("late", 1, 5);
    assertThat(Rig.next(rig.queue.returned)).isEqualTo("late#2");
    assertThat(rig.api.rest("claim")).hasSize(1);
  }

  @Test
  void whatWasJustReceivedWhenTheWorkerClosesGoesBack() throws InterruptedException {
    CountDownLatch sorting = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void unhandled(String queue, String reason) {
            sorting.countDown();
            awaitUninterruptibly(closed);
          }
        });
    rig.queue.send("foreign", 1, 5, "team/other");
    rig.queue.send("a", 1, 5);
    rig.start();
    sorting.await();
    rig.beginToClose();
    closed.countDown();
    assertThat(Rig.next(rig.queue.returned)).isEqualTo("a#2");
  }

  @Test
  void closingStopsWhatDoesNotFinishAndReportsIt() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    Thread closing = rig.beginToClose();
    rig.time.move(Duration.ofSeconds(24));

    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("retriable").asBoolean()).isTrue();
    assertThat(report.get("error").asText()).startsWith("stopped because the worker was closed");
    rig.assertHeardBoth("stopped CLOSING", "RETRIABLE a");
    closing.join();
  }

  @Test
  void closingLeavesTheClaimOfAHandlerThatDoesNotStop() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    rig.start(job -> awaitUninterruptibly(end));
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    Thread closing = rig.beginToClose();
    rig.time.move(Rig.CLOSES_WITHIN);
    closing.join();
    int before = rig.api.rest("heartbeat").size();
    rig.time.move(Duration.ofMinutes(1));
    assertThat(rig.api.rest("heartbeat")).hasSize(before);
    assertThat(rig.api.rest("fail")).isEmpty();
    end.countDown();
  }

  @Test
  void anInterruptedCloseStopsWhatRunsAtOnce() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    rig.builder.executor(threads, 1);
    Worker worker = rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    Thread.currentThread().interrupt();
    worker.close();
    assertThat(Thread.interrupted()).isTrue();
    rig.assertHeardBoth("stopped CLOSING", "RETRIABLE a");
    rig.beginToClose().join();
    rig.time.move(Duration.ofMinutes(1));
    assertThat(rig.api.rest("heartbeat")).isEmpty();
    threads.shutdown();
  }

  @Test
  @Timeout(60)
  void anInterruptedCloseLeavesNoOtherCloseWaiting() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Worker worker = rig.start(job -> awaitUninterruptibly(end));
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    Thread.currentThread().interrupt();
    worker.close();
    assertThat(Thread.interrupted()).isTrue();
    rig.beginToClose().join();
    end.countDown();
  }

  @Test
  void closingEndsInTimeThoughTheQueueDoesNotAnswer() throws InterruptedException {
    rig.closesWithin(Duration.ofSeconds(10));
    rig.queue.returning = new CountDownLatch(1);
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.queue.send("b", 1, 5);
    rig.awaitReceived(2);
    Thread closing = rig.beginToClose();
    rig.time.move(Duration.ofSeconds(8));
    assertThat(rig.api.next("fail").job()).isEqualTo("a");
    rig.time.move(Duration.ofSeconds(2));
    closing.join();
    assertThat(rig.queue.returned).isEmpty();
    rig.queue.returning.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch end) {
    boolean isOver = false;
    while (!isOver) {
      try {
        end.await();
        isOver = true;
      } catch (InterruptedException ignored) {
        // This handler does not stop.
      }
    }
  }

  @Test
  void threadsOfTheCallerOutliveTheWorker() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    rig.builder.executor(threads, 2);
    rig.start(job -> Thread.currentThread().interrupt());
    rig.queue.send("a", 1, 5);
    rig.queue.send("b", 1, 5);
    rig.queue.send("c", 1, 5);
    for (int i = 0; i < 3; i++) {
      assertThat(rig.nextHeard()).startsWith("SUCCEEDED ");
    }
    rig.beginToClose().join();
    assertThat(threads.submit(() -> "free").get()).isEqualTo("free");
    threads.shutdown();
  }

  @Test
  void aThreadOfTheCallerIsFreeAfterTheClosingTimeThoughAReportIsNotAnswered() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    Worker worker =
        Worker.builder()
            .carillon(rig.api.client())
            .queue(rig.queue)
            .executor(threads, 1)
            .closesWithin(Duration.ofSeconds(1))
            .handle("exporter", job -> {})
            .start();
    rig.api.refuse("succeed", 503, "");
    rig.queue.send("a", 1, 5);
    rig.api.next("succeed");
    worker.close();
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void theShutdownOfTheCallersThreadsStopsThePolling() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    rig.builder.executor(threads, 2);
    Worker worker = rig.start(job -> {});
    rig.queue.awaitReceives(1);
    threads.shutdownNow();
    rig.queue.send("b", 1, 5);
    assertThat(Rig.next(rig.queue.returned)).isEqualTo("b#1");
    worker.awaitEnd();
    assertThat(rig.begun).isEmpty();
  }

  @Test
  @Timeout(60)
  void theOrderlyShutdownOfTheCallersThreadsEndsIdleLoops() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    rig.builder.executor(threads, 2);
    Worker worker = rig.start(job -> {});
    rig.queue.awaitReceives(1);
    threads.shutdown();
    worker.awaitEnd();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void whatArrivesAfterTheOrderlyShutdownOfTheCallersThreadsGoesBack() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    rig.builder.executor(threads, 1);
    rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    rig.queue.awaitReceives(2);
    threads.shutdown();
    rig.queue.send("b", 1, 5);
    assertThat(Rig.next(rig.queue.returned)).isEqualTo("b#2");
    assertThat(rig.api.rest("claim")).hasSize(1);
  }
}
