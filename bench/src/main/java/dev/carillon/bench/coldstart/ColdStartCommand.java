package dev.carillon.bench.coldstart;

import dev.carillon.bench.coldstart.Compared.Round;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the start and the first events of each function. Each start alternates with the starts
 * of bare functions, which do almost nothing.
 */
@Command(
    name = "cold-start",
    description = {
      "Initialization and first event of each function, without a snapshot. ratio compares them"
          + " with a bare function, which makes one call to DynamoDB and one to SQS for the same"
          + " events.",
      "First event of each function after priming. primedRatio compares it with the second event of"
          + " this bare function: two requests on open connections. sameRequestsRatio compares it"
          + " with the first event of a bare function that is primed in the same way and makes the"
          + " same requests, in the same order and concurrently where Carillon does."
          + " processorRatio compares the processor times of these two first events."
    },
    showDefaultValues = true)
public final class ColdStartCommand implements Callable<Integer> {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each function is started in each way.")
  private int rounds = 9;

  @Mixin private Output output = new Output();

  /**
   * The medians of all rounds, for one function and the bare functions that it is compared with. In
   * each round a ratio compares two successive starts; the stored ratio is the median of all
   * rounds.
   *
   * @param primedMillis the first event after priming, as in a copy of a snapshot
   * @param bareSecondMillis the bare function's second event
   * @param sameRequestsMillis the first event of a bare function that was primed and makes the same
   *     requests
   * @param processorMillis the processor time of {@code primedMillis}
   * @param processorRatio like {@code sameRequestsRatio}, but of the processor times
   * @param requests the requests of the function's first event, in the form of {@link BareRequests}
   */
  record ColdStartLine(
      String function,
      double coldMillis,
      double bareMillis,
      double ratio,
      double primedMillis,
      double bareSecondMillis,
      double primedRatio,
      double sameRequestsMillis,
      double sameRequestsRatio,
      double processorMillis,
      double processorRatio,
      String requests) {}

  @Override
  public Integer call() throws IOException {
    CannotRun.ifLess(1, "--rounds", rounds);
    List<String> functions;
    try (ColdStarts starts = ColdStarts.of(LocalEngine.TEMPLATE)) {
      functions = starts.functions();
    }
    Results results = output.results();
    Progress progress = output.progress();
    for (String function : functions) {
      results.add(measured(function, progress));
    }
    return 0;
  }

  /**
   * Measures a function on separate tables and queues, so that it finds no work left by other
   * functions.
   */
  private ColdStartLine measured(String function, Progress progress) throws IOException {
    Path directory = Files.createTempDirectory("carillon-bare");
    try (ColdStarts starts = ColdStarts.of(LocalEngine.TEMPLATE);
        FirstEvents events = new FirstEvents(starts.environment())) {
      String requests = FirstRequests.of(function, events, starts.environment());
      Path bare = BareArtifact.make(starts.code(function), directory);
      Compared compared = new Compared(starts, function, events, bare, requests);
      List<Round> all = new ArrayList<>();
      for (int number = 0; number <= rounds; number++) {
        Round measured = compared.round(number);
        progress.say("%s, round %d: %s", function, number, measured);
        // The first round does not count, because it reads all files from the disk.
        if (number > 0) {
          all.add(measured);
        }
      }
      return line(function, requests, all);
    } finally {
      delete(directory);
    }
  }

  private static ColdStartLine line(String function, String requests, List<Round> rounds) {
    return new ColdStartLine(
        function,
        median(rounds, Round::cold),
        median(rounds, Round::bareCold),
        median(rounds, round -> round.cold() / round.bareCold()),
        median(rounds, round -> round.primed().millis()),
        median(rounds, round -> round.bareSecond().millis()),
        median(rounds, round -> round.primed().millis() / round.bareSecond().millis()),
        median(rounds, round -> round.barePrimed().millis()),
        median(rounds, round -> round.primed().millis() / round.barePrimed().millis()),
        median(rounds, round -> round.primed().processorMillis()),
        median(
            rounds,
            round -> round.primed().processorMillis() / round.barePrimed().processorMillis()),
        requests);
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
