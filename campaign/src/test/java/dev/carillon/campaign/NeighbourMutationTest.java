package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that episodes of neighbours show the faults by which one namespace harms another. */
class NeighbourMutationTest {

  private static final long SEED = 2_000_000;
  private static final int FEW_EPISODES = 500;

  private final Workers workers = new Workers();

  @ParameterizedTest
  @EnumSource
  void isFoundInFewEpisodes(NeighbourMutation mutation) {
    for (int episode = 1; episode <= FEW_EPISODES; episode++) {
      List<Finding> findings = findings(episode, mutation.tampering());
      if (!findings.isEmpty()) {
        System.out.printf("| %s | %d | %s |%n", mutation.what, episode, findings.get(0).kind());
        assertThat(findings(episode, Tampering.NONE)).as("without the mutation").isEmpty();
        return;
      }
    }
    assertThat(false).as("%s was not found in %d episodes", mutation, FEW_EPISODES).isTrue();
  }

  private List<Finding> findings(int episode, Tampering tampering) {
    return NeighbourEpisode.random(SEED + episode, workers, tampering).findings();
  }
}
