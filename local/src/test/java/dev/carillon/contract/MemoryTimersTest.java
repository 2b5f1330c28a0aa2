package dev.carillon.contract;

import dev.carillon.memory.MemoryTimers;
import dev.carillon.timer.Timers;

class MemoryTimersTest extends TimersContract {

  private final MemoryTimers timers = new MemoryTimers(1);

  @Override
  Timers timers(int shards) {
    return timers.withShards(shards);
  }
}
