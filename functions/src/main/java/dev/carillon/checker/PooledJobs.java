package dev.carillon.checker;

import dev.carillon.checker.Decisions.Decided;
import dev.carillon.checker.GatedJobs.Candidate;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The jobs of one pass that a pool chooses. */
final class PooledJobs {

  private final StoredJobs storedJobs;
  private final Decisions decisions;
  private final Function<PoolId, GatedJobs> gated;
  private final Runnable send;
  private final Instant now;

  /**
   * @param gated stores the ends of jobs that hold slots
   * @param send sends the leased jobs
   */
  PooledJobs(
      StoredJobs storedJobs,
      Decisions decisions,
      Function<PoolId, GatedJobs> gated,
      Runnable send,
      Instant now) {
    this.storedJobs = storedJobs;
    this.decisions = decisions;
    this.gated = gated;
    this.send = send;
    this.now = now;
  }

  /**
   * Decides on the jobs that a pool is about to choose. Stores those of these decisions that end or
   * suspend a job.
   *
   * @param rows in the order of their turns
   */
  PoolMoves movesOf(PoolId id, Pool pool, List<ReadyJob> rows, Deadline deadline) {
    Map<JobId, Job> found = storedJobs.find(rows.stream().map(ReadyJob::job).toList());
    PoolMoves moves =
        new PoolMoves(new ArrayList<>(), new HashSet<>(), new ArrayList<>(), new ArrayList<>());
    List<Candidate> gatedEnds = new ArrayList<>();
    for (ReadyJob row : rows) {
      Job job = found.get(row.job());
      if (storedJobs.isUnreadable(row.job())) {
        moves.held().add(row.job());
      } else if (PoolQueue.isBeingMoved(row, job)) {
        moves.held().add(row.job());
        moves.leased().add(job);
      } else if (job == null || !PoolQueue.isAt(row, job)) {
        moves.outdated().add(row);
      } else {
        Decided decided = decisions.decide(job, job, id, now);
        if (!moves.add(row, decided, pool)) {
          apply(decided, gatedEnds);
        }
      }
    }
    gated.apply(id).run(gatedEnds, deadline).forEach(late -> moves.hold(late.job().id()));
    decisions.storeSuspended();
    decisions.storeUpdates();
    return moves;
  }

  private void apply(Decided decided, List<Candidate> gatedEnds) {
    if (decided.after() != null && decided.job().hasStakeInGates()) {
      gatedEnds.add(new Candidate(decided.before(), decided.job()));
    } else {
      decisions.apply(decided);
    }
  }

  /** Leases and sends the jobs that a pool has chosen. */
  void takeOut(List<Update> chosen) {
    chosen.forEach(one -> decisions.add(one.before(), one.after()));
    decisions.storeUpdates();
    send.run();
  }
}
