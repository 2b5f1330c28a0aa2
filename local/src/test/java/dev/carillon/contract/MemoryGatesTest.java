package dev.carillon.contract;

import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;

class MemoryGatesTest extends GatesContract {

  private final MemoryJobs jobs = new MemoryJobs(3);
  private final MemoryGates gates = new MemoryGates(jobs);

  @Override
  Gates gates() {
    return gates;
  }

  @Override
  Jobs jobs() {
    return jobs;
  }
}
