package dev.carillon.replay;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.Carillon;
import dev.carillon.Json;
import dev.carillon.contract.Servers;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.Tables;
import dev.carillon.local.LocalAccount;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.ScheduleParser;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tables and queues of one's own, and the functions' environment that names them. */
final class Stack implements AutoCloseable {

  private static final int SHARDS = 4;
  private static final int REMAINING_MILLIS = 10_000;

  /** Before the instants of the samples. */
  private static final Instant CREATED = Instant.parse("2026-03-01T09:59:00Z");

  final String check = Servers.queue();
  final String ingest = Servers.queue();
  final String rejected = Servers.queue();
  final String target = Servers.fresh("target");
  final String targetUrl = Servers.queue(target);
  final Carillon carillon;
  private final DynamoSchedules schedules;

  Stack() {
    Tables tables = Servers.tables();
    this.carillon = Carillon.of(environment(tables));
    this.schedules =
        new DynamoSchedules(
            Servers.dynamoDb(),
            tables,
            SHARDS,
            Duration.ofDays(90),
            () -> CREATED,
            Servers.fanout());
  }

  private Map<String, String> environment(Tables tables) {
    Map<String, String> environment = new HashMap<>();
    environment.put("AWS_REGION", LocalAccount.REGION);
    environment.put("ACCOUNT_ID", LocalAccount.ID);
    environment.put("AWS_ENDPOINT_URL_DYNAMODB", Servers.dynamoDbEndpoint().toString());
    environment.put("AWS_ENDPOINT_URL_SQS", Servers.sqsEndpoint().toString());
    environment.put("SCHEDULES_TABLE", tables.schedules());
    environment.put("TIMERS_TABLE", tables.timers());
    environment.put("JOBS_TABLE", tables.jobs());
    environment.put("STATUS_TABLE", tables.status());
    environment.put("CHECK_QUEUE_URL", check);
    environment.put("CHECK_DEAD_LETTERS_URL", Servers.queue());
    environment.put("INGEST_QUEUE_URL", ingest);
    environment.put("INGEST_DEAD_LETTERS_URL", Servers.queue());
    environment.put("REJECTED_QUEUE_URL", rejected);
    environment.put("NAMESPACE_QUEUE_PREFIX", "carillon-namespace-");
    environment.put("RESERVED_QUEUES", "none");
    environment.put("ALLOWED_TARGETS", "*");
    environment.put("DEFAULT_ZONE", "UTC");
    environment.put("RETENTION_DAYS", "90");
    environment.put("TIMER_SHARDS", Integer.toString(SHARDS));
    environment.put("ATTENTION_SHARDS", Integer.toString(SHARDS));
    environment.put("CREATE_TARGET_QUEUES", "true");
    return environment;
  }

  /** A schedule that was there before the samples were recorded. */
  void store(String name, String trigger) {
    String document =
        """
        {"trigger": %s, "target": {"queue": "%s", "template": {"job": "${jobId}"}},
         "state": "ACTIVE"}
        """
            .formatted(trigger, target);
    ScheduleId id = new ScheduleId("default", name);
    ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    try {
      schedules.save(
          Lifecycle.create(null, parser.parse(id, Json.read(document), CREATED), CREATED, "test"));
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException(notJson);
    }
  }

  /** The bodies of the messages in a queue. */
  static List<String> in(String queueUrl) {
    return Servers.take(queueUrl);
  }

  /** The context of an invocation that has time left, and nothing else. */
  static Context context() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                method.getName().equals("getRemainingTimeInMillis") ? REMAINING_MILLIS : null);
  }

  @Override
  public void close() {
    carillon.close();
  }
}
