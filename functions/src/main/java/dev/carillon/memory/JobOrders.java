package dev.carillon.memory;

import dev.carillon.job.Job;
import java.time.Instant;
import java.util.Comparator;

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

  /** The end of time for a job without a wake-up. */
  static Instant attentionAt(Job job) {
    return job.attentionAt() == null ? Instant.MAX : job.attentionAt();
  }
}
