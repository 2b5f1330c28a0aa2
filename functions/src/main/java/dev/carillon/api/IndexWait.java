package dev.carillon.api;

import dev.carillon.runtime.Sleeper;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the index of event keys shows a stored schedule. From then on, events and calendar
 * changes find the schedule.
 */
final class IndexWait {

  private static final Duration LONGEST_LAG = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final Logger LOG = LoggerFactory.getLogger(IndexWait.class);

  private final Schedules schedules;
  private final Sleeper pause;

  IndexWait(Schedules schedules, Sleeper pause) {
    this.schedules = schedules;
    this.pause = pause;
  }

  /**
   * Waits for the index entries of a schedule that collects. It waits even if this request changed
   * nothing, because the request can repeat an earlier one that stored the schedule and was cut
   * short. A later change waits for its own entries, so nothing waits for those that it removed.
   *
   * @throws Problem if the index does not show the entries in time; the request can be repeated
   */
  void await(ParsedSchedule stored) {
    if (stored.head().collects()) {
      await(stored.head(), stored.schedule().indexKeys());
    }
  }

  private void await(Head head, Set<String> keys) {
    Duration waited = Duration.ZERO;
    Duration next = FIRST_PAUSE;
    while (!keys.isEmpty() && !isShown(head, keys)) {
      if (waited.compareTo(LONGEST_LAG) >= 0) {
        if (isReplaced(head)) {
          return;
        }
        throw Problem.unavailable(
            ("%s is stored, but the index does not show it yet, so events cannot find it; repeat the request"
                    + " without If-Match and If-None-Match")
                .formatted(head.id()));
      }
      pause.sleep(next);
      waited = waited.plus(next);
      Duration doubled = next.multipliedBy(2);
      next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
  }

  /** Whether the index will never show the entries, because a later change has removed them. */
  private boolean isReplaced(Head head) {
    try {
      Head present = schedules.heads(List.of(head.id())).get(head.id());
      return present == null || present.isDeleted() || present.generation() != head.generation();
    } catch (RuntimeException unavailable) {
      LOG.warn("could not read the head of {}; it counts as stored", head.id(), unavailable);
      return false;
    }
  }

  private boolean isShown(Head head, Set<String> keys) {
    try {
      return schedules.indexShows(head.id(), head.generation(), keys);
    } catch (RuntimeException unavailable) {
      LOG.warn("could not read the index of event keys; it is read again", unavailable);
      return false;
    }
  }
}
