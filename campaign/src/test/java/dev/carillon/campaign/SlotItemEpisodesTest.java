package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.ScenarioExtras;
import dev.carillon.campaign.scenario.ScenarioGenerator;
import dev.carillon.campaign.system.Tampering;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The episodes with limits once more, with an item for each slot: the few runs of an episode fit
 * into the item of their gate otherwise.
 */
class SlotItemEpisodesTest {

  private static final long SEED = 3_000_000;
  private static final int FEW_EPISODES = 30;
  private static final int EPISODES = 200;

  private static final Tampering SLOT_ITEMS = Tamperings.slotItems(gates -> gates);

  @AutoClose private final Workers workers = new Workers();

  @Test
  void aFewEpisodesHaveNoFindings() {
    assertNoFindings(0, FEW_EPISODES);
  }

  @Tag("proof")
  @Test
  void manyEpisodesHaveNoFindings() {
    assertNoFindings(FEW_EPISODES, EPISODES);
  }

  private void assertNoFindings(int from, int to) {
    LongStream.iterate(SEED, seed -> seed + 1)
        .filter(seed -> scenario(seed).limit() != 0)
        .skip(from)
        .limit(to - from)
        .forEach(seed -> assertThat(findings(seed)).as("seed %d", seed).isEmpty());
  }

  private static Scenario scenario(long seed) {
    return new ScenarioExtras(seed).addTo(new ScenarioGenerator(new SeededRandom(seed * 4)).make());
  }

  private List<Finding> findings(long seed) {
    return Episode.run(
            scenario(seed), seed, workers, SLOT_ITEMS, FaultProfile.random(Set.of()), false)
        .verdict()
        .findings();
  }
}
