package dev.carillon.lambda;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.dynamodb.DynamoApps;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobLists;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.dynamodb.Tables;
import dev.carillon.job.Gates;
import dev.carillon.job.JobLists;
import dev.carillon.job.Jobs;
import dev.carillon.master.StatusStore;
import dev.carillon.metrics.MeteredGates;
import dev.carillon.metrics.MeteredJobs;
import dev.carillon.metrics.MeteredPools;
import dev.carillon.metrics.Metrics;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.InstantSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The stores on DynamoDB, as the functions use them. */
final class StorePorts {

  private final DynamoDbClient dynamoDb;
  private final Config config;
  private final Tables tables;
  private final Metrics metrics;
  private final InstantSource clock;
  private final Fanout fanout;
  private final Schedules schedules;
  private final Calendars calendars;
  private final Jobs jobs;
  private final Backfills backfills;
  private final Gates gates;

  StorePorts(
      DynamoDbClient dynamoDb, Config config, Metrics metrics, InstantSource clock, Fanout fanout) {
    this.dynamoDb = dynamoDb;
    this.config = config;
    this.tables = config.tables();
    this.metrics = metrics;
    this.clock = clock;
    this.fanout = fanout;
    Duration retention = Duration.ofDays(config.retentionDays());
    int shards = config.attentionShards();
    this.schedules =
        new DynamoSchedules(dynamoDb, tables, config.timerShards(), retention, clock, fanout);
    this.calendars = new DynamoCalendars(dynamoDb, tables, fanout);
    DynamoJobs stored = new DynamoJobs(dynamoDb, tables, shards, retention, fanout);
    this.jobs = new MeteredJobs(stored, metrics);
    this.backfills = stored;
    this.gates =
        new MeteredGates(new DynamoGates(dynamoDb, tables, shards, retention, fanout), metrics);
  }

  Schedules schedules() {
    return schedules;
  }

  Calendars calendars() {
    return calendars;
  }

  Jobs jobs() {
    return jobs;
  }

  Backfills backfills() {
    return backfills;
  }

  Gates gates() {
    return gates;
  }

  Timers timers() {
    return new DynamoTimers(dynamoDb, tables, config.timerShards(), fanout);
  }

  Pools pools() {
    Pools stored = new DynamoPools(dynamoDb, tables, config.attentionShards(), fanout);
    return new MeteredPools(stored, metrics, clock);
  }

  StatusStore status() {
    return new DynamoStatus(dynamoDb, tables, fanout);
  }

  Apps apps() {
    return new DynamoApps(dynamoDb, tables, fanout);
  }

  JobLists jobLists() {
    return new DynamoJobLists(dynamoDb, tables, fanout);
  }
}
