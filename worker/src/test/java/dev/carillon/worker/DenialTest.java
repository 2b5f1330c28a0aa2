package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.OperationState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker without a permission names it, and polls no more. */
@Timeout(60)
class DenialTest {

  private static final String JOBS = "execute-api:Invoke on POST /v1/namespaces/team/jobs/*/";

  private final Rig rig = new Rig();

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  private void assertDenied(Worker worker, String permission) throws InterruptedException {
    worker.awaitEnd();
    assertThat(worker.denial().orElseThrow()).startsWith(permission);
    assertThat(rig.heard).anyMatch(heard -> heard.startsWith("denied " + permission));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void aClaimThatIsDeniedStopsThePolling(int status) throws InterruptedException {
    rig.api.refuse("claim", status, "{\"message\": \"Forbidden\"}");
    Worker worker = rig.start();
    rig.queue.send("a", 1, 5);
    assertDenied(worker, JOBS + "claim");
    assertThat(worker.denial().orElseThrow()).contains(status + " Forbidden");
    assertThat(rig.queue.deleted).isEmpty();
  }

  @Test
  void aReportThatIsDeniedStopsThePolling() throws InterruptedException {
    rig.api.refuse("succeed", 403, "{\"message\": \"Forbidden\"}");
    Worker worker = rig.start(job -> {});
    rig.queue.send("a", 1, 5);
    assertDenied(worker, JOBS + "succeed, fail");
  }

  @Test
  void aHeartbeatThatIsDeniedStopsThePollingAndLetsTheAttemptFinish() throws InterruptedException {
    rig.api.refuse("heartbeat", 403, "{\"message\": \"Forbidden\"}");
    Worker worker = rig.start();
    rig.queue.send("a", 1, 5);
    rig.nextBegun();
    rig.time.awaitTasks(3);
    rig.time.move(Duration.ofSeconds(20));
    assertThat(rig.nextHeard()).startsWith("denied " + JOBS + "heartbeat");
    rig.release();
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
    worker.awaitEnd();
    assertThat(worker.denial().orElseThrow()).startsWith(JOBS + "heartbeat");
  }

  @Test
  void anEndIsReportedThoughChangesBeforeItAreDenied() throws InterruptedException {
    rig.api.refuse("heartbeat", 403, "{\"message\": \"Forbidden\"}");
    rig.start(job -> job.operation("load", OperationState.SUCCEEDED));
    rig.queue.send("a", 1, 5);
    assertThat(rig.nextHeard()).startsWith("denied " + JOBS + "heartbeat");
    assertThat(rig.nextHeard()).isEqualTo("SUCCEEDED a");
  }

  @Test
  void aQueueThatIsDeniedStopsThePolling() throws InterruptedException {
    rig.queue.fault =
        new DeniedException(
            "sqs:ReceiveMessage on the queue exports", new IllegalStateException("no"));
    Worker worker = rig.start();
    assertDenied(worker, "sqs:ReceiveMessage on the queue exports; the answer was: no");
  }
}
