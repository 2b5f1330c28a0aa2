package dev.carillon.contract;

import dev.carillon.master.Timers;
import dev.carillon.memory.MemoryTimers;

class MemoryTimersTest extends TimersContract {

  private final MemoryTimers timers = new MemoryTimers(1);

  @Override
  Timers timers(int shards) {
    return timers.withShards(shards);
  }
}
