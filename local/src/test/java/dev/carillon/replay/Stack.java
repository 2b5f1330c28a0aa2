package dev.carillon.replay;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.contract.Servers;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.Tables;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.TrackedJob;
import dev.carillon.lambda.Carillon;
import dev.carillon.run.Claim;
import dev.carillon.run.RunPolicy;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Separate tables and queues, and the environment that names them. */
final class Stack implements AutoCloseable {

  private static final int REMAINING_MILLIS = 10_000;

  /** An instant before those of the samples. */
  private static final Instant CREATED = Instant.parse("2026-03-01T09:59:00Z");

  final String check;
  final String ingest;
  final String rejected;
  final String target = Servers.fresh("work");
  final String targetUrl = Servers.queue(Servers.TARGET_PREFIX + target);
  final Carillon carillon;
  private final DynamoSchedules schedules;
  private final DynamoJobs jobs;

  Stack() {
    Tables tables = Servers.tables();
    Map<String, String> environment = Servers.environment(tables);
    this.check = environment.get("CHECK_QUEUE_URL");
    this.ingest = environment.get("INGEST_QUEUE_URL");
    this.rejected = environment.get("REJECTED_QUEUE_URL");
    this.carillon = Carillon.of(environment);
    this.jobs =
        new DynamoJobs(
            Servers.dynamoDb(), tables, Servers.SHARDS, Duration.ofDays(90), Servers.fanout());
    this.schedules =
        new DynamoSchedules(
            Servers.dynamoDb(),
            tables,
            Servers.SHARDS,
            Duration.ofDays(90),
            () -> CREATED,
            Servers.fanout());
  }

  /** Stores a schedule from before the samples. */
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

  /** Stores a tracked job of 10:00 that a worker has claimed. */
  JobId storeClaimed(String schedule, String token) {
    Instant due = CREATED.plusSeconds(60);
    JobId id = JobId.ofFire(new ScheduleId("default", schedule), 1, due);
    Instant until = due.plusSeconds(60);
    Job sent =
        NewJob.dueFire(id, 1, "encoder")
            .tracked(RunPolicy.USUAL)
            .launching(due, until)
            .enqueued(due, null, until);
    Claim claim = new Claim("encoder-1", token, due, null);
    Job claimed = TrackedJob.claimed(sent, claim, due, until);
    jobs.insert(List.of(claimed));
    return id;
  }

  Job job(JobId id) {
    return jobs.find(List.of(id)).get(id);
  }

  /** The bodies of the messages in a queue. */
  static List<String> in(String queueUrl) {
    return Servers.take(queueUrl);
  }

  /** The context of an invocation with enough time left. */
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
