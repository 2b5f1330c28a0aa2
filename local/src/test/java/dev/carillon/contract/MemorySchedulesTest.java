package dev.carillon.contract;

import dev.carillon.job.Gates;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;

class MemorySchedulesTest extends SchedulesContract {

  private final MemoryTimers timers = new MemoryTimers(3);
  private final MemoryGates gates = new MemoryGates(new MemoryJobs(3));
  private final MemorySchedules schedules = new MemorySchedules(timers, gates);

  @Override
  Schedules schedules() {
    return schedules;
  }

  @Override
  Gates gates() {
    return gates;
  }

  @Override
  Timers timers() {
    return timers;
  }
}
