package dev.carillon.memory;

import dev.carillon.id.Page;
import dev.carillon.job.Job;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The orders in which jobs are found. */
final class JobOrders {

  static final Comparator<Job> BY_ID = Comparator.comparing(job -> job.id().toString());

  static final Comparator<Job> LATEST_FIRST =
      Comparator.comparing((Job job) -> job.id().sortKey()).reversed();

  static final Comparator<Job> LONGEST_DUE_FIRST =
      Comparator.comparing(JobOrders::attentionAt)
          .thenComparingInt(Job::priority)
          .thenComparing(BY_ID);

  private JobOrders() {}

  /** The latest of the jobs. */
  static Page<Job> latest(List<Job> jobs, int limit) {
    List<Job> found = jobs.stream().sorted(LATEST_FIRST).limit(limit + 1L).toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<Job> items = found.subList(0, limit);
    return new Page<>(items, items.get(limit - 1).id().sortKey());
  }

  /** The instant of a job's wake-up; for a job without a wake-up, the end of time. */
  static Instant attentionAt(Job job) {
    return job.attentionAt() == null ? Instant.MAX : job.attentionAt();
  }
}
