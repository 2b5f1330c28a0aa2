package dev.carillon.bench.harness;

import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.Precedence;
import dev.carillon.lambda.Config;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.run.Place;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Head;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Stores jobs that wait READY in a pool, without launching their schedules. The pool is then in the
 * state that it has after each of its customers has had its first turn.
 */
public final class ReadyJobs {

  /**
   * The policy of {@link Loader#pooled}. It gives the jobs in the queue two hours until a worker
   * must claim them.
   */
  private static final RunPolicy POLICY =
      new RunPolicy(
          new Tracking(
              Duration.ofHours(2),
              Tracking.USUAL.claimTimeout(),
              Tracking.USUAL.heartbeatTimeout(),
              Tracking.USUAL.runTimeout()),
          RetryPolicy.USUAL,
          List.of());

  private static final int THREADS = 4;
  private static final int PART = 10_000;
  private static final int PROGRESS_EVERY = 100_000;
  private static final int RADIX = 36;

  /** How many jobs of a customer became READY in the same millisecond. */
  private static final int AT_ONCE = 100;

  private final Config config;
  private final DynamoDbClient client;
  private final Progress progress;

  /**
   * @param environment the environment variables of the functions
   */
  public ReadyJobs(Map<String, String> environment, DynamoDbClient client, Progress progress) {
    this.config = Config.of(environment);
    this.client = client;
    this.progress = progress;
  }

  /**
   * Stores a row in the pool for each job, the same number for each customer.
   *
   * @param whole the items of jobs are stored only for this many customers, and for the first this
   *     many jobs of each, because a choice reads no others
   * @param since when the first job became READY
   */
  public void store(
      PoolId pool, ScheduleId schedule, int jobs, int customers, int whole, Instant since) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Fanout fanout = new Fanout(threads);
      Duration retention = Duration.ofDays(config.retentionDays());
      int shards = config.attentionShards();
      Head head = head(schedule, retention, fanout, since);
      DynamoJobs stored = new DynamoJobs(client, config.tables(), shards, retention, fanout);
      DynamoPools pools = new DynamoPools(client, config.tables(), shards, fanout);
      List<ReadyJob> rows = new ArrayList<>();
      List<Job> items = new ArrayList<>();
      for (int number = 0; number < jobs; number++) {
        int customer = number % customers;
        int before = number / customers;
        Job job = job(head, pool, number, customer, since.plusMillis(before / AT_ONCE));
        rows.add(PoolQueue.row(job, Order.FAIR));
        if (customer < whole && before < whole) {
          items.add(job);
        }
        if (rows.size() == PART || number == jobs - 1) {
          stored.insert(items);
          pools.put(rows);
          rows.clear();
          items.clear();
        }
        if (number > 0 && number % PROGRESS_EVERY == 0) {
          progress.say("%,d of %,d jobs wait", number, jobs);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** The name of a customer. Names sort by their numbers. */
  public static String customer(int number) {
    return "c%07d".formatted(number);
  }

  private Head head(ScheduleId schedule, Duration retention, Fanout fanout, Instant now) {
    DynamoSchedules schedules =
        new DynamoSchedules(
            client, config.tables(), config.timerShards(), retention, () -> now, fanout);
    return Objects.requireNonNull(schedules.heads(List.of(schedule)).get(schedule));
  }

  private static Job job(Head head, PoolId pool, int number, int customer, Instant at) {
    String digits = Integer.toString(number + RADIX * RADIX * RADIX * RADIX, RADIX);
    JobId id = JobId.ofLaunchNow(head.id(), head.generation(), at, digits);
    return NewJob.launchedNow(id, head.activation(), head.program(), at, Json.object())
        .tracked(POLICY)
        .withCustomerAndPriority(customer(customer), Precedence.DEFAULT_PRIORITY)
        .waitingIn(new Place(pool.name(), at, false), null, at, null);
  }
}
