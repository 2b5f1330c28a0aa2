package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.sideBySide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Slots;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.GateLost;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.wakeup.Wakeup;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

abstract class GatesContract {

  private static final GateKey PROGRAM = GateKey.ofProgram("default", "exporter");
  private static final GateKey GROUP = GateKey.ofGroup("default", "db");
  private static final Counted SLOTS = new Counted(true, 0, Duration.ZERO);

  abstract Gates gates();

  abstract Jobs jobs();

  private static Job due(int number) {
    return NewJob.dueFire(JobId.ofFire(REPORT, 1, NOW.plusSeconds(number)), 2, "exporter");
  }

  static Job launching(int number) {
    return due(number)
        .launching(NOW, NOW.plusSeconds(15))
        .through(GateTicket.through(List.of(PROGRAM), true, NOW));
  }

  private static Job waiting(int number, int priority) {
    return due(number)
        .withCustomerAndPriority("acme", priority)
        .waitingAt(
            PROGRAM, NOW.plusSeconds(86_400), NOW, Reason.of(ReasonCode.CONSTRAINTS_UNMET, "full"));
  }

  private Gate stored(GateKey key) {
    return gates().find(List.of(key)).get(key);
  }

  private static Step taking(Gate gate, Job job) {
    return Step.of(
        null,
        job,
        List.of(new Change(gate, gate.taken(job.id(), SLOTS, NOW))),
        List.of(),
        List.of());
  }

  @Test
  void gateThatNothingWentThroughIsUnused() {
    assertThat(gates().find(List.of(PROGRAM, GROUP)))
        .isEqualTo(Map.of(PROGRAM, Gate.unused(PROGRAM), GROUP, Gate.unused(GROUP)));
    assertThat(gates().find(List.of())).isEmpty();
    assertThat(gates().waiters(PROGRAM, null, 10)).isEmpty();
  }

  @Test
  void gateIsFoundAsItWasStored() {
    Gate gate =
        Gate.unused(PROGRAM)
            .taken(launching(1).id(), new Counted(true, 3, Duration.ofHours(1)), NOW)
            .taken(launching(2).id(), new Counted(true, 3, Duration.ofHours(1)), NOW.plusMillis(7))
            .succeeded(NOW.minusSeconds(9))
            .endedBy(-77, NOW)
            .endedBy(Long.MAX_VALUE, NOW.plusSeconds(1))
            .unsure(NOW.plusSeconds(300))
            .joined(NOW.plusSeconds(30), NOW);
    assertThat(gates().update(Gate.unused(PROGRAM), gate)).isTrue();
    assertThat(stored(PROGRAM)).isEqualTo(gate.stored());
    Gate far = stored(PROGRAM).waking(Wakeup.plan(NOW.plusSeconds(901), NOW));
    assertThat(gates().update(stored(PROGRAM), far)).isTrue();
    assertThat(stored(PROGRAM)).isEqualTo(far.stored());

    Gate empty = Gate.unused(GROUP).waking(null);
    assertThat(gates().update(Gate.unused(GROUP), empty)).isTrue();
    assertThat(stored(GROUP)).isEqualTo(empty.stored());
  }

  private static Gate reported(String resource, String value, @Nullable Instant expiresAt) {
    Gate gate = Gate.unused(GateKey.ofResource("default", resource));
    return gate.reported(new Gauge(new BigDecimal(value), expiresAt, NOW, "me"), NOW);
  }

  @Test
  void gaugeIsFoundAsItWasReported() {
    Gate expiring = reported("disk", "0.75", NOW.plusMillis(1_234)).joined(NOW.plusSeconds(9), NOW);
    Gate lasting = reported("load", "-123456789012345678", null);
    for (Gate gate : List.of(expiring, lasting)) {
      assertThat(gates().update(Gate.unused(gate.key()), gate)).isTrue();
      assertThat(stored(gate.key())).isEqualTo(gate.stored());
    }
    Gate silent = stored(expiring.key()).reported(null, NOW);
    assertThat(gates().update(stored(expiring.key()), silent)).isTrue();
    assertThat(stored(expiring.key())).isEqualTo(silent.stored());
    assertThat(stored(expiring.key()).wakeAt()).isEqualTo(NOW);
  }

