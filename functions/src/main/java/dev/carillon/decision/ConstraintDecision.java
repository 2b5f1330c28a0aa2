package dev.carillon.decision;

import dev.carillon.constraint.Verdict;
import dev.carillon.constraint.Verdict.Never;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.constraint.Verdict.TooLate;
import dev.carillon.decision.GateAdmission.Closed;
import dev.carillon.decision.JobDecision.AwaitTurn;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Enter;
import dev.carillon.decision.JobDecision.KeepPlace;
import dev.carillon.decision.JobDecision.Launch;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.decision.JobDecision.WaitForOpening;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a due job whose launch only its constraints can prevent: the last rows of the
 * table of {@link JobDecision#decide}. Constraints of the clock come first, because they can be
 * evaluated without reading a gate.
 */
final class ConstraintDecision {

  private ConstraintDecision() {}

  static JobDecision of(Job job, JobSnapshot given, Instant now) {
    TimeoutPolicy timeouts = given.timeouts();
    if (job.attempt() > 1) {
      return atGates(job, given, timeouts, now);
    }
    Verdict verdict = timeouts.byClock(job, now);
    if (verdict instanceof NotYet wait && wait.checkAt() != null) {
      return new WaitForOpening(
          wait.checkAt(), Reason.of(ReasonCode.CONSTRAINTS_UNMET, wait.reason()));
    }
    if (verdict instanceof Never never) {
      return new End(JobState.SKIPPED, Reason.of(ReasonCode.CONSTRAINTS_UNMET, never.reason()));
    }
    if (verdict instanceof TooLate late) {
      return new End(JobState.TIMED_OUT, timeouts.whyTooLate(late, job));
    }
    return atGates(job, given, timeouts, now);
  }

  private static JobDecision atGates(
      Job job, JobSnapshot given, TimeoutPolicy timeouts, Instant now) {
    GateKey waitsAt = job.waitsAt();
    boolean isFirst = job.attempt() == 1;
    boolean isLaunchedAnyway = isFirst && timeouts.launches(job.id(), now);
    boolean isDiscarded = isFirst && timeouts.discards(job.id(), now);
    boolean awaitsTurn = waitsAt != null && !waitsAt.equals(given.served());
    if (waitsAt != null && awaitsTurn && !isLaunchedAnyway && !isDiscarded) {
      return new AwaitTurn(waitsAt, false);
    }
    GateAdmission admission = GateAdmission.of(job, given, now);
    Closed closed = admission.closed().orElse(null);
    if (closed == null && waitsAt != null && awaitsTurn && isDiscarded) {
      return new AwaitTurn(waitsAt, true);
    }
    if (closed == null) {
      Reason anyway = job.isBlocked() && isLaunchedAnyway ? timeouts.launchedAnyway() : null;
      return admitted(job, given, admission.counted(), anyway);
    }
    Reason unmet = Reason.of(ReasonCode.CONSTRAINTS_UNMET, closed.why().reason());
    if (closed.skips() && !(awaitsTurn && isDiscarded)) {
      return new End(JobState.SKIPPED, unmet);
    }
    if (isDiscarded) {
      return new End(JobState.TIMED_OUT, timeouts.whyTooLate(closed.why().reason()));
    }
    GateKey gate = closed.gate().key();
    if (!gate.equals(waitsAt)) {
      return new WaitAtGate(gate, closed.wake(now), unmet);
    }
    return awaitsTurn ? new AwaitTurn(gate, false) : new KeepPlace(gate, unmet);
  }

  private static JobDecision admitted(
      Job job, JobSnapshot given, Map<GateKey, Counted> counted, @Nullable Reason anyway) {
    Compiled compiled = Objects.requireNonNull(given.compiled());
    String pool = compiled.schedule().pool();
    if (pool == null) {
      return new Launch(counted, anyway);
    }
    JobPools.Found found = given.pools().of(compiled, job);
    return found instanceof JobPools.InPool in
        ? new Enter(in.name(), counted, anyway)
        : new End(JobState.FAILED, ((JobPools.NoPool) found).why());
  }
}
