package dev.carillon.ingest;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees the slots that ended jobs held at gates, and sends checks for the jobs that wait there. */
final class HeldSlots {

  private static final Logger LOG = LoggerFactory.getLogger(HeldSlots.class);

  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  HeldSlots(Shared shared, InstantSource clock) {
    this.gates = shared.gates();
    this.checks = shared.checks();
    this.updates = shared.updates();
    this.clock = clock;
  }

  /**
   * Frees the slots of an ended job. The gate of its program takes over which event ended the job
   * without naming it: once the slot is free, nothing else shows that this event has ended a run.
   */
  void free(Job job) {
    GateTicket ticket = job.ticket();
    if (ticket == null) {
      return;
    }
    Instant now = clock.instant();
    for (GateKey key : ticket.gates()) {
      change(key, before -> freed(before, job, ticket.endedBy(), now));
    }
  }

  private static Gate freed(Gate before, Job job, @Nullable Long endedBy, Instant now) {
    boolean isOwn = before.key().kind() == GateKey.Kind.PROGRAM;
    Gate after = before.freed(job.id());
    if (isOwn && job.state() == JobState.SUCCEEDED && job.endedAt() != null) {
      after = after.succeeded(job.endedAt());
    }
    if (isOwn && endedBy != null && before.holds(job.id())) {
      after = after.endedBy(endedBy, now);
    }
    return after.equals(before) ? before : after.wokenBy(now);
  }

  /** Changes a gate. A change that leaves the gate equal is not stored. */
  void change(GateKey key, UnaryOperator<Gate> change) {
    Gate changed =
        updates.run(
            key,
            () -> {
              Gate before = gate(key);
              Gate after = change.apply(before);
              return Attempt.of(after.equals(before) || gates.update(before, after), after);
            });
    wake(changed);
  }

  Gate gate(GateKey key) {
    return gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
  }

  /** If the message cannot be sent, nothing is lost: the attention index still names the gate. */
  void wake(Gate gate) {
    Instant now = clock.instant();
    if (gate.wakeAt() == null || gate.wakeAt().isAfter(now)) {
      return;
    }
    try {
      checks.send(Check.of(now, List.of(gate.key())), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("could not send a check of {}; the master will send it", gate.key(), unavailable);
    }
  }
}
