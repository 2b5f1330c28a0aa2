package dev.carillon.decision;

import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Schedule;
import java.util.Objects;
import java.util.Optional;

/** Determines the pool of a job whose schedule has one. */
@FunctionalInterface
public interface JobPools {

  /** Without the definitions of pools: knows only those that a schedule names. */
  JobPools NAMED =
      (compiled, job) ->
          Optional.of(Objects.requireNonNull(compiled.schedule().pool()))
              .filter(pool -> !pool.equals(Schedule.MATCHING_POOL));

  /**
   * The name of the pool; empty if the schedule leaves it to the patterns of the pools, and none
   * matches the request of the job.
   */
  Optional<String> of(Compiled compiled, Job job);

  /**
   * Finds out whether the pool in which a job has a place can be read.
   *
   * @throws UnreadableItems if it cannot
   */
  default void requirePoolOf(Job job) {}
}
