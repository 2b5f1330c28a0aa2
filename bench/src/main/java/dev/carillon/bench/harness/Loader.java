package dev.carillon.bench.harness;

import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Config;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.IntFunction;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Stores many new schedules in bulk. The stored items are the same as after requests to the HTTP
 * API.
 */
public final class Loader {

  private static final int PROGRESS_EVERY = 50_000;

  private final Config config;
  private final DynamoDbClient client;
  private final Progress progress;

  /**
   * @param environment the environment variables of the functions
   */
  public Loader(Map<String, String> environment, DynamoDbClient client, Progress progress) {
    this.config = Config.of(environment);
    this.client = client;
    this.progress = progress;
  }

  /**
   * @param document makes the document of a schedule from its number
   * @param now the instant at which the schedules are created
   */
  public void store(int count, String prefix, IntFunction<String> document, Instant now) {
    ScheduleParser parser = new ScheduleParser(config.defaultZone());
    try (BulkWriter writer = new BulkWriter(client)) {
      DynamoSchedules schedules =
          new DynamoSchedules(
              writer,
              config.tables(),
              config.timerShards(),
              Duration.ofDays(config.retentionDays()),
              () -> now,
              new Fanout(Runnable::run));
      for (int number = 0; number < count; number++) {
        ScheduleId id = new ScheduleId("default", prefix + "-" + number);
        var schedule = parser.parse(id, Json.readObject(document.apply(number)), now);
        schedules.save(Lifecycle.create(null, schedule, now, "bench"));
        if (number > 0 && number % PROGRESS_EVERY == 0) {
          progress.say("%,d of %,d schedules are stored", number, count);
        }
      }
    }
  }

  /** A document with this trigger and a small message. */
  public static String document(String trigger, String queue) {
    return """
        {"trigger": %s, "state": "ACTIVE",
         "target": {"queue": "%s",
          "template": {"job": "${jobId}", "at": "${scheduledFor}", "date": "${yesterdaysDate}"}}}
        """
        .formatted(trigger, queue);
  }

  public static String cron(String expression, String queue) {
    return document(cron(expression), queue);
  }

  /** A cron trigger. */
  public static String cron(String expression) {
    return "{\"type\": \"cron\", \"expression\": \"" + expression + "\"}";
  }

  public static String partition(String dataset, int count, String queue) {
    return document(
        "{\"type\": \"partition\", \"dataset\": \"%s\", \"count\": %d}".formatted(dataset, count),
        queue);
  }

  /** A document with tracked jobs: a worker of the program claims and ends them. */
  public static String tracked(String expression, String program, String queue) {
    return extended(cron(expression, queue), "\"program\": \"" + program + "\", \"tracking\": {}");
  }

  /**
   * A document with tracked jobs in a pool: a worker claims and ends them after the pool has chosen
   * them.
   */
  public static String pooled(String trigger, String customer, String pool) {
    return """
        {"trigger": %s, "state": "ACTIVE", "customer": "%s", "pool": "%s",
         "target": {"template": {"job": "${jobId}"}}, "tracking": {"enqueueTimeout": "PT2H"}}
        """
        .formatted(trigger, customer, pool);
  }

  /** A document that limits the unfinished runs of its program. */
  public static String limited(String expression, String program, int max, String queue) {
    return extended(
        cron(expression, queue),
        "\"program\": \"%s\", \"constraints\": [{\"type\": \"concurrency\", \"max\": %d}]"
            .formatted(program, max));
  }

  private static String extended(String document, String members) {
    String stripped = document.strip();
    return stripped.substring(0, stripped.length() - 1) + ", " + members + "}";
  }
}
