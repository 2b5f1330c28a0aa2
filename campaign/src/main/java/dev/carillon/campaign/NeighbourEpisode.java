package dev.carillon.campaign;

import dev.carillon.campaign.engine.LogCapture;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Trace;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.judge.NeighbourHistory;
import dev.carillon.campaign.judge.NeighbourJudge;
import dev.carillon.campaign.scenario.NeighbourGenerator;
import dev.carillon.campaign.scenario.NeighbourScenario;
import dev.carillon.campaign.system.NeighbourSystem;
import dev.carillon.campaign.system.Tampering;
import java.util.List;

/**
 * Plays a scenario of two namespaces, one quiet and one loud, twice: first the quiet namespace
 * alone, then both.
 */
public final class NeighbourEpisode {

  static {
    LogCapture.install();
  }

  private static final long SEED = 0x6e_6569_6768L;
  private static final int ONE_IN = 100;

  private NeighbourEpisode() {}

  /** What happened, and what the judge found. */
  public record Outcome(
      NeighbourScenario scenario,
      NeighbourHistory alone,
      NeighbourHistory both,
      List<Finding> findings,
      long fingerprint) {

    String report(long seed) {
      return "seed %d, neighbours, %s on %s: %s"
          .formatted(seed, scenario.kind(), scenario.machine(), findings);
    }
  }

  private static long own(long seed) {
    return (seed ^ SEED) * 4;
  }

  /**
   * Whether the campaign plays a neighbour episode for this seed, in addition to the {@link
   * Episode}.
   */
  static boolean isDrawn(long seed) {
    return new SeededRandom(own(seed)).oneIn(ONE_IN);
  }

  static Outcome random(long seed, Workers workers, Tampering tampering) {
    NeighbourScenario scenario = new NeighbourGenerator(new SeededRandom(own(seed) + 1)).make();
    return play(scenario, seed, workers, tampering);
  }

  public static Outcome play(
      NeighbourScenario scenario, long seed, Workers workers, Tampering tampering) {
    Trace trace = new Trace(false);
    NeighbourHistory alone =
        NeighbourSystem.play(scenario, false, own(seed) + 2, workers, tampering, trace);
    NeighbourHistory both =
        NeighbourSystem.play(scenario, true, own(seed) + 2, workers, tampering, trace);
    List<Finding> findings =
        NeighbourJudge.judge(
            scenario.quiet().tenant(),
            scenario.loud().tenant(),
            NeighbourSystem.load(scenario),
            scenario.machine().slowness(),
            alone,
            both);
    return new Outcome(scenario, alone, both, findings, trace.fingerprint());
  }
}
