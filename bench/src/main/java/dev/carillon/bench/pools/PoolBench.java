package dev.carillon.bench.pools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Due;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.RawWrites;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Claim;
import dev.carillon.client.Namespace;
import dev.carillon.client.PoolStatus;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.id.PoolId;
import dev.carillon.lambda.Config;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** The local engine in memory with a pool, and a worker that ends each job at once. */
final class PoolBench implements AutoCloseable {

  /**
   * The writes for a job from the choice on: it leaves the pool (two), its request is sent, it is
   * claimed (two), and it ends (two).
   */
  private static final int WRITES_A_JOB = 7;

  private static final PoolId POOL = new PoolId("default", "encode");
  static final List<String> CUSTOMERS = List.of("a", "b", "c");
  private static final int STORED_A_SECOND = 250;
  private static final Duration HEAD_START = Duration.ofSeconds(15);

  /** How long the jobs may take to become READY, or the next message to come. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final long NANOS_A_SECOND = 1_000_000_000;
  private static final int SAID_EVERY = 1_000;
  private static final String JOB_ID = "carillon-job-id";

  private final LocalEngine engine;
  private final SqsClient sqs;
  private final DynamoDbClient dynamoDb;
  private final Namespace namespace;
  private final Pools pools;
  private final ExecutorService threads;
  private final int claimsPerSecond;
  private final Progress progress;

  private PoolBench(LocalEngine engine, int threads, int claimsPerSecond, Progress progress) {
    this.engine = engine;
    this.sqs = LocalAccount.sqs(engine.sqs());
    this.dynamoDb = LocalAccount.dynamoDb(engine.dynamoDb());
    this.namespace = CarillonClient.local(engine.http()).namespace(POOL.namespace());
    Config config = Config.of(engine.environment());
    this.pools =
        new DynamoPools(
            dynamoDb, config.tables(), config.attentionShards(), new Fanout(Runnable::run));
    this.threads = Executors.newFixedThreadPool(threads);
    this.claimsPerSecond = claimsPerSecond;
    this.progress = progress;
  }

  /**
   * The figures of one round.
   *
   * @param chosen the largest difference, after any number of choices, between the numbers of jobs
   *     chosen for two customers, while all three customers have waiting jobs
   * @param arrived the same difference, with the requests in the order of the time stamps that the
   *     queue gave them
   * @param share the rate of the jobs' writes, from the choice on, as a share of the raw writes
   * @param p50 seconds from a claim to the move of the job that takes its place
   */
  record Line(
      int depth,
      int jobs,
      double perSecond,
      double rawWritesPerSecond,
      double share,
      long chosen,
      long arrived,
      double p50,
      double p99) {}

  /**
   * A received message, with the instants at which it was sent and its job was claimed.
   *
   * @param number its position in the order in which messages were received
   */
  private record Moved(String customer, int number, long sentAt, long claimedAt) {}

