package dev.carillon.system;

import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.StoredPool;
import dev.carillon.run.Report;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A world with one pool, schedules of customers, and a worker. */
final class Pooled {

  static final PoolId ENCODE = new PoolId("default", "encode");

  final World world;
  private final List<LaunchRequest> unclaimed = new ArrayList<>();
  private int taken;

  Pooled(World world) {
    this.world = world;
  }

  /**
   * Checks what is left after a crash at each call of an undisturbed play.
   *
   * @param play plays with a fault at the call of a number; with none at -1
   * @param check takes what is left, and where the fault was
   */
  static void afterEachCrash(
      Kind kind, BiFunction<Integer, Kind, Pooled> play, BiConsumer<Pooled, String> check) {
    for (int call : play.apply(-1, kind).world.faults.callsToTry(kind)) {
      Pooled pooled = play.apply(call, kind);
      check.accept(pooled, kind + " at call " + call + " " + pooled.world.faults.calls().get(call));
    }
  }

  /** Stores the pool, and has it choose, as a PUT does. */
  void pool(String document) {
    pool(ENCODE, document);
  }

  /** The same for another pool. */
  void pool(PoolId id, String document) {
    var pools = world.gates.pools();
    StoredPool stored = pools.find(List.of(id)).get(id);
    var pool = PoolReader.read(Json.readObject(document));
    StoredPool after =
        stored == null
            ? StoredPool.created(id, pool, world.now(), "ann")
            : stored.changed(pool, world.now(), "ann");
    pools.save(stored, after);
    world.pools().choose(id);
  }

  /** A schedule whose jobs wait in the pool, one for each partition of the data of its name. */
  ScheduleId schedule(String customer, String more) {
    return world.put(
        customer,
        """
        {"trigger": {"type": "partition", "dataset": "%s", "count": 1}, "state": "ACTIVE",
         "customer": "%s", "pool": "encode", "target": {"template": {"of": "%s"}}%s}
        """
            .formatted(customer, customer, customer, more));
  }

  /** Jobs of a customer become READY, one after the other. */
  void arrive(String customer, int jobs) {
    for (int i = 0; i < jobs; i++) {
      world.partitions(customer, 1);
      world.runFor(Duration.ofMillis(10));
    }
  }

  /** The customers of the requests that reached the queue since the last call, in order. */
  List<String> moved() {
    List<String> moved = new ArrayList<>();
    for (; taken < world.arrivals.size(); taken++) {
      LaunchRequest request = world.arrivals.get(taken).request();
      unclaimed.add(request);
      moved.add(request.job().schedule().name());
    }
    return moved;
  }

  /** A worker claims the oldest request, and the pool has time to choose. */
  LaunchRequest claim() {
    moved();
    LaunchRequest request = unclaimed.remove(0);
    world.reports().claim(request.job(), "w", request.attempt(), token(request)).orElseThrow();
    world.runFor(Duration.ofSeconds(2));
    return request;
  }

  void succeed(LaunchRequest request) {
    world.reports().report(request.job(), new Report.Success(token(request), null)).orElseThrow();
    world.runFor(Duration.ofSeconds(2));
  }

  void fail(LaunchRequest request) {
    world
        .reports()
        .report(request.job(), new Report.Failure(token(request), "boom", true))
        .orElseThrow();
  }

  private static String token(LaunchRequest request) {
    return "token of " + request.deduplicationId();
  }

  /** Claims one request after the other; returns their customers as they were moved. */
  List<String> drain(int jobs) {
    List<String> order = new ArrayList<>(moved());
    for (int i = 0; i < jobs; i++) {
      claim();
      order.addAll(moved());
    }
    return order;
  }

  List<Job> in(JobState state) {
    return world.jobs.all().stream().filter(job -> job.state() == state).toList();
  }

  @Nullable Job only(String customer) {
    return world.jobs.all().stream()
        .filter(job -> job.id().schedule().name().equals(customer))
        .findFirst()
        .orElse(null);
  }
}
