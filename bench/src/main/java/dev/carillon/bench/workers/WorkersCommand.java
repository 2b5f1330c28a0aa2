package dev.carillon.bench.workers;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drains tracked jobs with one worker process, and measures claims and retries. */
@Command(
    name = "workers",
    description = "How fast one worker process claims and ends tracked jobs, and retries them.",
    showDefaultValues = true)
public final class WorkersCommand implements Callable<Integer> {

  @Option(names = "--jobs", paramLabel = "N", description = "Jobs of a round.")
  private int jobs = 5_000;

  @Option(names = "--threads", paramLabel = "N", description = "Threads of the worker.")
  private int threads = 16;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds, after one to warm up.")
  private int rounds = 3;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Launches per second while the time to a claim is measured.")
  private int rate = 20;

  @Option(names = "--retried", paramLabel = "N", description = "Jobs whose first attempt fails.")
  private int retried = 200;

  @Option(
      names = "--beside",
      paramLabel = "N",
      description = "Jobs of another program that are due while claims are measured.")
  private int beside = 10_000;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (jobs < 1 || threads < 1 || rate < 1 || retried < 1 || beside < 1) {
      throw new CannotRun("--jobs, --threads, --rate, --retried and --beside must be at least 1");
    }
    Progress progress = output.progress();
    Results results = output.results();
    try (Bench bench = Bench.start(threads, progress)) {
      progress.say("warm-up: %.0f per second", bench.drain(0, jobs).perSecond());
      for (int round = 1; round <= rounds; round++) {
        results.add(bench.drain(round, jobs));
      }
      results.add(bench.claims(rate));
      results.add(bench.retries(retried));
      results.add(bench.beside(beside));
    }
    return 0;
  }
}
