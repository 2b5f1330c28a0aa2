package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.NeighbourEpisode.Outcome;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.scenario.NeighbourGenerator;
import dev.carillon.campaign.scenario.NeighbourScenario;
import dev.carillon.campaign.scenario.NeighbourScenario.Machine;
import dev.carillon.campaign.system.Tampering;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NeighbourEpisodeTest {

  private static final long SEED = 3_000_000;

  @AutoClose private final Workers workers = new Workers();

  private Outcome episode(long seed) {
    return NeighbourEpisode.random(seed, workers, Tampering.NONE);
  }

  @Test
  void noNeighbourHarmsAnotherInAFewEpisodesOfEachKind() {
    assertNoNeighbourHarmsAnother(SEED, 6);
  }

  @Tag("proof")
  @Test
  void noNeighbourHarmsAnotherInMoreEpisodesOfEachKind() {
    assertNoNeighbourHarmsAnother(SEED + 6, 30);
  }

  private void assertNoNeighbourHarmsAnother(long first, int episodes) {
    Set<String> kinds = new TreeSet<>();
    for (long seed = first; seed < first + episodes; seed++) {
      Outcome outcome = episode(seed);
      kinds.add(outcome.scenario().kind());
      assertThat(outcome.findings()).as(outcome.report(seed)).isEmpty();
      assertThat(outcome.alone().of(outcome.scenario().loud().tenant())).isEmpty();
      assertThat(outcome.both().of(outcome.scenario().loud().tenant())).isNotEmpty();
      assertThat(outcome.both().of(outcome.scenario().quiet().tenant())).isNotEmpty();
    }
    assertThat(kinds).containsExactly("backlog", "fan-out", "rate");
  }

  /** The start of a job is what case 10 bounds, whatever it is without the others. */
  private void assertCrowdDelaysNoOther(int jobs) {
    NeighbourScenario scenario =
        new NeighbourGenerator(new SeededRandom(SEED)).crowd(jobs, Machine.USUAL);
    Outcome outcome = NeighbourEpisode.play(scenario, SEED, workers, Tampering.NONE);
    assertThat(outcome.findings()).as(outcome.report(SEED)).isEmpty();
    assertThat(outcome.both().of(scenario.loud().tenant())).hasSize(jobs);
    assertThat(outcome.both().of(scenario.quiet().tenant()))
        .isNotEmpty()
        .allMatch(arrival -> arrival.lateness() <= 5_000);
  }

  @Test
  void aThousandDueJobsOfOneProgramDelayNoOther() {
    assertCrowdDelaysNoOther(1_000);
  }

  @Tag("proof")
  @Test
  void tenThousandDueJobsOfOneProgramDelayNoOther() {
    assertCrowdDelaysNoOther(10_000);
  }

  /** One checker that is six times slower than usual has a pass with jobs of both namespaces. */
  @Test
  void anEpisodeThatOnceHadAFindingHasNone() {
    Outcome outcome = episode(416122);
    assertThat(outcome.findings()).as(outcome.report(416122)).isEmpty();
  }

  @Test
  void anEpisodeTakesTheSameCourseAgain() {
    for (long seed = SEED; seed < SEED + 3; seed++) {
      assertThat(episode(seed).fingerprint()).isEqualTo(episode(seed).fingerprint());
    }
  }
}
