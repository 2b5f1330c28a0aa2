package dev.carillon.api;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has jobs looked at that wait for the constraints of a definition that is no more, so that they
 * are cancelled now and not when they would have launched.
 */
final class WaitingJobs {

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
   * What is not found now is cancelled when it is looked at by itself.
   *
   * @param head as it is after the change
   */
  Cancelled lookAt(Head head) {
    int found = 0;
    String next = null;
    try {
      for (int page = 0; page < MOST_PAGES && (page == 0 || next != null); page++) {
        Page<Job> waiting = lookAt(head.id(), next);
        found += (int) waiting.items().stream().filter(job -> isCancelled(job, head)).count();
        next = waiting.next();
      }
      return new Cancelled(found, 0, next != null);
    } catch (RuntimeException unavailable) {
      LOG.warn("jobs of {} that wait are cancelled later", head.id(), unavailable);
      return new Cancelled(found, 0, true);
    }
  }

  private static boolean isCancelled(Job job, Head head) {
    return !head.wantsJob(job.id().generation(), job.activation());
  }

  private Page<Job> lookAt(ScheduleId schedule, @Nullable String from) {
    Page<Job> waiting = jobs.ofSchedule(schedule, JobState.PENDING_CONSTRAINT, PAGE, from);
    Instant now = clock.instant();
    checks.send(Check.of(now, waiting.items().stream().map(Job::id).toList()), now);
    return waiting;
  }
}
