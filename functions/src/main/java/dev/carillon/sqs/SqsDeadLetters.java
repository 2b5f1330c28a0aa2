package dev.carillon.sqs;

import dev.carillon.master.DeadLetters;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.UnsupportedOperationException;

/** The check queue's dead letters on SQS, moved back by SQS itself. */
public final class SqsDeadLetters implements DeadLetters {

  private static final String RUNNING = "RUNNING";

  private final SqsClient client;
  private final String deadLettersUrl;
  private final String deadLettersArn;

  public SqsDeadLetters(SqsClient client, String deadLettersUrl, String deadLettersArn) {
    this.client = client;
    this.deadLettersUrl = deadLettersUrl;
    this.deadLettersArn = deadLettersArn;
  }

  @Override
  public boolean moveBack() {
    if (SqsQueues.visible(client, deadLettersUrl) == 0) {
      return false;
    }
    if (!isMoving()) {
      start();
    }
    return true;
  }

  private boolean isMoving() {
    return client
        .listMessageMoveTasks(list -> list.sourceArn(deadLettersArn).maxResults(1))
        .results()
        .stream()
        .anyMatch(task -> RUNNING.equals(task.status()));
  }

  private void start() {
    try {
      client.startMessageMoveTask(start -> start.sourceArn(deadLettersArn));
    } catch (UnsupportedOperationException anotherTaskIsRunning) {
      return;
    }
  }
}
