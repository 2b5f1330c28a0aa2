package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.engine.Chance;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.scenario.Additions;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.ScenarioMaker;
import dev.carillon.campaign.system.Tampering;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the campaign finds about missed fires means nothing if there are none. */
class OutagesTest {

  private static final int EPISODES = 800;

  private static Scenario scenario(long seed) {
    return new Additions(seed).to(new ScenarioMaker(new Chance(seed * 4)).make());
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
          .filter(wanted -> wanted.wish() != null && wanted.wish().isPlain())
          .forEach(wanted -> policies.add(word(wanted.wish().catchUp())));
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
    Set<String> told = new TreeSet<>();
    Workers workers = new Workers();
    for (long seed : seeds()) {
      Episode.random(seed, workers, Tampering.NONE, Set.of(), false).history().rows().stream()
          .map(JobRow::why)
          .filter(why -> why.code().equals("MISSED_FIRES"))
          .forEach(why -> told.add(why.arguments().get(3).replaceAll("PT.*", "")));
    }
    assertThat(told).containsExactlyInAnyOrder("all within ", "latest", "latest within ", "none");
  }
}
