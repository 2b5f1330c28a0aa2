package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The stored jobs of one pass. */
final class StoredJobs {

  private final Jobs jobs;
  private final CheckSnapshot snapshot;
  private final FollowUps followUps;
  private final Instant now;
  private final Set<JobId> unreadable = new HashSet<>();

  StoredJobs(Jobs jobs, CheckSnapshot snapshot, FollowUps followUps, Instant now) {
    this.jobs = jobs;
    this.snapshot = snapshot;
    this.followUps = followUps;
    this.now = now;
  }

  boolean isUnreadable(JobId id) {
    return unreadable.contains(id);
  }

  /** Plans a later check of a subject whose item exists but cannot be read. */
  void postpone(Subject subject) {
    followUps.addUnreadable(subject);
  }

  /** The jobs that exist and can be read. Unreadable jobs are checked later. */
  Map<JobId, Job> find(List<JobId> wanted) {
    try {
      return jobs.find(wanted);
    } catch (UnreadableJobs damaged) {
      unreadable.addAll(damaged.ids());
      damaged.ids().forEach(this::postpone);
      List<JobId> rest = wanted.stream().filter(id -> !unreadable.contains(id)).toList();
      return jobs.find(rest);
    }
  }

  /**
   * Plans another check of a fire that has no job yet and gets no new one. A checker that read the
   * head before its last change may still insert the job and then crash. So the check is due when
   * no such checker can be at work any more. If a backfill launches the fire, the backfill is
   * checked at once instead, and then checks its jobs that have no item.
   */
  void awaitLateInsert(JobId id) {
    snapshot
        .backfillOf(id)
        .filter(backfill -> backfill.hasOpen(id))
        .ifPresent(backfill -> followUps.add(backfill.id(), now));
    Head head = snapshot.heads().get(id.schedule());
    if (id.isFire() && head != null && head.settledAt().isAfter(now)) {
      followUps.add(id, head.settledAt());
    }
  }

  /**
   * The jobs on which the runs' time-outs have an effect, and the jobs whose ends are still to be
   * announced. A time-out has no effect if its attempt has ended, or if a worker has claimed the
   * attempt since.
   */
  List<Job> awaitedBy(Set<RunId> runs) {
    Map<JobId, Job> found = find(runs.stream().map(RunId::job).toList());
    found.values().forEach(followUps::endOf);
    return found.values().stream()
        .filter(job -> job.isConcluding() || runs.contains(job.runId()))
        .toList();
  }
}
