package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs under gauges that users report. */
class ResourceTest {

  private static final GateKey DISK = GateKey.ofResource("default", "disk");
  private static final String FREE = resource("disk", "atLeast", 10, "");
  private static final String FREE_OR_UNKNOWN =
      resource("disk", "atLeast", 10, ", \"ifUnknown\": \"allow\"");

  private final World world = new World("2026-03-01T10:00:30Z");

  private static String resource(String name, String side, int bound, String more) {
    return "{\"type\": \"resource\", \"name\": \"%s\", \"%s\": %d%s}"
        .formatted(name, side, bound, more);
  }

  private static String under(String... constraints) {
    return "\"program\": \"p\", \"constraints\": [%s]".formatted(String.join(", ", constraints));
  }

  private static String concurrency(int max) {
    return "{\"type\": \"concurrency\", \"max\": %d}".formatted(max);
  }

  private ScheduleId onData(String name, String more) {
    return world.put(name, active(partition(name, 1), more));
  }

  private void data(String name) {
    world.partitions(name, 1);
    world.runFor(Duration.ofSeconds(1));
  }

  private void report(int value, String ttl) {
    world.report("disk", value, ttl);
    world.runFor(Duration.ofMillis(1));
  }

  private void end(int launch) {
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"p\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
            .formatted(world.arrivals.get(launch).request().job()));
    world.runFor(Duration.ofSeconds(1));
  }

  private List<String> launched() {
    return world.arrivals.stream()
        .map(arrival -> arrival.request().job().schedule().name())
        .toList();
  }

  private Instant launchedAt(int number) {
    return world.arrivals.get(number).at();
  }

  private Gate gate() {
    return world.gates.find(List.of(DISK)).get(DISK);
  }

  private Job waiting() {
    return world.jobs.all().stream().filter(job -> job.waitsAt() != null).findFirst().orElseThrow();
  }

  @Test
  void aJobThatFoundAReportExpiredByAFastClockLaunchesWhenItIsRenewed() {
    onData("a", under(FREE));
    world.report("disk", 10, "PT20S");
    world.runUntil("2026-03-01T10:00:51Z");
    data("a");
    assertThat(world.arrivals).isEmpty();
    world.setClock("2026-03-01T10:00:49Z");
    report(10, "PT20S");
    world.runFor(Duration.ofSeconds(5));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aJobLaunchesWhileTheGaugeIsOnItsSideAndWaitsOtherwise() {
    onData("a", under(FREE));
    report(10, null);
    data("a");
    assertThat(launched()).containsExactly("a");
    assertThat(world.job(world.arrivals.get(0).request().job()).state())
        .isEqualTo(JobState.LAUNCHED);
    report(9, null);
    data("a");
    assertThat(launched()).hasSize(1);
    assertThat(waiting().lastReason()).isEqualTo("resource disk is 9; at least 10 is required");
    Instant opened = world.now();
    report(11, null);
    assertThat(launched()).hasSize(2);
    assertThat(launchedAt(1)).isEqualTo(opened);
    assertThat(gate().waiters()).isZero();
    assertThat(gate().wakeAt()).isNull();
  }

  @Test
  void aFireThatPassesAGaugeCostsNoMoreThanOneWithout() {
    world.put("a", active(cron("0 * * * * ?"), under(FREE)));
    report(10, null);
    long version = gate().version();
    world.runFor(Duration.ofMinutes(3));
    assertThat(launched()).hasSize(3);
    assertThat(gate().version()).isEqualTo(version);
    assertThat(world.jobs.all()).allMatch(job -> job.ticket() == null && job.version() == 2);
  }

  @Test
  void boundsAreOnBothSides() {
    onData("most", under(resource("disk", "atMost", 10, "")));
    onData("least", under(FREE));
    report(10, null);
    data("most");
    data("least");
    assertThat(launched()).containsExactly("most", "least");
    report(11, null);
    data("most");
    report(9, null);
    assertThat(launched()).containsExactly("most", "least", "most");
  }

  @Test
  void anUnknownGaugeIsWaitedForOrAllowed() {
    onData("waits", under(FREE));
    onData("allows", under(FREE_OR_UNKNOWN).replace("\"p\"", "\"q\""));
    data("waits");
    data("allows");
    assertThat(launched()).containsExactly("allows");
    assertThat(waiting().lastReason()).isEqualTo("resource disk is unknown");
  }

  @Test
  void aValueThatHasExpiredLaunchesNothing() {
    onData("a", under(FREE));
    report(10, "PT1M");
    world.runUntil(gate().gauge().expiresAt().minusMillis(1));
    world.partitions("a", 1);
    world.settle();
    assertThat(launched()).hasSize(1);
    world.runFor(Duration.ofMillis(1));
    data("a");
    assertThat(launched()).hasSize(1);
    report(10, "PT1M");
    assertThat(launched()).hasSize(2);
  }

  @Test
  void withIfUnknownAllowAJobLaunchesAtTheExactInstantOfTheExpiry() {
    onData("a", under(FREE_OR_UNKNOWN));
    onData("b", under(FREE));
    report(9, "PT5M");
    Instant expiry = gate().gauge().expiresAt();
    data("a");
    data("b");
    world.runFor(Duration.ofHours(1));
    assertThat(launched()).containsExactly("a");
    assertThat(launchedAt(0)).isEqualTo(expiry);
  }

  @Test
  void aDistantExpiryIsExactToTheSecondToo() {
    onData("a", under(FREE_OR_UNKNOWN));
    report(9, "PT3H");
    Instant expiry = gate().gauge().expiresAt();
    data("a");
    world.runFor(Duration.ofHours(4));
    assertThat(launchedAt(0)).isEqualTo(expiry);
  }

  @Test
  void aReportThatExpiresEarlierOpensThen() {
    onData("a", under(FREE_OR_UNKNOWN));
    report(9, "PT10M");
    data("a");
    report(9, "PT1M");
    Instant expiry = gate().gauge().expiresAt();
    world.runFor(Duration.ofHours(1));
    assertThat(launched()).hasSize(1);
    assertThat(launchedAt(0)).isEqualTo(expiry);
  }

  @Test
  void aReportThatExpiresLaterOpensThen() {
    onData("a", under(FREE_OR_UNKNOWN));
    report(9, "PT1M");
    data("a");
    report(9, "PT30M");
    Instant expiry = gate().gauge().expiresAt();
    world.runFor(Duration.ofHours(1));
    assertThat(launched()).hasSize(1);
    assertThat(launchedAt(0)).isEqualTo(expiry);
  }

  @Test
  void withIfUnknownAllowAJobLaunchesWhenTheGaugeIsDeleted() {
    onData("a", under(FREE_OR_UNKNOWN));
    onData("b", under(FREE));
    report(9, null);
    data("a");
    data("b");
    world.remove("disk");
    world.runFor(Duration.ofMillis(1));
    assertThat(launched()).containsExactly("a");
    assertThat(waiting().id().schedule().name()).isEqualTo("b");
  }

  @Test
  void waitingJobsLaunchByPriorityThenByAge() {
    onData("late", under(FREE) + ", \"priority\": 5");
    onData("soon", under(FREE) + ", \"priority\": 1");
    report(0, null);
    data("late");
    data("soon");
    data("late");
    data("soon");
    report(10, null);
    assertThat(launched()).containsExactly("soon", "soon", "late", "late");
    assertThat(world.arrivals.get(0).request().job().at())
        .isBefore(world.arrivals.get(1).request().job().at());
  }

  @Test
  void anUnchangedValueCausesNoCheck() {
    onData("a", under(FREE));
    report(9, "PT1M");
    data("a");
    Instant wakeAt = gate().wakeAt();
    report(9, "PT1M");
    assertThat(gate().wakeAt()).isEqualTo(wakeAt).isAfter(world.now());
  }

  @Test
  void aJobThatNeedsMoreDoesNotDelayTheNext() {
    onData("much", under(resource("disk", "atLeast", 100, "")) + ", \"priority\": 0");
    onData("little", under(FREE));
    report(0, null);
    for (int i = 0; i < 60; i++) {
      world.partitions("much", 1);
    }
    data("little");
    assertThat(gate().waiters()).isEqualTo(61);
    report(50, null);
    assertThat(launched()).containsExactly("little");
    data("little");
    assertThat(launched()).as("a job that arrives while others wait").hasSize(2);
    assertThat(gate().waiters()).isEqualTo(60);
  }

  @Test
  void aJobWaitsForTheGaugeWithoutHoldingASlot() {
    onData("a", under(FREE, concurrency(1)));
    onData("b", under(concurrency(1)));
    report(0, null);
    data("a");
    data("b");
    assertThat(launched()).containsExactly("b");
    report(10, null);
    assertThat(launched()).as("the slot is taken").containsExactly("b");
    assertThat(gate().waiters()).isZero();
    report(0, null);
    data("b");
    end(0);
    assertThat(launched()).as("the gauge is closed again").containsExactly("b", "b");
    report(10, null);
    end(1);
    assertThat(launched()).containsExactly("b", "b", "a");
  }

  /**
   * Jobs that cannot launch wait at both gates. A job that can launch must not alternate between
   * the gates.
   */
  @Test
  void aJobThatCanLaunchPassesOthersAtSeveralGates() {
    onData("much", under(resource("disk", "atLeast", 100, "")).replace("\"p\"", "\"q\""));
    onData("narrow", under(concurrency(1)));
    onData("wide", under(FREE, concurrency(5)));
    report(50, null);
    data("narrow");
    data("narrow");
    data("much");
    data("wide");
    assertThat(launched()).containsExactly("narrow", "wide");
  }

  @Test
  void aClosedGaugeWithSkipEndsTheJob() {
    onData("a", under(resource("disk", "atLeast", 10, ", \"onUnmet\": \"skip\"")));
    report(9, null);
    data("a");
    Job skipped = world.jobs.all().get(0);
    assertThat(skipped.state()).isEqualTo(JobState.SKIPPED);
    assertThat(skipped.lastReason()).isEqualTo("resource disk is 9; at least 10 is required");
  }

  @Test
  void theSweepReplacesALostMessageOfAReport() {
    onData("a", under(FREE));
    data("a");
    world.loseChecks();
    report(10, null);
    assertThat(launched()).isEmpty();
    world.runFor(Duration.ofSeconds(61));
    assertThat(launched()).hasSize(1);
  }

  @Test
  void aChangeOfTheDefinitionCancelsWaitingJobs() {
    ScheduleId id = onData("a", under(FREE));
    data("a");
    world.delete(id);
    report(10, null);
    assertThat(launched()).isEmpty();
    assertThat(gate().waiters()).isZero();
    assertThat(world.gates.allWaiters()).isEmpty();
  }

  /** More jobs than one pass has time for. */
  @Test
  void allWaitingJobsLaunchEvenIfAPassIsCutShort() {
    onData("a", under(FREE));
    for (int i = 0; i < 120; i++) {
      world.partitions("a", 1);
    }
    world.runFor(Duration.ofSeconds(1));
    assertThat(gate().waiters()).isEqualTo(120);
    world.takePerCall(Duration.ofMillis(100));
    world.report("disk", 10, null);
    world.runFor(Duration.ofMinutes(2));
    assertThat(launched()).hasSize(120);
    assertThat(world.requestsByJob().values()).allMatch(count -> count == 1);
  }

  @Test
  void gaugesDoNotBlockEachOthersJobs() {
    onData("a", under(FREE, resource("load", "atMost", 3, "")));
    report(10, null);
    data("a");
    assertThat(waiting().waitsAt()).isEqualTo(GateKey.ofResource("default", "load"));
    world.report("load", 2, null);
    world.runFor(Duration.ofMillis(1));
    assertThat(launched()).hasSize(1);
    IntStream.range(0, 3).forEach(i -> data("a"));
    assertThat(launched()).hasSize(4);
  }
}
