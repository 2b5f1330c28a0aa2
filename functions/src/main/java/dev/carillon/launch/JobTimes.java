package dev.carillon.launch;

import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * The fires of a job's schedule, for the variables of its request. They are computed only if a
 * template uses them.
 */
public interface JobTimes {

  /**
   * The last fire before the job's scheduledFor that can make a job of this generation. For a job
   * of a backfill, it is the last fire before scheduledFor that can make a job of the backfill.
   * Empty if there is no such fire, or if the trigger has other leaves beside time leaves.
   */
  Optional<Instant> previousScheduledFor();

  /**
   * Whether the leaf fires at the job's scheduledFor. The method is called only for jobs of plain
   * fires.
   */
  boolean fires(Trigger.TimeLeaf leaf);
}
