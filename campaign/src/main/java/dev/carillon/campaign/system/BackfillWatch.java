package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.id.BackfillId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks after every write whether more jobs of a backfill are unfinished than may be. */
public final class BackfillWatch {

  private final MemoryJobs jobs;
  private final Set<Violation> violations = new LinkedHashSet<>();

  public BackfillWatch(MemoryJobs jobs) {
    this.jobs = jobs;
  }

  public void look() {
    if (jobs.backfills().isEmpty()) {
      return;
    }
    Map<BackfillId, Integer> unfinished = new HashMap<>();
    for (Job job : jobs.rows()) {
      if (!job.isEnded()) {
        job.id().backfill().ifPresent(backfill -> unfinished.merge(backfill, 1, Integer::sum));
      }
    }
    unfinished.forEach(
        (backfill, count) -> {
          if (count > Texts.BACKFILL_CONCURRENCY) {
            violations.add(new Violation(backfill.toString(), count + " unfinished jobs"));
          }
        });
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }
}
