package dev.carillon.collect;

import java.time.Instant;
import java.util.Optional;

/**
 * Answers the questions of a pass about the schedule's other jobs. Each method costs a read, so the
 * pass calls it only if it needs the answer.
 */
public interface OtherJobs {

  /** The answers for a schedule without other jobs. */
  OtherJobs NONE =
      new OtherJobs() {
        @Override
        public boolean isSkipped(Instant fire) {
          return false;
        }

        @Override
        public Optional<Instant> lastManualLaunchAfter(Instant instant) {
          return Optional.empty();
        }
      };

  /** Whether a user skipped a fire. */
  boolean isSkipped(Instant fire);

  /**
   * When the schedule was last launched manually after an instant; empty if it was not launched
   * since.
   */
  Optional<Instant> lastManualLaunchAfter(Instant instant);
}
