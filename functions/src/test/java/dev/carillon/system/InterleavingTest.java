package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slots;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.ingest.Ingest;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.system.Interleavings.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Functions that change one gate at the same time, in all orders of their calls with two
 * preemptions and in many random orders. After every single call, no limit is exceeded, no job is
 * launched without its slot, and a check is planned for each waiting job that could launch. Once
 * the messages are handled, no job waits for a free slot.
 */
class InterleavingTest {

  private static final GateKey GATE = GateKey.ofProgram("default", "p");

  /**
   * @param room how many slots a gate's item takes; further ones have items of their own
   */
  private record Scenario(String name, int max, int room, Function<Stage, List<Runnable>> tasks) {

    Scenario(String name, int max, Function<Stage, List<Runnable>> tasks) {
      this(name, max, Slots.ROOM, tasks);
    }

    Scenario withRoom(int other) {
      return new Scenario(name + ", room for " + other, max, other, tasks);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Scenario> scenarios() {
    return inline().flatMap(one -> Stream.of(one, one.withRoom(one.max() - 1)));
  }

  private static Stream<Scenario> inline() {
    return Stream.of(
        new Scenario(
            "three new jobs, one slot",
            1,
            stage -> List.of(stage.check(0), stage.check(1), stage.check(2))),
        new Scenario(
            "four new jobs, two slots",
            2,
            stage -> List.of(stage.check(0, 1), stage.check(2), stage.check(3))),
        new Scenario(
            "a run ends while two jobs become due",
            1,
            stage -> {
              stage.launch(0);
              return List.of(stage.check(1), stage.end(0), stage.check(2));
            }),
        new Scenario(
            "a run ends while one job waits and one becomes due",
            1,
            stage -> {
              stage.launch(0);
              stage.launch(1);
              return List.of(stage.end(0), stage.check(GATE), stage.check(2));
            }),
        new Scenario(
            "two runs end while two jobs wait",
            2,
            stage -> {
              for (int job = 0; job < 4; job++) {
                stage.launch(job);
              }
              return List.of(stage.end(0), stage.end(1), stage.check(GATE));
            }),
        new Scenario(
            "one report that names no run is received twice",
            2,
            stage -> {
              stage.launch(0);
              stage.launch(1);
              stage.launch(2);
              return List.of(stage.endAny("once"), stage.endAny("once"), stage.check(3));
            }),
        new Scenario(
            "a waiting job is cancelled while a run ends",
            1,
            stage -> {
              stage.launch(0);
              stage.launch(1);
              stage.launch(2);
              return List.of(stage.cancel(1), stage.end(0), stage.check(1));
            }),
        new Scenario(
            "a waiting job times out while a run ends",
            1,
            stage -> {
              stage.launch(0);
              stage.launch(1);
              stage.launch(2);
              stage.world.setClock("2026-03-01T11:00:31Z");
              return List.of(stage.check(1, 2), stage.end(0), stage.check(GATE));
            }));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void noOrderWithOnePreemptionBreaksALimitOrLosesAWaitingJob(Scenario scenario) {
    try (Interleavings interleavings = new Interleavings()) {
      assertThat(interleavings.few(turns -> play(scenario, turns))).isGreaterThan(5);
    }
  }

  @Tag("proof")
  @ParameterizedTest
  @MethodSource("scenarios")
  void noOrderBreaksALimitOrLosesAWaitingJob(Scenario scenario) {
    try (Interleavings interleavings = new Interleavings()) {
      int played = interleavings.many(turns -> play(scenario, turns));
      assertThat(played).isGreaterThan(50);
      System.out.printf("| %s | %d orders |%n", scenario, played);
    }
  }

  private static void play(Scenario scenario, Turns turns) {
    Stage stage = new Stage(scenario.max(), scenario.room());
    List<Runnable> tasks = scenario.tasks().apply(stage);
    stage.world.faults.around(turns::pause, stage::checkInvariants);
    turns.run(tasks);
    stage.world.handleChecks();
    stage.checkNoJobIsLost();
    stage.endAll();
  }

  /** Four schedules of one program with a limit, each with a triggered job. */
  private static final class Stage {
    final World world;
    final int max;
    final List<JobId> jobs = new ArrayList<>();

    Stage(int max, int room) {
      this.max = max;
      this.world = new World("2026-03-01T10:00:30Z", Slots.none(room));
      String limit =
          ("\"timeout\": {\"after\": \"PT1H\", \"action\": \"discard\"}, \"program\": \"p\","
                  + " \"constraints\": [{\"type\": \"concurrency\", \"max\": %d}]")
              .formatted(max);
      for (int i = 0; i < 4; i++) {
        ScheduleId id = world.put("s" + i, active(partition("d" + i, 1), limit));
        jobs.add(world.triggered(id, world.now().plusMillis(i), Json.object()));
      }
    }

    void launch(int job) {
      check(job).run();
      world.handleChecks();
    }

    Runnable check(int... numbers) {
      List<JobId> named = new ArrayList<>();
      for (int number : numbers) {
        named.add(jobs.get(number));
      }
      return world.checking(named);
    }

    Runnable check(GateKey gate) {
      return world.checking(List.of(gate));
    }

    Runnable end(int job) {
      return ending("end-" + job, ", \"runId\": \"" + jobs.get(job) + "\"");
    }

    Runnable endAny(String messageId) {
      return ending(messageId, "");
    }

    private Runnable ending(String messageId, String runId) {
      String body =
          "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\"%s}}"
              .formatted(runId);
      return () ->
          assertThat(
                  world
                      .process()
                      .ingest()
                      .handle(List.of(new Ingest.Received(messageId, body)), world.deadline()))
              .isEmpty();
    }

    Runnable cancel(int job) {
      return () -> world.delete(jobs.get(job).schedule());
    }

    private Gate gate() {
      return world.gates.find(List.of(GATE)).get(GATE);
    }

    private List<Job> unfinished() {
      return world.jobs.all().stream()
          .filter(job -> job.state() == JobState.PENDING_LAUNCH || job.state() == JobState.ENQUEUED)
          .toList();
    }

    void checkInvariants() {
      List<Job> unfinished = unfinished();
      Gate gate = world.gates.finding(gate(), unfinished.stream().map(Job::id).toList());
      assertThat(gate.slots().size()).isLessThanOrEqualTo(max);
      assertThat(world.gates.slotsApart(GATE)).hasSize(gate.slots().apart());
      assertThat(unfinished).hasSizeLessThanOrEqualTo(max);
      assertThat(unfinished).allMatch(job -> gate.holds(job.id()));
      assertThat(gate.waiters()).isEqualTo(world.gates.allWaiters().size());
      if (gate.waiters() > 0 && gate.slots().size() < max) {
        assertThat(gate.wakeAt()).isNotNull().isBeforeOrEqualTo(world.now());
      }
    }

    void checkNoJobIsLost() {
      checkInvariants();
      Gate gate = gate();
      assertThat(gate.waiters() == 0 || gate.slots().size() == max)
          .as("free slots: %s", gate)
          .isTrue();
      assertThat(gate.slots().size()).isEqualTo(unfinished().size());
    }

    void endAll() {
      for (int round = 0; round < jobs.size() && !unfinished().isEmpty(); round++) {
        for (Job job : unfinished()) {
          end(jobs.indexOf(job.id())).run();
          world.handleChecks();
          checkNoJobIsLost();
        }
      }
      assertThat(gate().slots().isEmpty()).isTrue();
      assertThat(gate().waiters()).isZero();
      world.runFor(Duration.ofSeconds(61));
      assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
    }
  }
}
