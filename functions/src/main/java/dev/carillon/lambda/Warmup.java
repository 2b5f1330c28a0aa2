package dev.carillon.lambda;

import dev.carillon.dynamodb.StoreWarmup;
import dev.carillon.launch.Requests;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.sqs.QueueWarmup;

/**
 * Runs the model, the store and the queues without an effect, often enough for the JVM to compile
 * the code. The snapshot contains the compiled code, so restored copies start with it.
 */
final class Warmup {

  /**
   * The JVM compiles a method after about 200 calls; one round calls most methods several times.
   */
  private static final int ROUNDS = 100;

  private Warmup() {}

  static void run(Config config, ScheduleParser parser, Requests requests, Deadline deadline) {
    try (Clients offline = Clients.offline()) {
      for (int round = 0; round < ROUNDS && !deadline.hasPassed(); round++) {
        Priming.Sample sample = Priming.model(parser, requests);
        StoreWarmup.run(offline.dynamoDb(), config.tables(), sample.created(), sample.job());
        QueueWarmup.run(offline.sqs(), config.queues().check(), sample.request());
      }
    }
  }
}
