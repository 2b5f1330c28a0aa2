package dev.carillon.decision;

import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of gates that belong to a change of a job; both are stored in one transaction. A job
 * that stops waiting at a gate leaves its queue, whatever its next state is.
 */
public final class GateChanges {

  /**
   * A request that was refused, or whose sender stopped, may still have a run for this long. For
   * five minutes, a FIFO queue drops a repetition of the request. After that it accepts a
   * repetition, and this repetition has a run of its own, which reports its end.
   */
  private static final Duration UNSURE = Duration.ofMinutes(5);

  private final Map<GateKey, Gate> gates;
  private final Instant now;

  /**
   * @param gates the current state of the gates that concern the job; a missing gate is unused
   */
  public GateChanges(Map<GateKey, Gate> gates, Instant now) {
    this.gates = gates;
    this.now = now;
  }

  /** The gates that have counted the job, and the gate at which it waits. */
  public static Set<GateKey> concerned(Job job) {
    Set<GateKey> concerned = new HashSet<>();
    if (job.ticket() != null) {
      concerned.addAll(job.ticket().gates());
    }
    if (job.waitsAt() != null) {
      concerned.add(job.waitsAt());
    }
    return concerned;
  }

  /** The changes for a launch that the gates count. */
  public Step launching(@Nullable Job before, Job after, Map<GateKey, Counted> counted) {
    Map<GateKey, Gate> changed = new HashMap<>();
    Instant at = after.ticket() == null ? now : after.ticket().at();
    counted.forEach((key, count) -> changed.put(key, gate(key).taken(after.id(), count, at)));
    return step(before, after, changed);
  }

  /**
   * The changes for a job that starts to wait at a gate. The gate must be served at {@code wake} at
   * the latest.
   */
  public Step waiting(@Nullable Job before, Job after, GateKey key, Instant wake) {
    Map<GateKey, Gate> changed = new HashMap<>(Map.of(key, gate(key).joined(wake, now)));
    Step step = step(before, after, changed);
    return new Step(step.jobs(), step.gates(), List.of(after.placeAt(key)), step.leaving());
  }

  /**
   * The changes for a job that frees its slots. If the launch did not take place, the gates no
   * longer count it.
   */
  public Step leaving(@Nullable Job before, Job after, boolean wasLaunched) {
    Map<GateKey, Gate> changed = new HashMap<>();
    if (before != null && before.hasStakeInGates() && before.ticket() != null) {
      GateTicket ticket = before.ticket();
      for (GateKey key : ticket.gates()) {
        Gate present = gate(key);
        Gate without =
            wasLaunched
                ? ended(present, after, now)
                : woken(present, withdrawn(present, before, ticket, after), now);
        if (!without.equals(present)) {
          changed.put(key, without);
        }
      }
    }
    return step(before, after, changed);
  }

  /**
   * A gate without the slot of a job whose attempt has ended. The gate of the program also records
   * when the last run succeeded. If an event ended the job without naming it, the gate records this
   * event too: once the slot is free, no other item shows that the event has ended a run.
   */
  public static Gate ended(Gate gate, Job after, Instant now) {
    Gate freed = gate.freed(after.id());
    if (gate.key().kind() == GateKey.Kind.PROGRAM) {
      Instant endedAt = after.endedAt();
      if (after.state() == JobState.SUCCEEDED && endedAt != null) {
        freed = freed.succeeded(endedAt);
      }
      Long endedBy = after.ticket() == null ? null : after.ticket().endedBy();
      if (endedBy != null && gate.holds(after.id())) {
        freed = freed.endedBy(endedBy, now);
      }
    }
    return woken(gate, freed, now);
  }

  /**
   * A gate that no longer counts a launch that did not take place. If a checker may have sent the
   * request, the gate of the program records that a run may exist.
   */
  private Gate withdrawn(Gate gate, Job before, GateTicket ticket, Job after) {
    Gate freed = gate.freed(after.id()).notLaunched(ticket.at());
    boolean isOwn = gate.key().kind() == GateKey.Kind.PROGRAM;
    boolean mayBeSent = before.state() == JobState.PENDING_LAUNCH && !after.isEnded();
    return isOwn && mayBeSent && after.run() == null ? freed.unsure(now.plus(UNSURE)) : freed;
  }

  /**
   * The gate to store. A gate that the change has altered gets a wake-up for the jobs that wait
   * there.
   */
  private static Gate woken(Gate before, Gate after, Instant now) {
    return after.equals(before) ? before : after.wokenBy(now);
  }

  private Step step(@Nullable Job before, Job after, Map<GateKey, Gate> changed) {
    GateKey queue = before == null ? null : before.waitsAt();
    List<Waiter> leaving = new ArrayList<>();
    if (queue != null && before != null) {
      changed.put(queue, changed.getOrDefault(queue, gate(queue)).left());
      leaving.add(before.placeAt(queue));
    }
    List<Change> changes = new ArrayList<>();
    changed.forEach((key, gate) -> changes.add(new Change(gate(key), gate)));
    return Step.of(before, after, changes, List.of(), leaving);
  }

  private Gate gate(GateKey key) {
    return gates.getOrDefault(key, Gate.unused(key));
  }
}
