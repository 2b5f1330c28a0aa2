package dev.carillon.api;

import dev.carillon.backfill.Backfill;
import dev.carillon.runtime.Deadline;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The fires of a past range.
 *
 * @param count the number of fires, counted up to one more than a backfill can have
 * @param first the first fires
 */
record PastFires(long count, List<Instant> first) {

  /** The time for counting. API Gateway allows 29 s, of which a cold start takes a part. */
  private static final Duration LONGEST = Duration.ofSeconds(18);

  private static final int MOST_SHOWN = 10;

  /**
   * @param from exclusive
   * @param to inclusive
   * @throws Problem if there is not enough time to count the fires
   */
  static PastFires of(List<FireTimes> times, Instant from, Instant to, InstantSource clock) {
    Deadline deadline = new Deadline(clock.instant().plus(LONGEST), clock);
    List<Instant> first = new ArrayList<>();
    long count = 0;
    Fire fire = Fires.next(times, from).orElse(null);
    while (fire != null && !fire.at().isAfter(to) && count <= Backfill.MOST_FIRES) {
      if (deadline.hasPassed()) {
        throw tooLong();
      }
      if (first.size() < MOST_SHOWN) {
        first.add(fire.at());
      }
      count++;
      fire = Fires.next(times, fire.at()).orElse(null);
    }
    return new PastFires(count, first);
  }

  private static Problem tooLong() {
    return Problem.invalid(
        "/to",
        "the fires up to \"to\" are not counted within %d s; give an earlier instant, or a trigger and calendars that need less computing"
            .formatted(LONGEST.toSeconds()));
  }
}
