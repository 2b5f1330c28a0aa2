package dev.carillon.contract;

import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryJobs;

class MemoryAccumulatorsTest extends AccumulatorsContract {

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
