package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A campaign that finds nothing means something only if it finds what is there. */
class MutationTest {

  private static final long SEED = 2_000_000;
  private static final int MOST_EPISODES = 60_000;

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void isFound(Mutation mutation) {
    Workers workers = new Workers();
    for (int episode = 1; episode <= MOST_EPISODES; episode++) {
      List<Finding> findings =
          Episode.random(SEED + episode, workers, mutation.tampering(), Set.of(), false)
              .verdict()
              .findings();
      if (!findings.isEmpty()) {
        System.out.printf(
            "| %s | %s | %d | %s |%n", mutation, mutation.what, episode, findings.get(0).kind());
        return;
      }
    }
    assertThat(false).as("%s was not found in %d episodes", mutation, MOST_EPISODES).isTrue();
  }
}
