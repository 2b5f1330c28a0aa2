package dev.carillon.bench.scale;

import dev.carillon.bench.cost.VirtualCloud;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures one tick while more and more schedules are stored that are not due. */
@Command(
    name = "scale",
    description = "The cost of one tick of the master, by the number of stored schedules.",
    showDefaultValues = true)
public final class ScaleCommand implements Callable<Integer> {

  private static final String QUEUE = "work";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String SOON = "0 1 10 * * ?";

  @Option(
      names = "--stored",
      split = ",",
      paramLabel = "N",
      description = "Numbers of stored schedules, including those that are due.")
  private List<Integer> stored = List.of(1_000, 10_000, 100_000, 1_000_000);

  @Option(names = "--due", paramLabel = "N", description = "Number of due schedules.")
  private int due = 1_000;

  @Mixin private Output output = new Output();

  /** The cost of one tick. */
  record ScaleLine(
      int stored, int due, int requests, double readUnits, double writeUnits, double millis) {}

  @Override
  public Integer call() {
    Results results = output.results();
    Progress progress = output.progress();
    progress.say("warming up");
    measure(due, progress);
    for (int number : stored) {
      progress.say("storing %,d schedules", number);
      results.add(measure(number, progress));
    }
    return 0;
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
      int requests =
          cloud.sqsRequests()
              + cloud.meter().requests().values().stream().mapToInt(Integer::intValue).sum();
      return new ScaleLine(
          number, due, requests, cloud.meter().readUnits(), cloud.meter().writeUnits(), millis);
    }
  }

  /** A cron at an instant in the rest of the day. */
  private static String later(int number) {
    return "%d %d %d * * ?".formatted(number % 60, number / 60 % 60, 11 + number / 3_600 % 12);
  }
}
