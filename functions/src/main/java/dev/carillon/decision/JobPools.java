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

  /** Takes the pool that the schedule names, without reading the definitions of pools. */
  JobPools NAMED =
      (compiled, job) ->
          Optional.of(Objects.requireNonNull(compiled.schedule().pool()))
              .filter(pool -> !pool.equals(Schedule.MATCHING_POOL));

  /**
   * The name of the pool. The name is empty if the schedule leaves the choice to the patterns of
   * the pools and no pattern matches the request of the job.
   */
  Optional<String> of(Compiled compiled, Job job);

  /**
   * Checks that the pool in which a job has a place can be read.
   *
   * @throws UnreadableItems if the pool cannot be read
   */
  default void requirePoolOf(Job job) {}
}
