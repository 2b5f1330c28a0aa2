package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the campaign finds deliberate faults; without that, a campaign without findings
 * proves nothing.
 */
class MutationTest {

  private static final long SEED = 2_000_000;
  private static final int FEW_EPISODES = 500;

  /** A change of the functions can move the first of few episodes. */
  private static final int MOST_OF_FEW_EPISODES = 3 * FEW_EPISODES;

  private static final int MOST_EPISODES = 60_000;

  /** The findings of the episodes without a mutation: many mutations share one. */
  private static final Map<Integer, List<Finding>> WITHOUT_MUTATION = new ConcurrentHashMap<>();

  @AutoClose private final Workers workers = new Workers();

  static Stream<Mutation> shownInFewEpisodes() {
    return Stream.of(Mutation.values())
        .filter(mutation -> FirstShown.episode(mutation.what) <= FEW_EPISODES);
  }

  static Stream<Mutation> shownRarely() {
    return Stream.of(Mutation.values())
        .filter(mutation -> FirstShown.episode(mutation.what) > FEW_EPISODES);
  }

  @ParameterizedTest
  @MethodSource("shownInFewEpisodes")
  void isFoundInFewEpisodes(Mutation mutation) {
    assertFound(mutation, MOST_OF_FEW_EPISODES);
  }

  @Tag("proof")
  @ParameterizedTest
  @MethodSource("shownRarely")
  void isFound(Mutation mutation) {
    assertFound(mutation, MOST_EPISODES);
  }

  private void assertFound(Mutation mutation, int most) {
    int episode = 0;
    List<Finding> found = List.of();
    PrimitiveIterator.OfInt episodes = FirstShown.episodes(mutation.what, most).iterator();
    while (found.isEmpty() && episodes.hasNext()) {
      episode = episodes.nextInt();
      found = findings(episode, mutation.tampering());
    }
    assertThat(found).as(mutation + " in " + most + " episodes").isNotEmpty();
    System.out.printf("| %s | %d | %s |%n", mutation.what, episode, found.get(0).kind());
    assertThat(WITHOUT_MUTATION.computeIfAbsent(episode, this::findings))
        .as("without the mutation")
        .isEmpty();
  }

  /**
   * Shows each rule broken by some mutation. The first finding of a mutation may be of another
   * kind.
   */
  @ParameterizedTest
  @CsvSource({
    "TIMER_DELETED_FIRST, LOST",
    "CHECKS_LATE, LATE",
    "LEASE_IGNORED, DOUBLED",
    "CALENDAR_CACHED, UNASKED",
    "CLOCK_AHEAD, EARLY",
    "GENERATION_IGNORED, AFTER_DELETE",
    "LOST_MESSAGES_NOT_REPAIRED, STUCK",
    "SLOT_OBSERVED_THEN_USED, LIMIT",
    "DEDUPLICATION_CUT, MISCOUNTED",
    "CHANGES_REFUSED, BROKEN",
    "FUNCTION_BUG, BROKEN"
  })
  void eachRuleIsBrokenByAMutation(Mutation mutation, Finding.Kind kind) {
    boolean isFound =
        FirstShown.episodes(mutation.what, MOST_EPISODES)
            .mapToObj(episode -> findings(episode, mutation.tampering()))
            .flatMap(List::stream)
            .anyMatch(finding -> finding.kind() == kind);
    assertThat(isFound).isTrue();
  }

  private List<Finding> findings(int episode) {
    return findings(episode, Tampering.NONE);
  }

  private List<Finding> findings(int episode, Tampering tampering) {
    return Episode.random(SEED + episode, workers, tampering, Set.of(), false).verdict().findings();
  }
}
