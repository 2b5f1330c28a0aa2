package dev.carillon.contract;

import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;

class MemorySchedulesTest extends SchedulesContract {

  private final MemoryTimers timers = new MemoryTimers(3);
  private final MemorySchedules schedules = new MemorySchedules(timers);

  @Override
  Schedules schedules() {
    return schedules;
  }

  @Override
  Timers timers() {
    return timers;
  }
}
