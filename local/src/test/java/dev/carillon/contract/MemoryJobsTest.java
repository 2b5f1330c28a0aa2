package dev.carillon.contract;

import dev.carillon.backfill.Backfills;
import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryJobs;

class MemoryJobsTest extends JobsContract {

  private final MemoryJobs jobs = new MemoryJobs(3);

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  Backfills backfills() {
    return jobs;
  }
}
