package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.Leave;
import dev.carillon.decision.JobDecision.Recheck;
import dev.carillon.decision.JobDecision.TakeOut;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.launch.Requests;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The decisions about the jobs that a worker is about to get from their pool.
 *
 * @param jobs the jobs that can be read
 */
record PulledJobs(
    Shared shared,
    Map<JobId, Job> jobs,
    Map<JobId, JobDecision> decisions,
    Set<JobId> unreadable,
    CheckSnapshot snapshot,
    Instant now) {

  static PulledJobs decide(
      Shared shared, Requests requests, PoolId pool, List<JobId> ids, Instant now) {
    Set<JobId> unreadable = new HashSet<>();
    CheckSnapshot snapshot = CheckSnapshot.of(shared, ids, List.of(), now);
    Map<JobId, Job> jobs = UnreadableJobs.readable(ids, unreadable, shared.jobs()::find);
    PassPools pools = new PassPools(shared.pools(), requests, new PoolPatterns());
    GateTransactions gates = new GateTransactions(shared);
    Map<JobId, JobDecision> decisions = new HashMap<>();
    jobs.forEach(
        (id, job) ->
            decisions.put(
                id, JobDecision.decide(asPulled(job), snapshot.of(job, pool, pools, gates), now)));
    return new PulledJobs(shared, jobs, decisions, unreadable, snapshot, now);
  }

  /**
   * The job as a pull decides on it. A pull needs no queue, so a refusal by the pool's queue does
   * not delay it. Other delays stay: after failed checks, for example, a job could make every pull
   * fail.
   */
  private static Job asPulled(Job job) {
    Reason newest = job.newestReason();
    boolean isRefused = newest != null && newest.code() == ReasonCode.REQUEST_REFUSED;
    return job.isReady() && isRefused ? TrackedJob.undelayed(job, job.attentionAt()) : job;
  }

  /** Whether a worker can have the job now. */
  boolean isFree(JobId job) {
    return decisions.get(job) instanceof TakeOut;
  }

  /** The definition that launched a job; empty if it was replaced and is no longer stored. */
  Optional<Compiled> compiled(Job job) {
    JobId id = job.id();
    return Optional.ofNullable(snapshot.compiled().get(id.schedule()))
        .filter(known -> known.definition().generation() == id.generation())
        .or(() -> shared.definitions().of(id.schedule(), id.generation()));
  }

  /**
   * Removes the rows of jobs that neither wait in their place nor are being moved. Makes the
   * checker examine the jobs that are being moved, and the jobs whose decision ends or suspends
   * them.
   *
   * @param held receives the jobs that a worker cannot have now
   * @return whether a worker can have all the jobs
   */
  boolean settle(List<ReadyJob> rows, Set<JobId> held) {
    List<ReadyJob> outdated = new ArrayList<>();
    List<JobId> checked = new ArrayList<>();
    for (ReadyJob row : rows) {
      JobId id = row.job();
      boolean isInPlace = PoolQueue.isAt(row, jobs.get(id));
      if (unreadable.contains(id) || (isInPlace && isUnchanged(id))) {
        held.add(id);
      } else if (PoolQueue.isBeingMoved(row, jobs.get(id))) {
        held.add(id);
        checked.add(id);
      } else if (!isInPlace) {
        outdated.add(row);
      } else if (!isFree(id)) {
        held.add(id);
        checked.add(id);
      }
    }
    shared.pools().remove(outdated);
    if (!checked.isEmpty()) {
      shared.checks().send(Check.of(now, checked), now);
    }
    return outdated.isEmpty() && rows.stream().noneMatch(row -> held.contains(row.job()));
  }

  /** Whether the decision leaves the job as it is. */
  private boolean isUnchanged(JobId job) {
    JobDecision decision = decisions.get(job);
    return decision instanceof Leave || decision instanceof Recheck;
  }
}