  @Test
  void reportOfAnotherVersionIsALostRace() {
    Gate first = reported("disk", "1", null);
    Gate unused = Gate.unused(first.key());
    assertThat(gates().update(unused, first)).isTrue();
    assertThat(gates().update(unused, reported("disk", "2", null))).isFalse();
    Gate read = stored(first.key());
    assertThat(gates().update(read, read.joined(NOW, NOW))).isTrue();
    assertThat(gates().update(read, read.reported(null, NOW))).isFalse();
    assertThat(gates().resources("default", 10, null).items()).containsExactly(stored(first.key()));
  }

  @Test
  void resourcesOfWhichSomethingIsReportedAreListedPageByPage() {
    for (String name : List.of("d", "b", "a", "c")) {
      Gate gate = reported(name, "1", null);
      gates().update(Gate.unused(gate.key()), gate);
    }
    gates().update(Gate.unused(PROGRAM), Gate.unused(PROGRAM).succeeded(NOW));
    GateKey waitedFor = GateKey.ofResource("default", "e");
    gates().update(Gate.unused(waitedFor), Gate.unused(waitedFor).joined(NOW, NOW));
    GateKey silent = GateKey.ofResource("default", "b");
    gates().update(stored(silent), stored(silent).reported(null, NOW));

    List<String> names = new ArrayList<>();
    @Nullable String next = null;
    do {
      Page<Gate> page = gates().resources("default", 2, next);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
      page.items().forEach(gate -> names.add(gate.key().name()));
      next = page.next();
    } while (next != null);
    assertThat(names).containsExactly("a", "c", "d");
    assertThat(gates().resources("other", 10, null).items()).isEmpty();
  }

  @Test
  void updateOfAnotherVersionIsALostRace() {
    Gate first = Gate.unused(PROGRAM);
    assertThat(gates().update(first, first.succeeded(NOW))).isTrue();
    assertThat(gates().update(first, first.succeeded(NOW.plusSeconds(1)))).isFalse();
    Gate second = stored(PROGRAM);
    assertThat(gates().update(second, second.succeeded(NOW.plusSeconds(2)))).isTrue();
    assertThat(gates().update(second, second.succeeded(NOW.plusSeconds(3)))).isFalse();
    assertThat(stored(PROGRAM).lastSuccess()).isEqualTo(NOW.plusSeconds(2));
  }

  @Test
  void jobAndGateAreStoredTogether() {
    Job job = launching(1);
    assertThat(gates().commit(taking(stored(PROGRAM), job))).isEqualTo(new Done());
    assertThat(jobs().find(List.of(job.id()))).isEqualTo(Map.of(job.id(), job));
    assertThat(stored(PROGRAM).holds(job.id())).isTrue();
    assertThat(stored(PROGRAM).version()).isEqualTo(1);
  }

  @Test
  void nothingIsStoredIfTheGateIsAnother() {
    Gate read = stored(PROGRAM);
    gates().update(read, read.succeeded(NOW));
    Job job = launching(1);
    assertThat(gates().commit(taking(read, job))).isEqualTo(new GateLost());
    assertThat(jobs().find(List.of(job.id()))).isEmpty();
    assertThat(stored(PROGRAM).slots().isEmpty()).isTrue();
  }

  @Test
  void nothingIsStoredIfTheJobIsAnother() {
    Job present = launching(1);
    jobs().insert(List.of(present));
    assertThat(gates().commit(taking(stored(PROGRAM), launching(1))))
        .isEqualTo(new JobLost(present));
    assertThat(stored(PROGRAM)).isEqualTo(Gate.unused(PROGRAM));

    Job next = present.enqueued(NOW, null, NOW.plusSeconds(86_400));
    jobs().update(List.of(new Jobs.Update(present, next)));
    Gate gate = stored(PROGRAM);
    Step stale =
        Step.of(
            present,
            present.refused(NOW, Reason.of(ReasonCode.REQUEST_REFUSED, "no")),
            List.of(new Change(gate, gate.succeeded(NOW))),
            List.of(),
            List.of());
    assertThat(gates().commit(stale)).isEqualTo(new JobLost(next));
    assertThat(stored(PROGRAM)).isEqualTo(Gate.unused(PROGRAM));
  }

