package dev.carillon.decision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Enter;
import dev.carillon.decision.JobDecision.Launch;
import dev.carillon.decision.JobDecision.Relaunch;
import dev.carillon.decision.JobDecision.Retry;
import dev.carillon.decision.JobDecision.Suspend;
import dev.carillon.decision.JobDecision.TakeOut;
import dev.carillon.decision.JobDecision.WaitAtGate;
import dev.carillon.decision.JobDecision.WaitForOpening;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.job.TrackedJob;
import dev.carillon.launch.Requests;
import dev.carillon.run.Operation;
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.LinkId;
import dev.carillon.schedule.OperationReader;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The job and its gates after a decision. */
public final class DecidedJob {

  private DecidedJob() {}

  /**
   * The job to store; null if the decision changes nothing.
   *
   * @param leaseEnd the end of the lease under which a checker launches the job
   * @param sentBy the latest instant at which its request is sent; gates count the launch at this
   *     instant
   */
  public static @Nullable Job after(
      Job job,
      JobDecision decision,
      JobSnapshot given,
      Instant now,
      Instant leaseEnd,
      Instant sentBy) {
    if (decision instanceof Launch launch) {
      return launched(job, launch, given, now, leaseEnd).through(ticket(launch.counted(), sentBy));
    }
    if (decision instanceof Enter enter) {
      return entered(job, enter, given, now).through(ticket(enter.counted(), sentBy));
    }
    if (decision instanceof TakeOut) {
      return job.launching(now, leaseEnd);
    }
    if (decision instanceof Relaunch relaunch) {
      return relaunched(job.launching(now, leaseEnd), relaunch, sentBy);
    }
    if (decision instanceof WaitForOpening wait) {
      Instant attention = Wakeup.plan(wait.opening(), now).attentionAt();
      return resolved(job, given).waitingUntil(wait.opening(), attention, now, wait.reason());
    }
    if (decision instanceof WaitAtGate wait) {
      Instant attention = attentionAtGate(given.timeouts(), job, now);
      return resolved(job, given).waitingAt(wait.gate(), attention, now, wait.reason());
    }
    if (decision instanceof Suspend suspend) {
      return job.isSuspended()
          ? null
          : resolved(job, given).waitingForResumption(now, suspend.reason());
    }
    if (decision instanceof Retry retry) {
      return retried(job, retry, now);
    }
    return decision instanceof End end ? ended(job, end, now) : null;
  }

  /** If an attempt failed without a report, the reason becomes the error of the run. */
  private static Job ended(Job job, End end, Instant now) {
    Run run = job.run();
    return run != null && end.state() == JobState.FAILED && job.reportBy() != null
        ? job.ended(end.state(), run.failed(null, end.reason().text()), now, end.reason())
        : job.ended(end.state(), now, end.reason());
  }

  private static Job launched(
      Job job, Launch launch, JobSnapshot given, Instant now, Instant leaseEnd) {
    Job tracked = tracked(resolved(job, given), given);
    return launch.reason() == null
        ? tracked.launching(now, leaseEnd)
        : tracked.launching(now, leaseEnd, launch.reason());
  }

  private static Job entered(Job job, Enter enter, JobSnapshot given, Instant now) {
    Place place = new Place(enter.pool(), now.truncatedTo(ChronoUnit.MILLIS), false);
    Instant attention = attentionInPool(given.timeouts(), job, now);
    return tracked(resolved(job, given), given).waitingIn(place, attention, now, enter.reason());
  }

  /** Renews the ticket of the interrupted launch only if gates count the launch again. */
  private static Job relaunched(Job launching, Relaunch relaunch, Instant sentBy) {
    GateTicket ticket = launching.ticket();
    return ticket == null || relaunch.counted().isEmpty()
        ? launching
        : launching.through(ticket.again(sentBy));
  }

  private static Job retried(Job job, Retry retry, Instant now) {
    Run failed = Objects.requireNonNull(job.run()).failed(null, retry.reason().text());
    return job.retried(failed, retry.at(), now, retry.reason());
  }

  private static Job tracked(Job job, JobSnapshot given) {
    RunPolicy policy = Objects.requireNonNull(given.compiled()).schedule().runs();
    return policy == null ? job : job.tracked(ownPolicy(job, policy));
  }

  /**
   * If a caller launched the job with operations of its own, they replace those of the schedule.
   */
  private static RunPolicy ownPolicy(Job job, RunPolicy policy) {
    ObjectNode launch = job.launchNow();
    List<Operation> own = launch == null ? List.of() : OperationReader.stored(launch);
    return own.isEmpty() ? policy : policy.with(own);
  }

  /** Fixes the job's customer, priority and link when it starts to wait or to launch. */
  private static Job resolved(Job job, JobSnapshot given) {
    Compiled compiled = Objects.requireNonNull(given.compiled());
    String link = LinkId.of(compiled.schedule().properties(), job.launchNow());
    return Requests.resolved(compiled, job).linked(link);
  }

  private static @Nullable GateTicket ticket(Map<GateKey, Counted> counted, Instant sentBy) {
    boolean isSlotted = counted.values().stream().anyMatch(Counted::slots);
    return counted.isEmpty()
        ? null
        : GateTicket.through(List.copyOf(counted.keySet()), isSlotted, sentBy);
  }

  /** When the master sends a check of a job that waits in a pool: only at the job's time-out. */
  private static @Nullable Instant attentionInPool(TimeoutPolicy timeouts, Job job, Instant now) {
    return job.attempt() > 1
        ? null
        : timeouts
            .endAhead(job.id(), now)
            .map(end -> Wakeup.plan(end, now).attentionAt())
            .orElse(null);
  }

  /**
   * The job to store if it awaits the choice of its pool and its entry in the attention index is
   * due; empty if the entry is not. Otherwise the entry would stay due until the job is chosen: for
   * ever in a pool that moves no jobs.
   */
  public static Optional<Job> awaitingChoice(TimeoutPolicy timeouts, Job job, Instant now) {
    return Optional.ofNullable(job.attentionAt())
        .filter(attention -> !attention.isAfter(now))
        .map(due -> TrackedJob.undelayed(job, attentionInPool(timeouts, job, now)));
  }

  /**
   * When the master sends a check of a job that waits at a gate, even if nothing happens at the
   * gate. This is the job's time-out, but no later than one run time-out from now.
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
   * The changes to store in one transaction.
   *
   * @param before the stored job; null if it has no item
   */
  public static Step step(
      @Nullable Job before, Job after, JobDecision decision, GateChanges changes) {
    if (decision instanceof Launch launch) {
      return changes.launching(before, after, launch.counted());
    }
    if (decision instanceof Enter enter) {
      return changes.launching(before, after, enter.counted());
    }
    if (decision instanceof TakeOut) {
      return Step.of(before, after, List.of(), List.of(), List.of());
    }
    if (decision instanceof Relaunch relaunch) {
      return changes.launching(before, after, relaunch.counted());
    }
    if (decision instanceof WaitAtGate wait) {
      return changes.waiting(before, after, wait.gate(), wait.wake());
    }
    boolean wasLaunched = before != null && before.isRunning();
    return changes.leaving(before, after, wasLaunched);
  }
}
