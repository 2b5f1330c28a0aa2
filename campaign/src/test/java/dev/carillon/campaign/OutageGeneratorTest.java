package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.ScenarioExtras;
import dev.carillon.campaign.scenario.ScenarioGenerator;
import dev.carillon.campaign.system.Tampering;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Checks that episodes contain missed fires; without them, the rules about missed fires test
 * nothing.
 */
class OutageGeneratorTest {

  private static final int EPISODES = 800;

  private static Scenario scenario(long seed) {
    return new ScenarioExtras(seed).addTo(new ScenarioGenerator(new SeededRandom(seed * 4)).make());
  }

  private static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= EPISODES; seed++) {
      if (scenario(seed).outage() != null) {
        seeds.add(seed);
      }
    }
    return seeds;
  }

  @AutoClose private final Workers workers = new Workers();

  @Test
  void oneOfEightEpisodesHasAnOutageWithEveryPolicy() {
    List<Long> seeds = seeds();
    assertThat(seeds).hasSizeBetween(EPISODES / 11, EPISODES / 6);
    Set<Boolean> ofChecker = new TreeSet<>();
    Set<String> policies = new TreeSet<>();
    for (long seed : seeds) {
      Scenario scenario = scenario(seed);
      ofChecker.add(scenario.outage().ofChecker());
      scenario.scripts().stream()
          .flatMap(List::stream)
          .filter(action -> action.spec() != null && action.spec().isPlain())
          .forEach(action -> policies.add(word(action.spec().catchUp())));
    }
    assertThat(ofChecker).containsExactly(false, true);
    assertThat(policies)
        .containsExactlyInAnyOrder("ALL", "ALL within", "LATEST", "LATEST within", "NONE");
  }

  private static String word(CatchUp catchUp) {
    return catchUp.policy() + (catchUp.window() == 0 ? "" : " within");
  }

  @Test
  void eachPolicySkipsSomeFires() {
    Set<String> expected = Set.of("all within ", "latest", "latest within ", "none");
    Set<String> policies = new TreeSet<>();
    Iterator<Long> seeds = seeds().iterator();
    while (!policies.containsAll(expected) && seeds.hasNext()) {
      long seed = seeds.next();
      Episode.random(seed, workers, Tampering.NONE, Set.of(), false).history().jobs().stream()
          .map(StoredJob::why)
          .filter(why -> why.code().equals("MISSED_FIRES"))
          .forEach(why -> policies.add(why.arguments().get(3).replaceAll("PT.*", "")));
    }
    assertThat(policies).isEqualTo(expected);
  }
}
