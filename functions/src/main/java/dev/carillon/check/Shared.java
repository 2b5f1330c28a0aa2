package dev.carillon.check;

import dev.carillon.backfill.Backfills;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;

/**
 * What master, checker and ingest work on: one of each in a process.
 *
 * @param definitions of {@code schedules}
 * @param updates of what several processes change
 */
public record Shared(
    Schedules schedules,
    CompiledSchedules definitions,
    Timers timers,
    Jobs jobs,
    Backfills backfills,
    Gates gates,
    CheckQueue checks,
    OptimisticUpdate updates) {}
