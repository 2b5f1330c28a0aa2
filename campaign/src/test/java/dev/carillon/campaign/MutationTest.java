package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  private static final int MOST_EPISODES = 60_000;

  /**
   * Mutations that few episodes show: the search begins shortly before the episode that showed them
   * last.
   */
  private static final Map<Mutation, Integer> RARELY_SHOWN =
      Map.of(
          Mutation.COUNTED_AND_LAUNCHED, 11_500,
          Mutation.STALE_HEAD_NOT_READ_AGAIN, 3_100,
          Mutation.INDEX_NOT_AWAITED, 3_300,
          Mutation.FIRST_FOR_LATEST, 900,
          Mutation.APP_WITHOUT_LEASE, 1_450,
          Mutation.HELD_TIME_COUNTS, 2_100,
          Mutation.REPORT_OVERWRITTEN, 1_050,
          Mutation.OVERTAKEN_OPERATION_DROPPED, 501,
          Mutation.MESSAGE_EXTENDS_FROM_ARRIVAL, 501);

  private final Workers workers = new Workers();

  private static int first(Mutation mutation) {
    return RARELY_SHOWN.getOrDefault(mutation, 1);
  }

  static Stream<Mutation> shownInFewEpisodes() {
    return Stream.of(Mutation.values()).filter(mutation -> first(mutation) <= FEW_EPISODES);
  }

  static Stream<Mutation> shownRarely() {
    return Stream.of(Mutation.values()).filter(mutation -> first(mutation) > FEW_EPISODES);
  }

  @ParameterizedTest
  @MethodSource("shownInFewEpisodes")
  void isFoundInFewEpisodes(Mutation mutation) {
    assertFound(mutation, FEW_EPISODES);
  }

  @Tag("proof")
  @ParameterizedTest
  @MethodSource("shownRarely")
  void isFound(Mutation mutation) {
    assertFound(mutation, MOST_EPISODES);
  }

  private void assertFound(Mutation mutation, int most) {
    for (int episode = first(mutation); episode <= most; episode++) {
      List<Finding> findings = findings(episode, mutation.tampering());
      if (!findings.isEmpty()) {
        System.out.printf("| %s | %d | %s |%n", mutation.what, episode, findings.get(0).kind());
        assertThat(findings(episode, Tampering.NONE)).as("without the mutation").isEmpty();
        return;
      }
    }
    assertThat(false).as("%s was not found in %d episodes", mutation, most).isTrue();
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
    "HEAD_OF_A_SECOND_BEFORE, AFTER_DELETE",
    "LOST_MESSAGES_NOT_REPAIRED, STUCK",
    "SLOT_OBSERVED_THEN_USED, LIMIT",
    "DEDUPLICATION_CUT, MISCOUNTED",
    "CHANGES_REFUSED, BROKEN",
    "FUNCTION_BUG, BROKEN"
  })
  void eachRuleIsBrokenByAMutation(Mutation mutation, Finding.Kind kind) {
    boolean isFound =
        IntStream.rangeClosed(1, MOST_EPISODES)
            .mapToObj(episode -> findings(episode, mutation.tampering()))
            .flatMap(List::stream)
            .anyMatch(finding -> finding.kind() == kind);
    assertThat(isFound).isTrue();
  }

  private List<Finding> findings(int episode, Tampering tampering) {
    return Episode.random(SEED + episode, workers, tampering, Set.of(), false).verdict().findings();
  }
}
