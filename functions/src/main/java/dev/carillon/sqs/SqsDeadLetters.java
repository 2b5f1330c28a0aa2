package dev.carillon.sqs;

import dev.carillon.master.DeadLetters;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.UnsupportedOperationException;

/** The dead letters of the check queue, which SQS itself moves back. */
public final class SqsDeadLetters implements DeadLetters {

  private static final String RUNNING = "RUNNING";

  private final SqsClient client;
  private final String deadLettersUrl;
  private final String checkQueueUrl;

  public SqsDeadLetters(SqsClient client, String deadLettersUrl, String checkQueueUrl) {
    this.client = client;
    this.deadLettersUrl = deadLettersUrl;
    this.checkQueueUrl = checkQueueUrl;
  }

  @Override
  public boolean moveBack() {
    if (SqsQueues.visible(client, deadLettersUrl) == 0) {
      return false;
    }
    String source = arn(deadLettersUrl);
    if (!isMoving(source)) {
      start(source, arn(checkQueueUrl));
    }
    return true;
  }

  private boolean isMoving(String source) {
    return client
        .listMessageMoveTasks(list -> list.sourceArn(source).maxResults(1))
        .results()
        .stream()
        .anyMatch(task -> RUNNING.equals(task.status()));
  }

  private void start(String source, String destination) {
    try {
      client.startMessageMoveTask(it -> it.sourceArn(source).destinationArn(destination));
    } catch (UnsupportedOperationException anotherTaskIsRunning) {
      return;
    }
  }

  private String arn(String queueUrl) {
    return client
        .getQueueAttributes(
            get -> get.queueUrl(queueUrl).attributeNames(QueueAttributeName.QUEUE_ARN))
        .attributes()
        .getOrDefault(QueueAttributeName.QUEUE_ARN, "");
  }
}
