package dev.carillon.bench.burst;

import dev.carillon.bench.harness.Arrivals;
import dev.carillon.bench.harness.Arrivals.Arrival;
import dev.carillon.bench.harness.Due;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.RawWrites;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.lambda.Config;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Carillon as the local engine in memory: the functions of the template on embedded servers. */
final class CarillonContestant implements Contestant {

  private static final String QUEUE = "burst";
  private static final int DRAINING_THREADS = 4;

  private final Progress progress;
  private double rawWrites;

  CarillonContestant(Progress progress) {
    this.progress = progress;
  }

  @Override
  public String name() {
    return "carillon";
  }

  /**
   * The conditional writes per second that the store of the last burst accepts from a client that
   * only writes. They are measured before and after the burst.
   */
  double rawWritesPerSecond() {
    return rawWrites;
  }

  @Override
  public Latencies burst(int due) {
    var options = new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null);
    try (LocalEngine engine = LocalEngine.start(options);
        SqsClient sqs = LocalAccount.sqs(engine.sqs());
        DynamoDbClient dynamoDb = LocalAccount.dynamoDb(engine.dynamoDb())) {
      String jobs = Config.of(engine.environment()).tables().jobs();
      double before = RawWrites.perSecond(dynamoDb, jobs);
      String url =
          sqs.createQueue(it -> it.queueName(LocalEngine.TARGET_PREFIX + QUEUE)).queueUrl();
      Instant at = Runs.dueAfterStoring(due);
      String cron = Due.cron(at);
      new Loader(engine.environment(), dynamoDb, progress)
          .store(due, "burst", any -> Loader.cron(cron, QUEUE), Instant.now());
      Due.handOver(engine, at);
      Waiting.until(
          "the target queue has not received every request",
          Runs.longest(due),
          () -> Due.visible(sqs, url) >= due);
      Latencies latencies = drained(sqs, url, due);
      rawWrites = (before + RawWrites.perSecond(dynamoDb, jobs)) / 2;
      return latencies;
    }
  }

  private static Latencies drained(SqsClient sqs, String url, int due) {
    try (Arrivals arrivals = new Arrivals(sqs, url, DRAINING_THREADS)) {
      Waiting.until("requests are missing", Runs.longest(due), () -> arrivals.count() >= due);
      List<Arrival> all = arrivals.arrived();
      long jobs = all.stream().map(Arrival::job).distinct().count();
      if (jobs != due || all.size() != due) {
        throw new IllegalStateException(all.size() + " requests of " + jobs + " jobs");
      }
      return new Latencies(all.stream().mapToLong(Arrival::lateMillis).toArray());
    }
  }
}
