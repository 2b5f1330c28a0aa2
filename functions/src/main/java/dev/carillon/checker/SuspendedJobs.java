package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.SuspendedJob;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jobs that a pass suspends because their schedule is suspended. Each job is recorded before it
 * is stored as suspended, and the head is read once more afterwards. So either the checker that
 * ends the suspension finds the record, or this pass finds that the suspension has ended.
 */
final class SuspendedJobs {

  private final Shared shared;
  private final LeaseChecks leaseChecks;
  private final CheckSnapshot snapshot;
  private final Instant now;
  private final List<SuspendedJob> fresh = new ArrayList<>();
  private final List<SuspendedJob> recorded = new ArrayList<>();

  SuspendedJobs(CheckServices services, CheckSnapshot snapshot, Instant now) {
    this.shared = services.shared();
    this.leaseChecks = new LeaseChecks(shared.checks(), services.clock());
    this.snapshot = snapshot;
    this.now = now;
  }

  void add(Job job) {
    Head head = Objects.requireNonNull(snapshot.heads().get(job.id().schedule()));
    fresh.add(new SuspendedJob(job.id(), head.activation()));
  }

  /**
   * Records the jobs that were added. The checker that ends the suspension finds them by this
   * record.
   *
   * @param stored those jobs that are stored and not yet suspended. They are checked again, in case
   *     the suspension has ended and this checker crashes before it finds that out: the message of
   *     this pass may name only their gate or pool, or another checker that received it may have
   *     deleted it. A job that is not stored needs no such check: a checker that deletes the
   *     message has stored the job itself.
   */
  void record(List<Job> stored) {
    if (!fresh.isEmpty()) {
      shared.jobs().recordSuspended(List.copyOf(fresh));
      recorded.addAll(fresh);
      fresh.clear();
    }
    leaseChecks.add(stored.stream().map(Job::id).toList());
  }

  /**
   * The recorded jobs whose suspension was changed or ended meanwhile. The checker that ended the
   * suspension may have missed their records.
   */
  List<JobId> releasedMeanwhile() {
    if (recorded.isEmpty()) {
      return List.of();
    }
    Set<ScheduleId> schedules =
        recorded.stream().map(one -> one.job().schedule()).collect(Collectors.toSet());
    Map<ScheduleId, Head> after = CheckSnapshot.asOf(now, shared.schedules().heads(schedules));
    List<JobId> released =
        recorded.stream()
            .filter(
                one -> {
                  Head head = after.get(one.job().schedule());
                  return head == null || head.activation() != one.activation();
                })
            .map(SuspendedJob::job)
            .toList();
    recorded.clear();
    return released;
  }
}
