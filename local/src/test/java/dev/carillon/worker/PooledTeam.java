package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.LaunchNow;
import dev.carillon.client.Namespace;
import dev.carillon.client.PoolStatus;
import dev.carillon.client.schedule.Policies;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Schedules;
import dev.carillon.client.schedule.Target;
import dev.carillon.client.schedule.Trigger;
import dev.carillon.document.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/** A namespace of the local engine with a pool, and a schedule whose jobs wait in it. */
final class PooledTeam {

  /** The pool, and the schedule. */
  static final String ENCODE = "encode";

  private static final Set<State> BEFORE_THE_POOL =
      EnumSet.of(State.PENDING_TRIGGER, State.PENDING_CONSTRAINT);

  final Team team = new Team();
  final Namespace namespace =
      CarillonClient.local(Team.engine().http()).namespace(team.namespace());

  /** The jobs by name, as they begin. */
  final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

  private final Semaphore free = new Semaphore(0);
  private final Map<String, Integer> counts = new HashMap<>();
  private final ObjectNode document = Json.object();

  /** How jobs get from the pool to the worker. */
  enum Way {
    QUEUE,
    PULL
  }

  PooledTeam() {
    resume();
    namespace.put(encode(Tracking.USUAL).build(Trigger.manual()));
  }

  Schedules.Builder encode(Tracking tracking) {
    return Schedules.builder(ENCODE)
        .setProgram("encoder")
        .setPool(ENCODE)
        .setTarget(Target.ofPool(Map.of("name", "${payload.name}")))
        .setTracking(tracking)
        .setState(Policies.State.ACTIVE);
  }

  /** Stores the pool, with this depth if it has a queue. */
  void pool(Way way, int depth) {
    if (way == Way.QUEUE) {
      document.put("queue", team.namespace()).put("depth", depth);
    }
    namespace.pools().put(ENCODE, document);
  }

  void pause() {
    namespace.pools().put(ENCODE, document.deepCopy().put("paused", true));
  }

  void resume() {
    namespace.pools().put(ENCODE, document);
  }

  PoolStatus status() {
    return status(ENCODE);
  }

  private PoolStatus status(String pool) {
    return Objects.requireNonNull(namespace.pools().pool(pool).status());
  }

  void awaitStatus(Predicate<PoolStatus> condition) throws InterruptedException {
    await(() -> condition.test(status()));
  }

  void awaitWaiting(String pool, int jobs) throws InterruptedException {
    await(() -> status(pool).waiting().jobs() == jobs);
  }

  /** A worker without a handler. */
  WorkerBuilder worker(Way way) {
    WorkerBuilder worker =
        Worker.builder()
            .carillon(CarillonClient.local(Team.engine().http()))
            .closesWithin(Duration.ofSeconds(1))
            .threads(1);
    return way == Way.QUEUE
        ? worker.queue(team.sqs(), team.queue())
        : worker.pool(team.namespace() + "/" + ENCODE);
  }

  /** A handler whose jobs run until {@link #finish} lets them end. */
  Handler untilFinished() {
    return job -> {
      begun.add(job.body(JsonNode.class).get("name").asText());
      free.acquire();
    };
  }

  /** Lets this many jobs end. */
  void finish(int jobs) {
    free.release(jobs);
  }

  /** The names of the next jobs to begin. */
  List<String> begin(int jobs) throws InterruptedException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      names.add(begun.take());
    }
    return names;
  }

  /** Lets the running job end, and each of the next ones. */
  List<String> finishAndBegin(int jobs) throws InterruptedException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      finish(1);
      names.add(begun.take());
    }
    return names;
  }

  /** Launches jobs of a customer, one after the other has entered the pool: A1, A2 and so on. */
  void arrive(String customer, int jobs) throws InterruptedException {
    for (int i = 0; i < jobs; i++) {
      arrive(customer, LaunchNow.plain());
    }
  }

  /**
   * Launches a job of a customer, and waits until it has entered the pool.
   *
   * @return its id
   */
  String arrive(String customer, LaunchNow how) throws InterruptedException {
    String name = customer + counts.merge(customer, 1, Integer::sum);
    String jobId = launch(how.forCustomer(customer).withPayload(Map.of("name", name)));
    await(() -> !BEFORE_THE_POOL.contains(state(jobId)));
    return jobId;
  }

  String launch(LaunchNow how) {
    return namespace.launch(ENCODE, how).jobId();
  }

  State state(String jobId) {
    return namespace.job(jobId).state();
  }

  Job awaitState(String jobId, State state) throws InterruptedException {
    await(() -> state(jobId) == state);
    return namespace.job(jobId);
  }
}
