package dev.carillon.decision;

import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a decision about a job is made from, beside the job: read after the job is due and right
 * before the decision is stored.
 *
 * @param head as of now; null if the schedule is gone
 * @param isUnreadable whether the head exists and cannot be read
 * @param compiled null if the definition cannot be read, or is of another generation than the head
 * @param isWantedByBackfill false if a backfill opened the job and does not launch it any more
 * @param programs what the schedules of the namespace ask of gates, the job's own included
 * @param served the gate whose waiting jobs are being let through in their order; null for none
 * @param gates reads gates; asked only for a job that its other constraints let through
 */
public record JobSnapshot(
    @Nullable Head head,
    boolean isUnreadable,
    @Nullable Compiled compiled,
    boolean isWantedByBackfill,
    GatedPrograms programs,
    @Nullable GateKey served,
    GateStates gates) {

  /** The present state of some gates, unused ones included. */
  public interface GateStates {
    Map<GateKey, Gate> of(Set<GateKey> keys);
  }

  /** The same while the jobs that wait at a gate are let through in their order. */
  public JobSnapshot serving(GateKey gate) {
    return new JobSnapshot(head, isUnreadable, compiled, isWantedByBackfill, programs, gate, gates);
  }

  /** Why the job is wanted no more; null if it is. */
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
   * Whether its schedule's suspension holds the job back. A launch by hand and a backfill of a
   * suspended schedule are meant to go; those that waited when it was suspended wait on.
   */
  boolean isHeld(Job job) {
    boolean isAsked = job.launchNow() != null || job.id().isOfBackfill();
    boolean isMeant = isAsked && head != null && job.activation() == head.activation();
    return head != null && head.holdsJobs() && !isMeant;
  }

  /**
   * How long the schedule's jobs wait.
   *
   * @throws NullPointerException without head or definition
   */
  public TimeoutPolicy timeouts() {
    return new TimeoutPolicy(
        Objects.requireNonNull(compiled).schedule(), Objects.requireNonNull(head));
  }
}
