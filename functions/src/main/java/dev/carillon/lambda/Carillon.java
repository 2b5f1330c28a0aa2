package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import dev.carillon.api.Api;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.Checker;
import dev.carillon.dynamodb.DynamoApps;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobLists;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.ingest.NamespaceQueues;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.master.StatusStore;
import dev.carillon.metrics.MeteredGates;
import dev.carillon.metrics.MeteredJobs;
import dev.carillon.metrics.MeteredPools;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.pool.Pools;
import dev.carillon.report.ReportMessages;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.runtime.Randomness;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.simulation.Simulation;
import dev.carillon.sqs.QueueWarmup;
import dev.carillon.sqs.SqsTargetQueues;
import dev.carillon.timer.Timers;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The composition root: builds the parts of a function once from its environment. Each function
 * builds only the parts that it uses.
 */
public final class Carillon implements AutoCloseable {

  /** The most concurrent requests of one function to DynamoDB and SQS together. */
  private static final int PARALLEL_REQUESTS = 16;

  /** Enough connections for all concurrent requests, plus those of the calling threads. */
  private static final int CONNECTIONS = 2 * PARALLEL_REQUESTS;

  /** The most schedules that one function changes concurrently. */
  private static final int PARALLEL_SCHEDULES = 8;

  /** The time reserved at the end of an invocation for handing over the remaining work. */
  private static final Duration RESERVE = Duration.ofSeconds(3);

  private final Config config;
  private final InstantSource clock;
  private final ExecutorService requestThreads = Threads.pool("request", PARALLEL_REQUESTS);
  private final ExecutorService scheduleThreads = Threads.pool("schedule", PARALLEL_SCHEDULES);
  private final Fanout fanout = new Fanout(requestThreads);
  private final Clients clients;
  private final DynamoDbClient dynamoDb;
  private final SqsClient sqs;
  private final Schedules schedules;
  private final Calendars calendars;
  private final Jobs jobs;
  private final Backfills backfills;
  private final Gates gates;
  private final Metrics metrics;
  private final OptimisticUpdate updates;
  private final QueuePorts queues;
  private final CheckQueue checks;
  private final ScheduleParser parser;
  private final CompiledSchedules definitions;

  private Carillon(Config config, Clients clients, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.clients = clients;
    this.dynamoDb = clients.dynamoDb();
    this.sqs = clients.sqs();
    Duration retention = Duration.ofDays(config.retentionDays());
    this.schedules =
        new DynamoSchedules(
            dynamoDb, config.tables(), config.timerShards(), retention, clock, fanout);
    this.calendars = new DynamoCalendars(dynamoDb, config.tables(), fanout);
    this.metrics = config.reporting().metrics(clock);
    this.updates =
        new OptimisticUpdate(
            () -> metrics.count(Metric.LOST_RACES), () -> metrics.count(Metric.UPDATES_GIVEN_UP));
    DynamoJobs stored =
        new DynamoJobs(dynamoDb, config.tables(), config.attentionShards(), retention, fanout);
    this.jobs = new MeteredJobs(stored, metrics);
    this.backfills = stored;
    this.gates =
        new MeteredGates(
            new DynamoGates(dynamoDb, config.tables(), config.attentionShards(), retention, fanout),
            metrics);
    this.queues = new QueuePorts(sqs, config.queues(), fanout);
    this.checks = queues.checks();
    this.parser = new ScheduleParser(config.defaultZone());
    this.definitions = new CompiledSchedules(schedules, calendars, parser);
  }

  /**
   * @throws IllegalArgumentException that names every missing or invalid variable
   */
  public static Carillon of(Map<String, String> environment) {
    Config config = Config.of(environment);
    return new Carillon(config, Clients.of(config, CONNECTIONS), Clock.tickMillis(ZoneOffset.UTC));
  }

  /**
   * Uses clients and a clock of the caller, and closes the clients.
   *
   * @throws IllegalArgumentException that names every missing or invalid variable
   */
  public static Carillon of(
      Map<String, String> environment,
      DynamoDbClient dynamoDb,
      SqsClient sqs,
      InstantSource clock) {
    return new Carillon(Config.of(environment), Clients.given(dynamoDb, sqs), clock);
  }

