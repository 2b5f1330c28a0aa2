package dev.carillon.campaign.system;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs that were stored since an observer last asked. They are kept because reading all jobs
 * after each call took a tenth of the time of an episode.
 */
final class ChangedJobs {

  private final Map<JobId, Job> changed = new LinkedHashMap<>();

  ChangedJobs(MemoryJobs jobs) {
    jobs.observe(job -> changed.put(job.id(), job));
  }

  /** Each changed job as it is stored now; the next call returns only later changes. */
  Collection<Job> take() {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<Job> taken = List.copyOf(changed.values());
    changed.clear();
    return taken;
  }
}
