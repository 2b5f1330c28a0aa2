package dev.carillon.report;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.decision.GateChanges;
import dev.carillon.gate.Gate;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.runtime.Attempt;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores changes of jobs that are tracked. */
final class RunChanges {

  private static final Logger LOG = LoggerFactory.getLogger(RunChanges.class);

  private final Shared shared;
  private final InstantSource clock;

  RunChanges(Shared shared, InstantSource clock) {
    this.shared = shared;
    this.clock = clock;
  }

  /**
   * Stores a change. A job whose attempt has ended frees its slots, or leaves its gate, in the same
   * transaction.
   *
   * @return the job that another invocation stored first; empty if the change was stored
   */
  Optional<Job> store(Job before, Job after) {
    boolean keepsGates = after.isRunning() || !before.hasStakeInGates();
    if (keepsGates) {
      return shared.jobs().update(List.of(new Update(before, after))).get(0);
    }
    return shared.updates().run(before.id(), () -> leave(before, after));
  }

  private Attempt<Optional<Job>> leave(Job before, Job after) {
    Instant now = clock.instant();
    Set<GateKey> concerned = GateChanges.concerned(before);
    GateChanges changes =
        new GateChanges(shared.gates().finding(shared.gates().find(concerned), before), now);
    Step step = changes.leaving(before, after, before.isRunning());
    Outcome outcome = shared.gates().commit(step);
    if (outcome instanceof JobLost lost) {
      return Attempt.done(Optional.of(lost.present()));
    }
    if (outcome instanceof Done) {
      step.gates().stream().map(Change::after).forEach(gate -> wake(gate, now));
    }
    return Attempt.of(outcome instanceof Done, Optional.empty());
  }

  /**
   * Sends a check of a gate. If the send fails, nothing is lost: the attention index still names
   * the gate.
   */
  private void wake(Gate gate, Instant now) {
    if (gate.wakeAt() == null || gate.wakeAt().isAfter(now)) {
      return;
    }
    try {
      shared.checks().send(Check.of(now, List.of(gate.key())), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("could not send a check of {}; the master will send it", gate.key(), unavailable);
    }
  }
}
