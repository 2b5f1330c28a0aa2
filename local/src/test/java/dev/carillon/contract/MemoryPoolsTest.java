package dev.carillon.contract;

import dev.carillon.job.Gates;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.Pools;

class MemoryPoolsTest extends PoolsContract {

  private final MemoryGates gates = new MemoryGates(new MemoryJobs(3));

  @Override
  Pools pools() {
    return gates.pools();
  }

  @Override
  Gates gates() {
    return gates;
  }
}
