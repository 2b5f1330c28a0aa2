package dev.carillon.bench.crash;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Kills the local engine under load and judges the launches. */
@Command(
    name = "crash",
    description =
        "Kills the local engine, on disk, or workers, with SIGKILL at random moments under load.",
    showDefaultValues = true)
public final class CrashCommand implements Callable<Integer> {

  /** The longest time that a repair takes: a lease, a tick, and the work of the tick. */
  private static final double LONGEST_RECOVERY_SECONDS = 90;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often a running engine is killed. With --workers: the number of runs.")
  private int runs = 20;

  @Option(names = "--workers", description = "Kill workers of tracked jobs instead.")
  private boolean workers;

  @Option(names = "--engine", description = "With --workers: kill the engine as well.")
  private boolean engine;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "With --workers: the number of jobs in a run.")
  private int jobs = 2_000;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the instants of the kills; default: random.")
  private @Nullable Long seed;

  @Mixin private Output output = new Output();

  /**
   * The result of all kills.
   *
   * @param lost fires and accepted events without a job
   * @param doubled second jobs or attempts for one fire or event
   * @param resent requests that were sent again unchanged because they were in flight at a kill
   * @param recoverySecondsMax the longest delay of a launch because of kills; the time in which no
   *     engine was ready is left out
   */
  record CrashLine(
      int runs, int lost, int doubled, int resent, double recoverySecondsMax, long seed) {}

  /**
   * The result of one run in which workers are killed.
   *
   * @param attempts the attempts that began
   * @param faults jobs that did not succeed, and effects that did not happen exactly once
   */
  record WorkerCrashLine(
      int run, int jobs, int kills, int engineKills, int attempts, int faults, long seed) {}

  /** The sums of all runs in which workers are killed. */
  record WorkerCrashTotal(
      int runs, int jobs, int kills, int engineKills, int attempts, int faults, long firstSeed) {

    WorkerCrashTotal plus(WorkerCrashLine run) {
      return new WorkerCrashTotal(
          runs + 1,
          jobs + run.jobs(),
          kills + run.kills(),
          engineKills + run.engineKills(),
          attempts + run.attempts(),
          faults + run.faults(),
          firstSeed);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CannotRun.ifLess(1, "--runs", runs);
    CannotRun.ifLess(1, "--jobs", jobs);
    long first = seed == null ? System.nanoTime() & 0xFFFF_FFFFL : seed;
    return workers ? killWorkers(first) : killEngines(first);
  }

  private int killWorkers(long first) throws IOException, InterruptedException {
    Progress progress = output.progress();
    Results results = output.results();
    WorkerCrashTotal total = new WorkerCrashTotal(0, 0, 0, 0, 0, 0, first);
    for (int run = 0; run < runs; run++) {
      WorkerCrashRun.Outcome outcome = killWorkers(first + run, progress);
      WorkerCrashLine line =
          new WorkerCrashLine(
              run + 1,
              outcome.jobs(),
              outcome.kills(),
              outcome.engineKills(),
              outcome.attempts(),
              outcome.faults().size(),
              first + run);
      results.add(line);
      outcome.faults().forEach(progress::print);
      total = total.plus(line);
    }
    results.add(total);
    return total.faults() == 0 ? 0 : 1;
  }

  /** Makes one run. Deletes the log of the run if the run has no faults. */
  private WorkerCrashRun.Outcome killWorkers(long runSeed, Progress progress)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("carillon-crash");
    File log = directory.resolve("run.log").toFile();
    WorkerCrashRun.Outcome outcome;
    progress.say("log of engine and workers: %s", log);
    try (WorkerCrashRun run = new WorkerCrashRun(directory.resolve("data"), log, runSeed, engine)) {
      outcome = run.run(jobs, progress);
    } finally {
      delete(directory.resolve("data"));
    }
    if (outcome.faults().isEmpty()) {
      delete(directory);
    } else {
      progress.print("log of engine and workers: " + log);
    }
    return outcome;
  }

  private int killEngines(long first) throws IOException, InterruptedException {
    Progress progress = output.progress();
    Path directory = Files.createTempDirectory("carillon-crash");
    File log = directory.resolve("engine.log").toFile();
    progress.say("log of the engines: %s", log);
    try (CrashRun run = new CrashRun(directory.resolve("data"), log, first)) {
      Report report = run.run(runs, progress);
      Verdict verdict = report.verdict();
      progress.print(report.toString());
      output
          .results()
          .add(
              new CrashLine(
                  runs,
                  verdict.lost(),
                  verdict.doubled(),
                  verdict.duplicates(),
                  report.recoverySecondsMax(),
                  first));
      verdict.faults().forEach(progress::print);
      boolean isInTime = report.recoverySecondsMax() <= LONGEST_RECOVERY_SECONDS;
      if (!isInTime) {
        progress.print("recovery took longer than %.0f s".formatted(LONGEST_RECOVERY_SECONDS));
      }
      if (verdict.faults().isEmpty() && isInTime) {
        Files.deleteIfExists(log.toPath());
        return 0;
      }
      progress.print("log of the engines: " + log);
      return 1;
    } finally {
      delete(directory.resolve("data"));
      if (!log.exists()) {
        Files.delete(directory);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
