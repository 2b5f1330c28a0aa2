package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that episodes of neighbours show the faults by which one namespace harms another. */
class NeighbourMutationTest {

  private static final long SEED = 2_000_000;
  private static final int FEW_EPISODES = 500;

  @AutoClose private final Workers workers = new Workers();

  @ParameterizedTest
  @EnumSource
  void isFoundInFewEpisodes(NeighbourMutation mutation) {
    int episode =
        FirstShown.episodes(mutation.what, FEW_EPISODES)
            .filter(each -> !findings(each, mutation.tampering()).isEmpty())
            .findFirst()
            .orElseThrow(() -> new AssertionError(mutation + " is not shown by " + FEW_EPISODES));
    Finding found = findings(episode, mutation.tampering()).get(0);
    System.out.printf("| %s | %d | %s |%n", mutation.what, episode, found.kind());
    assertThat(findings(episode, Tampering.NONE)).as("without the mutation").isEmpty();
  }

  /** Shows that a fault is found by the bound of the tenant that it harms. */
  @ParameterizedTest
  @CsvSource({
    "GATED_FIRST, quiet",
    "SHORT_INVOCATIONS, loud",
    "TURN_NOT_SENT, loud",
    "OVERDUE_ONE_BY_ONE, loud"
  })
  void theHarmedTenantIsLate(NeighbourMutation mutation, String namespace) {
    int episode = FirstShown.episode(mutation.what);
    assertThat(findings(episode, mutation.tampering()))
        .anyMatch(it -> it.kind() == Finding.Kind.LATE && it.about().equals(namespace));
  }

  private List<Finding> findings(int episode, Tampering tampering) {
    return NeighbourEpisode.random(SEED + episode, workers, tampering).findings();
  }
}
