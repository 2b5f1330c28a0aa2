package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While an item cannot be read, the number of checks of it does not grow. Checkers receive one
 * message at a time here: two messages for one subject in one batch would have one check.
 */
class UnreadableChecksTest {

  private static final String DAILY = cron("0 0 3 * * ?");
  private static final String BEGIN = "2026-02-01T00:00:00Z";
  private static final String END = "2026-02-20T00:00:00Z";
  private static final String THREE =
      "\"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 3}]";

  /** Each check makes one of these calls, or two. */
  private static final Set<String> READS =
      Set.of("Schedules.forLaunch", "Backfills.backfills", "Jobs.collectingJob");

  private final World world = new World("2026-03-01T10:00:00Z");
  private final Pooled pooled = new Pooled(world);

  private enum Damage {
    HEAD,
    DEFINITION,
    ROW,
    GATE,
    LIMITS
  }

  private void damage(Damage damage, ScheduleId id) {
    switch (damage) {
      case HEAD -> world.damageHeadOf(id);
      case DEFINITION -> world.damageDefinitionOf(id);
      case ROW -> world.damageRowOf(jobOf(id));
      case GATE -> world.damageItemOf(GateKey.ofProgram("default", "p"));
      case LIMITS -> world.damageLimitsOf("p");
    }
  }

  private JobId jobOf(ScheduleId id) {
    return world.jobs.ofSchedule(id, null, 1, null).items().get(0).id();
  }

  /** After ten minutes, there are at most four reads a minute. */
  private void assertFewChecks() {
    world.runBounded(Duration.ofMinutes(10), 1, 1);
    world.faults.calls().clear();
    world.runBounded(Duration.ofMinutes(10), 1, 1);
    assertThat(world.faults.calls().stream().filter(READS::contains)).hasSizeBetween(5, 40);
  }

