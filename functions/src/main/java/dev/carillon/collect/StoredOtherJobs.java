package dev.carillon.collect;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The stored jobs of a schedule. */
public record StoredOtherJobs(Jobs jobs, Head head, Instant now) implements OtherJobs {

  /** A period elapses after a long time without a launch, so usually few jobs are newer. */
  private static final int FIRST_PAGE = 20;

  private static final int FURTHER_PAGE = 500;

  /** The number keeps a pass short; with it, about 10,000 jobs are searched. */
  private static final int MOST_FURTHER_PAGES = 20;

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
   * Searches the jobs up to now, newest first, until they are too old; fires that are still to come
   * can have jobs already, because callers skip them. There can be many newer jobs: while a job
   * waits, each pass can record what it skips in a job of its own.
   */
  @Override
  public Optional<Instant> lastManualLaunchAfter(Instant instant) {
    Instant latest = now.plus(CLOCKS_DIFFER);
    String upTo = JobId.ofLaunchNow(head.id(), head.generation(), latest, LAST).sortKey();
    Page<Job> page = jobs.ofSchedule(head.id(), null, FIRST_PAGE, upTo);
    int further = 0;
    while (page.next() != null && !endsSearch(page, instant) && further++ < MOST_FURTHER_PAGES) {
      page = jobs.ofSchedule(head.id(), null, FURTHER_PAGE, page.next());
    }
    return page.items().stream()
        .filter(job -> isLaunchAfter(job, instant))
        .findFirst()
        .map(Job::scheduledFor);
  }

  /** Whether the page has the launch, or the first job that is too old. */
  private static boolean endsSearch(Page<Job> page, Instant instant) {
    return page.items().stream()
        .anyMatch(job -> isLaunchAfter(job, instant) || !job.id().at().isAfter(instant));
  }

  private static boolean isLaunchAfter(Job job, Instant instant) {
    return job.launchNow() != null && job.scheduledFor().isAfter(instant);
  }
}
