package dev.carillon.bench.workers;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Due;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.RawWrites;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Job;
import dev.carillon.client.Namespace;
import dev.carillon.client.SuspendMode;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.decision.RunDecision;
import dev.carillon.id.JobId;
import dev.carillon.lambda.Config;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.run.RetryPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The local engine in memory, with one worker process. */
final class Bench implements AutoCloseable {

  /**
   * The writes for a job: one for the claim, two for the end. The writes of the launch were made
   * before.
   */
  private static final int WRITES_A_JOB = 3;

  private static final int STORED_A_SECOND = 250;
  private static final Duration HEAD_START = Duration.ofSeconds(15);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int SECONDS = 20;

  /** Jobs are launched for so long after the measured ones, so that the slowest of these end. */
  private static final int SECONDS_AFTER = 20;

  /** The checks of the jobs of the phase before delay the first launches of the next one. */
  private static final int WARM_UP_SECONDS = 15;

  private static final int QUIET_RATE = 5;
  private static final String EACH_SECOND = "* * * * * ?";
  private static final int LARGEST_PAGE = 100;
  private static final RetryPolicy RETRY =
      new RetryPolicy(2, Duration.ofSeconds(10), 1.0, Duration.ofSeconds(10));

  private final LocalEngine engine;
  private final SqsClient sqs;
  private final DynamoDbClient dynamoDb;
  private final WorkerProcess worker;
  private final Namespace namespace;
  private final Progress progress;

  private Bench(LocalEngine engine, int threads, Progress progress) {
    this.engine = engine;
    this.sqs = LocalAccount.sqs(engine.sqs());
    this.dynamoDb = LocalAccount.dynamoDb(engine.dynamoDb());
    this.worker = WorkerProcess.start(engine.http(), engine.sqs(), threads);
    this.namespace = CarillonClient.local(engine.http()).namespace("default");
    this.progress = progress;
  }

  /**
   * One round of jobs that wait when the worker begins.
   *
   * @param rawWritesPerSecond the rate of conditional writes that the store accepted from a client
   *     without an engine, measured right before and right after the round
   * @param share the share of that rate that the jobs' claims and ends used
   */
  record DrainLine(
      String figure,
      int round,
      int jobs,
      double perSecond,
      double rawWritesPerSecond,
      double share) {}

  /** Delays in seconds. */
  record DelayLine(String figure, int jobs, double p50, double p99, double max, int early) {

    static DelayLine of(String figure, LongStream millis) {
      Latencies delays = new Latencies(millis.toArray());
      if (delays.count() == 0) {
        throw new CannotRun("no job was measured: " + figure);
      }
      return new DelayLine(
          figure,
          delays.count(),
          delays.percentile(50),
          delays.percentile(99),
          delays.max(),
          delays.early());
    }
  }

