package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Claim;
import dev.carillon.client.Job.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports through the report queue of the local engine. */
@Timeout(600)
class ReportQueueTest {

  private final Team team = new Team();

  private void send(String kind, String jobId, String token, String more) {
    String report =
        "{\"report\": \"%s\", \"namespace\": \"%s\", \"jobId\": \"%s\", \"claimToken\": \"%s\"%s}"
            .formatted(kind, team.namespace(), jobId, token, more);
    String url = team.reportQueue();
    team.sqs().sendMessage(send -> send.queueUrl(url).messageBody(report));
  }

  @Test
  void aSuccessEndsTheJobAndAnOldTokenDoesNot() throws InterruptedException {
    String jobId = team.enqueue();
    Claim claim = team.runs().claim(jobId, "w", 1);
    send("fail", jobId, "old", "");
    send("succeed", jobId, claim.claimToken(), ", \"output\": {\"rows\": 7}");
    assertThat(team.awaitEnd(jobId).state()).isEqualTo(State.SUCCEEDED);
  }
}
