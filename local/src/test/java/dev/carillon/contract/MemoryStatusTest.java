package dev.carillon.contract;

import dev.carillon.master.StatusStore;
import dev.carillon.memory.MemoryStatus;

class MemoryStatusTest extends StatusContract {

  private final MemoryStatus status = new MemoryStatus();

  @Override
  StatusStore status() {
    return status;
  }
}
