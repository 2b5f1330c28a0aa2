package dev.carillon.collect;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The stored jobs of a schedule. */
public record StoredOtherJobs(Jobs jobs, Head head, Instant now) implements OtherJobs {

  private static final int MOST_NEWEST_JOBS = 20;

  /** By how much the clock of the launching function may be ahead. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

  /** Sorts behind all jobs of an instant. */
  private static final String LAST = "zzzzz";

  @Override
  public boolean isSkipped(Instant fire) {
    JobId id = JobId.ofFire(head.id(), head.generation(), fire);
    Job job = jobs.find(List.of(id)).get(id);
    return job != null && job.state() == JobState.SKIPPED;
  }

  /**
   * Searches only the newest jobs up to now; fires that are still to come can have jobs already,
   * because callers skip them. These jobs are enough. The collecting job records the launches that
   * its trigger made. A period elapses only after a long time without a launch, so few jobs can be
   * newer.
   */
  @Override
  public Optional<Instant> lastManualLaunchAfter(Instant instant) {
    Instant latest = now.plus(CLOCKS_DIFFER);
    String upTo = JobId.ofLaunchNow(head.id(), head.generation(), latest, LAST).sortKey();
    return jobs.ofSchedule(head.id(), null, MOST_NEWEST_JOBS, upTo).items().stream()
        .filter(job -> job.launchNow() != null && job.scheduledFor().isAfter(instant))
        .map(Job::scheduledFor)
        .max(Comparator.naturalOrder());
  }
}
