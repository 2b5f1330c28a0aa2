package dev.carillon.campaign.judge;

import java.util.List;

/**
 * A request for the next jobs of the pool.
 *
 * @param requestId empty for none
 * @param worker the name of the worker; only repetitions of the same request have the same name
 * @param count the most jobs that it asks for
 * @param waits how many milliseconds it waits for the first job
 * @param called when it was sent
 * @param returned when its invocation ended
 * @param isAnswered whether its answer names the jobs that it got
 * @param jobs the jobs that the answer names
 */
public record PullCall(
    String requestId,
    String worker,
    int count,
    long waits,
    long called,
    long returned,
    boolean isAnswered,
    List<Got> jobs) {

  public PullCall {
    jobs = List.copyOf(jobs);
  }

  /** An attempt of a job, with the token of its claim and the request that a queue would get. */
  public record Got(String jobId, int attempt, String token, String body) {}
}
