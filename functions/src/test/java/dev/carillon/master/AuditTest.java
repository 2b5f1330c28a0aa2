package dev.carillon.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.document.Json;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryStatus;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.WalkPart;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant DAY_LATER = NOW.plus(AuditProgress.PERIOD);

  private final ScheduleParser parser = new ScheduleParser(ZoneOffset.UTC);
  private final MemoryTimers timers = new MemoryTimers(4);
  private final MemorySchedules stored =
      new MemorySchedules(timers, new MemoryGates(new MemoryJobs(4)));
  private final MemoryStatus status = new MemoryStatus();
  private final Set<Integer> failing = new HashSet<>();
  private Audit audit = audit(stored);

  @BeforeEach
  void firstTick() {
    status.advance(NOW);
  }

  private Audit audit(Schedules schedules) {
    return new Audit(failing(schedules), parser, timers, status, new Fanout(Runnable::run));
  }

  /** Walks fail for the parts in {@link #failing}. */
  private Schedules failing(Schedules real) {
    return schedules(
        (proxy, method, arguments) -> {
          if (method.getName().equals("walk")
              && failing.contains(((WalkPart) arguments[0]).number())) {
            throw new IllegalStateException("throttled");
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }

  private static Schedules schedules(InvocationHandler handler) {
    return (Schedules)
        Proxy.newProxyInstance(
            Schedules.class.getClassLoader(), new Class<?>[] {Schedules.class}, handler);
  }

  private void tick(Instant now) {
    tick(audit, status.read().orElseThrow(), now);
  }

  private static void tick(Audit audit, Status before, Instant now) {
    audit.proceed(before, now, new Deadline(now.plusSeconds(60), () -> now));
  }

  private AuditProgress progress() {
    return status.read().orElseThrow().audit();
  }

  /** Stores the progress of an audit in four parts that is due a day later. */
  private void fourPartsAreDue() {
    List<Part> done = Collections.nCopies(4, Part.DONE);
    assertThat(
            status.saveAudit(
                status.read().orElseThrow(),
                new AuditProgress(NOW, done, 4L * AuditProgress.SCHEDULES_PER_PART)))
        .isTrue();
  }

  private void storeWithoutTimers(int namespaces) {
    for (int namespace = 0; namespace < namespaces; namespace++) {
      ScheduleId id = new ScheduleId("ns-" + namespace, "daily");
      Schedule schedule =
          parser.parse(
              id,
              Json.readObject(
                  """
                  {"trigger": {"type": "cron", "expression": "0 0 3 * * ?"}, "state": "ACTIVE",
                   "target": {"queue": "work", "template": {}}}
                  """),
              NOW);
      assertThat(stored.save(Lifecycle.create(null, schedule, NOW, "ann"))).isTrue();
    }
    timers.delete(timers.all());
  }

  @Test
  void theFirstIsDueADayAfterTheFirstTick() {
    storeWithoutTimers(3);
    tick(NOW);
    tick(DAY_LATER.minusSeconds(1));
    assertThat(timers.all()).isEmpty();
    tick(DAY_LATER);
    assertThat(timers.all()).hasSize(3);
    assertThat(progress()).isEqualTo(new AuditProgress(DAY_LATER, List.of(Part.DONE), 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aPartThatFailsHoldsBackNoOther(int part) {
    storeWithoutTimers(20);
    fourPartsAreDue();
    failing.add(part);
    tick(DAY_LATER);
    assertThat(progress().running()).containsExactly(part);
    assertThat(timers.all()).hasSizeBetween(10, 19);

    Instant nextDay = DAY_LATER.plus(AuditProgress.PERIOD);
    timers.delete(timers.all());
    tick(nextDay);
    assertThat(progress().began()).isEqualTo(nextDay);
    assertThat(progress().running()).containsExactly(part);
    assertThat(timers.all()).as("the others are audited each day").hasSizeBetween(10, 19);

    failing.clear();
    tick(nextDay.plusSeconds(60));
    assertThat(progress().running()).isEmpty();
    assertThat(timers.all()).hasSize(20);
  }

  @Test
  void twoTicksAtOnceWalkTwiceAndRestoreOnce() {
    storeWithoutTimers(20);
    fourPartsAreDue();
    Status both = status.read().orElseThrow();
    tick(audit, both, DAY_LATER);
    AuditProgress first = progress();
    tick(audit, both, DAY_LATER.plusSeconds(1));
    assertThat(progress()).isEqualTo(first);
    assertThat(timers.all()).hasSize(20);
  }

  @Test
  void aTickThatDiesIsRepeated() {
    storeWithoutTimers(20);
    fourPartsAreDue();
    AuditProgress before = progress();
    int[] calls = {0};
    Audit dying =
        audit(
            schedules(
                (proxy, method, arguments) -> {
                  if (++calls[0] == 3) {
                    throw new Killed();
                  }
                  return method.invoke(stored, arguments);
                }));
    assertThatThrownBy(() -> tick(dying, status.read().orElseThrow(), DAY_LATER))
        .isInstanceOf(Killed.class);
    assertThat(progress()).isEqualTo(before);
    tick(DAY_LATER.plusSeconds(60));
    assertThat(timers.all()).hasSize(20);
    assertThat(progress().running()).isEmpty();
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void theNumberOfPartsFollowsFromTheLastAuditAndChangesOnlyWhenNoneRuns() {
    long each = AuditProgress.SCHEDULES_PER_PART;
    assertThat(partsAfter(0)).isEqualTo(1);
    assertThat(partsAfter(each - 1)).isEqualTo(1);
    assertThat(partsAfter(each)).isEqualTo(2);
    assertThat(partsAfter(100 * each)).isEqualTo(AuditProgress.MOST_PARTS);

    Part running = new Part("default/a", false);
    AuditProgress stuck = new AuditProgress(NOW, List.of(running, Part.DONE), 100 * each);
    assertThat(stuck.begunIfDue(DAY_LATER))
        .isEqualTo(new AuditProgress(DAY_LATER, List.of(running, Part.NEW), 0));
  }

  private static int partsAfter(long found) {
    return new AuditProgress(NOW, List.of(Part.DONE), found).begunIfDue(DAY_LATER).parts().size();
  }

  /** Whether all schedules are in one part or in several. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void tenMillionSchedulesAreAuditedWithinADay(int parts) {
    int pages = 10_000_000 / Audit.PAGE / parts;
    int[] walked = new int[4];
    audit =
        audit(
            schedules(
                (proxy, method, arguments) -> {
                  int number = ((WalkPart) arguments[0]).number();
                  boolean isLast = number >= parts || ++walked[number] == pages;
                  return new Page<>(List.of(), isLast ? null : "default/s" + walked[number]);
                }));
    fourPartsAreDue();
    int ticks = 0;
    do {
      tick(DAY_LATER.plus(Duration.ofMinutes(ticks++)));
    } while (!progress().running().isEmpty());
    assertThat(walked[0]).isEqualTo(pages);
    assertThat(ticks).isBetween(1_000, 1_001).isLessThan(24 * 60);
  }
}
