package dev.carillon.simulation;

import dev.carillon.check.Shared;
import dev.carillon.master.Master;
import dev.carillon.master.StatusStore;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.timer.LookAhead;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;

/** The master function. It ticks only if it has something to do. */
final class SimulatedMaster {

  /** While due timers or jobs exist that the master cannot process, it runs at this interval. */
  private static final Duration TICK = Duration.ofMinutes(1);

  private final MemoryTimers timers;
  private final MemoryJobs jobs;
  private final MemoryGates gates;
  private final ExactChecks checks;
  private final Deadline deadline;
  private final Master master;
  private Instant earliest = Instant.MIN;

  SimulatedMaster(
      Shared shared,
      ScheduleParser parser,
      MemoryTimers timers,
      MemoryJobs jobs,
      MemoryGates gates,
      ExactChecks checks,
      StatusStore status,
      Deadline deadline,
      InstantSource clock) {
    this.timers = timers;
    this.jobs = jobs;
    this.gates = gates;
    this.checks = checks;
    this.deadline = deadline;
    Fanout fanout = new Fanout(Runnable::run);
    this.master =
        new Master(shared, parser, () -> false, status, TICK, fanout, clock, Metrics.NONE);
  }

  /** When the next tick is needed; empty if there is nothing to do. */
  Optional<Instant> nextTick() {
    return Stream.of(
            timers.earliest().map(timer -> timer.dueAt().minus(LookAhead.AHEAD)),
            jobs.earliestAttention(),
            gates.earliestAttention())
        .flatMap(Optional::stream)
        .min(Instant::compareTo)
        .map(needed -> needed.isAfter(earliest) ? needed : earliest);
  }

  /**
   * Ticks if a tick is needed; false if none is. A tick stops early if it hands over more overdue
   * fires than the checker processes together. Another tick follows at the same instant, after the
   * checks, so that the limits apply between them.
   */
  boolean tick(Instant now) {
    if (checks.isBehind() || nextTick().filter(needed -> !needed.isAfter(now)).isEmpty()) {
      return false;
    }
    master.tick(WholeDeadline.of(() -> deadline.hasPassed() || checks.isBehind()));
    earliest = checks.isBehind() ? now : now.plus(TICK);
    return true;
  }
}
