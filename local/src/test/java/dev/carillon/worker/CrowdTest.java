package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.CarillonClient;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Carillon;
import dev.carillon.lambda.Config;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Ten thousand tracked jobs of one program that are due at once on the local engine, and a worker
 * of another program.
 */
@Tag("proof")
@Timeout(900)
class CrowdTest {

  /** Fewer show on a slow machine that the test itself works. */
  private static final int MANY = Integer.getInteger("crowd.jobs", 10_000);
  private static final int FEW = 5;
  private static final int THREADS = 16;
  private static final int JUDGED_SECONDS = 20;
  private static final String EACH_SECOND = "* * * * * ?";

  /** In which each of the many schedules is stored, with time to spare. */
  private static final Duration STORING = Duration.ofMillis(20).multipliedBy(MANY);

  /** What is in time whatever it is without the others. */
  private static final Duration IN_TIME = Duration.ofSeconds(5);

  private final Queue<Start> starts = new ConcurrentLinkedQueue<>();
  private LocalEngine engine;
  private SqsClient sqs;
  private DynamoDbClient dynamoDb;
  private Worker worker;

  /** When a job was due, and by how much later its worker began. */
  private record Start(Instant due, Duration late) {}

  @BeforeEach
  void begin() throws InterruptedException {
    engine = LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null));
    engine.awaitReady();
    sqs = LocalAccount.sqs(engine.sqs());
    dynamoDb = LocalAccount.dynamoDb(engine.dynamoDb());
    List.of("few", "many")
        .forEach(name -> sqs.createQueue(it -> it.queueName(LocalEngine.TARGET_PREFIX + name)));
    worker =
        Worker.builder()
            .carillon(CarillonClient.local(engine.http()))
            .queue(sqs, LocalEngine.TARGET_PREFIX + "few")
            .threads(THREADS)
            .closesWithin(Duration.ofSeconds(2))
            .handle(
                "few",
                job -> {
                  Duration late = Duration.between(job.scheduledFor(), Instant.now());
                  starts.add(new Start(job.scheduledFor(), late));
                })
            .start();
  }

  @AfterEach
  void end() {
    worker.close();
    sqs.close();
    dynamoDb.close();
    engine.close();
  }

  private void store(int count, String program, String cron) {
    Config config = Config.of(engine.environment());
    ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
    DynamoSchedules schedules =
        new DynamoSchedules(
            dynamoDb,
            config.tables(),
            config.timerShards(),
            Duration.ofDays(config.retentionDays()),
            Clock.systemUTC(),
            new Fanout(Runnable::run));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    new Fanout(threads)
        .forEach(
            IntStream.range(0, count).boxed().toList(),
            number -> {
              Instant now = Instant.now();
              ScheduleId id = new ScheduleId("default", program + "-" + number);
              var schedule = parser.parse(id, Json.readObject(document(program, cron)), now);
              schedules.save(Lifecycle.create(null, schedule, now, "test"));
            });
    threads.shutdown();
  }

  private static String document(String program, String cron) {
    return """
        {"trigger": {"type": "cron", "expression": "%s"}, "state": "ACTIVE",
         "program": "%s", "tracking": {}, "target": {"queue": "%s", "template": {}}}
        """
        .formatted(cron, program, program);
  }

  /** Expands the fires, which the engine's next tick would do. */
  private void tick() {
    try (Carillon carillon = Carillon.of(engine.environment())) {
      carillon.master().tick(new Deadline(Instant.MAX, Clock.systemUTC()));
    }
  }

  /** Waits for all jobs of the few that are due in the time of judgement from an instant on. */
  private Duration latest(Instant from) throws InterruptedException {
    await(() -> judged(from).count() >= (long) FEW * JUDGED_SECONDS);
    return judged(from).map(Start::late).max(Duration::compareTo).orElseThrow();
  }

  private Instant newest() {
    return starts.stream().map(Start::due).max(Instant::compareTo).orElse(Instant.EPOCH);
  }

  private Stream<Start> judged(Instant from) {
    Instant end = from.plusSeconds(JUDGED_SECONDS);
    return starts.stream().filter(it -> !it.due().isBefore(from) && it.due().isBefore(end));
  }

  @Test
  void tenThousandDueJobsOfOneProgramDelayNoJobOfAnother() throws InterruptedException {
    store(FEW, "few", EACH_SECOND);
    tick();
    await(() -> !starts.isEmpty());
    Duration alone = latest(Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));

    Instant due = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(STORING);
    var time = due.atOffset(ZoneOffset.UTC);
    store(
        MANY,
        "many",
        "%d %d %d * * ?".formatted(time.getSecond(), time.getMinute(), time.getHour()));
    tick();
    assertThat(Instant.now()).as("the jobs are not due at once").isBefore(due);
    while (newest().isBefore(due)) {
      Instant before = newest();
      await(() -> newest().isAfter(before));
    }
    Duration bound = alone.multipliedBy(2).compareTo(IN_TIME) > 0 ? alone.multipliedBy(2) : IN_TIME;
    assertThat(latest(due)).as("%s alone", alone).isLessThanOrEqualTo(bound);
    String url = sqs.getQueueUrl(it -> it.queueName(LocalEngine.TARGET_PREFIX + "many")).queueUrl();
    await(() -> visible(url) == MANY);
  }

  private int visible(String url) {
    return Integer.parseInt(
        sqs.getQueueAttributes(it -> it.queueUrl(url).attributeNamesWithStrings("All"))
            .attributesAsStrings()
            .get("ApproximateNumberOfMessages"));
  }
}
