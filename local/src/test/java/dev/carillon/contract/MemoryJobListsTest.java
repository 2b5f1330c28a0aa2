package dev.carillon.contract;

import dev.carillon.job.JobLists;
import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.memory.MemoryJobs;

class MemoryJobListsTest extends JobListsContract {

  private final MemoryJobs jobs = new MemoryJobs(3);

  @Override
  Jobs jobs() {
    return jobs;
  }

  @Override
  JobLists lists() {
    return new MemoryJobLists(jobs);
  }
}
