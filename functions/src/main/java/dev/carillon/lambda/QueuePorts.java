package dev.carillon.lambda;

import dev.carillon.api.Queues;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.UnknownChecks;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessages;
import dev.carillon.lambda.Config.QueueUrls;
import dev.carillon.master.DeadLetters;
import dev.carillon.runtime.Fanout;
import dev.carillon.sqs.SqsCheckQueue;
import dev.carillon.sqs.SqsDeadLetters;
import dev.carillon.sqs.SqsIngestQueue;
import dev.carillon.sqs.SqsQueues;
import dev.carillon.sqs.SqsRejectedMessages;
import dev.carillon.sqs.SqsUnknownChecks;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Carillon's own queues, as the functions use them. */
record QueuePorts(SqsClient sqs, QueueUrls urls, Fanout fanout) {

  /** Sends batches one after another, because parallel batches would lose their rough order. */
  private static final Fanout IN_ORDER = new Fanout(Runnable::run);

  CheckQueue checks() {
    return new SqsCheckQueue(sqs, urls.check(), urls.overdue(), fanout);
  }

  IngestQueue ingest() {
    return new SqsIngestQueue(sqs, urls.ingest(), IN_ORDER);
  }

  RejectedMessages rejected() {
    return new SqsRejectedMessages(sqs, urls.rejected(), IN_ORDER);
  }

  UnknownChecks unknownChecks() {
    return new SqsUnknownChecks(sqs, urls.check(), urls.rejected(), IN_ORDER);
  }

  DeadLetters checkDeadLetters() {
    return new SqsDeadLetters(sqs, urls.checkDeadLetters(), urls.check());
  }

  Queues depths() {
    return new SqsQueues(sqs, urls.byName(), fanout);
  }
}
