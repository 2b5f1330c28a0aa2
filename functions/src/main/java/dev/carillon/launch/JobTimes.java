package dev.carillon.launch;

import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.Optional;

/** What a job's request may ask about its schedule's fires; asked only if a template uses it. */
public interface JobTimes {

  /**
   * The last fire before the job's scheduledFor that could make a job of this generation, or of a
   * backfill for a backfill's job; empty if there is none, or if it is not fires alone that make
   * the schedule's jobs.
   */
  Optional<Instant> previousScheduledFor();

  /** Whether the leaf fires at the job's scheduledFor; asked of plain fires only. */
  boolean fires(Trigger.TimeLeaf leaf);
}
