package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonException;
import dev.carillon.client.OperationState;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a claim while its handler runs. */
@Timeout(600)
class RenewalTest {

  private static final Duration NANO = Duration.ofNanos(1);

  private final Rig rig = new Rig();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  private ClaimedJob begin() throws InterruptedException {
    rig.start();
    rig.queue.send("a", 1, 5);
    return rig.nextBegun();
  }

  @Test
  void heartbeatsFollowTheClaimsLifetimeAndThenTheirOwn() throws InterruptedException {
    rig.api.claimSeconds = 100;
    rig.api.heartbeatSeconds = 10;
    begin();

    rig.time.move(Duration.ofSeconds(20).minus(NANO));
    assertThat(rig.api.rest("heartbeat")).isEmpty();
    rig.time.move(NANO);
    assertThat(rig.api.rest("heartbeat")).hasSize(1);
    rig.time.move(Duration.ofSeconds(10));
    assertThat(rig.api.rest("heartbeat")).hasSize(6);
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
  }

  @Test
  void anAttemptWithoutAnswersStopsAtFourFifthsSinceTheLastAnsweredHeartbeat()
      throws InterruptedException {
    ClaimedJob job = begin();
    rig.time.move(Duration.ofSeconds(12));
    rig.api.refuse("heartbeat", 503, "");

    rig.time.move(Duration.ofSeconds(48).minus(NANO));
    assertThat(job.isStopped()).isFalse();
    assertThat(rig.heard).isEmpty();
    rig.time.move(NANO);

    assertThat(job.stopReason()).contains(StopReason.UNRENEWED);
    assertThatThrownBy(job::checkStopped).isInstanceOf(JobStoppedException.class);
    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("retriable").asBoolean()).isTrue();
    assertThat(report.get("error").asText())
        .startsWith("stopped because the claim was not extended")
        .contains("java.lang.InterruptedException");
    rig.assertHeardBoth("stopped UNRENEWED", "RETRIABLE a");
  }

  @Test
  void aClaimThatIsAnsweredTooLateBeginsNoHandler() throws InterruptedException {
    rig.api.claimSeconds = 0;
    rig.start();
    rig.queue.send("a", 1, 5);
    JsonNode report = rig.api.next("fail").body();
    assertThat(report.get("retriable").asBoolean()).isTrue();
    assertThat(report.get("error").asText())
        .startsWith("stopped because the claim was not extended");
    rig.assertHeardBoth("stopped UNRENEWED", "RETRIABLE a");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void anAnsweredHeartbeatBeginsTheTimeAgain() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.refuse("heartbeat", 503, "");
    rig.time.move(Duration.ofSeconds(30));
    rig.api.accept("heartbeat");
    rig.time.move(Duration.ofSeconds(6));
    rig.api.refuse("heartbeat", 503, "");
    rig.time.move(Duration.ofSeconds(48).minus(NANO));
    assertThat(job.isStopped()).isFalse();
    rig.time.move(NANO);
    assertThat(job.isStopped()).isTrue();
  }

  @Test
  void heartbeatsThatDoNotExtendTheClaimDoNotDelayTheStop() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.lastEnd = Duration.ofSeconds(65);
    Duration stop = Duration.ofSeconds(12).plusMillis(42_400); // 0.8 of 53 s after the first one

    rig.time.move(stop.minus(NANO));
    assertThat(rig.api.rest("heartbeat")).hasSizeGreaterThan(3);
    assertThat(job.isStopped()).isFalse();
    rig.time.move(NANO);
    assertThat(job.stopReason()).contains(StopReason.UNRENEWED);
    rig.assertHeardBoth("stopped UNRENEWED", "RETRIABLE a");
  }

  @Test
  void aHeartbeatThatShortensTheLifetimeBringsTheNextOneAndTheStopForward()
      throws InterruptedException {
    rig.api.claimSeconds = 100;
    rig.api.heartbeatSeconds = 10;
    ClaimedJob job = begin();
    job.operation("load", OperationState.RUNNING);
    rig.api.next("heartbeat");
    rig.time.move(Duration.ofSeconds(2));
    assertThat(rig.api.rest("heartbeat")).hasSize(1);

    rig.api.refuse("heartbeat", 503, "");
    rig.time.move(Duration.ofSeconds(8).minus(NANO));
    assertThat(rig.heard).isEmpty();
    rig.time.move(NANO);
    rig.assertHeardBoth("stopped UNRENEWED", "RETRIABLE a");
    assertThat(job.stopReason()).contains(StopReason.UNRENEWED);
  }

  @Test
  void aLostClaimStopsTheHandlerAndIsNotReported() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.refuse("heartbeat", 409, FakeApi.problem("stale-claim"));
    rig.time.move(Duration.ofSeconds(12));

    rig.assertHeardBoth("stopped LOST", "LOST a");
    assertThat(job.stopReason()).contains(StopReason.LOST);
    assertThat(rig.api.rest("fail")).isEmpty();
    rig.time.move(Duration.ofMinutes(1));
    assertThat(rig.api.rest("heartbeat")).hasSize(1);
  }

  @Test
  void aReportAfterTheClaimWasLostChangesNothing() throws InterruptedException {
    begin();
    rig.api.refuse("succeed", 409, FakeApi.problem("stale-claim"));
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("LOST a");
    assertThat(rig.api.rest("fail")).isEmpty();
  }

  @Test
  void aCancelReachesTheHandlerWithItsNextHeartbeat() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.cancelled = true;
    rig.time.move(Duration.ofSeconds(12));

    assertThat(job.stopReason()).contains(StopReason.CANCELLED);
    assertThat(rig.api.next("fail").body().get("retriable").asBoolean()).isFalse();
    rig.assertHeardBoth("stopped CANCELLED", "FAILED a");
  }

  @Test
  void whatAStoppedHandlerReturnsDoesNotCount() throws InterruptedException {
    rig.start(
        job -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException stopped) {
            job.output("half");
          }
        });
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.api.refuse("heartbeat", 500, "");
    rig.time.move(Duration.ofSeconds(48));
    assertThat(rig.api.next("fail").body().get("retriable").asBoolean()).isTrue();
    assertThat(rig.api.rest("succeed")).isEmpty();
  }

  @Test
  void progressTravelsWithTheNextAnsweredHeartbeat() throws InterruptedException {
    ClaimedJob job = begin();
    job.progress(Map.of("rows", 1));
    job.progress(Map.of("rows", 2));
    rig.api.refuse("heartbeat", 503, "");
    rig.time.move(Duration.ofSeconds(12));
    rig.api.accept("heartbeat");
    rig.time.move(Duration.ofSeconds(24));

    String carried = "{\"claimToken\":\"t-a-1\",\"progress\":{\"rows\":2}}";
    assertThat(rig.api.next("heartbeat").body()).hasToString(carried);
    assertThat(rig.api.next("heartbeat").body()).hasToString(carried);
    assertThat(rig.api.next("heartbeat").body()).hasToString("{\"claimToken\":\"t-a-1\"}");
  }

  @Test
  void anOperationIsReportedAtOnceAndBeforeTheEnd() throws InterruptedException {
    String one = "{\"id\": \"%s\", \"state\": \"%s\"}";
    rig.api.operations =
        "[%s, %s, %s]"
            .formatted(
                one.formatted("read", "SUCCEEDED"),
                one.formatted("load", "FAILED"),
                one.formatted("later", "NEW"));
    ClaimedJob job = begin();
    assertThat(job.isDone("read")).isTrue();
    assertThat(job.isDone("load")).isFalse();
    assertThat(job.operations()).containsEntry("later", OperationState.UNRECOGNIZED);
    assertThat(job.isDone("later")).isFalse();

    job.operation("load", OperationState.RUNNING);
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"load\":\"RUNNING\"}");
    rig.api.refuse("heartbeat", 503, "");
    job.operation("load", OperationState.SUCCEEDED);
    rig.api.next("heartbeat");
    assertThat(job.isDone("load")).isTrue();
    rig.api.accept("heartbeat");
    rig.release();
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"load\":\"SUCCEEDED\"}");
    rig.api.next("succeed");
  }

  @Test
  void anUnknownOperationIsTheHandlersMistake() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.refuse("heartbeat", 400, "{\"detail\": \"no operation laod\"}");
    assertThatThrownBy(() -> job.operation("laod", OperationState.RUNNING))
        .isInstanceOf(CarillonException.Invalid.class);
    rig.api.accept("heartbeat");
    rig.api.next("heartbeat");
    rig.time.move(Duration.ofSeconds(12));
    assertThat(rig.api.next("heartbeat").body().has("operations")).isFalse();
  }

  @Test
  void anUnrecognizedStateIsTheHandlersMistake() throws InterruptedException {
    ClaimedJob job = begin();
    assertThatThrownBy(() -> job.operation("load", OperationState.UNRECOGNIZED))
        .isInstanceOf(CarillonException.Invalid.class)
        .hasMessageContaining("/operations/load: UNRECOGNIZED");
    job.operation("load", OperationState.RUNNING);
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"load\":\"RUNNING\"}");
  }

  @Test
  void anUnknownOperationLeavesOthersThatWereNotAnswered() throws InterruptedException {
    ClaimedJob job = begin();
    rig.api.refuse("heartbeat", 503, "");
    job.operation("read", OperationState.SUCCEEDED);
    rig.api.next("heartbeat");
    rig.api.refuse("heartbeat", 400, "{\"detail\": \"no operation laod\"}");
    assertThatThrownBy(() -> job.operation("laod", OperationState.RUNNING))
        .isInstanceOf(CarillonException.Invalid.class);
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"laod\":\"RUNNING\"}");

    rig.api.accept("heartbeat");
    job.operation("load", OperationState.RUNNING);
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"load\":\"RUNNING\"}");
    assertThat(rig.api.next("heartbeat").body().get("operations"))
        .hasToString("{\"read\":\"SUCCEEDED\"}");
  }

  @Test
  void whatIsTooLargeIsTheHandlersMistake() throws InterruptedException {
    ClaimedJob job = begin();
    job.output("x".repeat(8190));
    assertThatThrownBy(() -> job.output("x".repeat(8191)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the output has 8193 bytes");
    job.progress("x".repeat(2046));
    assertThatThrownBy(() -> job.progress("x".repeat(2047)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the progress has 2049 bytes");
  }
}
