package dev.carillon.lambda;

import dev.carillon.dynamodb.StoreRehearsal;
import dev.carillon.launch.Requests;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.sqs.QueueRehearsal;

/**
 * Runs the model, the store and the queues without any effect, so often that the JVM compiles what
 * it runs: the compiled code is in the snapshot, and its copies begin with it.
 */
final class Rehearsal {

  /** A method is compiled when it has run some 200 times; most of them do several times a round. */
  private static final int ROUNDS = 100;

  private Rehearsal() {}

  static void run(Config config, ScheduleParser parser, Requests requests, Deadline deadline) {
    try (Clients nowhere = Clients.nowhere()) {
      for (int round = 0; round < ROUNDS && !deadline.hasPassed(); round++) {
        Priming.Sample sample = Priming.model(parser, requests);
        StoreRehearsal.run(nowhere.dynamoDb(), config.tables(), sample.created(), sample.job());
        QueueRehearsal.run(nowhere.sqs(), config.queues().check(), sample.request());
      }
    }
  }
}
