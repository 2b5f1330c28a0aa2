package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;

import dev.carillon.client.CarillonClient;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.Job.Transition;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.Namespace;
import dev.carillon.client.Runs;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.local.LocalEngine;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A namespace and a queue on the local engine, with a tracked schedule. Its time-outs are the usual
 * ones, so that a busy machine causes none; a test of a time-out stores shorter ones.
 */
final class Team {

  /** For tests in which a time-out passes, or may pass. */
  static final Tracking SHORT =
      new Tracking(
          Duration.ofSeconds(4),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          Duration.ofMinutes(5));

  private static final Set<State> ENDS = Set.of(State.SUCCEEDED, State.FAILED, State.CANCELLED);
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static LocalEngine engine;
  private static SqsClient sqs;

  private final String name = "worker-" + COUNT.incrementAndGet();
  private final Namespace namespace = CarillonClient.local(engine().http()).namespace(name);

  Team() {
    store(Tracking.USUAL, 3);
  }

  /** The engine for all tests of this JVM, which ends with it. */
  static synchronized LocalEngine engine() {
    if (engine == null) {
      engine =
          LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), 0, 0, 0, null));
      try {
        engine.awaitReady();
      } catch (InterruptedException interruption) {
        throw new IllegalStateException(interruption);
      }
      sqs = sqs(engine.sqs());
    }
    return engine;
  }

  static SqsClient sqs(URI endpoint) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(AnonymousCredentialsProvider.create())
        .build();
  }

  void store(Tracking tracking, int maxAttempts) {
    Duration soon = Duration.ofSeconds(1);
    store(tracking, new Retry(maxAttempts, soon, BigDecimal.ONE, soon), List.of());
  }

  void store(Tracking tracking, Retry retry, List<Operation> operations) {
    Schedules.Builder export =
        Schedules.builder("export")
            .setProgram("exporter")
            .setTarget(Target.of(name, "${payload}"))
            .setTracking(tracking)
            .setRetry(retry)
            .setState(Policies.State.ACTIVE);
    if (!operations.isEmpty()) {
      export.setOperations(operations);
    }
    namespace.put(export.build(Trigger.manual()));
  }

  /** A worker of this team, without a handler. */
  WorkerBuilder worker() {
    return Worker.builder()
        .carillon(CarillonClient.local(engine().http()))
        .queue(sqs, queue())
        .closesWithin(Duration.ofSeconds(5));
  }

  String queue() {
    return LocalEngine.TARGET_PREFIX + name;
  }

  String queueUrl() {
    return sqs.getQueueUrl(get -> get.queueName(queue())).queueUrl();
  }

  String namespace() {
    return name;
  }

  String reportQueue() {
    return engine().reportQueue().toString();
  }

  /** Of all teams. */
  String rejectedQueue() {
    return sqs.getQueueUrl(get -> get.queueName("carillon-rejected")).queueUrl();
  }

  /** Whether a queue has no message, visible or not. */
  boolean isEmpty(String url) {
    return sqs
        .getQueueAttributes(get -> get.queueUrl(url).attributeNamesWithStrings("All"))
        .attributesAsStrings()
        .entrySet()
        .stream()
        .filter(it -> it.getKey().startsWith("ApproximateNumberOfMessages"))
        .allMatch(it -> it.getValue().equals("0"));
  }

  SqsClient sqs() {
    return sqs;
  }

  Runs runs() {
    return namespace.runs();
  }

  Job job(String jobId) {
    return namespace.job(jobId);
  }

  State state(String jobId) {
    return job(jobId).state();
  }

  /** The first transition of a job to a state. */
  Optional<Transition> transition(String jobId, State state) {
    return namespace.job(jobId).transitions().stream()
        .filter(it -> it.state() == state)
        .findFirst();
  }

  /** Launches a job, whose body is its number, with a priority from 0 to 9. */
  String launch(int number, int priority) {
    return launch(Map.of("n", number), priority);
  }

  /** Launches a job with a body and a priority from 0 to 9. */
  String launch(Map<String, ?> body, int priority) {
    LaunchNow how = LaunchNow.plain().withPayload(body).withPriority(priority);
    return namespace.launch("export", how).jobId();
  }

  /** Launches a job, and waits until its request is in the queue. */
  String enqueue() throws InterruptedException {
    String jobId = launch(1, 5);
    await(() -> state(jobId) == State.ENQUEUED);
    return jobId;
  }

  Job awaitEnd(String jobId) throws InterruptedException {
    await(() -> ENDS.contains(state(jobId)));
    return namespace.job(jobId);
  }
}
