package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCreation;
import static dev.carillon.contract.Samples.aDefinition;
import static dev.carillon.contract.Samples.aPlainJob;
import static dev.carillon.contract.Samples.anActiveHead;
import static dev.carillon.contract.Samples.ofNextGeneration;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.constraint.Gauge;
import dev.carillon.dynamodb.DynamoApps;
import dev.carillon.dynamodb.DynamoCalendars;
import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoJobs;
import dev.carillon.dynamodb.DynamoPools;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoStatus;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.dynamodb.Tables;
import dev.carillon.gate.Gate;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.AppId;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.master.AuditProgress;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.timer.Timer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items that are damaged, or that a newer version stored. Each is read by itself: it is not taken
 * for absent, hides no other, and can be replaced.
 */
class DamagedItemsTest {

  private static final Duration RETENTION = Duration.ofDays(90);
  private static final AttributeValue DAMAGE = AttributeValue.fromS("!");

  private final Tables tables = Servers.tables();
  private final DynamoSchedules schedules =
      new DynamoSchedules(Servers.dynamoDb(), tables, 3, RETENTION, () -> NOW, Servers.fanout());
  private final DynamoCalendars calendars =
      new DynamoCalendars(Servers.dynamoDb(), tables, Servers.fanout());
  private final DynamoPools pools =
      new DynamoPools(Servers.dynamoDb(), tables, 3, Servers.fanout());
  private final DynamoApps apps = new DynamoApps(Servers.dynamoDb(), tables, Servers.fanout());
  private final DynamoGates gates =
      new DynamoGates(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());
  private final DynamoJobs jobs =
      new DynamoJobs(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());

  private static void damage(
      String table, String hash, String key, String item, String attribute, AttributeValue value) {
    Map<String, AttributeValue> both =
        Map.of(hash, AttributeValue.fromS(key), "item", AttributeValue.fromS(item));
    Map<String, AttributeValue> stored =
        new HashMap<>(Servers.dynamoDb().getItem(it -> it.tableName(table).key(both)).item());
    assertThat(stored).isNotEmpty();
    stored.put(attribute, value);
    Servers.dynamoDb().putItem(it -> it.tableName(table).item(stored));
  }

