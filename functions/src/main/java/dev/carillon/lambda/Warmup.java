package dev.carillon.lambda;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.StoreWarmup;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Simulation;
import dev.carillon.sqs.QueueWarmup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * Runs the functions, the model, the store and the queues without an effect, often enough for the
 * JVM to compile the code. The snapshot contains the compiled code, so restored copies start with
 * it.
 */
final class Warmup {

  /** The JVM compiles a method after about 200 calls. */
  static final int ROUNDS = 200;

  /**
   * In this scenario, a cron fires once and an event arrives. Each of the two launches a job, and a
   * worker reports the run of the second.
   */
  private static final ObjectNode SCENARIO =
      Json.readObject(
          """
          {"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:01:00Z",
           "schedules": {
             "priming/clock": {
               "trigger": {"type": "cron", "expression": "30 * * * * ?"},
               "target": {"queue": "q", "template": {"at": "${scheduledFor}"}}},
             "priming/collector": {
               "trigger": {"type": "event", "key": "k"},
               "program": "p", "tracking": {},
               "target": {"queue": "q", "template": {"at": "${scheduledFor}"}}}},
           "programs": {"priming/p": {"runsFor": "PT1S"}},
           "steps": [{"at": "2026-01-01T00:00:10Z",
             "event": {"id": "e", "namespace": "priming", "eventType": "k", "payload": {}}}]}
          """);

  private Warmup() {}

  /**
   * @param read makes reads with the function's own clients, so that their connections are used as
   *     well
   */
  static void run(
      Config config, ScheduleParser parser, Requests requests, Runnable read, Deadline deadline) {
    Priming.Sample sample = Priming.model(parser, requests);
    try (Clients offline = Clients.offline(OfflineHttpClient.STRANGE_ITEMS)) {
      for (int round = 0; round < ROUNDS && !deadline.hasPassed(); round++) {
        read.run();
        ObjectNode unused = simulate(parser, deadline.clock());
        StoreWarmup.run(offline.dynamoDb(), config.tables(), sample.stored());
        QueueWarmup.run(offline.sqs(), config.queues().check(), sample.request());
      }
    }
  }

  /**
   * Runs all functions in memory: the API creates schedules, the master hands over a fire, ingest
   * counts an event, the checker launches their jobs, and a run is reported. It also works in a
   * deployment that does not allow the queue.
   *
   * @return the timeline of the simulation
   */
  static ObjectNode simulate(ScheduleParser parser, InstantSource clock) {
    TargetPolicy any = new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of());
    return new Simulation(parser, any).simulate(SCENARIO, new Deadline(Instant.MAX, clock));
  }
}
