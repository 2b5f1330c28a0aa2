package dev.carillon.bench.pools;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drains the jobs of three equal customers from a pool. */
@Command(
    name = "pools",
    description =
        "How equal the shares of three customers are, and how fast a pool fills its queue.",
    showDefaultValues = true)
public final class PoolsCommand implements Callable<Integer> {

  @Option(names = "--jobs", paramLabel = "N", description = "Jobs of each of the three customers.")
  private int jobs = 2_000;

  @Option(
      names = "--depths",
      split = ",",
      paramLabel = "N",
      description = "Depths of the queue, one round for each.")
  private List<Integer> depths = List.of(100, 1_000);

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Jobs that are claimed concurrently.")
  private int threads = 16;

  @Option(
      names = "--claims-per-second",
      paramLabel = "N",
      description = "The most jobs that are claimed in a second; 0 for as many as the pool moves.")
  private int claimsPerSecond;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--jobs", jobs);
    CannotRun.ifLess(1, "--threads", threads);
    CannotRun.ifLess(0, "--claims-per-second", claimsPerSecond);
    for (int depth : depths) {
      CannotRun.ifLess(1, "--depths", depth);
      CannotRun.ifLess(depth / PoolBench.CUSTOMERS.size() + 1L, "--jobs", jobs);
    }
    Progress progress = output.progress();
    Results results = output.results();
    try (PoolBench bench = PoolBench.start(threads, claimsPerSecond, progress)) {
      for (int depth : depths) {
        results.add(bench.round(depth, jobs));
      }
    }
    return 0;
  }
}
