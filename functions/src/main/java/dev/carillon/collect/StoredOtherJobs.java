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

/** The stored jobs of a schedule. */
record StoredOtherJobs(Jobs jobs, Head head) implements OtherJobs {

  private static final int MOST_NEWEST_JOBS = 20;

  @Override
  public boolean isSkipped(Instant fire) {
    JobId id = JobId.ofFire(head.id(), head.generation(), fire);
    Job job = jobs.find(List.of(id)).get(id);
    return job != null && job.state() == JobState.SKIPPED;
  }

  /**
   * Searches only the newest jobs. These are enough. The collecting job records the launches that
   * its trigger made. A period elapses only after a long time without a launch, so few jobs can be
   * newer.
   */
  @Override
  public Optional<Instant> lastManualLaunchAfter(Instant instant) {
    return jobs.ofSchedule(head.id(), null, MOST_NEWEST_JOBS, null).items().stream()
        .filter(job -> job.launchNow() != null && job.scheduledFor().isAfter(instant))
        .map(Job::scheduledFor)
        .max(Comparator.naturalOrder());
  }
}
