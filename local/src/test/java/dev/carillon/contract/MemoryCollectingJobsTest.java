package dev.carillon.contract;

import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryJobs;

class MemoryCollectingJobsTest extends CollectingJobsContract {

  private final MemoryJobs jobs = new MemoryJobs(3);

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  Jobs elsewhere() {
    return jobs;
  }
}
