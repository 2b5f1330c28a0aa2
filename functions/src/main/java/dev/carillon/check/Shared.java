package dev.carillon.check;

import dev.carillon.backfill.Backfills;
import dev.carillon.event.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;

/**
 * The services that master, checker and ingest share; a process has one instance of each.
 *
 * @param definitions the compiled definitions of {@code schedules}
 * @param updates repeats lost races
 */
public record Shared(
    Schedules schedules,
    CompiledSchedules definitions,
    Timers timers,
    Jobs jobs,
    Backfills backfills,
    Gates gates,
    Pools pools,
    CheckQueue checks,
    IngestQueue ingest,
    OptimisticUpdate updates) {}
