package dev.carillon.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.report.RunReports.Reported;
import dev.carillon.run.Report;
import dev.carillon.system.Faults.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every call to a store or queue crashes or fails once while the jobs of two customers go through a
 * pool of depth 1 with limits: the first attempt of one fails, and one waits at a gate before. The
 * function that was called crashes with the call; the worker repeats reports that were not
 * answered.
 */
class PoolCrashTest {

  private static final Duration LONGEST = Duration.ofMinutes(12);

  @ParameterizedTest
  @EnumSource(names = "KILL_AFTER")
  void everyCrashPointIsRepaired(Kind kind) {
    assertEveryCrashPointIsRepaired(kind);
  }

  @Tag("proof")
  @ParameterizedTest
  @EnumSource(names = {"KILL_BEFORE", "FAIL_BEFORE", "FAIL_AFTER"})
  void everyOtherCrashPointIsRepaired(Kind kind) {
    assertEveryCrashPointIsRepaired(kind);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_BEFORE"})
  void noCustomerHasMoreJobsInFlightThanItsLimitAfterAnyCrash(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolCrashTest::limited,
        (pooled, where) -> {
          assertThat(pooled.in(JobState.ENQUEUED)).as(where).hasSize(1);
          assertThat(pooled.in(JobState.READY)).as(where).hasSize(1);
        });
  }

  private static Pooled limited(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 5, \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule("a", "");
    world.faults.choose(call, kind);
    world.partitions("a", 1);
    world.partitions("a", 1);
    world.runFor(Duration.ofMinutes(5));
    return pooled;
  }

  /** The replaced state does not name the jobs that are chosen, or that a checker is sending. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"KILL_AFTER", "FAIL_BEFORE", "KILL_BEFORE", "FAIL_AFTER"})
  void noJobIsLostIfTheStateIsReplacedAndTheOrderChangesAfterAnyCrash(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolCrashTest::replaced,
        (pooled, where) -> {
          assertThat(pooled.in(JobState.ENQUEUED)).as(where).hasSize(3);
        });
  }

  private static Pooled replaced(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    String fifo = "{\"queue\": \"encoding\", \"depth\": 5, \"order\": \"fifo\", \"paused\": %b}";
    pooled.pool(fifo.formatted(true));
    pooled.schedule("a", "");
    pooled.arrive("a", 3);
    world.runFor(Duration.ofSeconds(5));
    assertThat(pooled.in(JobState.READY)).hasSize(3);
    world.faults.choose(call, kind);
    repeat(world, () -> pooled.pool(fifo.formatted(false)));
    world.runFor(Duration.ofSeconds(1));
    repeat(world, () -> replaceState(world));
    repeat(world, () -> pooled.pool("{\"queue\": \"encoding\", \"depth\": 5}"));
    world.runFor(Duration.ofMinutes(5));
    return pooled;
  }

  private static void replaceState(World world) {
    Pools pools = world.gates.pools();
    PoolState standIn = PoolState.standIn(pools.activity(Pooled.ENCODE), world.now());
    pools.state(Pooled.ENCODE).ifPresent(state -> pools.update(state, standIn));
  }

  /** Calls until one call neither crashes nor fails. */
  private static void repeat(World world, Runnable call) {
    boolean isDone = false;
    while (!isDone) {
      try {
        isDone =
            world
                .call(
                    () -> {
                      call.run();
                      return true;
                    })
                .isPresent();
      } catch (RuntimeException failed) {
        isDone = false;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_BEFORE"})
  void aJobThatIsCancelledBeforeItIsSentLeavesTheDepthAsItWas(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolCrashTest::cancelled,
        (pooled, where) -> {
          assertThat(pooled.in(JobState.ENQUEUED)).as(where).hasSize(1);
        });
  }

  private static Pooled cancelled(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1}");
    ScheduleId deleted = pooled.schedule("a", "");
    pooled.schedule("b", "");
    world.faults.choose(call, kind);
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(3));
    world.delete(deleted);
    world.runFor(Duration.ofMinutes(2));
    pooled.arrive("b", 3);
    world.runFor(Duration.ofSeconds(20));
    return pooled;
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL_AFTER", "FAIL_BEFORE"})
  void aRequestThatNoWorkerClaimsTimesOutAfterEachCrash(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolCrashTest::unclaimed,
        (pooled, where) -> {
          assertThat(pooled.world.jobs.all()).as(where).hasSize(1);
          assertThat(pooled.in(JobState.FAILED)).as(where).hasSize(1);
        });
  }

