package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.carillon.check.Check;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Namespace;
import dev.carillon.client.Page;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.lambda.Config;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Head;
import dev.carillon.sqs.SqsCheckQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Programs beside another one with many due jobs, with a worker process on the local engine. */
@Isolated
@Timeout(600)
class LocalLoadTest {

  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

  private final Team loud = new Team();
  private final LocalEngine engine = Team.engine();
  private final Config config = Config.of(engine.environment());
  private final ExecutorService threads = Executors.newFixedThreadPool(16);
  private final Fanout fanout = new Fanout(threads);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void aThousandDueJobsLetAnotherProgramPass() throws InterruptedException {
    assertThat(passage(1_000, true).behind()).isLessThan(250);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("proof")
  void tenThousandDueJobsLetAnotherProgramPass(boolean isOfOneNamespace)
      throws InterruptedException {
    Passage passage = passage(10_000, isOfOneNamespace);
    assertThat(passage.behind()).isLessThan(2_500);
    assertThat(passage.delay()).isLessThanOrEqualTo(LONGEST_DELAY);
  }

  /**
   * How a job of another program was launched, and claimed by a worker.
   *
   * @param delay from its request to its claim, as the job's history has them
   * @param behind how many of the due jobs were launched between its request and its launch
   */
  private record Passage(Duration delay, long behind) {}

  private Passage passage(int due, boolean isOfOneNamespace) throws InterruptedException {
    Namespace other = namespace(isOfOneNamespace ? loud.namespace() : loud.namespace() + "-quiet");
    putTracked(other, "quiet");
    WorkerHost host = WorkerHost.shared();
    String first = other.launch("quiet").jobId();
    host.work(LocalEngine.TARGET_PREFIX + loud.namespace() + "-quiet", 1);
    await(() -> other.job(first).state() == State.SUCCEEDED);
    makeDue(due);
    String quiet = other.launch("quiet").jobId();

    await(() -> other.job(quiet).state() == State.SUCCEEDED);
    Job job = other.job(quiet);
    await(() -> arrived() == due);
    await(() -> launched().size() == due);
    return new Passage(
        Duration.between(job.triggeredAt(), claimedAt(job)),
        launched().stream()
            .filter(at -> at.isAfter(job.triggeredAt()) && at.isBefore(job.launchedAt()))
            .count());
  }

  private static Instant claimedAt(Job job) {
    return job.transitions().stream()
        .filter(it -> it.state() == State.CLAIMED)
        .findFirst()
        .orElseThrow()
        .at();
  }

  /** A schedule whose jobs a worker carries out. */
  private void putTracked(Namespace namespace, String name) {
    namespace.put(
        Schedules.builder(name)
            .setProgram("exporter")
            .setTarget(Target.of(loud.namespace() + "-" + name, "{}"))
            .setTracking(Policies.Tracking.USUAL)
            .setState(Policies.State.ACTIVE)
            .build(Trigger.manual()));
  }

  private Namespace namespace(String name) {
    return CarillonClient.local(engine.http()).namespace(name);
  }

  private void put(Namespace namespace, String name) {
    namespace.put(
        Schedules.builder(name)
            .setTarget(Target.of(loud.namespace() + "-" + name, "${jobId}"))
            .setState(Policies.State.ACTIVE)
            .build(Trigger.manual()));
  }

  /** Stores jobs that have waited, and sends their checks, as the master does at an opening. */
  private void makeDue(int count) {
    put(namespace(loud.namespace()), "loud");
    ScheduleId schedule = new ScheduleId(loud.namespace(), "loud");
    Instant opening = Instant.now();
    try (DynamoDbClient client = LocalAccount.dynamoDb(engine.dynamoDb())) {
      Duration retention = Duration.ofDays(config.retentionDays());
      Head head =
          new DynamoSchedules(
                  client,
                  config.tables(),
                  config.timerShards(),
                  retention,
                  InstantSource.system(),
                  fanout)
              .heads(List.of(schedule))
              .get(schedule);
      List<dev.carillon.job.Job> waiting =
          IntStream.range(0, count).mapToObj(n -> waiting(schedule, head, opening, n)).toList();
      DynamoJobs jobs =
          new DynamoJobs(client, config.tables(), config.attentionShards(), retention, fanout);
      assertThat(jobs.insert(waiting)).allMatch(Optional::isEmpty);
    }
    Instant now = Instant.now();
    List<JobId> ids = IntStream.range(0, count).mapToObj(n -> job(schedule, opening, n)).toList();
    new SqsCheckQueue(loud.sqs(), config.queues().check(), config.queues().overdue(), fanout)
        .send(Check.of(now, ids), now);
  }

  private static dev.carillon.job.Job waiting(
      ScheduleId schedule, Head head, Instant opening, int number) {
    return NewJob.launchedNow(
            job(schedule, opening, number),
            head.activation(),
            head.program(),
            opening,
            JsonNodeFactory.instance.objectNode())
        .waitingUntil(
            opening,
            opening.plus(Duration.ofMinutes(10)),
            opening,
            Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed"));
  }

  private static JobId job(ScheduleId schedule, Instant opening, int number) {
    return JobId.ofLaunchNow(schedule, 1, opening, "%04d".formatted(number));
  }

  private int arrived() {
    String url =
        loud.sqs()
            .getQueueUrl(
                get -> get.queueName(LocalEngine.TARGET_PREFIX + loud.namespace() + "-loud"))
            .queueUrl();
    QueueAttributeName size = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
    return Integer.parseInt(
        loud.sqs()
            .getQueueAttributes(get -> get.queueUrl(url).attributeNames(size))
            .attributes()
            .get(size));
  }

  private List<Instant> launched() {
    Namespace namespace = namespace(loud.namespace());
    List<Instant> launched = new ArrayList<>();
    String next = null;
    do {
      Page<Job> page = namespace.jobs("loud", State.LAUNCHED, 1_000, next);
      page.items().forEach(job -> launched.add(job.launchedAt()));
      next = page.next();
    } while (next != null);
    return launched;
  }
}
