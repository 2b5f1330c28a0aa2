package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From the pool to the report. */
@Timeout(600)
class PoolTest {

  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(1);

  /** A fifth of the claim's lifetime. */
  private static final Duration INTERVAL = Duration.ofSeconds(12);

  private final Rig rig = Rig.ofPool("team/encode");

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  private JsonNode nextPull() throws InterruptedException {
    return rig.api.next("next").body();
  }

  @Test
  void aPulledJobIsRunAndReportedWithoutAClaim() throws InterruptedException {
    rig.start(job -> job.output(Map.of("rows", 7)));
    FakeApi.Call pull = rig.api.next("next");
    assertThat(pull.namespace() + "/" + pull.job()).isEqualTo("team/encode");
    assertThat(pull.body().get("worker").asText()).matches("w1\\.[a-z0-9]{1,6}");
    assertThat(pull.body().get("waitSeconds").asInt()).isEqualTo(20);
    assertThat(pull.body().get("requestId").asText()).matches("[A-Za-z0-9_-]{1,64}");

    rig.api.pool().add("a");
    assertThat(rig.nextBegun().attempt()).isEqualTo(1);
    assertThat(rig.api.next("succeed").body())
        .hasToString("{\"claimToken\":\"t-a\",\"output\":{\"rows\":7}}");
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    assertThat(rig.api.rest("claim")).isEmpty();
    assertThat(rig.api.rest("heartbeat")).isEmpty();
  }

  @Test
  void aPullAsksForFreeThreadsAlone() throws InterruptedException {
    rig.builder.threads(3);
    rig.start();
    assertThat(nextPull().get("count").asInt()).as("nothing is known").isEqualTo(1);
    rig.api.pool().add("a");
    JsonNode wide = nextPull();
    assertThat(wide.get("count").asInt()).as("all that are free").isEqualTo(2);
    assertThat(wide.get("waitSeconds").asInt()).as("for more than one").isZero();
    rig.time.awaitTaskIn(Duration.ofSeconds(1));
    rig.time.move(Duration.ofSeconds(1));
    assertThat(nextPull().get("count").asInt()).as("the pool was empty").isEqualTo(1);
    rig.api.pool().add("b");
    assertThat(nextPull().get("count").asInt()).as("the last that is free").isEqualTo(1);
    rig.api.pool().add("c");
    for (int i = 0; i < 3; i++) {
      rig.nextBegun();
    }
    assertThat(rig.api.rest("next")).as("no thread is free").isEmpty();
    rig.release();
    assertThat(nextPull().get("count").asInt()).as("one has ended").isEqualTo(1);
  }

  @Test
  void anAnsweredPullIsFollowedByOneOfAnotherId() throws InterruptedException {
    rig.start(job -> {});
    String first = nextPull().get("requestId").asText();
    rig.api.pool().add("a");
    assertThat(nextPull().get("requestId").asText()).isNotEqualTo(first);
  }

