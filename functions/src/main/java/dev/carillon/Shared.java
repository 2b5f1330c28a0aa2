package dev.carillon;

import dev.carillon.checker.CheckQueue;
import dev.carillon.gate.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.master.Timers;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Schedules;

/**
 * What master, checker and ingest work on: one of each in a process.
 *
 * @param definitions of {@code schedules}
 */
public record Shared(
    Schedules schedules,
    CompiledSchedules definitions,
    Timers timers,
    Jobs jobs,
    Gates gates,
    CheckQueue checks) {}
