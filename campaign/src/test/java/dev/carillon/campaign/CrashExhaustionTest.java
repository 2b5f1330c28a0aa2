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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets every single call of a store or queue fail that a fault-free run makes, kills functions
 * before their first write and after each write, and lets the run continue. A function that is
 * killed anywhere else leaves the same as one that is killed after the write before.
 */
@Execution(ExecutionMode.CONCURRENT)
class CrashExhaustionTest {

  static final long SEED = 7;
  private static final List<CallOutcome> OUTCOMES =
      List.of(
          CallOutcome.KILL_BEFORE,
          CallOutcome.KILL_AFTER,
          CallOutcome.FAIL_BEFORE,
          CallOutcome.FAIL_AFTER);

  /** Scenarios whose launches have no required instant. */
  private static final Set<String> WITHOUT_BOUND =
      Set.of(
          "a backfill, deleted in the middle",
          "time-out of the trigger",
          "time-outs while held",
          "a pool that fills its queue",
          "a pool that workers pull from",
          "a pool that is pulled from beside its queue",
          "a pool that is paused, and whose order changes",
          "a gauge before a pool");

  /**
   * Scenarios that together exercise the master, ingest, the checker, the api, function report and
   * a worker.
   */
  private static final List<String> ONE_FOR_EACH_FUNCTION =
      List.of(
          "plain fires",
          "both data sets",
          "a gauge and one at a time",
          "deleted and created again",
          "a tracked job",
          FixedScenarios.ENDS_BY_MESSAGES);

  @AutoClose private final Workers workers = new Workers();

  static Stream<Arguments> oneForEachFunction() {
    Map<String, Scenario> all = FixedScenarios.all();
    assertThat(all).containsKeys(ONE_FOR_EACH_FUNCTION.toArray(String[]::new));
    all.keySet().retainAll(ONE_FOR_EACH_FUNCTION);
    return withOutcomes(all);
  }

  static Stream<Arguments> otherScenarios() {
    Map<String, Scenario> all = FixedScenarios.all();
    all.keySet().removeAll(ONE_FOR_EACH_FUNCTION);
    return withOutcomes(all);
  }

  static Stream<Arguments> scenariosWithLimits() {
    Map<String, Scenario> all = FixedScenarios.all();
    all.values().removeIf(scenario -> scenario.limit() == 0);
    assertThat(all).isNotEmpty();
    // The other outcomes differ in what the caller knows, which has nothing to do with items.
    return withOutcomes(all, List.of(CallOutcome.KILL_AFTER));
  }

  private static Stream<Arguments> withOutcomes(Map<String, Scenario> scenarios) {
    return withOutcomes(scenarios, OUTCOMES);
  }

  private static Stream<Arguments> withOutcomes(
      Map<String, Scenario> scenarios, List<CallOutcome> outcomes) {
    return scenarios.entrySet().stream()
        .flatMap(
            scenario ->
                outcomes.stream()
                    .map(outcome -> Arguments.of(scenario.getKey(), outcome, scenario.getValue())));
  }

  /** A scenario with the stores that it is played on. */
  private record Play(Scenario scenario, Tampering stores) {

    Outcome with(Workers workers, FaultProfile profile, boolean traced) {
      return Episode.run(scenario, SEED, workers, stores, profile, traced);
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("oneForEachFunction")
  void everyCallOfEachFunctionMayFail(String name, CallOutcome outcome, Scenario scenario) {
    assertEveryCallMayFail(name, outcome, new Play(scenario, Tampering.NONE));
  }

  @Tag("proof")
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("otherScenarios")
  void everyCallMayFail(String name, CallOutcome outcome, Scenario scenario) {
    assertEveryCallMayFail(name, outcome, new Play(scenario, Tampering.NONE));
  }

  @Tag("proof")
  @ParameterizedTest(name = "{0}, with items for slots: {1}")
  @MethodSource("scenariosWithLimits")
  void everyCallMayFailWithItemsForSlots(String name, CallOutcome outcome, Scenario scenario) {
    Tampering slotItems = Tamperings.slotItems(gates -> gates);
    assertEveryCallMayFail(name, outcome, new Play(scenario, slotItems));
  }

  private void assertEveryCallMayFail(String name, CallOutcome outcome, Play play) {
    Outcome faultFree = play.with(workers, FaultProfile.none(), false);
    assertThat(faultFree.verdict().findings()).isEmpty();
    assertThat(faultFree.verdict().resent()).isZero();
    assertThat(faultFree.verdict().launches()).isPositive();
    assertThat(faultFree.verdict().unjudged()).isZero();
    assertThat(faultFree.verdict().required() > 0).isNotEqualTo(WITHOUT_BOUND.contains(name));
    assertThat(faultFree.calls()).isGreaterThan(20);
    boolean isOfWrites = outcome != CallOutcome.FAIL_BEFORE;
    int[] calls =
        switch (outcome) {
          case FAIL_BEFORE -> IntStream.range(0, faultFree.calls()).toArray();
          case KILL_BEFORE -> faultFree.firstWrites().stream().toArray();
          default -> IntStream.range(0, faultFree.writes()).toArray();
        };
    System.out.printf(
        "| %s | %s | %d calls | %d required |%n",
        name, outcome, calls.length, faultFree.verdict().required());
    List<String> failures = new ArrayList<>();
    for (int call : calls) {
      FaultProfile profile = FaultProfile.single(new InjectedFault(isOfWrites, call, outcome));
      List<Finding> findings = play.with(workers, profile, false).verdict().findings();
      if (!findings.isEmpty()) {
        failures.add("call " + call + ": " + findings + trace(play.with(workers, profile, true)));
      }
    }
    assertThat(failures).isEmpty();
  }

  private static String trace(Outcome outcome) {
    return outcome.trace().lines().stream()
        .map(line -> line.substring(0, Math.min(300, line.length())))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