  @Test
  void aPullWhoseAnswerWasLostIsRepeatedAndGetsTheSameJobs() throws InterruptedException {
    rig.api.refuse("answer", 503, "");
    rig.api.pool().add("a");
    rig.start();
    JsonNode first = nextPull();
    rig.time.awaitTasks(2);
    rig.api.accept("answer");
    rig.time.move(LONGEST_FIRST_PAUSE);

    assertThat(nextPull()).isEqualTo(first);
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void aPullThatIsDeniedStopsThePolling(int status) throws InterruptedException {
    rig.api.refuse("next", status, "{\"message\": \"Forbidden\"}");
    Worker worker = rig.start();
    worker.awaitEnd();
    assertThat(worker.denial().orElseThrow())
        .startsWith("execute-api:Invoke on POST /v1/namespaces/team/pools/encode/next")
        .contains(status + " Forbidden");
  }

  @ParameterizedTest
  @CsvSource({"404, not-found", "404, unknown-route", "400, invalid-request"})
  void aPullThatIsRefusedIsSentAgainAfterAMinute(int status, String type)
      throws InterruptedException {
    BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void trouble(String doing, RuntimeException cause) {
            troubles.add(doing + ": " + cause.getMessage());
          }
        });
    rig.api.refuse("next", status, FakeApi.problem(type));
    rig.start();
    JsonNode first = nextPull();
    assertThat(Rig.next(troubles))
        .isEqualTo("pulling from the pool team/encode: " + status + " refused");
    rig.time.awaitTaskIn(REFUSED_PAUSE);
    rig.api.accept("next");
    rig.api.pool().add("a");
    rig.time.move(REFUSED_PAUSE.minus(NANO));
    assertThat(rig.api.rest("next")).isEmpty();
    rig.time.move(NANO);
    assertThat(nextPull()).isNotEqualTo(first);
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
  }

  @Test
  void aPoolThatAnswersAtOnceWithoutJobsIsAskedOnceASecond() throws InterruptedException {
    rig.api.pool().end();
    rig.start();
    nextPull();
    rig.time.awaitTaskIn(Duration.ofSeconds(1));
    assertThat(rig.api.rest("next")).isEmpty();
    rig.time.move(Duration.ofSeconds(1));
    nextPull();
  }

  @Test
  void afterAJobWithoutAHandlerThePoolIsLeftToOtherWorkersForAMinute() throws InterruptedException {
    rig.builder.threads(2);
    rig.start();
    rig.api.pool().add("a", "other");
    assertThat(rig.nextHeard()).isEqualTo("unhandled no handler for the program other");
    FakeApi.Call back = rig.api.next("fail");
    assertThat(back.namespace() + "/" + back.job()).isEqualTo("team/a");
    assertThat(back.body())
        .hasToString(
            "{\"claimToken\":\"t-a\",\"retriable\":true,\"error\":\"no handler for the program other\"}");
    nextPull();
    rig.api.pool().add("b", Map.of());
    rig.time.awaitTaskIn(REFUSED_PAUSE);
    rig.time.move(REFUSED_PAUSE.minus(NANO));
    assertThat(rig.api.rest("next")).isEmpty();
    rig.time.move(NANO);
    assertThat(nextPull().get("count").asInt()).isEqualTo(1);
    assertThat(rig.api.next("fail").body().get("error").asText())
        .isEqualTo("the message has no attribute carillon-program");
    rig.time.awaitTaskIn(REFUSED_PAUSE);
    rig.api.pool().add("c");
    rig.time.move(REFUSED_PAUSE);
    assertThat(rig.nextBegun().jobId()).isEqualTo("c");
  }

  @Test
  void aPullThatTheServerAsksToDelayIsSentAgainAfterAMinute() throws InterruptedException {
    rig.api.refuse("next", 503, "", Map.of("Retry-After", "3600"));
    rig.start();
    nextPull();
    rig.time.awaitTaskIn(REFUSED_PAUSE);
    rig.time.move(REFUSED_PAUSE);
    nextPull();
  }

  @Test
  void aRunningJobIsRenewed() throws InterruptedException {
    rig.start();
    rig.api.pool().add("a");
    rig.nextBegun();
    rig.time.awaitTasks(3);
    rig.time.move(INTERVAL);
    assertThat(rig.api.next("heartbeat").body()).hasToString("{\"claimToken\":\"t-a\"}");
  }

  /** Leaves a pull unanswered for a fifth of the claim's lifetime. */
  private void pullForLong() throws InterruptedException {
    rig.start();
    nextPull();
    rig.time.move(INTERVAL);
    rig.api.pool().add("a");
  }

  @Test
  void aJobOfAPullThatWaitedForLongBeginsWithARenewedClaim() throws InterruptedException {
    rig.api.claimSeconds = 60;
    rig.api.heartbeatSeconds = 100;
    pullForLong();
    assertThat(rig.api.next("heartbeat").job()).isEqualTo("a");
    assertThat(rig.nextBegun().isStopped()).isFalse();
    rig.time.awaitTaskIn(Duration.ofSeconds(20));
    rig.time.awaitTaskIn(Duration.ofSeconds(80));
  }

  @ParameterizedTest
  @CsvSource({"409, stale-claim, superseded a", "404, not-found, unknown a"})
  void aJobWhoseClaimWasLostBeforeItBeganIsLeft(int status, String type, String heard)
      throws InterruptedException {
    rig.api.refuse("heartbeat", status, FakeApi.problem(type));
    pullForLong();
    assertThat(rig.nextHeard()).isEqualTo(heard);
    nextPull();
    assertThat(rig.begun).isEmpty();
    assertThat(rig.api.rest("fail")).isEmpty();
  }

  @Test
  void aRenewalWithoutAnAnswerIsSentAgainBeforeTheJobBegins() throws InterruptedException {
    rig.api.refuse("heartbeat", 503, "");
    pullForLong();
    rig.time.awaitTasks(2);
    assertThat(rig.begun).isEmpty();
    rig.api.accept("heartbeat");
    rig.time.move(LONGEST_FIRST_PAUSE);
    rig.nextBegun();
  }

  @Test
  void aRenewalThatIsDeniedStopsThePolling() throws InterruptedException {
    rig.api.refuse("heartbeat", 403, "{\"message\": \"Forbidden\"}");
    pullForLong();
    assertThat(rig.nextHeard())
        .startsWith("denied execute-api:Invoke on POST /v1/namespaces/team/jobs/*/heartbeat");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void aJobThatWasCancelledBeforeItBeganEnds() throws InterruptedException {
    rig.api.cancelled = true;
    pullForLong();
    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("error").asText()).isEqualTo("stopped because the job was cancelled");
    assertThat(report.get("retriable").asBoolean()).isFalse();
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void poolAndQueueShareTheThreads() throws InterruptedException {
    rig.builder.queue(rig.queue).threads(2);
    rig.start();
    rig.api.pool().add("a");
    rig.api.pool().add("b");
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
    rig.queue.send("c", 1, 5);
    assertThat(rig.nextBegun().jobId()).as("one thread is kept for the queue").isEqualTo("c");
    rig.release();
    rig.release();
    assertThat(rig.nextBegun().jobId()).isEqualTo("b");
  }

  @Test
  void aWorkerTakesTheJobsOfSeveralPools() throws InterruptedException {
    rig.builder.pool("team/index").threads(2);
    rig.start(job -> {});
    assertThat(List.of(rig.api.next("next").job(), rig.api.next("next").job()))
        .containsExactlyInAnyOrder("encode", "index");
    rig.api.pool("index").add("a");
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
    rig.api.pool("encode").add("b");
    assertThat(rig.nextBegun().jobId()).isEqualTo("b");
    rig.api.pool("index").add("c");
    assertThat(rig.nextBegun().jobId()).isEqualTo("c");
  }

  @Test
  void aThreadThatAPullReservedTakesNoRequest() throws InterruptedException {
    rig.builder.queue(rig.queue).threads(2);
    rig.start();
    nextPull();
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextBegun().jobId()).isEqualTo("a");
    rig.queue.send("b", 1, 5);
    rig.awaitReceived(2);
    rig.api.pool().add("c");
    assertThat(rig.nextBegun().jobId()).isEqualTo("c");
  }
}
