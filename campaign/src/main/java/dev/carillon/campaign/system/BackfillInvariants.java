package dev.carillon.campaign.system;

import dev.carillon.backfill.Backfill;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks after every write that no backfill has more unfinished jobs than its concurrency allows,
 * and records which jobs each backfill names.
 */
public final class BackfillInvariants {

  private final MemoryJobs jobs;
  private final Set<JobId> unfinished = new HashSet<>();
  private final Map<BackfillId, Long> versions = new HashMap<>();
  private final Map<JobId, BackfillId> named = new HashMap<>();
  private final Set<Violation> violations = new LinkedHashSet<>();

  public BackfillInvariants(MemoryJobs jobs) {
    this.jobs = jobs;
    jobs.observe(this::note);
  }

  private void note(Job job) {
    if (job.isEnded()) {
      unfinished.remove(job.id());
    } else {
      unfinished.add(job.id());
    }
  }

  public void check() {
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
    Map<BackfillId, Integer> counts = new HashMap<>();
    named.forEach(
        (job, backfill) -> {
          if (unfinished.contains(job)) {
            counts.merge(backfill, 1, Integer::sum);
          }
        });
    counts.forEach(
        (backfill, count) -> {
          if (count > RequestBodies.BACKFILL_CONCURRENCY) {
            violations.add(new Violation(backfill.toString(), count + " unfinished jobs"));
          }
        });
  }

  /** The backfill that names a job; empty for none. */
  public String backfillOf(JobId job) {
    BackfillId backfill = named.get(job);
    return backfill == null ? "" : backfill.name();
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }
}
