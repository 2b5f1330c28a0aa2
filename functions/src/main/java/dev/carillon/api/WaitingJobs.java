package dev.carillon.api;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends checks for the jobs of a changed schedule that wait for constraints, in a pool, or for
 * their retry. Without a check, a job that the change cancels would end only when it would have
 * launched.
 */
final class WaitingJobs {

  private static final Set<JobState> WAITING =
      Set.of(JobState.PENDING_CONSTRAINT, JobState.READY, JobState.RETRY_WAIT);
  private static final int PAGE = 500;
  private static final int MOST_PAGES = 20;
  private static final Logger LOG = LoggerFactory.getLogger(WaitingJobs.class);

  private final Jobs jobs;
  private final CheckQueue checks;
  private final InstantSource clock;

  WaitingJobs(Jobs jobs, CheckQueue checks, InstantSource clock) {
    this.jobs = jobs;
    this.checks = checks;
    this.clock = clock;
  }

  /**
   * Sends the checks. Jobs that are not found now are cancelled later, when their own wake-ups are
   * due.
   *
   * @param head the head after the change
   */
  Cancelled sendChecks(Head head) {
    int found = 0;
    String next = null;
    try {
      for (int page = 0; page < MOST_PAGES && (page == 0 || next != null); page++) {
        Page<Job> waiting = sendChecks(head.id(), next);
        found += (int) waiting.items().stream().filter(job -> isCancelled(job, head)).count();
        next = waiting.next();
      }
      return new Cancelled(found, 0, next != null);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "not all waiting jobs of {} could be checked; their own wake-ups cancel them",
          head.id(),
          unavailable);
      return new Cancelled(found, 0, true);
    }
  }

  private static boolean isCancelled(Job job, Head head) {
    return !head.wantsJob(job.id().generation(), job.activation());
  }

  private Page<Job> sendChecks(ScheduleId schedule, @Nullable String from) {
    Page<Job> waiting = jobs.ofSchedule(schedule, WAITING, PAGE, from);
    Instant now = clock.instant();
    // Each check is due at its job's own instant, so checks of old jobs are overdue and do not
    // delay other jobs.
    List<Wakeup> wakeups =
        waiting.items().stream().map(job -> new Wakeup(job.id(), job.id().at())).toList();
    checks.send(Check.of(wakeups, now), now);
    return waiting;
  }
}
