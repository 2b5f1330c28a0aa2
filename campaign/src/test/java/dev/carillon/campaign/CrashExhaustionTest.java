package dev.carillon.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.Episode.Outcome;
import dev.carillon.campaign.engine.CallOutcome;
import dev.carillon.campaign.engine.FaultProfile;
import dev.carillon.campaign.engine.InjectedFault;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.Tampering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills or fails each single call of a store or queue that an undisturbed run makes, before and
 * after it took effect, and lets everything go on.
 */
class CrashExhaustionTest {

  private static final long SEED = 7;
  private static final List<CallOutcome> OUTCOMES =
      List.of(
          CallOutcome.KILL_BEFORE,
          CallOutcome.KILL_AFTER,
          CallOutcome.FAIL_BEFORE,
          CallOutcome.FAIL_AFTER);

  /** What these launch is judged, but not by when. */
  private static final Set<String> WITHOUT_BOUND =
      Set.of(
          "a backfill, deleted in the middle", "time-out of the trigger", "time-outs while held");

  /** What leads through the master, ingest, the checker and the API. */
  private static final List<String> ONE_FOR_EACH_FUNCTION =
      List.of("plain fires", "both data sets", "one at a time", "an app that is deployed again");

  static Stream<Arguments> oneForEachFunction() {
    Map<String, Scenario> all = Canonical.all();
    assertThat(all).containsKeys(ONE_FOR_EACH_FUNCTION.toArray(String[]::new));
    all.keySet().retainAll(ONE_FOR_EACH_FUNCTION);
    return withOutcomes(all);
  }

  static Stream<Arguments> allOthers() {
    Map<String, Scenario> all = Canonical.all();
    all.keySet().removeAll(ONE_FOR_EACH_FUNCTION);
    return withOutcomes(all);
  }

  private static Stream<Arguments> withOutcomes(Map<String, Scenario> scenarios) {
    return scenarios.entrySet().stream()
        .flatMap(
            scenario ->
                OUTCOMES.stream()
                    .map(outcome -> Arguments.of(scenario.getKey(), outcome, scenario.getValue())));
  }

  private static Outcome play(
      Scenario scenario, Workers workers, FaultProfile profile, boolean traced) {
    return Episode.run(scenario, SEED, workers, Tampering.NONE, profile, traced);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("oneForEachFunction")
  void everyCallOfEachFunctionMayFail(String name, CallOutcome outcome, Scenario scenario) {
    assertEveryCallMayFail(name, outcome, scenario);
  }

  @Tag("proof")
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("allOthers")
  void everyCallMayFail(String name, CallOutcome outcome, Scenario scenario) {
    assertEveryCallMayFail(name, outcome, scenario);
  }

  private static void assertEveryCallMayFail(String name, CallOutcome outcome, Scenario scenario) {
    Workers workers = new Workers();
    Outcome undisturbed = play(scenario, workers, FaultProfile.none(), false);
    assertThat(undisturbed.verdict().findings()).isEmpty();
    assertThat(undisturbed.verdict().resent()).isZero();
    assertThat(undisturbed.verdict().launches()).isPositive();
    assertThat(undisturbed.verdict().unjudged()).isZero();
    assertThat(undisturbed.verdict().required() > 0).isNotEqualTo(WITHOUT_BOUND.contains(name));
    assertThat(undisturbed.calls()).isGreaterThan(20);
    System.out.printf(
        "| %s | %s | %d calls | %d required |%n",
        name, outcome, undisturbed.calls(), undisturbed.verdict().required());
    List<String> failures = new ArrayList<>();
    for (int call = 0; call < undisturbed.calls(); call++) {
      FaultProfile profile = FaultProfile.single(new InjectedFault(call, outcome));
      List<Finding> findings = play(scenario, workers, profile, false).verdict().findings();
      if (!findings.isEmpty()) {
        failures.add(
            "call " + call + ": " + findings + told(play(scenario, workers, profile, true)));
      }
    }
    assertThat(failures).isEmpty();
  }

  private static String told(Outcome outcome) {
    return outcome.trace().lines().stream()
        .map(line -> line.substring(0, Math.min(300, line.length())))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
