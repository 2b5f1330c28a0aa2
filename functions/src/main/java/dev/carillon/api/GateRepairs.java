package dev.carillon.api;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Gates;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Schedule;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs gates. Replaces a gate that cannot be read, and keeps the limits that schedules set.
 * Counts again the jobs that wait at the gate, and its slots that have items of their own. The
 * other slots and the launches are lost, because only the unreadable item held them.
 */
final class GateRepairs {

  private static final int PAGE = 500;
  private static final Logger LOG = LoggerFactory.getLogger(GateRepairs.class);

  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  GateRepairs(Gates gates, CheckQueue checks, OptimisticUpdate updates, InstantSource clock) {
    this.gates = gates;
    this.checks = checks;
    this.updates = updates;
    this.clock = clock;
  }

  /**
   * Replaces the unreadable gates of a schedule, and corrects each gate whose slot count differs
   * from the number of its slot items.
   */
  void repair(Schedule schedule) {
    String namespace = schedule.id().namespace();
    String program = schedule.program();
    Set<GateKey> keys = GateViews.keys(schedule.constraints(), namespace, program);
    if (keys.isEmpty()) {
      return;
    }
    keys.add(GateKey.ofProgram(namespace, program));
    Set<GateKey> unreadable = new HashSet<>();
    Map<GateKey, Gate> found = UnreadableItems.readable(keys, unreadable, gates::find);
    unreadable.forEach(this::repair);
    found.values().stream().filter(gate -> gate.slots().apart() > 0).forEach(this::recount);
  }

  /**
   * Corrects the slot count. The count is wrong if a restored table holds only a part of a
   * transaction. Stores nothing if the gate has changed meanwhile, because the items that were read
   * can be newer than the gate.
   */
  private void recount(Gate read) {
    Gate counted = read.counting(gates.slotsApart(read.key()).size());
    if (!counted.equals(read)) {
      Instant now = clock.instant();
      boolean isCorrected = gates.update(read, counted.wokenBy(now));
      LOG.warn(
          "the slot count of {} was wrong; {}",
          read.key(),
          isCorrected
              ? "it was corrected"
              : "the gate changed meanwhile: the next PUT corrects it");
    }
  }

  private void repair(GateKey key) {
    Instant now = clock.instant();
    updates.run(
        key.shown(),
        () -> {
          boolean isReplaced = gates.overwrite(standIn(key, now).wokenBy(now));
          return Attempt.of(isReplaced || isReadable(key), key);
        });
    try {
      checks.send(Check.of(now, List.of(key)), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("could not send a check of {}; the master sends it", key, unavailable);
    }
  }

  private boolean isReadable(GateKey key) {
    Set<GateKey> unreadable = new HashSet<>();
    UnreadableItems.readable(List.of(key), unreadable, gates::find);
    return unreadable.isEmpty();
  }

  /** A stand-in for a gate that cannot be read, with the slots and waiting jobs that have items. */
  Gate standIn(GateKey key, Instant now) {
    int waiting = 0;
    List<Waiter> page = gates.waiters(key, null, PAGE);
    while (!page.isEmpty()) {
      waiting += page.size();
      page = gates.waiters(key, page.get(page.size() - 1), PAGE);
    }
    return Gate.standIn(key, gates.slotsApart(key).size(), waiting, now);
  }
}
