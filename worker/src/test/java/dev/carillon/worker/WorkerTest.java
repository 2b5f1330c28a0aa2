package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the queue to the report. */
@Timeout(600)
class WorkerTest {

  private final Rig rig = new Rig();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @Test
  void aJobIsClaimedRunAndReported() throws InterruptedException {
    rig.start(
        job -> {
          assertThat(job.body(JsonNode.class).get("job").asText()).isEqualTo("a");
          job.output(Map.of("rows", 7));
        });
    rig.queue.send("a", 2, 5);

    FakeApi.Call claim = rig.api.next("claim");
    assertThat(claim.job()).isEqualTo("a");
    assertThat(claim.body().get("attempt").asInt()).isEqualTo(2);
    assertThat(claim.body().get("worker").asText()).matches("w1\\.[a-z0-9]{1,6}\\.1");
    assertThat(Rig.next(rig.queue.deleted)).isEqualTo("a#1");
    assertThat(rig.nextBegun().attempt()).isEqualTo(2);
    assertThat(rig.api.next("succeed").body())
        .hasToString("{\"claimToken\":\"t-a-2\",\"output\":{\"rows\":7}}");
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    assertThat(rig.api.rest("heartbeat")).isEmpty();
  }

  @Test
  void ofTwoDeliveriesOneIsRun() throws InterruptedException {
    rig.builder.threads(2);
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.queue.send("a", 1, 5);

    assertThat(List.of(Rig.next(rig.queue.deleted), Rig.next(rig.queue.deleted)))
        .containsExactlyInAnyOrder("a#1", "a#2");
    assertThat(rig.nextHeard()).isEqualTo("superseded a");
    rig.nextBegun();
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void asManyJobsRunSideBySideAsThereAreThreads() throws InterruptedException {
    rig.builder.threads(3);
    rig.start();
    for (String job : List.of("a", "b", "c", "d")) {
      rig.queue.send(job, 1, 5);
    }
    List<String> running =
        List.of(rig.nextBegun().jobId(), rig.nextBegun().jobId(), rig.nextBegun().jobId());
    rig.awaitReceived(4);
    assertThat(rig.begun).as("a fourth beside those that are held").isEmpty();

    rig.release();
    assertThat(running).doesNotContain(rig.nextBegun().jobId()).doesNotHaveDuplicates();
  }

  @Test
  void aHandlerThatThrowsFailsRetriably() throws InterruptedException {
    rig.start(
        job -> {
          throw new IllegalStateException("no space");
        });
    rig.queue.send("a", 1, 5);

    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("retriable").asBoolean()).isTrue();
    assertThat(report.get("error").asText())
        .startsWith("java.lang.IllegalStateException: no space")
        .contains("\tat dev.carillon.worker.WorkerTest");
    assertThat(rig.nextHeard()).isEqualTo("RETRIABLE a");
  }

  @Test
  void aFatalFailureIsFinal() throws InterruptedException {
    rig.start(
        job -> {
          throw new FatalJobException("no such table");
        });
    rig.queue.send("a", 1, 5);

    assertThat(rig.api.next("fail").body().get("retriable").asBoolean()).isFalse();
    assertThat(rig.nextHeard()).isEqualTo("FAILED a");
  }

  @Test
  void anErrorOfTheJvmIsAFailureOfTheJobAlone() throws InterruptedException {
    rig.start(
        job -> {
          if (job.jobId().equals("a")) {
            throw new StackOverflowError();
          }
        });
    rig.queue.send("a", 1, 5);
    rig.queue.send("b", 1, 5);

    assertThat(rig.nextHeard()).isEqualTo("RETRIABLE a");
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED b");
  }

  @Test
  void theMostUrgentOfThoseThatWaitIsTakenNext() throws InterruptedException {
    rig.start();
    rig.queue.send("busy", 1, 9);
    rig.nextBegun();
    rig.queue.send("third", 1, 3);
    rig.queue.send("second", 1, 2);
    rig.queue.send("first", 1, 1);
    rig.awaitReceived(4);

    rig.release();
    for (String next : List.of("first", "second", "third")) {
      assertThat(rig.nextBegun().jobId()).isEqualTo(next);
      rig.release();
    }
  }

  @Test
  void aRequestIsClaimedOnlyOnceAThreadIsFree() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.api.next("claim");
    rig.queue.send("b", 1, 5);
    rig.awaitReceived(2);

    assertThat(rig.api.rest("claim")).isEmpty();
    rig.time.move(RequestQueue.VISIBILITY.dividedBy(3));
    assertThat(rig.queue.extended).containsExactly("b#2");
    rig.release();
    assertThat(rig.api.next("claim").job()).isEqualTo("b");
  }

  @Test
  void withoutPlacesToWaitARequestIsReceivedForAnIdleThread() throws InterruptedException {
    rig.builder.waiting(0);
    rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.queue.send("b", 1, 5);
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    rig.nextBegun();
    rig.awaitReceived(2);
  }

  @Test
  void aRequestWhoseIdleThreadAnotherQueueHasTakenGoesBack() throws InterruptedException {
    MemoryQueue other = new MemoryQueue();
    rig.builder.waiting(0).queue(other);
    rig.start();
    rig.queue.awaitReceives(1);
    other.awaitReceives(1);
    rig.queue.send("a", 1, 5);
    other.send("b", 1, 5);
    boolean isOther = rig.nextBegun().jobId().equals("b");
    assertThat(Rig.next(isOther ? rig.queue.returned : other.returned))
        .isEqualTo(isOther ? "a#1" : "b#1");
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo(isOther ? "SUCCEEDED b" : "SUCCEEDED a");
    rig.close();
    other.end();
  }

  @Test
  void otherMessagesStayInTheirQueue() throws InterruptedException {
    rig.start();
    rig.queue.send("hello", Map.of());
    assertThat(rig.nextHeard())
        .isEqualTo("unhandled the message has no attribute carillon-program");
    rig.queue.send("a", 1, 5, "team/another");
    assertThat(rig.nextHeard()).isEqualTo("unhandled no handler for the program another");
    assertThat(rig.queue.deleted).isEmpty();
  }

  @Test
  void aHandlerOfANamespaceComesFirst() throws InterruptedException {
    rig.builder.handle("other/exporter", job -> job.output("other"));
    rig.start(job -> job.output("any"));
    rig.queue.send("a", 1, 5, "team/exporter");
    assertThat(rig.api.next("succeed").body().get("output").asText()).isEqualTo("any");
    rig.queue.send("b", 1, 5, "other/exporter");
    assertThat(rig.api.next("succeed").body().get("output").asText()).isEqualTo("other");
  }
}
