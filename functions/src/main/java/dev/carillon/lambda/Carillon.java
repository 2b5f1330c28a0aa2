package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import dev.carillon.api.Api;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.dynamodb.DynamoApps;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.ingest.Ingest;
import dev.carillon.ingest.NamespaceQueues;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.lambda.Config.QueueUrls;
import dev.carillon.lambda.Config.Reporting;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.master.StatusStore;
import dev.carillon.metrics.EmfMetrics;
import dev.carillon.metrics.MeteredGates;
import dev.carillon.metrics.MeteredJobs;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.runtime.Randomness;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.simulation.Simulation;
import dev.carillon.sqs.SqsCheckQueue;
import dev.carillon.sqs.SqsDeadLetters;
import dev.carillon.sqs.SqsIngestQueue;
import dev.carillon.sqs.SqsQueues;
import dev.carillon.sqs.SqsRejectedEvents;
import dev.carillon.sqs.SqsTargetQueues;
import dev.carillon.timer.Timers;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The composition root: everything that a function is made of, built once from its environment.
 * Each function builds only what it uses.
 */
public final class Carillon implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Carillon.class);

  /** Requests that one function has under way side by side, to DynamoDB and to SQS together. */
  private static final int PARALLEL_REQUESTS = 16;

  /** Enough for all requests to be to one service, and the callers' own besides. */
  private static final int CONNECTIONS = 2 * PARALLEL_REQUESTS;

  /** Schedules that one function changes side by side. */
  private static final int PARALLEL_SCHEDULES = 8;

  /** What is kept of a function's time for handing on what it has not done. */
  private static final Duration RESERVE = Duration.ofSeconds(3);

  /** Events go one batch after another: a queue that keeps their order, more or less, can do so. */
  private static final Fanout IN_ORDER = new Fanout(Runnable::run);

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
    this.metrics = metrics(config.reporting(), clock);
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
    this.checks = new SqsCheckQueue(sqs, config.queues().check(), fanout);
    this.parser = new ScheduleParser(config.defaultZone());
    this.definitions = new CompiledSchedules(schedules, calendars, parser);
  }

  /**
   * @throws IllegalArgumentException naming every variable that is missing or wrong
   */
  public static Carillon of(Map<String, String> environment) {
    Config config = Config.of(environment);
    return new Carillon(config, Clients.of(config, CONNECTIONS), Clock.tickMillis(ZoneOffset.UTC));
  }

  /**
   * On clients and a clock of the caller's making; it closes the clients.
   *
   * @throws IllegalArgumentException naming every variable that is missing or wrong
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
        new SqsDeadLetters(sqs, config.queues().checkDeadLetters(), config.queues().check()),
        status(),
        config.masterPeriod(),
        fanout,
        clock,
        metrics);
  }

  public Ingest ingest() {
    return new Ingest(
        shared(),
        new SqsIngestQueue(sqs, config.queues().ingest(), IN_ORDER),
        new SqsRejectedEvents(sqs, config.queues().rejected(), IN_ORDER),
        clock,
        new Fanout(scheduleThreads),
        metrics);
  }

  public Checker checker() {
    return new Checker(
        shared(),
        new Requests(targetPolicy()),
        targets(),
        new Fanout(scheduleThreads),
        clock,
        Threads::sleep);
  }

  public Api api() {
    TargetPolicy targetPolicy = targetPolicy();
    QueueUrls urls = config.queues();
    Map<String, String> named =
        Map.of(
            "check", urls.check(),
            "checkDeadLetters", urls.checkDeadLetters(),
            "ingest", urls.ingest(),
            "ingestDeadLetters", urls.ingestDeadLetters(),
            "rejected", urls.rejected());
    return new Api(
        new Api.Ports(
            schedules,
            new DynamoApps(dynamoDb, config.tables()),
            calendars,
            timers(),
            jobs,
            backfills,
            gates,
            status(),
            checks,
            new SqsIngestQueue(sqs, urls.ingest(), IN_ORDER),
            targets(),
            new SqsQueues(sqs, named, fanout)),
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

  private StatusStore status() {
    return new DynamoStatus(dynamoDb, config.tables(), fanout);
  }

  private Shared shared() {
    return new Shared(schedules, definitions, timers(), jobs, backfills, gates, checks, updates);
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

  /** The queues that take events of one namespace. */
  public NamespaceQueues namespaceQueues() {
    return new NamespaceQueues(config.namespaceQueuePrefix());
  }

  private static Metrics metrics(Reporting reporting, InstantSource clock) {
    return reporting.onLambda()
        ? new EmfMetrics(reporting.namespace(), reporting.stack(), System.out::println, clock)
        : Metrics.NONE;
  }

  public Metrics metrics() {
    return metrics;
  }

  /** When a function that was just invoked hands on what it has not done. */
  public Deadline deadline(Context context) {
    return deadline(Duration.ofMillis(context.getRemainingTimeInMillis()));
  }

  Deadline deadline(Duration remaining) {
    return new Deadline(clock.instant().plus(remaining).minus(RESERVE), clock);
  }

  /** Runs what every function needs of the model, the store and the queues, without any effect. */
  void prime(Deadline deadline) {
    schedules.heads(List.of(Priming.NOBODYS));
    try {
      sqs.sendMessageBatch(batch -> batch.queueUrl(config.queues().check()).entries(List.of()));
    } catch (SdkException empty) {
      LOG.debug("a batch without messages is refused, which is all that it was for", empty);
    }
    Rehearsal.run(config, parser, new Requests(targetPolicy()), deadline);
  }

  /** Leaves nothing in a snapshot that a copy could not use. */
  void prepareSnapshot() {
    metrics.forget();
    clients.dropConnections();
  }

  /** In each copy of a snapshot: what must be its own, or may have changed since, begins anew. */
  void renew() {
    Randomness.renew();
    clients.renewCredentials();
    definitions.forget();
  }

  @Override
  public void close() {
    requestThreads.shutdownNow();
    scheduleThreads.shutdownNow();
    clients.close();
  }
}
