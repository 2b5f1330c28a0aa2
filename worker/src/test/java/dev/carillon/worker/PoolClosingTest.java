package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a worker that pulls from a pool. */
@Timeout(600)
class PoolClosingTest {

  private static final Duration LONGEST_FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(1);

  private final Rig rig = Rig.ofPool("team/encode");

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  private JsonNode nextPull() throws InterruptedException {
    return rig.api.next("next").body();
  }

  @Test
  void closingAwaitsTheLastPullAndGivesItsJobsBack() throws InterruptedException {
    rig.builder.threads(2);
    rig.start();
    rig.api.pool().add("a");
    rig.nextBegun();
    nextPull();
    nextPull();
    Thread closing = rig.beginToClose();
    rig.api.pool().add("late");

    FakeApi.Call back = rig.api.next("fail");
    assertThat(back.job()).isEqualTo("late");
    assertThat(back.body().get("error").asText())
        .isEqualTo("the worker was closed before the job began");
    assertThat(back.body().get("retriable").asBoolean()).isTrue();
    rig.release();
    closing.join();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void closingBreaksOffAPause() throws InterruptedException {
    rig.api.refuse("next", 404, FakeApi.problem("not-found"));
    rig.start();
    rig.time.awaitTaskIn(REFUSED_PAUSE);
    rig.beginToClose().join();
    assertThat(rig.api.rest("next")).hasSize(1);
  }

  @Test
  void closingEndsInTimeThoughTheLastPullIsNotAnswered() throws InterruptedException {
    rig.start();
    nextPull();
    Thread closing = rig.beginToClose();
    rig.time.move(Rig.CLOSES_WITHIN);
    closing.join();
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void aPullThatFailsWhileTheWorkerClosesIsNoTrouble() throws InterruptedException {
    List<String> troubles = new CopyOnWriteArrayList<>();
    rig.builder.listener(
        new WorkerListener() {
          @Override
          public void trouble(String doing, RuntimeException cause) {
            troubles.add(doing + ": " + cause.getMessage());
          }
        });
    rig.start();
    nextPull();
    Thread closing = rig.beginToClose();
    rig.api.refuse("answer", 503, "");
    rig.api.pool().end();
    closing.join();
    assertThat(troubles).isEmpty();
  }

  @Test
  void closingGivesBackAJobWhoseClaimIsNotRenewed() throws InterruptedException {
    rig.api.refuse("heartbeat", 503, "");
    rig.start();
    nextPull();
    rig.time.move(Duration.ofSeconds(12));
    rig.api.pool().add("a");
    rig.api.next("heartbeat");
    rig.time.awaitTasks(2);
    Thread closing = rig.beginToClose();
    rig.time.move(LONGEST_FIRST_PAUSE);
    FakeApi.Call back = rig.api.next("fail");
    assertThat(back.job()).isEqualTo("a");
    assertThat(back.body().get("retriable").asBoolean()).isTrue();
    assertThat(back.body().get("error").asText())
        .isEqualTo("the claim was not renewed before the job began");
    rig.api.pool().end();
    closing.join();
    assertThat(rig.begun).isEmpty();
  }

  @Test
  void aPullWaitsNoLongerThanAClosingWorkerDoes() throws InterruptedException {
    rig.closesWithin(Duration.ofSeconds(10));
    rig.start();
    assertThat(nextPull().get("waitSeconds").asInt()).isEqualTo(8);
  }
}