  /** Both jobs of the second step are decided on the gate as the first step leaves it. */
  @Test
  void stepsOfOneTransactionAreStoredTogetherOrNotAtAll() {
    Gate read = stored(PROGRAM);
    Step first = taking(read, launching(1));
    Step second = taking(first.gates().get(0).after(), launching(2));
    Step third = taking(second.gates().get(0).after(), launching(3));
    Step all = first.and(second).and(third);
    assertThat(all.size()).isEqualTo(4);

    Job present = launching(2);
    jobs().insert(List.of(present));
    assertThat(gates().commit(all)).isEqualTo(new JobLost(present));
    assertThat(stored(PROGRAM)).isEqualTo(Gate.unused(PROGRAM));
    assertThat(jobs().find(List.of(launching(1).id(), launching(3).id()))).isEmpty();

    Step others = first.and(taking(first.gates().get(0).after(), launching(3)));
    assertThat(gates().commit(others)).isEqualTo(new Done());
    assertThat(stored(PROGRAM).version()).isEqualTo(1);
    assertThat(stored(PROGRAM).slots().size()).isEqualTo(2);
    assertThat(gates().commit(taking(read, launching(4)))).isEqualTo(new GateLost());
  }

  @Test
  void ofManyLaunchesForTheLastSlotOneGetsIt() throws Exception {
    List<Job> jobs = IntStream.range(0, 8).mapToObj(GatesContract::launching).toList();
    List<Job> left = Collections.synchronizedList(new ArrayList<>(jobs));
    Gate read = stored(PROGRAM);
    assertThat(sideBySide(8, () -> gates().commit(taking(read, left.remove(0))) instanceof Done))
        .containsOnlyOnce(true);
    assertThat(stored(PROGRAM).slots().size()).isEqualTo(1);
    assertThat(jobs().find(jobs.stream().map(Job::id).toList())).hasSize(1);
  }

  // ---- slots with items of their own

  /** As stored, with all the slots that its item has room for. */
  static Gate full(Gates gates) {
    Gate gate = Gate.unused(PROGRAM);
    for (int number = 0; number < Slots.ROOM; number++) {
      gate = gate.taken(launching(100 + number).id(), SLOTS, NOW);
    }
    assertThat(gates.update(Gate.unused(PROGRAM), gate)).isTrue();
    return gate.stored();
  }

  private static Gate taken(Gate gate, int... numbers) {
    Gate after = gate;
    for (int number : numbers) {
      after = after.taken(launching(number).id(), SLOTS, NOW.plusSeconds(number));
    }
    return after;
  }

  private Gate finding(int... numbers) {
    return gates().finding(stored(PROGRAM), ids(numbers));
  }

  private static List<JobId> ids(int... numbers) {
    return IntStream.of(numbers).mapToObj(number -> launching(number).id()).toList();
  }

  @Test
  void slotsBeyondTheRoomOfTheGateHaveItemsOfTheirOwn() {
    Gate full = full(gates());
    assertThat(gates().update(full, taken(full, 2, 1, 3))).isTrue();

    Gate read = stored(PROGRAM);
    assertThat(read.slots()).isEqualTo(Slots.of(full.slots().inline(), 3));
    assertThat(read.holds(launching(1).id())).isFalse();
    assertThat(finding(1).holds(launching(1).id())).isTrue();
    assertThat(gates().holders(PROGRAM, ids(1, 3, 4, 100)))
        .containsExactlyInAnyOrderElementsOf(ids(1, 3));
    assertThat(gates().slotsApart(PROGRAM)).extracting(Slot::job).isEqualTo(ids(1, 2, 3));
    assertThat(gates().slots(read)).hasSize(Slots.ROOM + 3).endsWith(slot(1), slot(2), slot(3));
    assertThat(gates().slotsApart(GROUP)).isEmpty();
    assertThat(gates().waiters(PROGRAM, null, 10)).isEmpty();
  }

