package dev.carillon.decision;

import dev.carillon.gate.GateStates;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.id.PoolId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.run.Place;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state on which the decision about a job depends, besides the job itself. It is read after the
 * job is due and right before the decision is stored.
 *
 * @param head the current head; null if the schedule is deleted
 * @param isUnreadable whether the head or the backfill exists but cannot be read
 * @param compiled null if the definition cannot be read or does not belong to the head's generation
 * @param isWantedByBackfill false if the job belongs to a backfill that no longer wants to launch
 *     it
 * @param programs determines which gates count launches of the job's program; these gates are read
 *     when they are needed
 * @param served the gate or pool whose waiting jobs are being let through in order; null for none
 * @param pools determines the pools of jobs
 * @param gates reads gates; called only for a job whose other constraints hold, and for the gates
 *     that a job leaves
 */
public record JobSnapshot(
    @Nullable Head head,
    boolean isUnreadable,
    @Nullable Compiled compiled,
    boolean isWantedByBackfill,
    GatedPrograms programs,
    @Nullable Subject served,
    JobPools pools,
    GateStates gates) {

  /** The snapshot for a check that lets the waiting jobs of a gate through in order. */
  public JobSnapshot serving(GateKey gate) {
    return new JobSnapshot(
        head, isUnreadable, compiled, isWantedByBackfill, programs, gate, pools, gates);
  }

  /** Whether the pool in which the job waits has chosen it. */
  boolean isChosenByPool(Job job) {
    Place place = job.place();
    String namespace = job.id().schedule().namespace();
    return place != null && new PoolId(namespace, place.pool()).equals(served);
  }

  /** Why the schedule or backfill no longer wants the job; null if it wants it. */
  @Nullable ReasonCode refusal(Job job) {
    if (head == null || head.isDeleted()) {
      return ReasonCode.SCHEDULE_DELETED;
    }
    if (!head.wantsJob(job.id().generation(), job.activation())) {
      return head.generation() == job.id().generation()
          ? ReasonCode.SCHEDULE_SUSPENDED
          : ReasonCode.SCHEDULE_CHANGED;
    }
    return isWantedByBackfill ? null : ReasonCode.BACKFILL_CANCELLED;
  }

  /**
   * Whether the suspension of the job's schedule suspends the job. A job of a manual launch or a
   * backfill launches if it was requested while the schedule was holding jobs. If such a job was
   * already waiting when the schedule began to hold jobs, it stays suspended.
   */
  boolean isSuspended(Job job) {
    if (head == null) {
      return false;
    }
    boolean isRequested = job.launchNow() != null || job.id().isOfBackfill();
    return isRequested ? head.holdsLaunchesOf(job.activation()) : head.holdsJobs();
  }

  /**
   * The time-outs of the schedule's jobs.
   *
   * @throws NullPointerException if the snapshot has no head or no definition
   */
  public TimeoutPolicy timeouts() {
    return new TimeoutPolicy(
        Objects.requireNonNull(compiled).schedule(), Objects.requireNonNull(head));
  }
}