  static Bench start(int threads, Progress progress) {
    return new Bench(
        LocalEngine.start(new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null)),
        threads,
        progress);
  }

  DrainLine drain(int round, int jobs) {
    String queue = "drain-" + round;
    String url = createQueue(queue);
    progress.say("round %d: %,d schedules are stored", round, jobs);
    store(jobs, queue, Due.cron(dueAfterStoring(jobs)), Drain.PROGRAM);
    Due.handOver(engine);
    Waiting.until("requests are missing", LONGEST, () -> Due.visible(sqs, url) >= jobs);
    progress.say("round %d: %,d requests wait", round, jobs);
    double before = rawWritesPerSecond();
    double rate = jobs * 1e9 / work(queue, jobs, 0);
    double raw = (before + rawWritesPerSecond()) / 2;
    return new DrainLine("drain", round, jobs, rate, raw, WRITES_A_JOB * rate / raw);
  }

  private static Instant dueAfterStoring(int jobs) {
    return Instant.now()
        .plus(HEAD_START)
        .plusSeconds(jobs / STORED_A_SECOND)
        .truncatedTo(ChronoUnit.SECONDS);
  }

  /** Stores schedules of one program and queue. */
  private void store(int count, String queue, String cron, String program) {
    String document = Loader.tracked(cron, program, queue);
    new Loader(engine.environment(), dynamoDb, progress)
        .store(count, queue, any -> document, Instant.now());
  }

  private long work(String queue, int jobs, int failing) {
    return worker.drain(LocalEngine.TARGET_PREFIX + queue, jobs, failing);
  }

  private double rawWritesPerSecond() {
    return RawWrites.perSecond(dynamoDb, Config.of(engine.environment()).tables().jobs());
  }

  private String createQueue(String queue) {
    return sqs.createQueue(it -> it.queueName(LocalEngine.TARGET_PREFIX + queue)).queueUrl();
  }

  /**
   * Measures the delay from the launch of a job to its claim, at a steady rate that the worker can
   * follow. The delay begins right before the request is sent. It does not begin at the state
   * ENQUEUED: a claim can come before that state is stored, and then the state is never stored.
   *
   * <p>The fires are handed over at once. Otherwise, those of the time until the engine's next tick
   * come together, and the measured jobs wait behind them.
   */
  DelayLine claims(int rate) {
    String queue = "claims";
    createQueue(queue);
    store(rate, queue, EACH_SECOND, Drain.PROGRAM);
    Due.handOver(engine);
    Instant from = Instant.now().plusSeconds(WARM_UP_SECONDS);
    progress.say("%d launches a second", rate);
    work(queue, rate * (WARM_UP_SECONDS + SECONDS + SECONDS_AFTER), 0);
    return DelayLine.of(
        "request to claim",
        finished(queue, rate, from).stream()
            .mapToLong(job -> millis(at(job, Job.State.PENDING_LAUNCH, 1), claimed(job, 1))));
  }

  /**
   * Measures the delay from the due instant to the claim of a program's jobs, while many jobs of
   * another program are due.
   */
  DelayLine beside(int loud) {
    createQueue("quiet");
    createQueue("loud");
    Instant due = dueAfterStoring(loud);
    progress.say("%,d schedules of another program are stored", loud);
    store(loud, "loud", Due.cron(due), "loud");
    Instant stored = Instant.now();
    store(QUIET_RATE, "quiet", EACH_SECOND, Drain.PROGRAM);
    Due.handOver(engine);
    Instant handedOver = Instant.now();
    Instant from = handedOver.isAfter(due) ? handedOver : due;
    progress.say("%,d jobs of another program are due from %s on", loud, from);
    int seconds = (int) Duration.between(stored, from).toSeconds() + SECONDS + SECONDS_AFTER;
    work("quiet", QUIET_RATE * seconds, 0);
    return DelayLine.of(
        "due to claim beside " + loud,
        finished("quiet", QUIET_RATE, from).stream()
            .mapToLong(job -> millis(scheduledFor(job), claimed(job, 1))));
  }

  private static Instant scheduledFor(Job job) {
    return Objects.requireNonNull(job.scheduledFor());
  }

  /**
   * The jobs of schedules with a fire each second, for the {@value #SECONDS} seconds from an
   * instant on.
   *
   * @throws CannotRun if one of them has not succeeded, because its claim may be the slowest
   */
  private List<Job> finished(String prefix, int schedules, Instant from) {
    Instant to = from.plusSeconds(SECONDS);
    List<Job> jobs = new ArrayList<>();
    for (int number = 0; number < schedules; number++) {
      String name = prefix + "-" + number;
      namespace.suspend(name, SuspendMode.DISCARD, null);
      namespace.jobs(name, Job.State.SUCCEEDED, LARGEST_PAGE, null).items().stream()
          .filter(job -> !scheduledFor(job).isBefore(from) && scheduledFor(job).isBefore(to))
          .forEach(jobs::add);
    }
    int due = schedules * SECONDS;
    if (jobs.size() != due) {
      throw new CannotRun(
          "%d of %d measured jobs succeeded within %d s after the last was due"
              .formatted(jobs.size(), due, SECONDS_AFTER));
    }
    return jobs;
  }

  /**
   * Measures the delay from the due instant of the second attempt (the failure of the first attempt
   * plus the drawn delay) to its claim.
   */
  DelayLine retries(int count) {
    String queue = "retries";
    createQueue(queue);
    namespace.put(
        Schedules.builder(queue)
            .setProgram(Drain.PROGRAM)
            .setTarget(Target.of(queue, "${jobId}"))
            .setTracking(Tracking.USUAL)
            .setRetry(
                new Retry(
                    RETRY.maxAttempts(),
                    RETRY.backoff(),
                    BigDecimal.valueOf(RETRY.rate()),
                    RETRY.maxBackoff()))
            .setState(Policies.State.ACTIVE)
            .build(Trigger.manual()));
    List<String> ids = Stream.generate(() -> namespace.launch(queue).jobId()).limit(count).toList();
    progress.say("%d jobs fail once", count);
    work(queue, count, 1);
    return DelayLine.of(
        "due retry to claim", ids.stream().map(namespace::job).mapToLong(Bench::retryDelay));
  }

  private static long retryDelay(Job job) {
    Instant failed = at(job, Job.State.RETRY_WAIT, 1);
    Duration drawn = RunDecision.retryDelay(RETRY, JobId.parse(job.jobId()), 1);
    return millis(failed.plus(drawn), claimed(job, 2));
  }

  private static Instant claimed(Job job, int attempt) {
    return at(job, Job.State.CLAIMED, attempt);
  }

  private static Instant at(Job job, Job.State state, int time) {
    return job.transitions().stream()
        .filter(it -> it.state() == state)
        .skip(time - 1L)
        .findFirst()
        .orElseThrow()
        .at();
  }

  private static long millis(Instant from, Instant to) {
    return Duration.between(from, to).toMillis();
  }

  @Override
  public void close() {
    worker.close();
    sqs.close();
    dynamoDb.close();
    engine.close();
  }
}