  private static void assertUnreadable(Object key, ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            UnreadableItems.class, it -> assertThat(it.keys()).isEqualTo(Set.of(key)));
  }

  @Test
  void aCalendar() {
    StoredCalendar damaged = CalendarsContract.aCalendar(new CalendarId("default", "us"));
    StoredCalendar whole = CalendarsContract.aCalendar(new CalendarId("default", "de"));
    calendars.save(null, damaged);
    calendars.save(null, whole);
    assertThat(calendars.overwrite(damaged)).isFalse();
    damage(tables.schedules(), "schedule", "default#calendars", "us", "current", DAMAGE);

    List<CalendarId> both = List.of(damaged.id(), whole.id());
    assertUnreadable(damaged.id(), () -> calendars.find(both));
    assertThat(calendars.list("default", 10, null).items()).containsExactly(whole);

    assertThat(calendars.overwrite(damaged)).isTrue();
    assertThat(calendars.overwrite(damaged)).isFalse();
    assertThat(calendars.find(both)).containsOnlyKeys(both);
  }

  @Test
  void aPool() {
    StoredPool damaged = PoolsContract.aPool(new PoolId("default", "encode"));
    StoredPool whole = PoolsContract.aPool(new PoolId("default", "pack"));
    pools.save(null, damaged);
    pools.save(null, whole);
    assertThat(pools.overwrite(damaged)).isFalse();
    damage(tables.gates(), "gate", "default#pools", "encode", "document", DAMAGE);

    List<PoolId> both = List.of(damaged.id(), whole.id());
    assertUnreadable(damaged.id(), () -> pools.find(both));
    assertUnreadable(damaged.id(), () -> pools.matching("default"));
    assertThat(pools.list("default", 10, null).items()).containsExactly(whole);

    assertThat(pools.overwrite(damaged)).isTrue();
    assertThat(pools.overwrite(damaged)).isFalse();
    assertThat(pools.find(both)).containsOnlyKeys(both);
  }

  @Test
  void theStateAndTheActivityOfAPool() {
    PoolId id = new PoolId("default", "encode");
    PoolState begin = PoolState.begin(id);
    pools.update(begin, begin.ordered(Order.FIFO, List.of()));
    pools.planChoice(id, NOW);
    damage(tables.gates(), "gate", id.toString(), "state", "s", DAMAGE);
    damage(tables.gates(), "gate", id.toString(), "activity", "n", DAMAGE);

    assertUnreadable(id, () -> pools.state(id));
    assertUnreadable(id, () -> pools.activity(id));
    assertUnreadable(id, () -> pools.planChoice(id, NOW));

    assertThat(pools.repair(id, NOW)).isTrue();
    PoolState repaired = pools.state(id).orElseThrow();
    assertThat(Order.values()).noneMatch(repaired::isOrderedBy);
    assertThat(repaired.isToBeCounted(NOW)).isTrue();
    assertThat(repaired.visible(pools.activity(id))).isEqualTo(100_000);
    assertThat(pools.update(begin, begin.ordered(Order.FIFO, List.of()))).isFalse();
    assertThat(pools.planChoice(id, NOW)).contains(NOW);
    assertThat(pools.activity(id).isAwake()).isTrue();
  }

  @Test
  void aStateAndAnActivityThatCanBeReadStayAsTheyAre() {
    PoolId id = new PoolId("default", "encode");
    assertThat(pools.repair(id, NOW)).isTrue();
    assertThat(pools.state(id)).isEmpty();
    PoolState begin = PoolState.begin(id);
    pools.update(begin, begin.ordered(Order.FIFO, List.of()));
    pools.claimed(id, 7);
    assertThat(pools.repair(id, NOW)).isTrue();
    assertThat(pools.state(id).map(PoolState::order)).contains(Order.FIFO);
    assertThat(pools.activity(id).claimed()).isEqualTo(7);
  }

  // ---- collecting jobs

  private static final CollectingJobId COLLECTING = new CollectingJobId(REPORT);

  private static Set<Long> hashes(int from, int to) {
    return LongStream.range(from, to).boxed().collect(Collectors.toSet());
  }

  private CollectingJob collecting() {
    CollectingJob first = Samples.aCollectingJob(REPORT, 1, null);
    assertThat(jobs.save(null, first, hashes(0, 300), List.of(), NOW)).isTrue();
    return first;
  }

  /** Another function, which remembers nothing. */
  private DynamoJobs elsewhere() {
    return new DynamoJobs(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());
  }

  @Test
  void aCollectingJobIsReplacedAndKeepsItsSeenIds() {
    CollectingJob lost = collecting();
    CollectingJob standIn = CollectingJob.standIn(REPORT, NOW);
    assertThat(elsewhere().overwrite(standIn, NOW)).isFalse();
    damage(tables.jobs(), "schedule", REPORT.toString(), "collecting", "n", DAMAGE);
    assertUnreadable(COLLECTING, () -> elsewhere().collectingJob(REPORT, NOW));

    assertThat(elsewhere().overwrite(standIn, NOW)).isTrue();
    assertThat(elsewhere().overwrite(standIn, NOW)).isFalse();
    StoredCollectingJob stored = elsewhere().collectingJob(REPORT, NOW).orElseThrow();
    assertThat(stored.collectingJob()).isEqualTo(standIn);
    assertThat(stored.seen()).isEqualTo(hashes(0, 300));
    CollectingJob next = Samples.aCollectingJob(REPORT, standIn.version() + 1, null);
    assertThat(jobs.save(lost, next, Set.of(), List.of(), NOW)).isFalse();
    assertThat(jobs.save(standIn, next, hashes(300, 600), List.of(), NOW)).isTrue();
    assertThat(elsewhere().collectingJob(REPORT, NOW).orElseThrow().seen())
        .isEqualTo(hashes(0, 600));
  }

  @Test
  void seenIdsThatCannotBeReadAreForgottenWithTheCollectingJob() {
    collecting();
    String slice = "collecting#seen#0000000001";
    damage(tables.jobs(), "schedule", REPORT.toString(), slice, "s", DAMAGE);
    assertUnreadable(COLLECTING, () -> elsewhere().collectingJob(REPORT, NOW));

    CollectingJob standIn = CollectingJob.standIn(REPORT, NOW);
    assertThat(jobs.overwrite(standIn, NOW)).isTrue();
    CollectingJob next = Samples.aCollectingJob(REPORT, standIn.version() + 1, null);
    assertThat(jobs.save(standIn, next, hashes(300, 600), List.of(), NOW)).isTrue();
    assertThat(elsewhere().collectingJob(REPORT, NOW).orElseThrow().seen())
        .isEqualTo(hashes(300, 600));
  }

  @Test
  void aTimerIsMissingUntilItIsStoredAgain() {
    DynamoTimers timers = new DynamoTimers(Servers.dynamoDb(), tables, 1, Servers.fanout());
    Timer timer = Samples.aTimer(REPORT, NOW);
    timers.put(List.of(timer));
    assertThat(timers.missing(List.of(timer))).isEmpty();
    Map<String, AttributeValue> stored =
        Servers.dynamoDb().scan(it -> it.tableName(tables.timers())).items().stream()
            .filter(item -> item.toString().contains(REPORT.toString()))
            .findFirst()
            .map(HashMap::new)
            .orElseThrow();
    stored.replaceAll(
        (name, value) -> Set.of("shard", "due", "timer").contains(name) ? value : DAMAGE);
    Servers.dynamoDb().putItem(it -> it.tableName(tables.timers()).item(stored));
    assertThat(timers.missing(List.of(timer))).containsExactly(timer);
    timers.put(List.of(timer));
    assertThat(timers.missing(List.of(timer))).isEmpty();
  }

  // ---- the master's status

  private final DynamoStatus status =
      new DynamoStatus(Servers.dynamoDb(), tables, Servers.fanout());

  private void damageStatus(String part, String attribute) {
    Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS(part));
    Map<String, AttributeValue> stored =
        new HashMap<>(
            Servers.dynamoDb().getItem(it -> it.tableName(tables.status()).key(key)).item());
    assertThat(stored).containsKey(attribute);
    stored.put(attribute, DAMAGE);
    Servers.dynamoDb().putItem(it -> it.tableName(tables.status()).item(stored));
  }

  @Test
  void theAuditHidesNoProgressAndBeginsAgain() {
    AuditProgress audit = new AuditProgress(NOW, List.of(Part.NEW), 12);
    status.advance(NOW);
    status.saveAudit(status.read().orElseThrow(), audit);
    damageStatus("audit", "auditedAt");
    Status read = status.read().orElseThrow();
    assertThat(read).isEqualTo(new Status(NOW, null));

    AuditProgress again = new AuditProgress(NOW.plusSeconds(60), List.of(Part.NEW), 0);
    assertThat(status.saveAudit(read, again)).isTrue();
    assertThat(status.saveAudit(read, audit)).isFalse();
    assertThat(status.read()).contains(new Status(NOW, again));
  }

  @Test
  void theProgressIsStoredAgainByTheNextTick() {
    status.advance(NOW);
    damageStatus("progress", "lastProcessedTime");
    assertThat(status.read()).isEmpty();
    status.advance(NOW.plusSeconds(60));
    assertThat(status.read()).contains(new Status(NOW.plusSeconds(60), null));
  }

  @Test
  void theShardsAreStoredAgainByTheNextTick() {
    Shards four = new Shards(4, 4);
    ShardPlan plan = new ShardPlan(four, four, NOW);
    status.saveShards(null, plan);
    damageStatus("shards", "timerShards");
    assertUnreadable("shards", status::shards);
    assertThat(status.saveShards(null, plan)).isTrue();
    assertThat(status.saveShards(null, plan)).isFalse();
    assertThat(status.shards()).contains(plan);
  }

  @Test
  void anApp() {
    AppId id = new AppId("default", "exports");
    App app = App.claimed(id, null, List.of("a"), NOW, "ann");
    apps.save(null, app);
    assertThat(apps.overwrite(app)).isFalse();
    damage(tables.schedules(), "schedule", "default/apps/exports", "app", "leaseUntil", DAMAGE);

    assertUnreadable(id, () -> apps.find(id));
    assertThat(apps.overwrite(app)).isTrue();
    assertThat(apps.find(id)).contains(app);
  }

  @Test
  void aGate() {
    GateKey damaged = GateKey.ofResource("default", "db");
    GateKey whole = GateKey.ofResource("default", "web");
    Gauge gauge = new Gauge(BigDecimal.ONE, null, NOW, "ann");
    for (GateKey key : List.of(damaged, whole)) {
      Gate unused = Gate.unused(key);
      assertThat(gates.update(unused, unused.reported(gauge, NOW))).isTrue();
    }
    Gate repaired = Gate.unused(damaged).reported(gauge, NOW);
    assertThat(gates.overwrite(repaired)).isFalse();
    damage(tables.gates(), "gate", damaged.toString(), "gate", "l", DAMAGE);

    assertUnreadable(damaged, () -> gates.find(List.of(damaged, whole)));
    assertThat(gates.find(List.of(whole))).containsOnlyKeys(whole);
    assertThat(gates.resources("default", 10, null).items())
        .extracting(Gate::key)
        .containsExactly(whole);

    assertThat(gates.overwrite(repaired)).isTrue();
    assertThat(gates.find(List.of(damaged)).get(damaged).gauge()).isEqualTo(gauge);
  }

  @Test
  void aBackfill() {
    Backfill damaged = aBackfill("x1");
    Backfill whole = aBackfill("x2");
    jobs.saveBackfill(null, damaged);
    jobs.saveBackfill(null, whole);
    damage(tables.jobs(), "schedule", REPORT.toString(), "backfill#x1", "z", DAMAGE);

    assertUnreadable(damaged.id(), () -> jobs.backfills(List.of(damaged.id(), whole.id())));
    assertUnreadable(damaged.id(), () -> jobs.openBackfills(REPORT));
    assertThat(jobs.backfills(List.of(whole.id()))).containsOnlyKeys(whole.id());
  }

  private static Backfill aBackfill(String name) {
    return Backfill.create(
        new BackfillId(REPORT, name),
        new Backfill.Order(1, 2, "exporter", NOW.minusSeconds(9), NOW, 1, 3, "ann", NOW),
        NOW.minusSeconds(5));
  }

  private void damage(Job job) {
    damage(
        tables.jobs(),
        "schedule",
        job.id().schedule().toString(),
        "job#" + job.id().sortKey(),
        "h",
        DAMAGE);
  }

  @Test
  void aJobInWhosePlaceAnotherIsWritten() {
    Job damaged = aPlainJob(REPORT, NOW);
    Job whole = aPlainJob(REPORT, NOW.plusSeconds(1));
    jobs.insert(List.of(damaged, whole));
    damage(damaged);

    Job other = aPlainJob(REPORT, NOW.plusSeconds(2));
    assertThatThrownBy(() -> jobs.insert(List.of(damaged, other, whole)))
        .isInstanceOfSatisfying(
            UnreadableJobs.class,
            it -> {
              assertThat(it.ids()).containsExactly(damaged.id());
              assertThat(it.outcomes())
                  .containsExactly(Optional.empty(), Optional.empty(), Optional.of(whole));
            });
    assertThat(jobs.find(List.of(other.id()))).containsOnlyKeys(other.id());

    Job late = whole.sent(NOW, Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "x"));
    Job lost = damaged.sent(NOW, Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "x"));
    assertThatThrownBy(() -> jobs.update(List.of(new Update(lost, lost), new Update(whole, late))))
        .isInstanceOfSatisfying(
            UnreadableJobs.class, it -> assertThat(it.ids()).containsExactly(damaged.id()));
    assertThat(jobs.find(List.of(whole.id())).get(whole.id()).state()).isEqualTo(late.state());
  }

  @Test
  void aSkippedFire() {
    JobId fire = JobId.ofFire(REPORT, 1, NOW);
    Job skipped =
        NewJob.endedBeforeLaunch(
            fire,
            2,
            "exporter",
            JobState.SKIPPED,
            null,
            NOW,
            Reason.of(ReasonCode.SCHEDULE_DELETED));
    jobs.insert(List.of(skipped));
    damage(skipped);

    assertThatThrownBy(() -> jobs.skippedUpTo(fire)).isInstanceOf(UnreadableJobs.class);
  }

  /** A bucket whose count is damaged may have programs in it: the gates show which. */
  @Test
  void theProgramsWithLimits() {
    demand(schedule("a"), "exporter");
    String bucket = Integer.toString(LimitedPrograms.bucket("exporter"), 36);
    damage(tables.schedules(), "schedule", "default", "gated", bucket, DAMAGE);
    LimitedPrograms limited = schedules.forLaunch(List.of(REPORT)).limited().get("default");
    assertThat(limited.canInclude("exporter")).isTrue();
    assertThat(limited.canInclude("importer")).isFalse();
  }

  private void demand(ScheduleId id, String program) {
    Head head = SchedulesContract.limiting(anActiveHead(id), program, "c1");
    Change change = new Change(null, head, aDefinition(head), Set.of(), Set.of(), List.of());
    assertThat(schedules.save(change)).isTrue();
  }

  /** The replaced gate keeps what schedules demand; a count that is damaged is too high. */
  @Test
  void aGateWithLimits() {
    demand(schedule("a"), "exporter");
    demand(schedule("b"), "exporter");
    GateKey key = GateKey.ofProgram("default", "exporter");
    damage(tables.gates(), "gate", key.toString(), "gate", "=c2", DAMAGE);
    assertUnreadable(key, () -> gates.find(List.of(key)));

    demand(schedule("c"), "exporter");
    assertUnreadable(key, () -> gates.find(List.of(key)));
    assertThat(gates.overwrite(Gate.standIn(key, 0, 3, NOW))).isTrue();

    Gate repaired = gates.find(List.of(key)).get(key);
    assertThat(repaired.waiters()).isEqualTo(3);
    assertThat(repaired.demands()).containsEntry("c1", 3L).containsKey("c2");
    assertThat(repaired.demands().get("c2")).isGreaterThan(1_000_000);
  }

  @Test
  void aHeadIsLeftOutOfTheListOfAnEventKeyAndOfPrograms() {
    Head damaged = anActiveHead(REPORT);
    Head whole = anActiveHead(schedule("whole"));
    schedules.save(aCreation(damaged, Set.of("event:a")));
    schedules.save(aCreation(whole, Set.of("event:a")));
    damageHead();

    ListFilter ofKey = new ListFilter(null, null, null, null, "event:a", null);
    assertThat(schedules.list("default", ofKey, 10, null).items())
        .extracting(it -> it.head().id())
        .containsExactly(whole.id());
  }

  @Test
  void aHeadIsReplacedWithAllThatBelongsToIt() {
    Head damaged = anActiveHead(REPORT);
    Head limited = SchedulesContract.limiting(damaged, "exporter", "c1");
    schedules.save(
        new Change(null, limited, aDefinition(damaged), Set.of(), Set.of("event:a"), List.of()));
    Head standIn = Lifecycle.standIn(REPORT, NOW);
    Change deletion = Lifecycle.deleteUnreadable(standIn, NOW);
    assertThat(schedules.overwrite(deletion)).isFalse();
    damageHead();

    assertThat(schedules.overwrite(deletion)).isTrue();

    assertThat(schedules.heads(List.of(REPORT)).get(REPORT).isDeleted()).isTrue();
    assertThat(schedules.find(REPORT)).isEmpty();
    assertThat(schedules.withEventKey("default", "event:a")).isEmpty();
    GateKey gate = GateKey.ofProgram("default", "exporter");
    assertThat(gates.find(List.of(gate)).get(gate).demands()).isEmpty();
    LimitedPrograms rest = schedules.forLaunch(List.of(REPORT)).limited().get("default");
    assertThat(rest.canInclude("exporter")).isFalse();
    Head next = ofNextGeneration(deletion.after());
    assertThat(
            schedules.save(
                new Change(
                    deletion.after(), next, aDefinition(next), Set.of(), Set.of(), List.of())))
        .isTrue();
    assertThat(schedules.find(REPORT)).map(StoredSchedule::head).contains(next);
  }

  private void damageHead() {
    damage(tables.schedules(), "schedule", REPORT.toString(), "head", "version", DAMAGE);
  }
}