  private void assertLaunchesAfterRepair(int jobs) {
    int before = world.arrivals.size();
    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.arrivals).hasSize(before + jobs);
  }

  /** The master has the pool choose each minute. */
  @ParameterizedTest
  @EnumSource(names = {"HEAD", "DEFINITION", "ROW"})
  void ofAJobThatItsPoolChooses(Damage damage) {
    pooled.pool("{\"queue\": \"q\", \"depth\": 1}");
    pooled.schedule("first", "");
    ScheduleId bad = pooled.schedule("bad", "");
    pooled.arrive("first", 1);
    pooled.arrive("bad", 1);
    assertThat(pooled.in(JobState.READY)).hasSize(1);
    damage(damage, bad);
    pooled.succeed(pooled.claim());
    assertFewChecks();
    assertLaunchesAfterRepair(1);
  }

  /** The master checks the job each minute, once its entry in the attention index is due. */
  @ParameterizedTest
  @EnumSource(Damage.class)
  void ofAJobThatWaits(Damage damage) {
    String delay = "[{\"type\": \"delay\", \"duration\": \"PT30S\"}, ";
    ScheduleId bad = world.put("bad", active(partition("d", 1), THREE.replace("[", delay)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(10));
    damage(damage, bad);
    assertFewChecks();
    assertLaunchesAfterRepair(1);
  }

  /** Its jobs have no items, so that only its own checks lead to theirs. */
  @ParameterizedTest
  @EnumSource(names = {"GATE", "LIMITS"})
  void ofABackfillThatCanLaunchNoJob(Damage damage) {
    ScheduleId bad = world.put("bad", active(DAILY, THREE));
    damage(damage, bad);
    world.backfill(bad, BEGIN, END, 3);
    assertFewChecks();
    assertLaunchesAfterRepair(3);
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAD", "DEFINITION"})
  void ofABackfillOfAnUnreadableSchedule(Damage damage) {
    ScheduleId bad = world.put("bad", active(DAILY, THREE));
    damage(Damage.GATE, bad);
    world.backfill(bad, BEGIN, END, 3);
    world.runFor(Duration.ofSeconds(2));
    damage(damage, bad);
    assertFewChecks();
    assertLaunchesAfterRepair(3);
  }

  @Test
  void ofAnUnreadableBackfill() {
    ScheduleId bad = world.put("bad", active(DAILY, THREE));
    BackfillId backfill = world.backfill(bad, BEGIN, END, 3);
    world.damageItemOf(backfill);
    assertFewChecks();
    assertLaunchesAfterRepair(3);
  }

  /** Their slots are at the gate that cannot be read. */
  @Test
  void ofReadyJobsOfACancelledBackfill() {
    pooled.pool("{\"queue\": \"q\", \"paused\": true}");
    ScheduleId bad =
        world.put(
            "bad",
            """
            {"trigger": %s, "state": "ACTIVE", "pool": "encode",
             "target": {"template": {"of": "bad"}}, %s}
            """
                .formatted(DAILY, THREE));
    BackfillId backfill = world.backfill(bad, BEGIN, END, 3);
    world.runFor(Duration.ofSeconds(2));
    assertThat(pooled.in(JobState.READY)).hasSize(3);
    damage(Damage.GATE, bad);
    world.cancel(backfill);
    assertFewChecks();
    assertThat(pooled.in(JobState.READY)).hasSize(3);

    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(pooled.in(JobState.CANCELLED)).hasSize(3);
    assertThat(world.backfill(backfill).hasEnded()).isTrue();
  }

  @Test
  void ofAnUnreadableCollectingJob() {
    String timeout = "\"timeout\": {\"after\": \"PT1M\", \"action\": \"launch\"}";
    ScheduleId bad = world.put("bad", active(partition("d", 2), timeout));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.damageCollectingJobOf(bad);
    assertFewChecks();
    assertLaunchesAfterRepair(1);
  }

  /** Nothing but the messages of its fires leads to the collecting job. */
  @Test
  void ofAnUnreadableCollectingJobWithFires() {
    ScheduleId bad = world.put("bad", active(and(cron("0 * * * * ?"), partition("d", 1))));
    world.partitions("e", 1);
    world.runFor(Duration.ofSeconds(1));
    world.damageCollectingJobOf(bad);
    assertFewChecks();
    world.repair();
    world.runFor(Duration.ofMinutes(2));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
  }

  /** The job waits at the gate, so that it cannot be stored as ended without the gate. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAJobThatMustEndAtAnUnreadableGate(boolean isDeleted) {
    String one = THREE.replace("3}", "1}");
    world.put("first", active(partition("a", 1), one));
    ScheduleId bad = world.put("bad", active(partition("b", 1), one));
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    world.partitions("b", 1);
    world.runFor(Duration.ofSeconds(1));
    JobId waiting = jobOf(bad);
    damage(Damage.GATE, bad);
    if (isDeleted) {
      world.delete(bad);
    } else {
      world.put("bad", active(partition("c", 1), one));
    }
    // It is acknowledged: another message names the job.
    world.checking(List.of(waiting)).run();
    assertFewChecks();
    assertThat(world.job(waiting).state()).isEqualTo(JobState.PENDING_CONSTRAINT);

    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.job(waiting).state()).isEqualTo(JobState.CANCELLED);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  /** It has no worker whose report could be late, and is counted as failed after a day. */
  @Test
  void ofARunWithoutAnEndAtAnUnreadableGate() {
    ScheduleId bad = world.put("bad", active(partition("a", 1), THREE));
    world.partitions("a", 1);
    world.runFor(Duration.ofSeconds(1));
    JobId run = jobOf(bad);
    damage(Damage.GATE, bad);
    world.runFor(Duration.ofHours(25));
    assertFewChecks();
    assertThat(world.job(run).isRunning()).isTrue();

    world.repair();
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.job(run).state()).isEqualTo(JobState.FAILED);
    assertThat(world.checkQueue.all()).isEmpty();
  }

  @Test
  void ofAnUnreadableCollectingJobWithoutAReadableDefinition() {
    String timeout = "\"timeout\": {\"after\": \"PT1M\", \"action\": \"launch\"}";
    ScheduleId bad = world.put("bad", active(partition("d", 2), timeout));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    world.damageCollectingJobOf(bad);
    damage(Damage.DEFINITION, bad);
    assertFewChecks();
    assertLaunchesAfterRepair(1);
  }

  /** The events that come have the collecting job read the waiting job. */
  @ParameterizedTest
  @ValueSource(strings = {"merge", "skip"})
  void ofFiresThatJoinAnUnreadableJob(String whilePending) {
    String more = THREE.replace("3}", "1}") + ", \"whilePending\": \"" + whilePending + "\"";
    ScheduleId bad = world.put("bad", active(and(cron("0 * * * * ?"), partition("d", 1)), more));
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(1));
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(1));
    Set<JobState> waiting = Set.of(JobState.PENDING_CONSTRAINT);
    assertThat(world.jobs.ofSchedule(bad, waiting, 5, null).items()).hasSize(1);
    world.damageRowOf(world.jobs.ofSchedule(bad, waiting, 1, null).items().get(0).id());
    world.partitions("d", 1);
    assertFewChecks();
    world.repair();
    world.runFor(Duration.ofMinutes(3));
    assertThat(world.jobs.ofSchedule(bad, waiting, 5, null).items()).hasSize(1);
  }
}