  private static Slot slot(int number) {
    return new Slot(launching(number).id(), NOW.plusSeconds(number));
  }

  @Test
  void slotsInTheGateAndSlotsWithItemsAreFreedInOneWrite() {
    Gate full = full(gates());
    gates().update(full, taken(full, 1, 2));

    Gate before = finding(1, 100, 5);
    Gate after = before.freed(launching(1).id()).freed(launching(100).id());
    assertThat(after.freed(launching(5).id())).isEqualTo(after);
    assertThat(gates().update(before, after)).isTrue();
    assertThat(stored(PROGRAM).slots().size()).isEqualTo(Slots.ROOM);
    assertThat(gates().slotsApart(PROGRAM)).containsExactly(slot(2));

    Gate again = finding(1, 100);
    assertThat(again.freed(launching(1).id()).freed(launching(100).id())).isEqualTo(again);
    assertThat(gates().update(before, after)).isFalse();
  }

  /** Only a writer that changed the gate as well can have changed its slots. */
  @Test
  void nothingIsStoredIfASlotIsNotAsTheGateSays() {
    Gate full = full(gates());
    gates().update(full, taken(full, 1));
    Gate one = stored(PROGRAM);
    assertThat(gates().update(one, taken(one, 1))).isFalse();
    assertThat(gates().commit(taking(one, launching(1)))).isEqualTo(new GateLost());
    Gate mistaken = one.finding(ids(2));
    assertThat(gates().update(mistaken, mistaken.freed(launching(2).id()))).isFalse();
    assertThat(stored(PROGRAM)).isEqualTo(one);
    assertThat(jobs().find(ids(1))).isEmpty();
  }

  @Test
  void jobsAreStoredWithTheItemsOfTheirSlots() {
    Gate full = full(gates());
    Step first = taking(full, launching(1));
    Step both = first.and(taking(first.gates().get(0).after(), launching(2)));
    assertThat(both.size()).isEqualTo(5);
    jobs().insert(List.of(launching(2)));
    assertThat(gates().commit(both)).isEqualTo(new JobLost(launching(2)));
    assertThat(gates().slotsApart(PROGRAM)).isEmpty();

    assertThat(gates().commit(first)).isEqualTo(new Done());
    assertThat(gates().holders(PROGRAM, ids(1, 2))).containsExactlyElementsOf(ids(1));

    Gate read = finding(1);
    Job ended =
        launching(1)
            .ended(JobState.CANCELLED, NOW, Reason.of(ReasonCode.CONSTRAINTS_UNMET, "closed"));
    Step leaving =
        Step.of(
            launching(1),
            ended,
            List.of(new Change(read, read.freed(ended.id()))),
            List.of(),
            List.of());
    assertThat(leaving.size()).isEqualTo(3);
    assertThat(gates().commit(leaving)).isEqualTo(new Done());
    assertThat(gates().slotsApart(PROGRAM)).isEmpty();
    assertThat(stored(PROGRAM).slots()).isEqualTo(full.slots());
  }

  @Test
  void aGateOfTheVersionBeforeShrinksByItself() {
    List<Slot> inline = IntStream.range(0, 40).mapToObj(GatesContract::slot).toList();
    Gate old = Gate.unused(PROGRAM, Slots.of(inline, 0));
    assertThat(gates().update(Gate.unused(PROGRAM), old)).isTrue();
    Gate read = taken(stored(PROGRAM), 50);
    assertThat(read.slots().size()).isEqualTo(41);
    for (int number = 0; number < 30; number++) {
      read = read.freed(launching(number).id());
    }
    assertThat(gates().update(stored(PROGRAM), read)).isTrue();
    assertThat(stored(PROGRAM).slots().inline()).hasSize(10);
    assertThat(gates().slotsApart(PROGRAM)).containsExactly(slot(50));
  }

