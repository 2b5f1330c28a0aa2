package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import java.time.Instant;
import java.util.List;

/**
 * A record of the jobs that a pull received, so that a repetition of the request receives the same
 * jobs.
 *
 * @param requestId the id that the caller gave the request
 * @param until when the record may be deleted
 */
public record PoolPull(PoolId pool, String requestId, List<JobId> jobs, Instant until) {

  public PoolPull {
    jobs = List.copyOf(jobs);
  }
}
