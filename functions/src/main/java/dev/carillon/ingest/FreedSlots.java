package dev.carillon.ingest;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.decision.GateChanges;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees the slots that ended jobs held at gates, and sends checks for the jobs that wait there. */
final class FreedSlots {

  private static final Logger LOG = LoggerFactory.getLogger(FreedSlots.class);

  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  FreedSlots(Shared shared, InstantSource clock) {
    this.gates = shared.gates();
    this.checks = shared.checks();
    this.updates = shared.updates();
    this.clock = clock;
  }

  /** Frees the slots of an ended job. */
  void free(Job job) {
    GateTicket ticket = job.ticket();
    if (ticket != null) {
      ticket.gates().forEach(key -> free(key, List.of(job)));
    }
  }

  /** Frees the slots that ended jobs hold at a gate, in one write. */
  void free(GateKey key, List<Job> ended) {
    Instant now = clock.instant();
    change(
        key,
        ended.stream().map(Job::id).toList(),
        before -> {
          Gate after = before;
          for (Job job : ended) {
            after = GateChanges.ended(after, job, now);
          }
          return after;
        });
  }

  /**
   * Changes a gate and stores it. If the change leaves the gate equal, nothing is stored.
   *
   * @param concerned the jobs whose slots the change can free
   */
  void change(GateKey key, List<JobId> concerned, UnaryOperator<Gate> change) {
    Gate changed =
        updates.run(
            key,
            () -> {
              Gate before = gates.finding(gate(key), concerned);
              Gate after = change.apply(before);
              return Attempt.of(after.equals(before) || gates.update(before, after), after);
            });
    wake(changed);
  }

  /** Records the success of a run that belongs to no job. */
  void noteSuccess(RunEnd end, @Nullable Long hash) {
    Gate gate = gate(end.program());
    if (gate.countsNothing() || end.state() != JobState.SUCCEEDED) {
      return;
    }
    Instant now = clock.instant();
    Instant reported = end.event().timestamp();
    Instant at = reported.isAfter(now) ? now : reported;
    change(
        end.program(),
        List.of(),
        before -> {
          Gate after = before.succeeded(at);
          return hash == null ? after : after.endedBy(hash, now);
        });
  }

  Gate gate(GateKey key) {
    return gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
  }

  /**
   * Sends a check of a gate. If the send fails, nothing is lost: the attention index still names
   * the gate.
   */
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

  /**
   * Sends checks that continue the backfills of ended jobs and send their callbacks. If the send
   * fails, the events are received again.
   */
  void announce(List<Job> ended) {
    Set<Subject> subjects = new LinkedHashSet<>();
    for (Job job : ended) {
      job.id().backfill().ifPresent(subjects::add);
      if (job.callback() != null && job.isConcluding()) {
        subjects.add(job.runId());
      }
    }
    if (!subjects.isEmpty()) {
      Instant now = clock.instant();
      checks.send(Check.of(now, List.copyOf(subjects)), now);
    }
  }
}
