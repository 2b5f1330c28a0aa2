package dev.carillon.api;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.event.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.JobLists;
import dev.carillon.job.Jobs;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.StatusStore;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.Duration;

/**
 * The stores and queues that the API uses.
 *
 * @param masterPeriod the interval between the master's ticks
 */
public record ApiPorts(
    Schedules schedules,
    Apps apps,
    Calendars calendars,
    Pools pools,
    Timers timers,
    Jobs jobs,
    JobLists lists,
    Backfills backfills,
    Gates gates,
    StatusStore status,
    CheckQueue checks,
    IngestQueue ingest,
    TargetQueues targets,
    Queues queues,
    Duration masterPeriod) {

  /** The stores and queues that the API shares with other functions. */
  Shared shared(ScheduleParser parser, OptimisticUpdate updates) {
    return new Shared(
        schedules,
        new CompiledSchedules(schedules, calendars, parser),
        timers,
        jobs,
        backfills,
        gates,
        pools,
        checks,
        ingest,
        updates);
  }
}
