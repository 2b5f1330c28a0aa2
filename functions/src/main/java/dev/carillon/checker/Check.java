package dev.carillon.checker;

import dev.carillon.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the check queue carries: the request to look at some jobs, all at one instant.
 *
 * @param due when to look, and not before
 * @param jobs at most {@link #MOST_JOBS}
 */
public record Check(Instant due, List<JobId> jobs) {

  /** Keeps a check message far below what SQS allows, and a redelivered one cheap. */
  public static final int MOST_JOBS = 100;

  /** As many checks as the jobs need, all due at one instant. */
  public static List<Check> of(Instant due, List<JobId> jobs) {
    List<Check> checks = new ArrayList<>();
    for (int start = 0; start < jobs.size(); start += MOST_JOBS) {
      int end = Math.min(start + MOST_JOBS, jobs.size());
      checks.add(new Check(due, List.copyOf(jobs.subList(start, end))));
    }
    return checks;
  }
}