  /**
   * @param claimsPerSecond the most claims in a second; 0 for as many as the pool moves
   */
  static PoolBench start(int threads, int claimsPerSecond, Progress progress) {
    return new PoolBench(
        LocalEngine.start(new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null)),
        threads,
        claimsPerSecond,
        progress);
  }

  Line round(int depth, int jobs) {
    String queue = "pool-" + depth;
    String url = sqs.createQueue(it -> it.queueName(LocalEngine.TARGET_PREFIX + queue)).queueUrl();
    define(queue, depth, true);
    int all = jobs * CUSTOMERS.size();
    progress.say("depth %d: %,d schedules are stored", depth, all);
    Instant due =
        Instant.now()
            .plus(HEAD_START)
            .plusSeconds(all / STORED_A_SECOND)
            .truncatedTo(ChronoUnit.SECONDS);
    for (int i = 0; i < CUSTOMERS.size(); i++) {
      // The first customer's jobs enter before those of the others.
      store(CUSTOMERS.get(i), queue, jobs, due.plusSeconds(i == 0 ? 0 : 5));
    }
    Due.handOver(engine);
    Waiting.until("jobs are not READY", LONGEST, () -> waiting() >= all);
    progress.say("depth %d: %,d jobs wait", depth, all);
    double before = RawWrites.perSecond(dynamoDb, jobsTable());
    List<Moved> moved;
    List<String> chosen;
    try (Choices choices = Choices.of(pools, POOL)) {
      define(queue, depth, false);
      moved = drain(url, all);
      chosen = choices.inOrder(all);
    }
    double raw = (before + RawWrites.perSecond(dynamoDb, jobsTable())) / 2;
    double seconds =
        (moved.get(all - 1).sentAt() - moved.get(0).sentAt()) / 1_000.0 + Double.MIN_VALUE;
    Latencies refills = refills(moved, depth);
    return new Line(
        depth,
        all,
        all / seconds,
        raw,
        WRITES_A_JOB * all / seconds / raw,
        difference(chosen, jobs),
        difference(moved.stream().map(Moved::customer).toList(), jobs),
        refills.percentile(50),
        refills.percentile(99));
  }

  private String jobsTable() {
    return Config.of(engine.environment()).tables().jobs();
  }

  private void define(String queue, int depth, boolean isPaused) {
    ObjectNode document = Json.object().put("queue", queue).put("depth", depth);
    namespace.pools().put(POOL.name(), document.put("paused", isPaused));
  }

  private void store(String customer, String queue, int jobs, Instant due) {
    String document =
        """
        {"trigger": {"type": "cron", "expression": "%s"}, "state": "ACTIVE", "pool": "%s",
         "customer": "%s", "program": "small", "target": {"template": {"job": "${jobId}"}}}
        """
            .formatted(Due.cron(due), POOL.name(), customer);
    new Loader(engine.environment(), dynamoDb, progress)
        .store(jobs, customer + "-" + queue, any -> document, Instant.now());
  }

  private long waiting() {
    PoolStatus status = Objects.requireNonNull(namespace.pools().pool(POOL.name()).status());
    return status.waiting().jobs();
  }

  /**
   * Receives one batch after another, so that the messages keep the order in which they were moved.
   */
  private List<Moved> drain(String url, int all) {
    ConcurrentLinkedQueue<Moved> claimed = new ConcurrentLinkedQueue<>();
    int number = 0;
    Instant end = Instant.now().plus(LONGEST);
    while (number < all) {
      List<Message> received =
          sqs.receiveMessage(
                  it ->
                      it.queueUrl(url)
                          .maxNumberOfMessages(10)
                          .waitTimeSeconds(1)
                          .messageAttributeNames("All")
                          .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
              .messages();
      for (Message message : received) {
        if (claimsPerSecond > 0) {
          Waiting.until(Instant.now().plusNanos(NANOS_A_SECOND / claimsPerSecond));
        }
        int next = number++;
        threads.execute(() -> claimed.add(end(url, message, next)));
        if (number % SAID_EVERY == 0) {
          progress.say("%,d of %,d jobs were moved", number, all);
        }
      }
      end = received.isEmpty() ? end : Instant.now().plus(LONGEST);
      if (Instant.now().isAfter(end)) {
        throw new CannotRun("only " + number + " of " + all + " jobs were moved");
      }
    }
    Waiting.until("claims are missing", LONGEST, () -> claimed.size() >= all);
    List<Moved> sorted = new ArrayList<>(claimed);
    sorted.sort(Comparator.comparingLong(Moved::sentAt).thenComparing(Moved::number));
    return sorted;
  }

  private Moved end(String url, Message message, int number) {
    String job = Objects.requireNonNull(message.messageAttributes().get(JOB_ID)).stringValue();
    Claim claim = namespace.runs().claim(job, "bench", 1);
    long claimedAt = System.currentTimeMillis();
    namespace.runs().succeed(job, claim.claimToken(), null);
    sqs.deleteMessage(it -> it.queueUrl(url).receiptHandle(message.receiptHandle()));
    String sentAt = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
    String customer = job.substring(job.indexOf('~') + 1, job.indexOf('~') + 2);
    return new Moved(customer, number, Long.parseLong(sentAt), claimedAt);
  }

  /** The time from each claim, which makes room, to the move that uses this room. */
  private static Latencies refills(List<Moved> moved, int depth) {
    List<Long> claims = moved.stream().map(Moved::claimedAt).sorted().toList();
    long[] millis = new long[Math.max(0, moved.size() - depth)];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = moved.get(i + depth).sentAt() - claims.get(i);
    }
    return new Latencies(millis);
  }

  private static long difference(List<String> customers, int jobs) {
    Map<String, Long> counts = new HashMap<>();
    CUSTOMERS.forEach(customer -> counts.put(customer, 0L));
    long largest = 0;
    for (String customer : customers) {
      counts.merge(customer, 1L, Long::sum);
      List<Long> sorted = counts.values().stream().sorted().toList();
      if (sorted.get(sorted.size() - 1) >= jobs) {
        return largest;
      }
      largest = Math.max(largest, sorted.get(sorted.size() - 1) - sorted.get(0));
    }
    return largest;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    sqs.close();
    dynamoDb.close();
    engine.close();
  }
}
