package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import dev.carillon.api.Api;
import dev.carillon.api.ApiPorts;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.Checker;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.ingest.NamespaceQueues;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Master;
import dev.carillon.metrics.EmfMetrics;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.report.ReportMessages;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.runtime.Randomness;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Simulation;
import dev.carillon.sqs.QueueWarmup;
import dev.carillon.sqs.SqsTargetQueues;
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

  /** One function sends at most this many concurrent requests to DynamoDB and SQS together. */
  private static final int PARALLEL_REQUESTS = 16;

  /**
   * The number of connections is enough for all concurrent requests and those of the calling
   * threads.
   */
  private static final int CONNECTIONS = 2 * PARALLEL_REQUESTS;

  /** One function changes at most this many schedules concurrently. */
  private static final int PARALLEL_SCHEDULES = 8;

  /** The time reserved at the end of an invocation for handing over the remaining work. */
  private static final Duration RESERVE = Duration.ofSeconds(3);

  private final Config config;
  private final InstantSource clock;
  private final ExecutorService requestThreads = Threads.pool("request", PARALLEL_REQUESTS);
  private final ExecutorService scheduleThreads = Threads.pool("schedule", PARALLEL_SCHEDULES);
  private final Fanout fanout = new Fanout(requestThreads);
  private final Clients clients;
  private final SqsClient sqs;
  private final Metrics metrics;
  private final OptimisticUpdate updates;
  private final StorePorts stores;
  private final QueuePorts queues;
  private final CheckQueue checks;
  private final ScheduleParser parser;
  private final CompiledSchedules definitions;

  private Carillon(Config config, Clients clients, InstantSource clock, Metrics metrics) {
    this.config = config;
    this.clock = clock;
    this.clients = clients;
    this.sqs = clients.sqs();
    this.metrics = metrics;
    this.updates =
        new OptimisticUpdate(
            () -> metrics.count(Metric.LOST_RACES), () -> metrics.count(Metric.UPDATES_GIVEN_UP));
    this.stores = new StorePorts(clients.dynamoDb(), config, metrics, clock, fanout);
    this.queues = new QueuePorts(sqs, config.queues(), fanout);
    this.checks = queues.checks();
    this.parser = new ScheduleParser(config.defaultZone());
    this.definitions = new CompiledSchedules(stores.schedules(), stores.calendars(), parser);
  }

  /**
   * @throws IllegalArgumentException if a variable is missing or invalid; the exception names all
   *     such variables
   */
  public static Carillon of(Map<String, String> environment) {
    Config config = Config.of(environment);
    Clock clock = Clock.tickMillis(ZoneOffset.UTC);
    return new Carillon(
        config, Clients.of(config, CONNECTIONS), clock, config.reporting().metrics(clock));
  }

  /**
   * Uses the caller's clients and clock, and closes these clients in the end.
   *
   * @throws IllegalArgumentException if a variable is missing or invalid; the exception names all
   *     such variables
   */
  public static Carillon of(
      Map<String, String> environment,
      DynamoDbClient dynamoDb,
      SqsClient sqs,
      InstantSource clock) {
    Config config = Config.of(environment);
    return new Carillon(
        config, Clients.given(dynamoDb, sqs), clock, config.reporting().metrics(clock));
  }

  public Master master() {
    return new Master(
        shared(),
        parser,
        queues.checkDeadLetters(),
        stores.status(),
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
    return new CheckMessages(checker(), queues.unknownChecks());
  }

  public Api api() {
    TargetPolicy targetPolicy = targetPolicy();
    return new Api(
        new ApiPorts(
            stores.schedules(),
            stores.apps(),
            stores.calendars(),
            stores.pools(),
            stores.timers(),
            stores.jobs(),
            stores.jobLists(),
            stores.backfills(),
            stores.gates(),
            stores.status(),
            checks,
            queues.ingest(),
            targets(),
            queues.depths(),
            config.masterPeriod()),
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

  private Shared shared() {
    return new Shared(
        stores.schedules(),
        definitions,
        stores.timers(),
        stores.jobs(),
        stores.backfills(),
        stores.gates(),
        stores.pools(),
        checks,
        queues.ingest(),
        updates);
  }

  private TargetQueues targets() {
    return new SqsTargetQueues(sqs, config.createTargetQueues(), fanout);
  }

  private TargetPolicy targetPolicy() {
    TargetPolicy policy =
        new TargetPolicy(
            config.region(),
            config.account(),
            config.targetPrefix(),
            config.allowedTargets(),
            config.reservedQueues());
    return config.createTargetQueues() ? policy.ofOneServer() : policy;
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

  /** The same functions without a service: their reads find nothing, no metric is published. */
  Carillon offline() {
    Metrics unpublished = new EmfMetrics("", "", line -> {}, clock);
    return new Carillon(config, Clients.offline(OfflineHttpClient.NO_ITEMS), clock, unpublished);
  }

  /** Runs the model, the store and the queues that every function needs, without an effect. */
  void prime(Deadline deadline) {
    QueueWarmup.connect(sqs, config.queues().check());
    Warmup.run(config, parser, new Requests(targetPolicy()), this::readSideBySide, deadline);
  }

  private void readSideBySide() {
    List<ScheduleId> absent = List.of(Priming.ABSENT_SCHEDULE, Priming.ABSENT_SCHEDULE);
    fanout.forEach(absent, each -> stores.schedules().heads(List.of(each)));
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
