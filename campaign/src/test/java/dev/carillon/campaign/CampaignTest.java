package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.Campaign.Failure;
import dev.carillon.campaign.Campaign.Result;
import dev.carillon.campaign.Episode.Outcome;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Trace;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.ScenarioGenerator;
import dev.carillon.campaign.system.Tampering;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CampaignTest {

  private static final long EPISODES = 2_000;
  private static final long FEW_EPISODES = 500;
  private static final long SEED = 1_000_000;

  private static Result fewEpisodes;

  @AutoClose private final Workers workers = new Workers();

  /** The result of the first few episodes, computed once. */
  private static Result fewEpisodes() {
    if (fewEpisodes == null) {
      fewEpisodes = new Campaign().run(FEW_EPISODES, SEED, progress -> {});
    }
    return fewEpisodes;
  }

  /** The reports on the first failures. */
  private static String reports(Result result) {
    return result.failures().stream()
        .limit(2)
        .map(Failure::report)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void nothingIsLostDoubledEarlyOrStuckInAFewEpisodesWithFaults() {
    assertNothingIsLostDoubledEarlyOrStuck(fewEpisodes());
  }

  @Tag("proof")
  @Test
  void nothingIsLostDoubledEarlyOrStuckInThousandsOfEpisodesWithFaults() {
    assertNothingIsLostDoubledEarlyOrStuck(
        new Campaign().run(EPISODES - FEW_EPISODES, SEED + FEW_EPISODES, progress -> {}));
  }

  private static void assertNothingIsLostDoubledEarlyOrStuck(Result result) {
    assertThat(result.isClean()).as(() -> reports(result)).isTrue();
    assertThat(result.launches()).isGreaterThan(result.episodes());
    assertThat(result.resent()).isPositive();
    assertThat(result.required()).isGreaterThan(result.episodes());
    // Schedules that are not judged are few beside the launches that are required of the others.
    assertThat(result.unjudged()).isLessThan(result.required() / 500);
  }

  @Test
  void everyKindOfFaultIsInjected() {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    kinds.removeAll(fewEpisodes().faultsInjected().keySet());
    assertThat(kinds).isEmpty();
  }

  /** Shows that episodes contain these additions. */
  @Test
  void appsAndCalendarsAreChangedAndDeleted() {
    Set<String> expected =
        new TreeSet<>(Set.of("DEPLOY REFUSED", "DEPLOY UNKNOWN", "REMOVED", "NOT REMOVED"));
    for (Action action : Action.values()) {
      expected.add(action + (action == Action.FAULTY ? " REFUSED" : " DONE"));
    }
    Set<String> seen = new TreeSet<>();
    for (long seed = SEED; seed < SEED + FEW_EPISODES && !seen.containsAll(expected); seed++) {
      History history = Episode.random(seed, workers, Tampering.NONE, Set.of(), false).history();
      history.deployments().forEach(one -> seen.add(one.action() + " " + one.answer()));
      history.calendarDeletions().forEach(one -> seen.add(one.done() ? "REMOVED" : "NOT REMOVED"));
    }
    assertThat(seen).containsAll(expected);
  }

  /** Hash codes, and orders that depend on them, can differ between processes. */
  @Test
  void aFewEpisodesAreTheSameInAnotherProcess() throws Exception {
    assertSameInAnotherProcess(5);
  }

  @Tag("proof")
  @Test
  void anEpisodeIsTheSameInAnotherProcess() throws Exception {
    assertSameInAnotherProcess(15);
  }

  private static void assertSameInAnotherProcess(int episodes) throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EpisodeTraces.class.getName(),
                Integer.toString(episodes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var output = other.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.lines()).containsExactlyElementsOf(EpisodeTraces.hashes(episodes));
    }
    assertThat(other.waitFor()).isZero();
  }

  /** Prints a hash of the trace of some episodes. */
  static final class EpisodeTraces {
    private static final long FIRST = 101_070;

    public static void main(String... arguments) {
      hashes(Integer.parseInt(arguments[0])).forEach(System.out::println);
    }

    static List<String> hashes(int episodes) {
      try (Workers workers = new Workers()) {
        return LongStream.range(FIRST, FIRST + episodes)
            .mapToObj(seed -> hash(seed, workers))
            .toList();
      }
    }

    private static String hash(long seed, Workers workers) {
      Trace trace = Episode.random(seed, workers, Tampering.NONE, Set.of(), true).trace();
      return "%d: %d steps, %x".formatted(seed, trace.lines().size(), trace.lines().hashCode());
    }
  }

  static LongStream regressionSeeds() {
    try (var seeds = CampaignTest.class.getResourceAsStream("regression-seeds.txt")) {
      return new String(seeds.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .mapToLong(line -> Long.parseLong(line.split(" ", 2)[0]));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Without the scenario extras that were added later, which change the episodes of some seeds. */
  @Tag("proof")
  @ParameterizedTest
  @MethodSource("regressionSeeds")
  void regressionSeedsPassInTheirOriginalForm(long seed) {
    Scenario scenario = new ScenarioGenerator(new SeededRandom(seed * 4)).make();
    Outcome outcome =
        Episode.run(scenario, seed, workers, Tampering.NONE, FaultProfile.random(Set.of()), false);
    assertThat(outcome.verdict().findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("regressionSeeds")
  void regressionSeedsPass(long seed) {
    Result result = new Campaign(1).run(1, seed, progress -> {});
    assertThat(result.isClean()).as(() -> reports(result)).isTrue();
  }
}
