package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The load of one schedule does not delay the jobs of another in the same invocation. */
class NeighbourTest {

  private static final String EACH_SECOND = cron("* * * * * ?");

  /** Each second of one minute. */
  private static final String MINUTE = cron("0-59 1 10 1 3 ?");

  private static final int FIRES = 60;

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String constraints(String... constraints) {
    return "\"program\": \"p\", \"constraints\": [%s]".formatted(String.join(", ", constraints));
  }

  private static String concurrency(int max) {
    return "{\"type\": \"concurrency\", \"max\": %d}".formatted(max);
  }

  private static String rate(int max, String per) {
    return "{\"type\": \"rate\", \"max\": %d, \"per\": \"%s\"}".formatted(max, per);
  }

  private static String rateOfGroup(int max, String per) {
    return "{\"type\": \"rate\", \"max\": %d, \"per\": \"%s\", \"group\": \"g\"}"
        .formatted(max, per);
  }

  /** The fires of the last seconds, none of which was checked. */
  private List<JobId> dueFires(ScheduleId id, int fires) {
    long generation = world.schedules.heads(List.of(id)).get(id).generation();
    Instant last = Instant.parse("2026-03-01T10:01:59Z");
    return IntStream.range(0, fires)
        .mapToObj(i -> JobId.ofFire(id, generation, last.minusSeconds(i)))
        .toList();
  }

  private void passWithoutChecks() {
    world.pause(Duration.ofSeconds(125));
  }

  private int first(String call) {
    return world.faults.calls().indexOf(call);
  }

  private long count(String call) {
    return world.faults.calls().stream().filter(call::equals).count();
  }

  @Test
  void jobsWithoutGatesAreSentBeforeAnyGateIsChanged() {
    ScheduleId loud = world.put("loud", active(MINUTE, constraints(rate(10, "PT1H"))));
    ScheduleId quiet = world.put("quiet", active(MINUTE));
    passWithoutChecks();
    List<JobId> due = new ArrayList<>(dueFires(loud, FIRES));
    due.addAll(dueFires(quiet, 20));
    world.faults.calls().clear();
    world.checking(due).run();

    assertThat(first("TargetQueues.send")).isBetween(0, first("Gates.find"));
    assertThat(world.arrivals).hasSize(30);
    assertThat(world.arrivals.subList(0, 20))
        .allMatch(arrival -> arrival.request().job().schedule().equals(quiet));
  }

  @Test
  void fewJobsOfANamespaceAreSentBeforeManyOfAnother() {
    ScheduleId loud = world.put(new ScheduleId("loud", "a"), active(EACH_SECOND));
    ScheduleId quiet = world.put(new ScheduleId("quiet", "b"), active(EACH_SECOND));
    passWithoutChecks();
    List<JobId> due = new ArrayList<>(dueFires(loud, 110));
    due.addAll(dueFires(quiet, 5));
    world.checking(due).run();

    assertThat(world.arrivals).hasSize(115);
    assertThat(world.arrivals.subList(0, 5))
        .allMatch(arrival -> arrival.request().job().schedule().equals(quiet));
  }

  @Test
  void jobsOfOneGateShareATransaction() {
    ScheduleId loud = world.put("loud", active(MINUTE, constraints(concurrency(10))));
    passWithoutChecks();
    world.faults.calls().clear();
    world.checking(dueFires(loud, FIRES)).run();

    assertThat(world.arrivals).hasSize(10);
    assertThat(world.gates.allWaiters()).hasSize(FIRES - 10);
    assertThat(count("Gates.commit")).isEqualTo(3);
    assertThat(count("Gates.find")).isEqualTo(1);
  }

  /** A gate that another function changes repeats no job of another namespace. */
  @Test
  void jobsOfTwoNamespacesShareNoTransaction() {
    String limited = active(MINUTE, constraints(concurrency(10)));
    ScheduleId one = world.put(new ScheduleId("one", "a"), limited);
    ScheduleId other = world.put(new ScheduleId("other", "a"), limited);
    passWithoutChecks();
    world.faults.calls().clear();
    List<JobId> due = new ArrayList<>(dueFires(one, 5));
    due.addAll(dueFires(other, 5));
    world.checking(due).run();

    assertThat(world.arrivals).hasSize(10);
    assertThat(count("Gates.commit")).isEqualTo(2);
    List<String> sent =
        world.arrivals.stream().map(it -> it.request().job().schedule().namespace()).toList();
    assertThat(sent.subList(0, 5)).containsOnly(sent.get(0));
  }

