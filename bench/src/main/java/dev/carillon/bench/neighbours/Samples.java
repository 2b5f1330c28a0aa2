package dev.carillon.bench.neighbours;

import static dev.carillon.bench.neighbours.NeighboursCommand.MOST_TIMES;
import static dev.carillon.bench.neighbours.NeighboursCommand.NOISE;

import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.neighbours.NeighboursCommand.NeighboursLine;
import dev.carillon.campaign.NeighbourEpisode.Outcome;
import dev.carillon.campaign.judge.NeighbourHistory;
import dev.carillon.campaign.judge.NeighbourHistory.Arrival;
import dev.carillon.campaign.judge.Tenant;
import java.util.ArrayList;
import java.util.List;

/** The lateness of quiet namespaces in several runs, alone and beside loud ones. */
final class Samples {

  private static final double HALF = 50;
  private static final double MOST = 99;

  private final List<Long> alone = new ArrayList<>();
  private final List<Long> beside = new ArrayList<>();
  private int loudLaunches;

  void add(Outcome outcome) {
    Tenant quiet = outcome.scenario().quiet().tenant();
    add(alone, outcome.alone(), quiet);
    add(beside, outcome.both(), quiet);
    loudLaunches += outcome.both().of(outcome.scenario().loud().tenant()).size();
  }

  private static void add(List<Long> lateness, NeighbourHistory history, Tenant quiet) {
    history.of(quiet).stream().map(Arrival::lateness).forEach(lateness::add);
  }

  NeighboursLine line(String name, int loud) {
    Latencies first = latencies(alone);
    Latencies second = latencies(beside);
    double ratio =
        Math.max(
            second.max() / first.max(),
            Math.max(
                second.percentile(HALF) / first.percentile(HALF),
                second.percentile(MOST) / first.percentile(MOST)));
    return new NeighboursLine(
        name,
        loud,
        second.count(),
        loudLaunches,
        first.percentile(HALF),
        first.percentile(MOST),
        first.max(),
        second.percentile(HALF),
        second.percentile(MOST),
        second.max(),
        ratio,
        isLate(first.percentile(HALF), second.percentile(HALF))
            || isLate(first.percentile(MOST), second.percentile(MOST))
            || isLate(first.max(), second.max()));
  }

  static boolean isLate(double alone, double beside) {
    return beside > MOST_TIMES * alone && beside - alone > NOISE;
  }

  private static Latencies latencies(List<Long> millis) {
    return new Latencies(millis.stream().mapToLong(Long::longValue).toArray());
  }
}
