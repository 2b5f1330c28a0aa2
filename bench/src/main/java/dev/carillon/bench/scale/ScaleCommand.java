package dev.carillon.bench.scale;

import dev.carillon.bench.cost.VirtualCloud;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import dev.carillon.id.PoolId;
import dev.carillon.local.LocalEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures one tick, with growing numbers of stored schedules that are not due; or one choice of a
 * pool, with growing numbers of waiting jobs.
 */
@Command(
    name = "scale",
    description =
        "The cost of one tick of the master by the number of stored schedules, or of one choice of"
            + " a pool by the number of waiting jobs.",
    showDefaultValues = true)
public final class ScaleCommand implements Callable<Integer> {

  private static final String QUEUE = "work";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String SOON = "0 1 10 * * ?";
  private static final PoolId ENCODE = new PoolId("default", "encode");

  /** The depth of the pool, which is also the largest number of jobs that one choice takes. */
  private static final int CHOSEN = 25;

  private static final int JOBS_A_CUSTOMER = 10;

  @Option(
      names = "--stored",
      split = ",",
      paramLabel = "N",
      description = "Numbers of stored schedules, including those that are due, or of jobs.")
  private List<Integer> stored = List.of(1_000, 10_000, 100_000, 1_000_000);

  @Option(names = "--due", paramLabel = "N", description = "Number of due schedules.")
  private int due = 1_000;

  @Option(names = "--pools", description = "Measure choices of a pool instead of ticks.")
  private boolean isOfPools;

  @Mixin private Output output = new Output();

  /** The cost of one tick. */
  record ScaleLine(
      int stored, int due, int requests, double readUnits, double writeUnits, double millis) {}

  /** The cost of one choice. */
  record ChoiceLine(
      int ready,
      int customers,
      int chosen,
      int requests,
      double readUnits,
      double writeUnits,
      double millis) {}

  @Override
  public Integer call() {
    CannotRun.ifLess(0, "--due", due);
    stored.forEach(number -> CannotRun.ifLess(isOfPools ? 1 : due, "--stored", number));
    Results results = output.results();
    Progress progress = output.progress();
    if (isOfPools) {
      choices(results, progress);
    } else {
      ticks(results, progress);
    }
    return 0;
  }

  private void ticks(Results results, Progress progress) {
    progress.say("warming up");
    measure(due, progress);
    for (int number : stored) {
      progress.say("storing %,d schedules", number);
      results.add(measure(number, progress));
    }
  }

  private void choices(Results results, Progress progress) {
    progress.say("warming up");
    choice(CHOSEN, 1, progress);
    for (boolean isOfOne : List.of(true, false)) {
      for (int number : stored) {
        int customers = isOfOne ? 1 : Math.max(1, number / JOBS_A_CUSTOMER);
        progress.say("storing %,d jobs of %,d customers", number, customers);
        results.add(choice(number, customers, progress));
      }
    }
  }

  private static ChoiceLine choice(int number, int customers, Progress progress) {
    try (VirtualCloud cloud = new VirtualCloud(() -> NOW)) {
      cloud.storeReady(ENCODE, number, customers, CHOSEN, progress);
      cloud.putPool(ENCODE, QUEUE, CHOSEN);
      cloud.reset();
      long start = System.nanoTime();
      cloud.check();
      double millis = Duration.ofNanos(System.nanoTime() - start).toNanos() / 1e6;
      return new ChoiceLine(
          number,
          customers,
          cloud.sentTo(LocalEngine.TARGET_PREFIX + QUEUE),
          requests(cloud),
          cloud.meter().readUnits(),
          cloud.meter().writeUnits(),
          millis);
    }
  }

  private static int requests(VirtualCloud cloud) {
    return cloud.sqsRequests()
        + cloud.meter().requests().values().stream().mapToInt(Integer::intValue).sum();
  }

  private ScaleLine measure(int number, Progress progress) {
    try (VirtualCloud cloud = new VirtualCloud(() -> NOW)) {
      cloud.tick();
      cloud.store(due, "due", any -> Loader.cron(SOON, QUEUE), progress);
      cloud.store(number - due, "rest", rest -> Loader.cron(later(rest), QUEUE), progress);
      cloud.reset();
      long start = System.nanoTime();
      cloud.tick();
      double millis = Duration.ofNanos(System.nanoTime() - start).toNanos() / 1e6;
      return new ScaleLine(
          number,
          due,
          requests(cloud),
          cloud.meter().readUnits(),
          cloud.meter().writeUnits(),
          millis);
    }
  }

  /** A cron that fires at an instant later on the same day. */
  private static String later(int number) {
    return "%d %d %d * * ?".formatted(number % 60, number / 60 % 60, 11 + number / 3_600 % 12);
  }
}