  /** Also when a transaction fails after it was stored. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGroupWhoseTransactionFailsIsStoredJobByJob(boolean isStored) {
    ScheduleId loud = world.put("loud", active(MINUTE, constraints(concurrency(10))));
    passWithoutChecks();
    world.faults.calls().clear();
    world.faults.choose(
        callsBeforeCommit(), isStored ? Faults.Kind.FAIL_AFTER : Faults.Kind.FAIL_BEFORE);
    List<JobId> due = dueFires(loud, FIRES);
    world.checking(due).run();
    world.runFor(Duration.ofMinutes(2));

    assertThat(world.jobs.find(due)).hasSize(FIRES);
    assertThat(world.requestsByJob().values()).hasSize(10).containsOnly(1L);
    assertThat(world.gates.allWaiters()).hasSize(FIRES - 10);
  }

  private int callsBeforeCommit() {
    World other = new World("2026-03-01T10:00:00Z");
    ScheduleId id = other.put("loud", active(MINUTE, constraints(concurrency(10))));
    other.pause(Duration.ofSeconds(125));
    other.faults.calls().clear();
    other.checking(dueFires(id, FIRES)).run();
    return other.faults.calls().indexOf("Gates.commit");
  }

  @Test
  void aJobThatAnotherCheckerStoredFirstDoesNotKeepItsGroup() {
    ScheduleId loud = world.put("loud", active(MINUTE, constraints(concurrency(10))));
    passWithoutChecks();
    List<JobId> due = dueFires(loud, 30);
    world.checking(due.subList(12, 13)).run();
    world.checking(due.subList(14, 15)).run();
    world.checking(due).run();

    assertThat(world.requestsByJob().values()).hasSize(10).containsOnly(1L);
    assertThat(world.jobs.find(due).values())
        .filteredOn(job -> job.state() == JobState.PENDING_CONSTRAINT)
        .hasSize(20)
        .allMatch(Job::isBlocked);
  }

  /** The other jobs are left to further checks. */
  @Test
  void noSlotIsTakenWithoutTimeLeftToSend() {
    ScheduleId loud = world.put("loud", active(MINUTE, constraints(concurrency(1_000))));
    passWithoutChecks();
    world.takePerCall(Duration.ofMillis(700));
    world.checking(dueFires(loud, FIRES)).run();

    assertThat(world.gates.all()).allMatch(gate -> gate.slots().size() == world.arrivals.size());
    assertThat(world.arrivals).hasSizeBetween(1, FIRES - 1);
  }

  /** At each call of the check, before or after it took effect. */
  @ParameterizedTest
  @EnumSource(names = {"KILL_BEFORE", "KILL_AFTER"})
  void aCheckerThatDiesInAGroupLosesNoJobAndKeepsNoSlot(Faults.Kind kind) {
    int calls = callsOfAGroup();
    for (int call = 0; call < calls; call++) {
      World other = new World("2026-03-01T10:00:00Z");
      other.put("loud", active(MINUTE, constraints(concurrency(3))));
      other.pause(Duration.ofSeconds(125));
      other.faults.calls().clear();
      other.faults.choose(call, kind);
      other.finishRunsAfter(Duration.ofSeconds(1));
      other.runFor(Duration.ofMinutes(4));

      assertThat(other.requestsByJob()).as("%s call %s", kind, call).hasSize(FIRES);
      assertThat(other.jobs.all()).allMatch(Job::isEnded);
      assertThat(other.gates.all()).allMatch(gate -> gate.slots().isEmpty());
      assertThat(other.gates.allWaiters()).isEmpty();
    }
  }

  private static int callsOfAGroup() {
    World world = new World("2026-03-01T10:00:00Z");
    world.put("loud", active(MINUTE, constraints(concurrency(3))));
    world.pause(Duration.ofSeconds(125));
    world.faults.calls().clear();
    world.handleChecks();
    return world.faults.calls().size();
  }

  /** The lease is checked last. */
  @Test
  void nothingIsSentWhenCountingOnceMoreOutlastsTheLease() {
    world.sendingTime = Duration.ofMillis(100);
    ScheduleId id = world.put("a", active(MINUTE, constraints(rate(1, "PT2S"))));
    passWithoutChecks();
    world.faults.around(
        () -> {},
        () -> {
          List<String> calls = world.faults.calls();
          if (calls.stream().filter("Gates.commit"::equals).count() == 2) {
            world.faults.around(() -> {}, () -> {});
            world.pause(Duration.ofSeconds(12));
          } else if (calls.contains("Gates.commit")) {
            world.pause(Duration.ofMillis(200));
          }
        });
    world.checking(dueFires(id, 1)).run();
    assertThat(world.arrivals).isEmpty();

    world.runFor(Duration.ofMinutes(3));
    assertThat(world.requestsByJob().values()).hasSize(FIRES).containsOnly(1L);
  }

