package dev.carillon.decision;

import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Hold;
import dev.carillon.decision.JobDecision.Launch;
import dev.carillon.decision.JobDecision.Relaunch;
import dev.carillon.decision.JobDecision.Wait;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job, and its gates, as a decision leaves them. */
public final class DecidedJob {

  private DecidedJob() {}

  /**
   * The job to be stored; null if the decision changes nothing.
   *
   * @param leaseEnd until when the checker that launches it holds it
   */
  public static @Nullable Job after(
      Job job, JobDecision decision, JobSnapshot given, Instant now, Instant leaseEnd) {
    if (decision instanceof Launch launch) {
      Job launching =
          launch.reason() == null
              ? job.launching(now, leaseEnd)
              : job.launching(now, leaseEnd, launch.reason());
      return launching.through(ticket(launch, now));
    }
    if (decision instanceof Relaunch relaunch) {
      Job launching = job.launching(now, leaseEnd);
      GateTicket ticket = job.ticket();
      boolean isCounted = ticket != null && !relaunch.counted().isEmpty();
      return isCounted && ticket != null ? launching.through(ticket.again(now)) : launching;
    }
    if (decision instanceof Wait wait) {
      Instant attention = Wakeup.plan(wait.opening(), now).attentionAt();
      return resolved(job, given).waitingUntil(wait.opening(), attention, now, wait.reason());
    }
    if (decision instanceof WaitAtGate wait) {
      Instant attention = attentionAtGate(given.timeouts(), job, now);
      return resolved(job, given).waitingAt(wait.gate(), attention, now, wait.reason());
    }
    if (decision instanceof Hold hold) {
      return job.isSuspended() ? null : resolved(job, given).suspended(now, hold.reason());
    }
    return decision instanceof End end ? job.ended(end.state(), now, end.reason()) : null;
  }

  /** Its customer and priority are those that it has when it begins to wait. */
  private static Job resolved(Job job, JobSnapshot given) {
    Compiled compiled = Objects.requireNonNull(given.compiled());
    return Requests.resolved(compiled, job);
  }

  private static @Nullable GateTicket ticket(Launch launch, Instant now) {
    boolean isSlotted = launch.counted().values().stream().anyMatch(Counted::slots);
    return launch.counted().isEmpty()
        ? null
        : GateTicket.through(List.copyOf(launch.counted().keySet()), isSlotted, now);
  }

  /**
   * When the master has a job checked that waits at a gate, whatever happens there: at its
   * time-out, and once a run time-out at the latest.
   */
  public static Instant attentionAtGate(TimeoutPolicy timeouts, Job job, Instant now) {
    Instant latest = now.plus(Gate.RUN_TIMEOUT);
    return timeouts
        .endAhead(job.id(), now)
        .map(end -> Wakeup.plan(end, now).attentionAt())
        .filter(attention -> attention.isBefore(latest))
        .orElse(latest);
  }

  /**
   * What is stored in one transaction.
   *
   * @param before the job as it is stored; null if it is not
   */
  public static Step step(
      @Nullable Job before, Job after, JobDecision decision, GateChanges changes) {
    if (decision instanceof Launch launch) {
      return changes.launching(before, after, launch.counted());
    }
    if (decision instanceof Relaunch relaunch) {
      return changes.launching(before, after, relaunch.counted());
    }
    if (decision instanceof WaitAtGate wait) {
      return changes.waiting(before, after, wait.gate(), wait.wake());
    }
    boolean wasLaunched = before != null && before.state() == JobState.ENQUEUED;
    return changes.leaving(before, after, wasLaunched);
  }
}
