package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.system.Interleavings.Turns;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A gauge is reported while jobs become due and wait for it, in all orders of the calls with two
 * preemptions and in many random orders. After every single call, a check is planned for each
 * waiting job that could launch, and no waiting job has launched while the gauge was closed. Once
 * the messages are handled, exactly the jobs that must wait are waiting.
 */
class GaugeInterleavingTest {

  private static final int OPEN = 10;
  private static final int CLOSED = 9;
  private static final GateKey GATE = GateKey.ofResource("default", "disk");

  private record Scenario(String name, Function<Stage, List<Runnable>> tasks) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Scenario> scenarios() {
    return Stream.of(
        new Scenario(
            "two jobs become due while the gauge opens",
            stage -> List.of(stage.check(0), stage.report(OPEN), stage.check(1))),
        new Scenario(
            "one job waits and one becomes due while the gauge opens",
            stage -> {
              stage.launch(0);
              return List.of(stage.report(OPEN), stage.check(GATE), stage.check(1));
            }),
        new Scenario(
            "two jobs wait while the gauge opens and closes",
            stage -> {
              stage.launch(0);
              stage.launch(1);
              return List.of(stage.report(OPEN), stage.report(CLOSED), stage.check(GATE));
            }),
        new Scenario(
            "one job becomes due while the gauge closes and is deleted",
            stage -> {
              stage.report(OPEN).run();
              return List.of(stage.report(CLOSED), stage.check(0), stage.remove());
            }),
        new Scenario(
            "two callers report the gauge for the first time at once",
            stage -> {
              stage.remove().run();
              stage.launch(0);
              return List.of(stage.report(OPEN), stage.report(OPEN), stage.check(1));
            }),
        new Scenario(
            "a waiting job is cancelled while the gauge opens",
            stage -> {
              stage.launch(0);
              stage.launch(1);
              return List.of(stage.cancel(0), stage.report(OPEN), stage.check(0));
            }));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void noOrderWithOnePreemptionLaunchesUnderAClosedGaugeOrLosesAWaitingJob(Scenario scenario) {
    try (Interleavings interleavings = new Interleavings()) {
      assertThat(interleavings.few(turns -> play(scenario, turns))).isGreaterThan(5);
    }
  }

  @Tag("proof")
  @ParameterizedTest
  @MethodSource("scenarios")
  void noOrderLaunchesUnderAClosedGaugeOrLosesAWaitingJob(Scenario scenario) {
    try (Interleavings interleavings = new Interleavings()) {
      int played = interleavings.many(turns -> play(scenario, turns));
      assertThat(played).isGreaterThan(50);
      System.out.printf("| %s | %d orders |%n", scenario, played);
    }
  }

  private static void play(Scenario scenario, Turns turns) {
    Stage stage = new Stage();
    List<Runnable> tasks = scenario.tasks().apply(stage);
    stage.world.faults.around(turns::pause, stage::checkInvariants);
    turns.run(tasks);
    stage.world.handleChecks();
    stage.checkNoJobIsLost();
    stage.report(OPEN).run();
    stage.world.handleChecks();
    stage.checkNoJobIsLost();
    stage.world.runFor(Duration.ofSeconds(61));
    assertThat(stage.world.requestsByJob().values()).allMatch(count -> count == 1);
    assertThat(stage.world.jobs.all()).allMatch(Job::isEnded);
  }

  /** Two schedules under a closed gauge, each with a triggered job. */
  private static final class Stage {
    final World world = new World("2026-03-01T10:00:30Z");
    final List<JobId> jobs = new ArrayList<>();
    private final Set<JobId> launched = new HashSet<>();

    Stage() {
      report(CLOSED).run();
      String limit =
          "\"constraints\": [{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": %d}]"
              .formatted(OPEN);
      for (int i = 0; i < 2; i++) {
        ScheduleId id = world.put("s" + i, active(partition("d" + i, 1), limit));
        jobs.add(world.triggered(id, world.now().plusMillis(i), Json.object()));
      }
    }

    void launch(int job) {
      check(job).run();
      world.handleChecks();
    }

    Runnable check(int job) {
      return world.checking(List.of(jobs.get(job)));
    }

    Runnable check(GateKey gate) {
      return world.checking(List.of(gate));
    }

    Runnable report(int value) {
      return () -> world.report("disk", value, null);
    }

    Runnable remove() {
      return () -> world.remove("disk");
    }

    Runnable cancel(int job) {
      return () -> world.delete(jobs.get(job).schedule());
    }

    private Gate gate() {
      return world.gates.find(List.of(GATE)).get(GATE);
    }

    private boolean isOpen(Gate gate) {
      return gate.knownValue(world.now())
          .filter(value -> value.compareTo(BigDecimal.valueOf(OPEN)) >= 0)
          .isPresent();
    }

    void checkInvariants() {
      Gate gate = gate();
      assertThat(gate.waiters()).isEqualTo(world.gates.allWaiters().size());
      if (gate.waiters() > 0 && isOpen(gate)) {
        assertThat(gate.wakeAt()).isNotNull().isBeforeOrEqualTo(world.now());
      }
      for (Job job : world.jobs.all()) {
        boolean isNew = job.state() == JobState.PENDING_LAUNCH && launched.add(job.id());
        if (isNew && hasWaited(job)) {
          assertThat(isOpen(gate)).as("launched under %s", gate).isTrue();
        }
      }
    }

    private static boolean hasWaited(Job job) {
      return job.transitions().stream()
          .anyMatch(
              transition ->
                  transition.reason() != null && transition.reasonText().contains("resource disk"));
    }

    void checkNoJobIsLost() {
      checkInvariants();
      Gate gate = gate();
      List<Job> unfinished = world.jobs.all().stream().filter(job -> !job.isEnded()).toList();
      if (isOpen(gate)) {
        assertThat(gate.waiters()).as("%s", gate).isZero();
      }
      assertThat(unfinished).filteredOn(job -> GATE.equals(job.waitsAt())).hasSize(gate.waiters());
    }
  }
}
