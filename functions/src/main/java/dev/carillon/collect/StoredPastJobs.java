package dev.carillon.collect;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The other jobs of a schedule, as they are stored. */
record StoredPastJobs(Jobs jobs, Head head) implements PastJobs {

  private static final int MOST_NEWEST_JOBS = 20;

  @Override
  public boolean isSkipped(Instant fire) {
    JobId id = JobId.ofFire(head.id(), head.generation(), fire);
    Job job = jobs.find(List.of(id)).get(id);
    return job != null && job.state() == JobState.SKIPPED;
  }

  /**
   * Launches by hand are found among the newest jobs: those that a trigger made since are known to
   * the collecting job, and what is due because none was made for long has few behind it.
   */
  @Override
  public Optional<Instant> lastLaunchByHandAfter(Instant instant) {
    return jobs.ofSchedule(head.id(), null, MOST_NEWEST_JOBS, null).items().stream()
        .filter(job -> job.launchNow() != null && job.scheduledFor().isAfter(instant))
        .map(Job::scheduledFor)
        .max(Comparator.naturalOrder());
  }
}
