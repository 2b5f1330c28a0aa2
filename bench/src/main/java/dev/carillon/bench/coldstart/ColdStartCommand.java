package dev.carillon.bench.coldstart;

import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import dev.carillon.local.ColdStarts;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the start and first events of each function, alternating with a minimal function. */
@Command(
    name = "cold-start",
    description =
        "Initialization and first invocation of each function, without a snapshot, compared with"
            + " a bare function for the same events that makes one call to DynamoDB and one to SQS; and"
            + " its first event after priming, compared with the bare function's second event.",
    showDefaultValues = true)
public final class ColdStartCommand implements Callable<Integer> {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Starts of each kind of each function.")
  private int rounds = 9;

  @Mixin private Output output = new Output();

  /**
   * A function compared with the bare function; the medians of all rounds.
   *
   * @param ratio the median of the rounds' ratios; each ratio compares two successive starts
   * @param primedMillis the first event after priming, as in a copy of a snapshot
   * @param bareSecondMillis the bare function's second event
   * @param primedRatio the ratio of these two, computed like {@code ratio}
   */
  record ColdStartLine(
      String function,
      double coldMillis,
      double bareMillis,
      double ratio,
      double primedMillis,
      double bareSecondMillis,
      double primedRatio) {}

  @Override
  public Integer call() throws IOException {
    if (rounds < 1) {
      throw new CannotRun("--rounds is " + rounds + "; at least 1 is needed");
    }
    List<String> functions;
    try (ColdStarts starts = ColdStarts.of(LocalEngine.TEMPLATE)) {
      functions = starts.functions();
    }
    Results results = output.results();
    Progress progress = output.progress();
    for (String function : functions) {
      results.add(line(function, measured(function, progress)));
    }
    return 0;
  }

  /**
   * Measures a function on separate tables and queues, so that it finds no work left by other
   * functions.
   */
  private List<Round> measured(String function, Progress progress) throws IOException {
    Path directory = Files.createTempDirectory("carillon-bare");
    try (ColdStarts starts = ColdStarts.of(LocalEngine.TEMPLATE)) {
      FirstEvents events = new FirstEvents(starts.environment());
      Path bare = BareArtifact.make(starts.code(function), directory);
      List<Round> all = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        Round measured = round(starts, function, bare, events, round % 2 == 0);
        progress.say("%s, round %d: %s", function, round, measured);
        // The first round reads all files from the disk.
        if (round > 0) {
          all.add(measured);
        }
      }
      return all;
    } finally {
      delete(directory);
    }
  }

  /**
   * Measures one round. The two compared starts follow each other directly, and alternate in order.
   */
  private static Round round(
      ColdStarts starts, String function, Path bare, FirstEvents events, boolean bareFirst) {
    String handler = BareArtifact.handlerFor(function);
    DoubleSupplier cold = () -> starts.millis(function, events.of(function));
    DoubleSupplier coldBare = () -> starts.millis(function, handler, bare, events.of(function));
    DoubleSupplier primed = () -> starts.primedMillis(function, events.of(function));
    DoubleSupplier second = () -> starts.secondMillis(function, handler, bare, events.of(function));
    return new Round(Pair.of(cold, coldBare, bareFirst), Pair.of(primed, second, bareFirst));
  }

  record Round(Pair start, Pair event) {}

  /** Two durations in milliseconds. */
  record Pair(double ours, double bare) {
    static Pair of(DoubleSupplier ours, DoubleSupplier bare, boolean bareFirst) {
      if (bareFirst) {
        double first = bare.getAsDouble();
        return new Pair(ours.getAsDouble(), first);
      }
      return new Pair(ours.getAsDouble(), bare.getAsDouble());
    }

    double ratio() {
      return ours / bare;
    }
  }

  static ColdStartLine line(String function, List<Round> rounds) {
    return new ColdStartLine(
        function,
        median(rounds, round -> round.start().ours()),
        median(rounds, round -> round.start().bare()),
        median(rounds, round -> round.start().ratio()),
        median(rounds, round -> round.event().ours()),
        median(rounds, round -> round.event().bare()),
        median(rounds, round -> round.event().ratio()));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return median(rounds.stream().map(figure::applyAsDouble).toList());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int upper = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(upper)
        : (sorted.get(upper - 1) + sorted.get(upper)) / 2;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
