package dev.carillon.launch;

import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * The fires of a job's schedule, for the variables of its request. Computed only if a template uses
 * them.
 */
public interface JobTimes {

  /**
   * The last fire before the job's scheduledFor that can make a job of this generation, or of a
   * backfill for a backfill's job; empty if there is none, or if the trigger also has other leaves
   * than time leaves.
   */
  Optional<Instant> previousScheduledFor();

  /** Whether the leaf fires at the job's scheduledFor. Called only for jobs of plain fires. */
  boolean fires(Trigger.TimeLeaf leaf);
}
