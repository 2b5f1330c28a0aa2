package dev.carillon.decision;

import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
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
          named(compiled).orElseGet(() -> new NoPool(Reason.of(ReasonCode.POOL_MISSING)));

  /** Where a job waits, if anywhere. */
  sealed interface Found {}

  /** The name of the pool. */
  record InPool(String name) implements Found {}

  /** The job can wait in no pool. */
  record NoPool(Reason why) implements Found {}

  /** The pool that the schedule names; empty if it leaves the choice to the patterns of pools. */
  static Optional<Found> named(Compiled compiled) {
    String pool = Objects.requireNonNull(compiled.schedule().pool());
    return pool.equals(Schedule.MATCHING_POOL) ? Optional.empty() : Optional.of(new InPool(pool));
  }

  /**
   * The pool of the job. There is none if the schedule leaves the choice to the patterns of the
   * pools and no pattern matches the request of the job, or the request can never be sent.
   */
  Found of(Compiled compiled, Job job);

  /**
   * Checks that the pool in which a job has a place can be read.
   *
   * @throws UnreadableItems if the pool cannot be read
   */
  default void requirePoolOf(Job job) {}
}