  @Test
  void waitersComeByPriorityAndThenByAge() {
    List<Job> jobs =
        List.of(waiting(3, 5), waiting(1, 5), waiting(2, 0), waiting(9, 9), waiting(4, 5));
    jobs.forEach(this::join);
    List<Waiter> waiters = gates().waiters(PROGRAM, null, 10);
    assertThat(waiters)
        .containsExactlyElementsOf(
            jobs.stream().map(job -> job.placeAt(PROGRAM)).sorted(Waiter.ORDER).toList());
    assertThat(stored(PROGRAM).waiters()).isEqualTo(5);
    assertThat(gates().waiters(PROGRAM, null, 2)).isEqualTo(waiters.subList(0, 2));
    assertThat(gates().waiters(PROGRAM, waiters.get(1), 2)).isEqualTo(waiters.subList(2, 4));
    assertThat(gates().waiters(GROUP, null, 10)).isEmpty();
  }

  private void join(Job job) {
    Gate gate = stored(PROGRAM);
    assertThat(
            gates()
                .commit(
                    Step.of(
                        null,
                        job,
                        List.of(new Change(gate, gate.joined(NOW.plusSeconds(60), NOW))),
                        List.of(job.placeAt(PROGRAM)),
                        List.of())))
        .isEqualTo(new Done());
  }

  @Test
  void aJobThatLeavesFreesItsPlace() {
    Job waiting = waiting(1, 5);
    join(waiting);
    Gate gate = stored(PROGRAM);
    Job going =
        waiting
            .launching(NOW, NOW.plusSeconds(15))
            .through(GateTicket.through(List.of(PROGRAM, GROUP), true, NOW));
    Gate group = stored(GROUP);
    assertThat(
            gates()
                .commit(
                    Step.of(
                        waiting,
                        going,
                        List.of(
                            new Change(gate, gate.taken(going.id(), SLOTS, NOW).left()),
                            new Change(group, group.taken(going.id(), SLOTS, NOW))),
                        List.of(),
                        List.of(waiting.placeAt(PROGRAM)))))
        .isEqualTo(new Done());
    assertThat(gates().waiters(PROGRAM, null, 10)).isEmpty();
    assertThat(stored(PROGRAM).waiters()).isZero();
    assertThat(stored(GROUP).holds(going.id())).isTrue();
    assertThat(jobs().find(List.of(going.id()))).isEqualTo(Map.of(going.id(), going));
  }

  @Test
  void onlyItemsThatNeedACheckAreFoundByTheirTime() {
    List<GateKey> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      GateKey key = GateKey.ofProgram("default", "p" + i);
      gates().update(Gate.unused(key), Gate.unused(key).joined(NOW.plusSeconds(i), NOW));
      keys.add(key);
    }
    Gate quiet = Gate.unused(GROUP);
    gates().update(quiet, quiet.succeeded(NOW));

    assertThat(attention(NOW.plusSeconds(100), 100)).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(attention(NOW.plusSeconds(100), 3)).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(attention(NOW.plus(Wakeup.SLACK).plusMillis(4_999), 100))
        .containsExactlyInAnyOrderElementsOf(keys.subList(0, 5));

    Gate first = stored(keys.get(0));
    gates().update(first, first.left());
    assertThat(attention(NOW.plus(Wakeup.SLACK), 100)).isEmpty();
    int shards = gates().attentionShards();
    assertThat(IntStream.range(0, shards).allMatch(gates()::isAttentionEmpty)).isFalse();
    keys.subList(1, 20).forEach(key -> gates().update(stored(key), stored(key).left()));
    assertThat(IntStream.range(0, shards).allMatch(gates()::isAttentionEmpty)).isTrue();
  }

  private List<GateKey> attention(Instant until, int page) {
    List<GateKey> found = new ArrayList<>();
    for (int shard = 0; shard < gates().attentionShards(); shard++) {
      @Nullable Wakeup last = null;
      List<Wakeup> read;
      do {
        read = gates().needingAttention(shard, until, last, page);
        read.forEach(attention -> found.add((GateKey) attention.subject()));
        last = read.isEmpty() ? null : read.get(read.size() - 1);
      } while (read.size() == page);
    }
    return found;
  }
}
