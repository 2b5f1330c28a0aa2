package dev.carillon.demo;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Claim;
import dev.carillon.client.Runs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A worker that behaves like a paused process. Without the worker library, it claims one job, sends
 * one heartbeat, is silent until its claim is lost, and then reports success.
 */
final class SilentWorker {

  private static final int LONG_POLL_SECONDS = 20;

  private final SqsClient sqs;
  private final Runs runs;
  private volatile @Nullable Claimed claimed;

  private record Claimed(String job, String token) {}

  SilentWorker(SqsClient sqs, Runs runs) {
    this.sqs = sqs;
    this.runs = runs;
  }

  /** Waits for the first request of a queue, claims its job, and sends the only heartbeat. */
  void claimOne(String queueName) {
    String url = sqs.getQueueUrl(get -> get.queueName(queueName)).queueUrl();
    List<Message> messages = List.of();
    while (messages.isEmpty()) {
      messages =
          sqs.receiveMessage(
                  receive ->
                      receive
                          .queueUrl(url)
                          .maxNumberOfMessages(1)
                          .waitTimeSeconds(LONG_POLL_SECONDS)
                          .messageAttributeNames("All"))
              .messages();
    }
    Message message = messages.get(0);
    String job = Launch.attribute(message, "carillon-job-id");
    int attempt = Integer.parseInt(Launch.attribute(message, "carillon-attempt"));
    Claim claim = runs.claim(job, "silent", attempt);
    sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
    runs.heartbeat(job, claim.claimToken(), null, Map.of(), claim.lifetime());
    claimed = new Claimed(job, claim.claimToken());
  }

  /** Reports success; true if the report is refused because the claim is lost. */
  boolean isRefusedLater() {
    Claimed own = claimed;
    if (own == null) {
      return false;
    }
    try {
      runs.succeed(own.job(), own.token(), null);
      return false;
    } catch (CarillonException.Conflict lost) {
      return lost.problem().type().equals(Runs.STALE_CLAIM);
    }
  }
}
