package dev.carillon.api;

import dev.carillon.runtime.Hold;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the index of event keys shows a stored schedule. From then on the events that are
 * sent find it, and so do its calendars.
 */
final class IndexWait {

  private static final Duration LONGEST_LAG = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final Logger LOG = LoggerFactory.getLogger(IndexWait.class);

  private final Schedules schedules;
  private final Hold pause;

  IndexWait(Schedules schedules, Hold pause) {
    this.schedules = schedules;
    this.pause = pause;
  }

  /**
   * Waits for the entries of a schedule that collects. What was stored before may have been stored
   * by a request that was cut short, and is repeated now, so unchanged ones are awaited as well.
   *
   * @throws Problem if the index does not show them yet; the request can be repeated
   */
  void await(ParsedSchedule stored) {
    if (stored.head().collects()) {
      await(stored.head(), stored.schedule().trigger().indexKeys());
    }
  }

  private void await(Head head, Set<String> keys) {
    Duration waited = Duration.ZERO;
    Duration next = FIRST_PAUSE;
    while (!keys.isEmpty() && !isShown(head, keys)) {
      if (waited.compareTo(LONGEST_LAG) >= 0) {
        throw Problem.unavailable(
            ("%s is stored, but events do not find it yet; send the same again,"
                    + " without If-Match or If-None-Match")
                .formatted(head.id()));
      }
      pause.forThe(next);
      waited = waited.plus(next);
      Duration doubled = next.multipliedBy(2);
      next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
  }

  private boolean isShown(Head head, Set<String> keys) {
    try {
      return schedules.indexShows(head.id(), head.generation(), keys);
    } catch (RuntimeException unavailable) {
      LOG.warn("the index of event keys cannot be read", unavailable);
      return false;
    }
  }
}
