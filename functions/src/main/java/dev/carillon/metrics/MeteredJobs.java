package dev.carillon.metrics;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.LeafCount;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts fires, launches and ends of jobs when they are stored. It counts only writes that won
 * their race, so a repeated write counts once.
 */
public final class MeteredJobs implements Jobs {

  private final Jobs jobs;
  private final Metrics metrics;

  public MeteredJobs(Jobs jobs, Metrics metrics) {
    this.jobs = jobs;
    this.metrics = metrics;
  }

  @Override
  public List<Optional<Job>> insert(List<Job> added) {
    List<Optional<Job>> others = jobs.insert(added);
    for (int i = 0; i < added.size(); i++) {
      if (others.get(i).isEmpty()) {
        inserted(added.get(i), metrics);
      }
    }
    return others;
  }

  /** A fire that a caller skipped does not count as a fire. */
  static void inserted(Job job, Metrics metrics) {
    if (job.id().isFire() && job.state() != JobState.SKIPPED) {
      metrics.count(Metric.FIRES);
    }
    countIfEnded(job, metrics);
  }

  @Override
  public List<Optional<Job>> update(List<Update> updates) {
    List<Optional<Job>> others = jobs.update(updates);
    for (int i = 0; i < updates.size(); i++) {
      if (others.get(i).isEmpty()) {
        updated(updates.get(i), metrics);
      }
    }
    return others;
  }

  static void updated(Update update, Metrics metrics) {
    Instant launchedAt = update.after().launchedAt();
    if (launchedAt != null && update.before().launchedAt() == null) {
      metrics.count(Metric.LAUNCHES);
      addLatency(update.after(), launchedAt, metrics);
    }
    if (!update.before().isEnded()) {
      countIfEnded(update.after(), metrics);
    }
    if (update.after().state() == JobState.RETRY_WAIT) {
      metrics.count(Metric.RETRIES);
    }
    AttemptMetrics.count(update, metrics);
  }

  /** Ignores backfills: their jobs stand for the past, so launching them now is no delay. */
  private static void addLatency(Job job, Instant launchedAt, Metrics metrics) {
    if (!job.id().isOfBackfill()) {
      Duration latency = Duration.between(job.scheduledFor(), launchedAt);
      metrics.add(Metric.LAUNCH_LATENCY, Math.max(0, latency.toMillis()));
    }
  }

  private static void countIfEnded(Job job, Metrics metrics) {
    switch (job.state()) {
      case SUCCEEDED -> metrics.count(Metric.JOBS_SUCCEEDED);
      case FAILED -> metrics.count(Metric.JOBS_FAILED);
      case SKIPPED -> metrics.count(Metric.JOBS_SKIPPED);
      case TIMED_OUT -> metrics.count(Metric.JOBS_TIMED_OUT);
      case CANCELLED -> metrics.count(Metric.JOBS_CANCELLED);
      default -> {}
    }
  }

  @Override
  public boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    if (!jobs.save(before, after, newlyCounted, satisfied, now)) {
      return false;
    }
    long fires = fires(after) - (before == null ? 0 : fires(before));
    for (Job job : satisfied) {
      if (job.isNew()) {
        fires += job.id().isFire() ? 1 : fires(job.triggerState());
        countIfEnded(job, metrics);
      }
    }
    if (fires > 0) {
      metrics.add(Metric.FIRES, fires);
    }
    return true;
  }

  private static long fires(CollectingJob collectingJob) {
    return collectingJob.open() == null ? 0 : fires(collectingJob.open().triggerState());
  }

  /**
   * The number of fires that a job has collected. They move with the trigger state, so no fire is
   * counted twice.
   */
  private static long fires(@Nullable TriggerState triggerState) {
    Set<Instant> fires = new HashSet<>();
    if (triggerState != null) {
      for (LeafCount leaf : triggerState.leaves()) {
        if (leaf.fire() != null) {
          fires.add(leaf.fire());
        }
      }
    }
    return fires.size();
  }

  @Override
  public Optional<StoredCollectingJob> collectingJob(ScheduleId schedule, Instant now) {
    Optional<StoredCollectingJob> recalled = jobs.collectingJob(schedule, now);
    if (recalled.isPresent()) {
      metrics.add(Metric.DEDUP_WINDOW, recalled.get().window().toSeconds());
    }
    return recalled;
  }

  @Override
  public boolean overwrite(CollectingJob after, Instant now) {
    return jobs.overwrite(after, now);
  }

  @Override
  public int attentionShards() {
    return jobs.attentionShards();
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return jobs.isAttentionEmpty(shard);
  }

  @Override
  public Map<JobId, Job> find(Collection<JobId> ids) {
    return jobs.find(ids);
  }

  @Override
  public Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String next) {
    return jobs.ofSchedule(schedule, states, limit, next);
  }

  @Override
  public List<Job> skippedUpTo(JobId fire) {
    return jobs.skippedUpTo(fire);
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return jobs.needingAttention(shard, until, after, limit);
  }

  @Override
  public Map<Subject, Instant> attentionOf(List<Subject> subjects) {
    return jobs.attentionOf(subjects);
  }

  @Override
  public void recordSuspended(List<SuspendedJob> held) {
    jobs.recordSuspended(held);
  }

  @Override
  public List<SuspendedJob> suspendedJobs(ScheduleId schedule, long below, int limit) {
    return jobs.suspendedJobs(schedule, below, limit);
  }

  @Override
  public void removeSuspended(List<SuspendedJob> held) {
    jobs.removeSuspended(held);
  }

  @Override
  public Map<JobState, Integer> countUnfinished(int shards, int most) {
    return jobs.countUnfinished(shards, most);
  }
}
