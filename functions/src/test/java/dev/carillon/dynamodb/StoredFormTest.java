package dev.carillon.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.document.Json;
import dev.carillon.dynamodb.SeenIds.Group;
import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.event.Event;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.id.AppId;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Callback;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Delivery;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.LeafClock;
import dev.carillon.job.NewJob;
import dev.carillon.job.Origin;
import dev.carillon.job.Precedence;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.job.Transition;
import dev.carillon.job.TriggerState;
import dev.carillon.job.Wait;
import dev.carillon.master.AuditProgress;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.run.Claim;
import dev.carillon.run.FinalReport;
import dev.carillon.run.Operation;
import dev.carillon.run.OperationState;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.SuspendedBy;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.LeafCount;
import dev.carillon.wakeup.Wakeup;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The forms of stored items, which later versions must be able to read. */
class StoredFormTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);

  private static final GateKey GROUP = GateKey.ofGroup("default", "db");
  private static final Counted SLOTS = new Counted(true, 0, Duration.ZERO);

  /** Reads an item, also with attributes that only a newer version knows. */
  private static <T> T read(TableSchema<T> schema, Map<String, AttributeValue> item) {
    T record = schema.mapToItem(item);
    assertThat(schema.mapToItem(NewerItems.newer(item))).isEqualTo(record);
    return record;
  }

  @Test
  void aPlainFire() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("job#00001~0loyw3v28"));
    item.put("state", fromS("LAUNCHED"));
    item.put("v", fromN("2"));
    item.put("a", fromN("3"));
    item.put("p", fromS("exporter"));
    item.put("l", fromN("1700000000090"));
    item.put("expiresAt", fromN("1707776000"));
    item.put(
        "h",
        fromS(
            "[[1700000000040,\"PENDING_LAUNCH\"],"
                + "[1700000000090,\"LAUNCHED\",\"TEMPLATE_INCOMPLETE\",\"a note\"]]"));
    Job job =
        NewJob.launchingFire(
                JobId.ofFire(REPORT, 1, AT), 3, "exporter", AT.plusMillis(40), AT.plusSeconds(15))
            .sent(AT.plusMillis(90), Reason.of(ReasonCode.TEMPLATE_INCOMPLETE, "a note"));

    assertThat(read(JobItem.SCHEMA, item)).isEqualTo(job);
    assertThat(JobItem.of(job, 4, Duration.ofDays(90)).attributes()).isEqualTo(item);
  }

  @Test
  void aTrackedJob() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("job#00001~0loyw3v28"));
    item.put("state", fromS("RUNNING"));
    item.put("v", fromN("4"));
    item.put("a", fromN("3"));
    item.put("p", fromS("exporter"));
    item.put("l", fromN("1700000000090"));
    item.put("unfinished", fromS("default|0"));
    item.put("link", fromS("default|order|81"));
    item.put("u", fromS("eloyw55ig"));
    item.put(
        "run",
        fromS(
            "{\"p\":[900000,60000,60000,21600000,5,10000,1.5,3600000],"
                + "\"a\":[[\"load\",\"copy\",[],\"SUCCEEDED\"],[\"check\",null,[\"load\"]]],"
                + "\"c\":[\"w1\",\"token\",1700000000100,1700000000200,1700000000200],"
                + "\"f\":[\"old\",false],\"x\":true,\"g\":{\"done\":4},\"e\":\"boom\"}"));
    item.put(
        "h",
        fromS(
            "[[1700000000040,\"PENDING_LAUNCH\"],[1700000000090,\"ENQUEUED\"],"
                + "[1700000000100,\"CLAIMED\",\"CLAIMED\",\"w1\"],[1700000000200,\"RUNNING\"]]"));
    List<Operation> operations =
        List.of(
            new Operation("load", "copy", List.of()),
            new Operation("check", null, List.of("load")));
    RetryPolicy retry = new RetryPolicy(5, Duration.ofSeconds(10), 1.5, Duration.ofHours(1));
    Run unclaimed = Run.of(new RunPolicy(Tracking.USUAL, retry, operations));
    Claim claim = new Claim("w1", "token", AT.plusMillis(100), null);
    Run run =
        unclaimed
            .with(claim.started(AT.plusMillis(200)).reported(AT.plusMillis(200)))
            .failed(new FinalReport("old", false), "boom")
            .with(Json.object().put("done", 4))
            .with(Map.of("load", OperationState.SUCCEEDED))
            .cancelRequested();
    Job sent =
        NewJob.dueFire(JobId.ofFire(REPORT, 1, AT), 3, "exporter")
            .tracked(unclaimed.policy())
            .linked("order|81")
            .launching(AT.plusMillis(40), AT.plusSeconds(15))
            .enqueued(AT.plusMillis(90), null, AT.plusSeconds(60));
    Job claimed = TrackedJob.claimed(sent, claim, AT.plusMillis(100), AT.plusSeconds(60));
    Job job = TrackedJob.goesOn(claimed, run, AT.plusMillis(200), AT.plusMillis(60_200));

    Map<String, AttributeValue> written = JobItem.of(job, 4, Duration.ofDays(90)).attributes();
    assertThat(read(JobItem.SCHEMA, written)).isEqualTo(job);
    assertThat(written).isEqualTo(item);
  }

  @Test
  void anApp() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/apps/exports"));
    item.put("item", fromS("app"));
    item.put("version", fromN("1700000000003"));
    item.put("programs", AttributeValue.fromL(List.of(fromS("exporter"))));
    item.put("schedules", AttributeValue.fromL(List.of(fromS("audit"), fromS("report"))));
    item.put("claimed", AttributeValue.fromL(List.of(fromS("audit"))));
    item.put("deployedAt", fromN("1700000001000"));
    item.put("deployedBy", fromS("ann"));
    item.put("leaseBy", fromS("bob"));
    item.put("leaseSince", fromN("1700000002000"));
    item.put("leaseUntil", fromN("1700000042000"));
    App app =
        new App(
            new AppId("default", "exports"),
            List.of("exporter"),
            new TreeSet<>(List.of("report", "audit")),
            new TreeSet<>(List.of("audit")),
            1_700_000_000_003L,
            AT.plusSeconds(1),
            "ann",
            new App.Lease("bob", AT.plusSeconds(2), AT.plusSeconds(42)));

    assertThat(read(AppItem.SCHEMA, item)).isEqualTo(app);
    assertThat(AppItem.SCHEMA.itemToMap(app, true)).isEqualTo(item);
  }

  @Test
  void theProgressOfAnAudit() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("id", fromS("audit"));
    item.put("auditedAt", fromN("1700000001000"));
    item.put("auditParts", fromS("default/report,-,+"));
    item.put("audited", fromN("7"));
    AuditProgress audit =
        new AuditProgress(
            AT.plusSeconds(1), List.of(new Part("default/report", false), Part.DONE, Part.NEW), 7);

    assertThat(read(StatusItem.SCHEMA, item).audit()).isEqualTo(audit);
    assertThat(StatusItem.SCHEMA.itemToMap(StatusItem.of(audit), true)).isEqualTo(item);
  }

  @Test
  void aJobWithEveryMember() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("job#00001~0loyw3v28~e1z"));
    item.put("state", fromS("PENDING_CONSTRAINT"));
    item.put("v", fromN("7"));
    item.put("a", fromN("3"));
    item.put("p", fromS("exporter"));
    item.put("t", fromN("2"));
    item.put("c", fromS("acme"));
    item.put("r", fromN("0"));
    item.put("f", fromN("1700000001000"));
    item.put("g", fromN("1700000002000"));
    item.put("l", fromN("1700000003000"));
    item.put("u", fromS("rloyw3yx4"));
    item.put("x", fromN("4"));
    item.put("attentionShard", fromS("1"));
    item.put("attentionAt", fromN("1700000006000"));
    item.put("h", fromS("[[1700000000000,\"PENDING_CONSTRAINT\"]]"));
    item.put(
        "q",
        fromM(
            Map.of(
                "g", fromS("default#program:exporter default#group:db"),
                "s", fromBool(true),
                "t", fromN("1700000007000"),
                "e", fromN("-5"))));
    item.put("o", deflated(TRIGGER_STATE));
    item.put("n", deflated("eNqrVipIrMzJT0xRsoo2jK0FACuWBUo="));

    Job job = read(JobItem.SCHEMA, item);

    assertThat(job)
        .isEqualTo(
            new Job(
                JobId.ofEvents(REPORT, 1, AT, 71),
                7,
                JobState.PENDING_CONSTRAINT,
                new Origin(
                    3,
                    "exporter",
                    AT.plusSeconds(1),
                    AT.plusSeconds(2),
                    Json.readObject("{\"payload\": [1]}")),
                new Precedence("acme", 0, null),
                new Delivery(2, AT.plusSeconds(3), 4, null, null),
                new Wait.Retry(AT.plusSeconds(5), AT.plusSeconds(6)),
                triggerState(),
                new GateTicket(
                    List.of(
                        GateKey.ofProgram("default", "exporter"), GateKey.ofGroup("default", "db")),
                    true,
                    AT.plusSeconds(7),
                    -5L),
                List.of(new Transition(AT, JobState.PENDING_CONSTRAINT, null))));
    assertThat(JobItem.SCHEMA.itemToMap(job, true)).containsEntry("u", fromS("rloyw3yx4"));
  }

  @Test
  void aJobOfEachWait() {
    for (Wait wait :
        List.of(
            new Wait.Check(AT),
            new Wait.Opening(AT, AT.plusSeconds(20)),
            new Wait.AtGate(GateKey.ofGroup("default", "web"), AT.plusSeconds(20)),
            new Wait.Suspended())) {
      assertStored(JobState.PENDING_CONSTRAINT, wait);
    }
    assertStored(JobState.PENDING_LAUNCH, new Wait.Lease(AT, null));
    assertStored(JobState.PENDING_LAUNCH, new Wait.Lease(AT, AT));
    assertStored(JobState.ENQUEUED, new Wait.Report(AT, AT));
  }

  private static void assertStored(JobState state, Wait wait) {
    Job due = NewJob.dueFire(JobId.ofFire(REPORT, 1, AT), 3, "exporter");
    Job job =
        new Job(
            due.id(),
            2,
            state,
            due.origin(),
            due.precedence(),
            due.delivery(),
            wait,
            null,
            null,
            List.of(new Transition(AT, state, null)));
    assertThat(JobItem.SCHEMA.mapToItem(JobItem.SCHEMA.itemToMap(job, true))).isEqualTo(job);
  }

  @Test
  void aJobThatOwesItsCallback() {
    for (Callback callback :
        List.of(Callback.UNSENT, new Callback(3, null, "no queue"), new Callback(3, AT, null))) {
      for (Wait wait :
          List.of(new Wait.Conclusion(null, AT), new Wait.Conclusion(AT, AT.plusSeconds(20)))) {
        Job due = NewJob.dueFire(JobId.ofFire(REPORT, 1, AT), 3, "exporter");
        Job job =
            new Job(
                due.id(),
                3,
                JobState.SKIPPED,
                due.origin(),
                due.precedence(),
                new Delivery(1, null, 0, null, callback),
                wait,
                null,
                null,
                List.of(new Transition(AT, JobState.SKIPPED, null)));
        assertThat(JobItem.SCHEMA.mapToItem(JobItem.SCHEMA.itemToMap(job, true))).isEqualTo(job);
      }
    }
  }

  @Test
  void aBackfill() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("backfill#x1y2"));
    item.put("v", fromN("7"));
    item.put("g", fromN("1"));
    item.put("a", fromN("3"));
    item.put("p", fromS("exporter"));
    item.put("f", fromN("1690000000000"));
    item.put("t", fromN("1699000000000"));
    item.put("c", fromN("2"));
    item.put("k", fromN("100"));
    item.put("u", fromS("ann"));
    item.put("i", fromN("1700000000000"));
    item.put("z", fromS("CANCELLED"));
    item.put("m", fromS("by ann"));
    item.put("n", fromN("1691000000000"));
    item.put("x", fromN("9"));
    item.put("o", fromS("lkdq3ls0 lkebj800"));
    item.put("e", fromS("{\"SUCCEEDED\":6,\"FAILED\":1}"));
    item.put("attentionShard", fromS("1"));
    item.put("attentionAt", fromN("1700000006000.9"));
    Backfill backfill =
        new Backfill(
            new BackfillId(REPORT, "x1y2"),
            new Backfill.Order(
                1,
                3,
                "exporter",
                Instant.ofEpochMilli(1_690_000_000_000L),
                Instant.ofEpochMilli(1_699_000_000_000L),
                2,
                100,
                "ann",
                AT),
            Backfill.State.CANCELLED,
            "by ann",
            7,
            Instant.ofEpochMilli(1_691_000_000_000L),
            9,
            List.of(
                Instant.ofEpochMilli(Long.parseLong("lkdq3ls0", 36)),
                Instant.ofEpochMilli(Long.parseLong("lkebj800", 36))),
            Map.of(JobState.SUCCEEDED, 6L, JobState.FAILED, 1L),
            AT.plusSeconds(6),
            null);

    assertThat(read(BackfillItem.SCHEMA, item)).isEqualTo(backfill);
    assertThat(BackfillItem.of(backfill, 4, Duration.ofDays(90)).attributes()).isEqualTo(item);
    assertThat(read(AttentionItem.OF_JOBS, item).wakeup())
        .isEqualTo(new Wakeup(backfill.id(), AT.plusSeconds(6), 9));
  }

  @Test
  void anEndedBackfill() {
    Backfill over =
        Backfill.create(
                new BackfillId(REPORT, "x"),
                new Backfill.Order(1, 3, "p", AT, AT, 1, 1, "ann", AT),
                AT)
            .cancelled("by ann")
            .withNextCheck(true, AT.plusSeconds(5));
    Map<String, AttributeValue> item = BackfillItem.of(over, 4, Duration.ofDays(90)).attributes();

    assertThat(item.get("d")).isEqualTo(fromN("1700000005000"));
    assertThat(item.get("expiresAt")).isEqualTo(fromN("1707776005"));
    assertThat(item).doesNotContainKeys("attentionShard", "attentionAt", "state");
    assertThat(read(BackfillItem.SCHEMA, item)).isEqualTo(over);
  }

  @Test
  void attentionWithItsPriority() {
    Job job =
        NewJob.dueFire(JobId.ofFire(REPORT, 1, AT), 3, "exporter")
            .waitingUntil(
                AT.plusSeconds(60),
                AT.plusSeconds(80),
                AT,
                Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed"));

    Map<String, AttributeValue> item = JobItem.of(job, 4, Duration.ofDays(90)).attributes();

    assertThat(item).containsEntry("attentionAt", fromN("1700000080000.5"));
    assertThat(read(JobItem.SCHEMA, item)).isEqualTo(job);
  }

  @Test
  void aCollectingJobWithItsSeenIds() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("collecting"));
    item.put("v", fromN("9"));
    item.put("g", fromN("1"));
    item.put("a", fromN("3"));
    item.put("n", fromN("72"));
    item.put("d", fromN("1700000000000"));
    item.put("i", fromS("00001~0loyw3v28~e1z"));
    item.put("q", fromN("1700000000000"));
    item.put("o", deflated(TRIGGER_STATE));
    item.put("s", deflated("AAABi8/laAAAAgAAAAAAAAAH//////////g="));
    item.put("sf", fromN("2"));
    item.put("sl", fromN("3"));
    item.put("su", fromN("1700000000000"));
    List<Slice> slices = List.of();

    assertThat(read(CollectingJobItem.SCHEMA, item))
        .isEqualTo(
            new CollectingJob(
                REPORT,
                9,
                1,
                3,
                72,
                AT,
                new OpenJob(JobId.ofEvents(REPORT, 1, AT, 71), AT, triggerState())));
    Item<CollectingJob> stored = new Item<>(item, CollectingJobItem.SCHEMA);
    assertThat(CollectingJobItem.seen(stored, slices))
        .isEqualTo(new SeenIds(List.of(new Group(AT.toEpochMilli(), List.of(7L, -8L))), slices, 3));
    assertThat(CollectingJobItem.slices(stored, AT)).isEqualTo(new CollectingJobItem.Slices(2, 3));
    assertThat(
            CollectingJobItem.SLICE
                .mapToItem(
                    Map.of(
                        "schedule", fromS("default/report"),
                        "item", fromS("collecting#seen#0000000003"),
                        "s", item.get("s")))
                .slice())
        .isEqualTo(new Slice(3, List.of(new Group(AT.toEpochMilli(), List.of(7L, -8L)))));
  }

  /**
   * The number behind the slots has no instant: a version that knows no items of slots cannot read
   * the gate, instead of forgetting them.
   */
  @Test
  void aGateWhoseFurtherSlotsHaveItemsOfTheirOwn() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("gate", fromS("default#group:db"));
    item.put("item", fromS("gate"));
    item.put("v", fromN("9"));
    item.put("s", fromS("report~00001~0loyw3v28@loyw3v28 +rc"));
    JobId job = JobId.ofFire(REPORT, 1, AT);
    Gate gate = Gate.unused(GROUP, Slots.of(List.of(new Slot(job, AT)), 984));

    assertThat(read(GateItem.SCHEMA, item).slots()).isEqualTo(gate.slots());
    item.put("v", fromN("1"));
    assertThat(GateItem.of(gate.stored(), 4).attributes()).isEqualTo(item);

    item.put("s", fromS("+1"));
    assertThat(read(GateItem.SCHEMA, item).slots()).isEqualTo(Slots.of(List.of(), 1));
  }

  @Test
  void aGateOfTheVersionBeforeWithAllItsSlots() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("gate", fromS("default#group:db"));
    item.put("item", fromS("gate"));
    item.put("v", fromN("40"));
    List<Slot> all = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int number = 0; number < 40; number++) {
      Instant at = AT.plusSeconds(number);
      all.add(new Slot(JobId.ofFire(REPORT, 1, at), at));
      String text = Long.toString(at.toEpochMilli(), 36);
      texts.add("report~00001~0" + text + "@" + text);
    }
    item.put("s", fromS(String.join(" ", texts)));

    Gate gate = read(GateItem.SCHEMA, item);
    assertThat(gate.slots()).isEqualTo(Slots.of(all, 0));
    Gate next = gate.freed(all.get(0).job()).taken(JobId.ofFire(REPORT, 2, AT), SLOTS, AT);
    assertThat(next.slots().inline()).isEqualTo(all.subList(1, 40));
    assertThat(next.slots().added()).hasSize(1);
  }

  @Test
  void theItemOfASlot() {
    GateKey gate = GateKey.ofGroup("default", "db");
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("gate", fromS("default#group:db"));
    item.put("item", fromS("slot#report~00001~0loyw3v28"));
    item.put("t", fromS("loyw3v28"));
    Slot slot = new Slot(JobId.ofFire(REPORT, 1, AT), AT);

    assertThat(read(SlotItems.SCHEMA, item)).isEqualTo(SlotItems.Held.of(gate, slot));
    assertThat(SlotItems.SCHEMA.itemToMap(SlotItems.Held.of(gate, slot), true)).isEqualTo(item);
    for (AttributeValue damage : List.of(fromS("!"), fromN("7"))) {
      item.put("t", damage);
      assertThat(read(SlotItems.SCHEMA, item).slot().since()).isEqualTo(Instant.EPOCH);
    }
    item.remove("t");
    assertThat(read(SlotItems.SCHEMA, item).slot().job()).isEqualTo(slot.job());
  }

  @Test
  void aGateWithWaitingJobs() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("gate", fromS("default#group:db"));
    item.put("item", fromS("gate"));
    item.put("v", fromN("1"));
    item.put("n", fromN("1"));
    item.put("p", fromS("mloyw55cw"));
    item.put("attentionShard", fromS("3"));
    item.put("attentionAt", fromN("1700000080000"));
    Gate near = Gate.unused(GROUP).joined(AT.plusSeconds(60), AT).stored();

    assertThat(read(GateItem.SCHEMA, item)).isEqualTo(near);
    assertThat(GateItem.of(near, 4).attributes()).isEqualTo(item);
    assertThat(read(AttentionItem.OF_GATES, item).wakeup())
        .isEqualTo(new Wakeup(GROUP, AT.plusSeconds(80)));

    item.put("p", fromS("iloyw55cw"));
    item.put("attentionAt", fromN("1700000060000"));
    Gate far = Gate.unused(GROUP).joined(AT.plusSeconds(60), AT.minusSeconds(841)).stored();
    assertThat(read(GateItem.SCHEMA, item)).isEqualTo(far);
    assertThat(GateItem.of(far, 4).attributes()).isEqualTo(item);
  }

  @Test
  void aCollectingJobWithAWakeup() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("schedule", fromS("default/report"));
    item.put("item", fromS("collecting"));
    item.put("v", fromN("9"));
    item.put("g", fromN("1"));
    item.put("a", fromN("3"));
    item.put("n", fromN("72"));
    item.put("d", fromN("1700000000000"));
    item.put(
        "c",
        fromS(
            "{\"0\":[1700000000000,1700000000060,false],\"2\":[1700000000000,1700000000000,true]}"));
    item.put("p", fromS("mloyw55cw"));
    item.put("attentionShard", fromS("2"));
    item.put("attentionAt", fromN("1700000080000"));
    Map<Integer, LeafClock> clocks =
        Map.of(0, new LeafClock(AT, AT.plusMillis(60), false), 2, new LeafClock(AT, AT, true));
    CollectingJob near =
        new CollectingJob(
            REPORT, 9, 1, 3, 72, AT, null, clocks, new Plan(AT.plusSeconds(60), true), null);

    assertThat(read(CollectingJobItem.SCHEMA, item)).isEqualTo(near);
    assertThat(CollectingJobItem.of(near, SeenIds.NONE, 4).attributes()).isEqualTo(item);

    item.put("p", fromS("iloyw55cw"));
    item.put("attentionAt", fromN("1700000060000"));
    CollectingJob far =
        new CollectingJob(
            REPORT, 9, 1, 3, 72, AT, null, clocks, new Plan(AT.plusSeconds(60), false), null);
    assertThat(read(CollectingJobItem.SCHEMA, item)).isEqualTo(far);
    assertThat(CollectingJobItem.of(far, SeenIds.NONE, 4).attributes()).isEqualTo(item);
  }

  @Test
  void aTimerWithACatchUpPolicy() {
    Map<String, AttributeValue> item =
        Map.of(
            "shard", fromS("2"),
            "due", fromS("001700000000000#default/report#3#1"),
            "generation", fromN("2"),
            "leaf", fromS("{\"type\":\"cron\"}"),
            "catchUp", fromS("LATEST"),
            "window", fromN("5400000"),
            "decidedTo", fromN("1700000000000"));
    CatchUp latest = new CatchUp(CatchUp.Policy.LATEST, Duration.ofMinutes(90));
    Timer timer = new Timer(REPORT, AT, 3, 1, 2, Json.object().put("type", "cron"), latest, AT);

    assertThat(read(TimerItem.SCHEMA, item)).isEqualTo(timer.in(2));
    assertThat(TimerItem.of(timer, 4).attributes()).isEqualTo(item);
  }

  @Test
  void aTimer() {
    Map<String, AttributeValue> item =
        Map.of(
            "shard", fromS("2"),
            "due", fromS("001700000000000#default/report#3#1"),
            "generation", fromN("2"),
            "leaf", fromS("{\"type\":\"cron\"}"));
    Timer timer = new Timer(REPORT, AT, 3, 1, 2, Json.object().put("type", "cron"));

    assertThat(read(TimerItem.SCHEMA, item)).isEqualTo(timer.in(2));
    assertThat(TimerItem.of(timer, 4).attributes()).isEqualTo(item);
  }

  @Test
  void aHeadAndItsDefinition() {
    Map<String, AttributeValue> head = new HashMap<>();
    head.put("schedule", fromS("default/report"));
    head.put("item", fromS("head"));
    head.put("namespace", fromS("default"));
    head.put("name", fromS("report"));
    head.put("generation", fromN("2"));
    head.put("state", fromS("SUSPENDED"));
    head.put("activation", fromN("5"));
    head.put("minLiveActivation", fromN("5"));
    head.put("periods", fromS("discard:loyw3v28"));
    head.put("version", fromN("6"));
    head.put("suspensionReason", fromS("too noisy"));
    head.put("suspendedBy", fromS("ann"));
    head.put("suspendedAt", fromS("2023-11-14T22:13:20Z"));
    head.put("program", fromS("exporter"));
    SuspendedBy ann = new SuspendedBy("ann", "too noisy", AT);
    Life discarding = Life.begun(2, 5, SuspendMode.DISCARD, null, AT);
    Head expected = new Head(REPORT, 6, discarding, ann, "exporter", null);
    assertThat(read(HeadItem.SCHEMA, head)).isEqualTo(expected);
    assertThat(HeadItem.SCHEMA.itemToMap(expected, true)).isEqualTo(head);

    head.put("activation", fromN("8"));
    head.put("heldSince", fromN("7"));
    head.put("suspendedUntil", fromS("2023-11-15T22:13:20Z"));
    head.put("periods", fromS("loyvifgg,backlog:loyw1pwg,loyw2shc,hold:loyw3v28"));
    Periods periods =
        new Periods(
            List.of(
                new Period(null, Instant.ofEpochMilli(1699999000000L)),
                new Period(SuspendMode.BACKLOG, Instant.ofEpochMilli(1699999900000L)),
                new Period(null, Instant.ofEpochMilli(1699999950000L)),
                new Period(SuspendMode.HOLD, AT)));
    Instant until = Instant.parse("2023-11-15T22:13:20Z");
    Life holding = new Life(2, ScheduleState.SUSPENDED, 8, 5, 7, periods, until);
    Head held = new Head(REPORT, 6, holding, ann, "exporter", null);
    assertThat(read(HeadItem.SCHEMA, head)).isEqualTo(held);
    assertThat(HeadItem.SCHEMA.itemToMap(held, true)).isEqualTo(head);

    Map<String, AttributeValue> definition = new HashMap<>();
    definition.put("schedule", fromS("default/report"));
    definition.put("item", fromS("def"));
    definition.put("generation", fromN("2"));
    definition.put("document", fromS("{\"priority\":5}"));
    definition.put("generationSince", fromS("2023-11-14T22:13:20Z"));
    definition.put("createdAt", fromS("2023-11-14T22:13:20Z"));
    definition.put("createdBy", fromS("ann"));
    definition.put("updatedAt", fromS("2023-11-14T22:13:20Z"));
    definition.put("headVersion", fromN("6"));
    Definition expectedDefinition =
        new Definition(REPORT, 2, Json.object().put("priority", 5), AT, AT, "ann", AT);
    assertThat(read(DefinitionItem.SCHEMA, definition)).isEqualTo(expectedDefinition);
    assertThat(DefinitionItem.of(expectedDefinition, 6).attributes()).isEqualTo(definition);
  }

  private static final String TRIGGER_STATE =
      "eNpVjsEKg0AMRP9lzkuptlDYW49e2iLexEOoaV2wq7jRIsv+e+OpmJwyvJlJRM+0cICt67PJG1NnRvdy/E/TGPDCXjYowrWw4AwGXgW0/KK5Fz1JYHdGA1lHVuZxLauiKu43pUZa+4E0I6IlocBSbIE+HMZ5enYqBCSDL7t3tzVGdUzixA3e7iCbp6SfDR8nwhpxSj+JkT8H";

  private static TriggerState triggerState() {
    return new TriggerState(
        List.of(new LeafCount(4, 2, null), new LeafCount(1, 1, AT)),
        List.of(
            new Event(
                "e1",
                "default",
                AT,
                "PARTITION",
                Json.object().put("datasetId", "ns.purchases"),
                Map.of("partition:ns.purchases", 2L))),
        3);
  }

  private static AttributeValue deflated(String base64) {
    return fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(base64)));
  }
}