  public Master master() {
    return new Master(
        shared(),
        parser,
        queues.checkDeadLetters(),
        status(),
        config.masterPeriod(),
        new Fanout(scheduleThreads),
        clock,
        metrics);
  }

  public Ingest ingest() {
    return new Ingest(shared(), queues.rejected(), clock, new Fanout(scheduleThreads), metrics);
  }

  public ReportMessages reportMessages() {
    return new ReportMessages(
        new RunReports(shared(), clock), queues.rejected(), new Fanout(scheduleThreads), metrics);
  }

  public Checker checker() {
    return new Checker(
        shared(),
        new Requests(targetPolicy()),
        targets(),
        new Fanout(scheduleThreads),
        clock,
        Threads::sleep,
        Checker.SENDING_TIME);
  }

  public CheckMessages checkMessages() {
    return new CheckMessages(checker(), queues.unreadChecks());
  }

  public Api api() {
    TargetPolicy targetPolicy = targetPolicy();
    return new Api(
        new Api.Ports(
            schedules,
            new DynamoApps(dynamoDb, config.tables(), fanout),
            calendars,
            pools(),
            timers(),
            jobs,
            new DynamoJobLists(dynamoDb, config.tables(), fanout),
            backfills,
            gates,
            status(),
            checks,
            queues.ingest(),
            targets(),
            queues.depths()),
        parser,
        targetPolicy,
        new Fanout(scheduleThreads),
        updates,
        clock,
        Threads::sleep,
        Randomness::uuid,
        Clients::isThrottled,
        new Simulation(parser, targetPolicy));
  }

  private Timers timers() {
    return new DynamoTimers(dynamoDb, config.tables(), config.timerShards(), fanout);
  }

  private Pools pools() {
    Pools stored = new DynamoPools(dynamoDb, config.tables(), config.attentionShards(), fanout);
    return new MeteredPools(stored, metrics, clock);
  }

  private StatusStore status() {
    return new DynamoStatus(dynamoDb, config.tables(), fanout);
  }

  private Shared shared() {
    return new Shared(
        schedules,
        definitions,
        timers(),
        jobs,
        backfills,
        gates,
        pools(),
        checks,
        queues.ingest(),
        updates);
  }

  private TargetQueues targets() {
    return new SqsTargetQueues(sqs, config.createTargetQueues(), fanout);
  }

  private TargetPolicy targetPolicy() {
    return new TargetPolicy(
        config.region(),
        config.account(),
        config.targetPrefix(),
        config.allowedTargets(),
        config.reservedQueues());
  }

  /** The queues for events of one namespace. */
  public NamespaceQueues namespaceQueues() {
    return new NamespaceQueues(config.namespaceQueuePrefix());
  }

  public Metrics metrics() {
    return metrics;
  }

  /** The instant at which an invocation hands over the work that it has not done. */
  public Deadline deadline(Context context) {
    return deadline(Duration.ofMillis(context.getRemainingTimeInMillis()));
  }

  Deadline deadline(Duration remaining) {
    return new Deadline(clock.instant().plus(remaining).minus(RESERVE), clock);
  }

  /** Runs the model, the store and the queues that every function needs, without an effect. */
  void prime(Deadline deadline) {
    QueueWarmup.connect(sqs, config.queues().check());
    Warmup.run(config, parser, new Requests(targetPolicy()), this::readSideBySide, deadline);
  }

  private void readSideBySide() {
    List<ScheduleId> absent = List.of(Priming.ABSENT_SCHEDULE, Priming.ABSENT_SCHEDULE);
    fanout.forEach(absent, each -> schedules.heads(List.of(each)));
  }

  /** Drops the state that a restored copy could not use. */
  void prepareSnapshot() {
    metrics.discard();
    clients.dropConnections();
  }

  /**
   * Runs in each restored copy of a snapshot. Replaces the state that each copy must have for
   * itself or that may be outdated.
   */
  void renew() {
    Randomness.renew();
    clients.renewCredentials();
    definitions.clear();
  }

  @Override
  public void close() {
    requestThreads.shutdownNow();
    scheduleThreads.shutdownNow();
    clients.close();
  }
}
