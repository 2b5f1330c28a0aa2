package dev.carillon.bench.faults;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.campaign.Campaign;
import dev.carillon.campaign.Campaign.Failure;
import dev.carillon.campaign.Campaign.Result;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the fault campaign. */
@Command(
    name = "faults",
    description = "Simulates the whole system under injected faults and judges its launches.",
    showDefaultValues = true)
public final class FaultsCommand implements Callable<Integer> {

  private static final long PROGRESS_EVERY_NANOS = 5_000_000_000L;
  private static final int MAX_REPORTED = 3;

  @Option(names = "--episodes", paramLabel = "N", description = "Number of episodes.")
  private long episodes = 10_000;

  @Option(names = "--seed", paramLabel = "S", description = "Seed of the first episode.")
  private long seed = 1;

  @Mixin private Output output = new Output();

  /**
   * The findings of all episodes. All counts except {@code resent}, {@code required}, {@code
   * unjudged} and {@code launches} must be 0.
   *
   * @param fingerprint a number that is equal for two runs of these episodes if both took the same
   *     course
   */
  record FaultsLine(
      long episodes,
      long seed,
      long lost,
      long doubled,
      long resent,
      long early,
      long afterDelete,
      double seconds,
      long late,
      long unasked,
      long stuck,
      long miscounted,
      long limits,
      long broken,
      long required,
      long unjudged,
      long launches,
      String fingerprint) {

    static FaultsLine of(Result result) {
      return new FaultsLine(
          result.episodes(),
          result.seed(),
          result.lost(),
          result.doubled(),
          result.resent(),
          result.early(),
          result.afterDelete(),
          result.seconds(),
          result.late(),
          result.unasked(),
          result.stuck(),
          result.miscounted(),
          result.limits(),
          result.broken(),
          result.required(),
          result.unjudged(),
          result.launches(),
          Long.toHexString(result.fingerprint()));
    }
  }

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--episodes", episodes);
    Progress progress = output.progress();
    AtomicLong lastReport = new AtomicLong(System.nanoTime());
    Result result = new Campaign().run(episodes, seed, done -> say(done, lastReport, progress));
    result.failures().stream().limit(MAX_REPORTED).map(Failure::report).forEach(progress::print);
    result.failures().stream()
        .skip(MAX_REPORTED)
        .forEach(rest -> progress.print("seed %d: %s".formatted(rest.seed(), rest.findings())));
    progress.say("faults injected: %s", result.faultsInjected());
    output.results().add(FaultsLine.of(result));
    return result.isClean() ? 0 : 1;
  }

  private static void say(Campaign.Progress done, AtomicLong lastReport, Progress progress) {
    long last = lastReport.get();
    long now = System.nanoTime();
    if (now - last >= PROGRESS_EVERY_NANOS && lastReport.compareAndSet(last, now)) {
      String found =
          done.failed().isEmpty() ? "" : ", findings in the episodes with seeds " + done.failed();
      progress.say("%,d of %,d episodes%s", done.done(), done.episodes(), found);
    }
  }
}
