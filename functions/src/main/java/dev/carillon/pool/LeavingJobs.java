package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolState.Leaving;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs that a pool chose before, sorted by how far each has got.
 *
 * @param ready the jobs that still wait in the pool
 * @param leased the jobs that a checker is sending
 * @param rows the rows of the jobs that have left the pool
 * @param newlyMoved how many of the jobs that have left were moved into the pool's queue
 * @param state the state without the jobs that have left the pool
 */
public record LeavingJobs(
    List<Leaving> ready, List<Job> leased, List<PoolRow> rows, long newlyMoved, PoolState state) {

  /**
   * Reads the jobs that a pool chose before. A job that cannot be read keeps its turn until it can
   * be read.
   */
  public static LeavingJobs read(PoolState state, Jobs stored) {
    List<JobId> ids = state.leaving().stream().map(one -> one.job().job()).toList();
    Set<JobId> unreadable = new HashSet<>();
    Map<JobId, Job> jobs = UnreadableJobs.readable(ids, unreadable, stored::find);
    List<Leaving> ready = new ArrayList<>();
    List<Job> leased = new ArrayList<>();
    List<PoolRow> rows = new ArrayList<>();
    List<Leaving> rest = new ArrayList<>();
    long moved = 0;
    for (Leaving one : state.leaving()) {
      Job job = jobs.get(one.job().job());
      if (unreadable.contains(one.job().job())) {
        rest.add(one);
      } else if (PoolQueue.isAt(one.job(), job)) {
        ready.add(one);
        rest.add(one);
      } else if (job != null && job.state() == JobState.PENDING_LAUNCH && isSameAttempt(one, job)) {
        leased.add(job);
        rest.add(one);
      } else {
        boolean wasTaken = job != null && PoolQueue.wasTaken(job, one.job().since());
        moved += wasTaken && !one.isPulled() ? 1 : 0;
        rows.add(one.job());
        if (!wasTaken) {
          rows.add(flight(one));
        }
      }
    }
    return new LeavingJobs(ready, leased, rows, moved, state.with(rest));
  }

  /** How many more jobs can be chosen before one of the leaving jobs has left the pool. */
  public int room() {
    return PoolState.MOST_LEAVING - state.leaving().size();
  }

  /** How many jobs are in the queue, or on their way there. */
  long visible(PoolActivity activity) {
    long underWay = state.leaving().stream().filter(one -> !one.isPulled()).count();
    return Math.max(0, state.moved() + newlyMoved - activity.claimed()) + underWay;
  }

  private static InFlight flight(Leaving one) {
    return new InFlight(one.job().pool(), one.job().customer(), one.job().since(), one.job().job());
  }

  private static boolean isSameAttempt(Leaving one, Job job) {
    return job.place() != null && job.place().since().equals(one.job().since());
  }
}
