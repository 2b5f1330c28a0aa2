package dev.carillon.collect;

import java.time.Instant;
import java.util.Optional;

/**
 * What a pass has to know of the schedule's other jobs. Each answer is a read, asked for if needed.
 */
public interface PastJobs {

  /** Of a schedule that has none. */
  PastJobs NONE =
      new PastJobs() {
        @Override
        public boolean isSkipped(Instant fire) {
          return false;
        }

        @Override
        public Optional<Instant> lastLaunchByHandAfter(Instant instant) {
          return Optional.empty();
        }
      };

  /** Whether a user skipped a fire. */
  boolean isSkipped(Instant fire);

  /** When the schedule was last launched by hand after an instant; empty if it was not. */
  Optional<Instant> lastLaunchByHandAfter(Instant instant);
}
