package dev.carillon.sqs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;

/** The URLs of queues by their ARNs, {@code arn:<partition>:sqs:<region>:<account>:<name>}. */
final class TargetUrls {

  private static final int PARTS = 6;

  private final SqsClient client;
  private final Map<String, String> known = new ConcurrentHashMap<>();

  TargetUrls(SqsClient client) {
    this.client = client;
  }

  /**
   * @throws software.amazon.awssdk.services.sqs.model.SqsException if the queue does not exist or
   *     access is denied
   */
  String of(String queueArn) {
    return known.computeIfAbsent(queueArn, this::ask);
  }

  void discard(String queueArn) {
    known.remove(queueArn);
  }

  /** Creates the queue if it does not exist. */
  void create(String queueArn) {
    String name = parts(queueArn)[PARTS - 1];
    Map<QueueAttributeName, String> attributes =
        isFifo(queueArn) ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
    try {
      client.createQueue(create -> create.queueName(name).attributes(attributes));
    } catch (QueueNameExistsException withOtherAttributes) {
      return;
    }
  }

  static boolean isFifo(String queueArn) {
    return queueArn.endsWith(".fifo");
  }

  private String ask(String queueArn) {
    String[] parts = parts(queueArn);
    return client
        .getQueueUrl(
            get -> get.queueName(parts[PARTS - 1]).queueOwnerAWSAccountId(parts[PARTS - 2]))
        .queueUrl();
  }

  private static String[] parts(String queueArn) {
    String[] parts = queueArn.split(":", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException(queueArn + " is not the ARN of an SQS queue");
    }
    return parts;
  }
}
