package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import java.time.Instant;
import java.util.List;

/**
 * The jobs that a request for the next jobs of a pool got, so that its repetition gets the same.
 *
 * @param requestId as the caller gave it
 * @param until when the record may be deleted
 */
public record PoolPull(PoolId pool, String requestId, List<JobId> jobs, Instant until) {

  public PoolPull {
    jobs = List.copyOf(jobs);
  }
}