  /** All of a group are late. */
  @Test
  void lateLaunchesOfAGroupAreCountedInOneWrite() {
    world.sendingTime = Duration.ofMillis(100);
    ScheduleId id = world.put("a", active(MINUTE, constraints(rate(20, "PT1H"))));
    passWithoutChecks();
    world.faults.calls().clear();
    world.faults.around(
        () -> {},
        () -> {
          if (count("Gates.commit") == 1) {
            world.faults.around(() -> {}, () -> {});
            world.pause(Duration.ofMillis(500));
          }
        });
    world.checking(dueFires(id, 20)).run();

    assertThat(world.arrivals).hasSize(20);
    assertThat(count("Gates.commit")).isEqualTo(2);
    Instant sent = world.arrivals.get(19).at();
    assertThat(world.gates.all().get(0).launches())
        .hasSize(20)
        .allMatch(launch -> !launch.isBefore(sent));
  }

  /** Another checker launches the next job while the first one stands still before it sends. */
  @ParameterizedTest
  @ValueSource(ints = {100, 1_900, 2_200, 5_000})
  void aCheckerThatStoodStillSendsOnlyWhatTheRateAllows(int millis) {
    world.sendingTime = Duration.ofMillis(100);
    ScheduleId id = world.put("a", active(MINUTE, constraints(rate(1, "PT2S"))));
    passWithoutChecks();
    world.faults.around(
        () -> {},
        () -> {
          if (world.faults.calls().contains("Gates.commit")) {
            world.faults.around(() -> {}, () -> {});
            world.pause(Duration.ofMillis(millis));
            world.handleChecks();
          }
        });
    world.checking(dueFires(id, 8)).run();
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.requestsByJob().values()).hasSize(FIRES).containsOnly(1L);
    assertThatNoTwoAreCloserThan(Duration.ofSeconds(2));
  }

  /**
   * A launch without the limit moves the opening behind the instant at which the gate is served.
   */
  @Test
  void aRateThatOpensWhileTheGateIsServedDoesNotLeaveItsJobWaiting() {
    ScheduleId limited = world.put("a", active(MINUTE, constraints(rateOfGroup(1, "PT5S"))));
    ScheduleId free = world.put("b", active(MINUTE, "\"program\": \"p\""));
    passWithoutChecks();
    world.checking(dueFires(limited, 2)).run();
    world.pause(Duration.ofMillis(10));
    world.checking(dueFires(free, 1)).run();
    assertThat(world.arrivals).hasSize(2);
    GateKey gate = GateKey.ofGroup("default", "g");
    world.pause(Duration.between(world.now(), wakeAt(gate)));
    world.faults.calls().clear();
    world.faults.around(
        () -> {},
        () -> {
          if (count("Gates.find") == 2) {
            world.faults.around(() -> {}, () -> {});
            world.pause(Duration.ofMillis(20));
          }
        });
    world.checking(List.of(gate)).run();

    assertThat(world.arrivals).as("the rate was closed when the job was decided on").hasSize(2);
    assertThat(wakeAt(gate)).isBefore(world.now());
    world.checking(List.of(gate)).run();
    assertThat(world.arrivals).hasSize(3);
  }

  private Instant wakeAt(GateKey gate) {
    return Objects.requireNonNull(world.gates.find(List.of(gate)).get(gate)).wakeAt();
  }

  private void assertThatNoTwoAreCloserThan(Duration least) {
    List<Instant> sent = world.arrivals.stream().map(World.Arrival::at).toList();
    for (int i = 1; i < sent.size(); i++) {
      assertThat(Duration.between(sent.get(i - 1), sent.get(i))).isGreaterThanOrEqualTo(least);
    }
  }

  /** Whatever a call takes: a launch that is late is counted once more, or waits for its turn. */
  @ParameterizedTest
  @ValueSource(ints = {10, 40, 80, 150, 300, 500})
  void requestsAreNeverCloserThanARateAllows(int most) {
    world.sendingTime = Duration.ofMillis(100);
    ScheduleId id = world.put("a", active(MINUTE, constraints(rate(1, "PT2S"))));
    passWithoutChecks();
    Random durations = new Random(most);
    world.faults.around(() -> {}, () -> world.pause(Duration.ofMillis(durations.nextInt(most))));
    world.checking(dueFires(id, 8)).run();
    for (int checks = 0; checks < 300 && world.arrivals.size() < 8; checks++) {
      world.pause(Duration.ofMillis(700));
      world.handleChecks();
    }

    assertThat(world.arrivals).hasSizeGreaterThanOrEqualTo(8);
    assertThatNoTwoAreCloserThan(Duration.ofSeconds(2));
  }
}
