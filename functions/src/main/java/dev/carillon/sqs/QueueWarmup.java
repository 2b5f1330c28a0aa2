package dev.carillon.sqs;

import dev.carillon.check.Check;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.runtime.Fanout;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends a check, an event and a launch request, and reads the depth of a queue, before a snapshot
 * is taken. The snapshot then contains the classes that this call loads, links and compiles.
 */
public final class QueueWarmup {

  private static final Logger LOG = LoggerFactory.getLogger(QueueWarmup.class);

  private QueueWarmup() {}

  /** Opens a connection to the queue by sending a batch that SQS refuses, because it is empty. */
  public static void connect(SqsClient client, String queue) {
    try {
      client.sendMessageBatch(batch -> batch.queueUrl(queue).entries(List.of()));
    } catch (SdkException empty) {
      LOG.debug("SQS refused the empty batch, as expected", empty);
    }
  }

  /**
   * @param client a client whose requests reach no server
   */
  public static void run(SqsClient client, String queue, LaunchRequest request) {
    Fanout fanout = new Fanout(Runnable::run);
    List<Check> checks = Check.of(request.job().at(), List.of(request.job()));
    new SqsCheckQueue(client, queue, queue, fanout).send(checks, request.job().at());
    new SqsIngestQueue(client, queue, fanout).send(List.of("an event"));
    List<?> unanswered = new SqsTargetQueues(client, false, fanout).send(List.of(request));
    if (unanswered.size() != 1) {
      throw new IllegalStateException("one launch request got " + unanswered.size() + " outcomes");
    }
    long unused = SqsQueues.visible(client, queue);
  }
}