  private static Pooled unclaimed(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1}");
    pooled.schedule(
        "a", ", \"tracking\": {\"enqueueTimeout\": \"PT30S\"}, \"retry\": {\"maxAttempts\": 1}");
    world.faults.choose(call, kind);
    world.partitions("a", 1);
    world.runFor(LONGEST);
    return pooled;
  }

  private static void assertEveryCrashPointIsRepaired(Kind kind) {
    Pooled.afterEachCrash(
        kind,
        PoolCrashTest::play,
        (pooled, where) -> {
          World world = pooled.world;
          assertThat(world.jobs.all()).as(where).hasSize(4);
          for (Job job : world.jobs.all()) {
            assertThat(job.state()).as(where + job).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.waitsFor()).as(where).isNull();
            assertThat(job.attempt()).as(where).isLessThanOrEqualTo(2);
          }
          assertThat(rows(world, PoolRow.FLIGHT)).as(where).isZero();
          pooled.arrive("a", 1);
          world.runFor(Duration.ofMinutes(3));
          assertThat(pooled.in(JobState.ENQUEUED)).as(where + ": the next job").hasSize(1);
          assertThat(rows(world, PoolRow.NEW)).as(where).isZero();
        });
  }

  private static int rows(World world, String prefix) {
    return world.gates.pools().rows(Pooled.ENCODE, prefix, PoolRow.after(prefix), 100).size();
  }

  private static Pooled play(int call, Kind kind) {
    World world = new World("2026-03-01T10:00:30Z");
    Pooled pooled = new Pooled(world);
    pooled.pool("{\"queue\": \"encoding\", \"depth\": 1, \"maxInFlight\": {\"default\": 1}}");
    pooled.schedule(
        "a",
        ", \"retry\": {\"backoff\": \"PT5S\"}, \"constraints\": [{\"type\": \"concurrency\","
            + " \"max\": 1}]");
    pooled.schedule("b", ", \"retry\": {\"backoff\": \"PT5S\"}");
    world.faults.choose(call, kind);
    world.partitions("a", 1);
    world.partitions("a", 1);
    world.partitions("b", 1);
    world.partitions("b", 1);
    Worker worker = new Worker(world);
    Instant end = world.now().plus(LONGEST);
    while (world.now().isBefore(end)) {
      world.runFor(Duration.ofSeconds(1));
      worker.work();
    }
    return pooled;
  }

  /** Claims each request, and reports: in the first attempt of the first one a failure. */
  private static final class Worker {
    private final World world;
    private final Map<String, String> next = new HashMap<>();

    Worker(World world) {
      this.world = world;
    }

    void work() {
      for (World.Arrival arrival : new ArrayList<>(world.arrivals)) {
        advance(arrival.request(), arrival.request().equals(world.arrivals.get(0).request()));
      }
    }

    private void advance(LaunchRequest request, boolean isFirst) {
      String attempt = request.deduplicationId();
      String token = "token of " + attempt;
      String step = next.getOrDefault(attempt, "claim");
      Supplier<Optional<Reported>> report =
          switch (step) {
            case "claim" ->
                () -> world.reports().claim(request.job(), "w", request.attempt(), token);
            case "end" ->
                isFirst
                    ? () ->
                        world.reports().report(request.job(), new Report.Failure(token, null, true))
                    : () -> world.reports().report(request.job(), new Report.Success(token, null));
            default -> Optional::empty;
          };
      Optional<Reported> answer = call(report);
      if (answer.isPresent()) {
        boolean isRefused = answer.get().result() instanceof Refused;
        next.put(attempt, step.equals("claim") && !isRefused ? "end" : "done");
      }
    }

    private Optional<Reported> call(Supplier<Optional<Reported>> report) {
      try {
        return world.call(report).flatMap(answer -> answer);
      } catch (RuntimeException unanswered) {
        return Optional.empty();
      }
    }
  }
}
