package dev.carillon.campaign.system;

import dev.carillon.backfill.Backfill;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks after every write which jobs the backfills name, and whether more of one are unfinished
 * than may be.
 */
public final class BackfillWatch {

  private final MemoryJobs jobs;
  private final Map<BackfillId, Long> versions = new HashMap<>();
  private final Map<JobId, BackfillId> named = new HashMap<>();
  private final Set<Violation> violations = new LinkedHashSet<>();

  public BackfillWatch(MemoryJobs jobs) {
    this.jobs = jobs;
  }

  public void look() {
    List<Backfill> backfills = jobs.backfills();
    if (backfills.isEmpty()) {
      return;
    }
    for (Backfill backfill : backfills) {
      Long seen = versions.put(backfill.id(), backfill.version());
      if (seen == null || seen != backfill.version()) {
        backfill.openJobs().forEach(job -> named.put(job, backfill.id()));
      }
    }
    Map<BackfillId, Integer> unfinished = new HashMap<>();
    for (Job job : jobs.rows()) {
      BackfillId backfill = named.get(job.id());
      if (backfill != null && !job.isEnded()) {
        unfinished.merge(backfill, 1, Integer::sum);
      }
    }
    unfinished.forEach(
        (backfill, count) -> {
          if (count > Texts.BACKFILL_CONCURRENCY) {
            violations.add(new Violation(backfill.toString(), count + " unfinished jobs"));
          }
        });
  }

  /** The backfill that has named a job; empty if none has. */
  public String backfillOf(JobId job) {
    BackfillId backfill = named.get(job);
    return backfill == null ? "" : backfill.name();
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }
}
