package dev.carillon.bench.neighbours;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import dev.carillon.campaign.NeighbourEpisode;
import dev.carillon.campaign.NeighbourEpisode.Outcome;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.scenario.NeighbourGenerator;
import dev.carillon.campaign.scenario.NeighbourScenario;
import dev.carillon.campaign.scenario.NeighbourScenario.Machine;
import dev.carillon.campaign.system.Tampering;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates a quiet namespace alone and beside a loud one, on virtual time. */
@Command(
    name = "neighbours",
    description =
        "How late a quiet namespace launches, alone and beside a loud one, on virtual time.",
    showDefaultValues = true)
public final class NeighboursCommand implements Callable<Integer> {

  /** The time in microseconds that it takes to compile a small filter on 0.58 of a core. */
  private static final long FILTER = 450;

  /** How many launches the rate allows at once. */
  private static final int LAUNCHES_AT_ONCE = 10;

  /** Beside the loud namespace, the quiet one may be this many times as late as alone. */
  static final double MOST_TIMES = 2;

  /**
   * The largest difference that is not a finding, in seconds. It is the duration of the longest of
   * the calls that an invocation makes one after another.
   */
  static final double NOISE = 0.05;

  @Option(names = "--fan-out", paramLabel = "N", description = "Schedules of one event, 0 to skip.")
  private int fanOut = 50_000;

  @Option(names = "--rate", paramLabel = "N", description = "Jobs under one rate, 0 to skip.")
  private int rate = 1_000;

  @Option(names = "--backlog", paramLabel = "N", description = "Resumed fires, 0 to skip.")
  private int backlog = 40_000;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each case, evaluated together.")
  private int runs = 3;

  @Option(names = "--seed", paramLabel = "S", description = "Seed of the first run.")
  private long seed = 1;

  @Mixin private Output output = new Output();

  /**
   * The lateness of the quiet namespace in seconds.
   *
   * @param launches the number of launches of the quiet namespace
   * @param loudLaunches the number of launches of the loud namespace
   * @param ratio the largest of the ratios of p50, p99 and max
   * @param isLate whether one of the three is more than twice as large beside the loud namespace,
   *     and larger by more than {@link #NOISE}
   */
  record NeighboursLine(
      @JsonProperty("case") String name,
      int loud,
      int launches,
      int loudLaunches,
      double aloneP50,
      double aloneP99,
      double aloneMax,
      double besideP50,
      double besideP99,
      double besideMax,
      double ratio,
      boolean isLate) {}

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--runs", runs);
    Results results = output.results();
    Machine usual = Machine.USUAL;
    boolean isClean = true;
    if (fanOut > 0) {
      Machine filtering = usual.withFilters(FILTER);
      isClean &= measure(fanOut, it -> it.fanOut(fanOut, filtering), results);
    }
    if (rate > 0) {
      isClean &= measure(rate, it -> it.rate(rate, LAUNCHES_AT_ONCE, usual), results);
    }
    if (backlog > 0) {
      isClean &= measure(backlog, it -> it.backlog(backlog, usual), results);
    }
    return isClean ? 0 : 1;
  }

  private boolean measure(
      int loud, Function<NeighbourGenerator, NeighbourScenario> load, Results results) {
    try (Workers workers = new Workers()) {
      return measure(loud, load, workers, results);
    }
  }

  private boolean measure(
      int loud,
      Function<NeighbourGenerator, NeighbourScenario> load,
      Workers workers,
      Results results) {
    Progress progress = output.progress();
    Samples samples = new Samples();
    String name = "";
    boolean isClean = true;
    for (long run = seed; run < seed + runs; run++) {
      NeighbourScenario scenario = load.apply(new NeighbourGenerator(new SeededRandom(run)));
      name = scenario.kind();
      progress.say("%s, run %d of %d", name, run - seed + 1, runs);
      Outcome outcome = NeighbourEpisode.play(scenario, run, workers, Tampering.NONE);
      outcome.findings().stream().map(Finding::toString).forEach(progress::print);
      isClean &= outcome.findings().isEmpty();
      samples.add(outcome);
    }
    NeighboursLine line = samples.line(name, loud);
    results.add(line);
    if (line.isLate()) {
      progress.print(
          "%s: the quiet namespace is %.1f times as late as alone; at most %.0f are allowed"
              .formatted(name, line.ratio(), MOST_TIMES));
    }
    return isClean && !line.isLate();
  }
}
