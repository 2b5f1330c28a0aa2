package dev.carillon.bench.burst;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Launches the same burst with Carillon and other schedulers, one after another. */
@Command(
    name = "burst",
    description = "Launches that are all due in one second, compared with other schedulers.",
    showDefaultValues = true)
public final class BurstCommand implements Callable<Integer> {

  /** How many threads run work in each of the other schedulers. */
  static final int THREADS = 16;

  private static final int WRITES_A_LAUNCH = 2;

  /**
   * The factor that ends the warm-up. Each engine first launches bursts that are not reported. The
   * warm-up ends when the rate of a burst is at most this factor times the rate of the previous
   * burst. Until then, the JVM still compiles the launching code. The store's rate of bare writes
   * is stable earlier. So without a warm-up, {@code share} would be too low.
   */
  private static final double STILL_WARMING = 1.05;

  private static final int WARM_UP = 20_000;
  private static final int MOST_WARM_UPS = 6;

  private static final List<String> KNOWN =
      List.of("carillon", "db-scheduler", "quartz", "jobrunr");

  @Option(names = "--due", paramLabel = "N", description = "How many launches.")
  private int due = 5_000;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds for each engine.")
  private int rounds = 3;

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "The engines to compare.")
  private List<String> engines = KNOWN;

  @Mixin private Output output = new Output();

  /**
   * One burst; times in seconds.
   *
   * @param launched the launches; fewer than were due if the engine did not finish in time. Then
   *     the rate covers only the counted launches, and the percentiles are null, because they would
   *     cover only the first launches
   * @param rawWritesPerSecond the rate of writes that Carillon's store accepted in the same round
   *     from a client without an engine
   * @param share the share of that rate that Carillon's launches used
   * @param ratio Carillon's rate divided by this engine's rate in the same round; null if one of
   *     the rates is missing
   */
  record BurstLine(
      String engine,
      int round,
      int due,
      int launched,
      double perSecond,
      @Nullable Double p50,
      @Nullable Double p95,
      @Nullable Double p99,
      @Nullable Double rawWritesPerSecond,
      @Nullable Double share,
      @Nullable Double ratio) {

    static BurstLine of(
        String engine,
        int round,
        int due,
        Latencies measured,
        @Nullable Double raw,
        @Nullable Double carillon) {
      double rate = measured.perSecond();
      return new BurstLine(
          engine,
          round,
          due,
          measured.count(),
          rate,
          percentile(measured, 50, due),
          percentile(measured, 95, due),
          percentile(measured, 99, due),
          raw,
          raw == null ? null : WRITES_A_LAUNCH * rate / raw,
          carillon == null ? null : carillon / rate);
    }

    private static @Nullable Double percentile(Latencies measured, int percent, int due) {
      return measured.count() == due ? Double.valueOf(measured.percentile(percent)) : null;
    }
  }

  @Override
  public Integer call() {
    if (!KNOWN.containsAll(engines)) {
      throw new CannotRun(
          "--engines is " + String.join(",", engines) + "; it must be a subset of " + KNOWN);
    }
    CannotRun.ifLess(1, "--due", due);
    CannotRun.ifLess(1, "--rounds", rounds);
    Results results = output.results();
    Progress progress = output.progress();
    CarillonContestant carillon = new CarillonContestant(progress);
    boolean alone = engines.equals(List.of(carillon.name()));
    try (Postgres postgres = alone ? null : Postgres.start()) {
      List<Contestant> contestants = contestants(carillon, postgres);
      for (Contestant contestant : contestants) {
        warmUp(contestant, progress);
      }
      for (int round = 1; round <= rounds; round++) {
        Double own = null;
        for (Contestant contestant : contestants) {
          progress.say("round %d: %s", round, contestant.name());
          Latencies measured = contestant.burst(due);
          boolean isOwn = contestant == carillon;
          Double raw = isOwn ? carillon.rawWritesPerSecond() : null;
          results.add(
              BurstLine.of(contestant.name(), round, due, measured, raw, isOwn ? null : own));
          own = isOwn ? Double.valueOf(measured.perSecond()) : own;
        }
      }
    }
    return 0;
  }

  private void warmUp(Contestant contestant, Progress progress) {
    double rate = 0;
    double before;
    int bursts = 0;
    do {
      before = rate;
      rate = contestant.burst(Math.min(4 * due, WARM_UP)).perSecond();
      bursts++;
      progress.say("warm-up %d: %s, %.0f per second", bursts, contestant.name(), rate);
    } while (rate > before * STILL_WARMING && bursts < MOST_WARM_UPS);
  }

  private List<Contestant> contestants(CarillonContestant carillon, @Nullable Postgres postgres) {
    List<Contestant> all = new ArrayList<>(List.of(carillon));
    if (postgres != null) {
      all.add(new DbScheduler(postgres));
      all.add(new Quartz(postgres));
      all.add(new JobRunrContestant(postgres));
    }
    return all.stream().filter(contestant -> engines.contains(contestant.name())).toList();
  }
}
