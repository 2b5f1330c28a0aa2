package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.checker.Launcher.Tools;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look at those who wait at a gate. While it goes on the gate is still to be looked at: its
 * last write says when next. The gate is read before those who wait, and if another has changed it
 * since, the look is not complete: somebody may have come who was not seen.
 */
final class GateLook {

  private static final int PAGE = 25;

  private final Tools tools;
  private final GateKey key;
  private final Map<Subject, Instant> again;
  private final Collection<Exhausted> exhausted;

  /** The schedules whose jobs this gate does not let through now. */
  private final Set<ScheduleId> unfit = new HashSet<>();

  /** When one can be looked at that could not be now; null if there is none. */
  private @Nullable Instant soonest;

  /**
   * @param again takes what somebody has to look at again, and when
   * @param exhausted takes the schedules that have to be ended
   */
  GateLook(Tools tools, GateKey key, Map<Subject, Instant> again, Collection<Exhausted> exhausted) {
    this.tools = tools;
    this.key = key;
    this.again = again;
    this.exhausted = exhausted;
  }

  /**
   * False if the gate was changed meanwhile, or the time was over before all who could go did, so
   * that somebody has to look again.
   */
  boolean isComplete(Deadline deadline) {
    Gatekeeper.Visit visit = tools.gatekeeper().visit(tools.clock().instant());
    if (visit.gate(key).waiters() == 0) {
      return visit.lookedAt(key, null);
    }
    @Nullable Waiter last = null;
    @Nullable Look look = null;
    while (!deadline.hasPassed()) {
      List<Waiter> page = tools.gates().waiters(key, last, PAGE);
      List<Waiter> candidates =
          page.stream().filter(waiter -> !unfit.contains(waiter.job().schedule())).toList();
      if (look == null || !candidates.isEmpty()) {
        look = look(candidates, visit.gate(key));
      }
      if (look.visit().isDisturbed(key)) {
        return false;
      }
      visit = look.visit();
      if (page.size() < PAGE || !isOpenToAny(look)) {
        return isFinished(look);
      }
      last = page.get(PAGE - 1);
    }
    return false;
  }

  /** What a look has not read of the gate's programs, as nobody's head could be, closes nothing. */
  private boolean isOpenToAny(Look look) {
    Reading reading = look.reading();
    return !reading.gated().containsKey(key.namespace())
        || reading.programs(key.namespace()).isOpenToAny(look.visit().gate(key), look.now());
  }

  private Look look(List<Waiter> candidates, Gate seen) {
    Look look = new Look(tools, candidates.stream().map(Waiter::job).toList());
    look.visit().know(seen);
    look.serve(candidates, unfit);
    look.finishAtGate();
    exhausted.addAll(look.exhausted());
    again.putAll(look.again());
    again.remove(key);
    candidates.forEach(waiter -> note(look.again().get(waiter.job())));
    unfit.addAll(look.reading().unreadable());
    return look;
  }

  private void note(@Nullable Instant later) {
    if (later != null && (soonest == null || later.isBefore(soonest))) {
      soonest = later;
    }
  }

  private boolean isFinished(Look look) {
    Instant now = tools.clock().instant();
    Gate gate = look.visit().gate(key);
    GatedPrograms programs = look.reading().programs(key.namespace());
    Instant opening = programs.opening(gate, now).orElseGet(() -> gate.safety(now));
    Instant next = soonest == null || opening.isBefore(soonest) ? opening : soonest;
    if (gate.waiters() == 0) {
      return look.visit().lookedAt(key, null);
    }
    boolean isStored = look.visit().lookedAt(key, next);
    if (isStored && Launcher.isInMessage(next, now)) {
      again.put(key, next);
    }
    return isStored;
  }
}
