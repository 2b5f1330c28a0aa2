package dev.carillon.master;

import dev.carillon.id.Page;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.Activation;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores missing timers once a day, a few pages each tick. This is the only permitted walk over
 * all schedules.
 *
 * <p>It puts each timer at the instant of the leaf's timer, or at an instant to which that timer
 * moves next. So a timer that was not missing does not become a duplicate.
 */
public final class Audit {

  static final Duration PERIOD = Duration.ofDays(1);
  static final int PAGE = 250;
  static final int MOST_PAGES_PER_TICK = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

  private final Schedules schedules;
  private final ScheduleParser parser;
  private final Timers timers;
  private final StatusStore status;

  public Audit(Schedules schedules, ScheduleParser parser, Timers timers, StatusStore status) {
    this.schedules = schedules;
    this.parser = parser;
    this.timers = timers;
    this.status = status;
  }

  /**
   * Continues where the last tick stopped, if an audit is running or due. The first audit is due a
   * day after the first tick.
   */
  void proceed(Status before, Instant now, Deadline deadline) {
    if (!isDue(before, now)) {
      return;
    }
    if (before.auditedAt() == null) {
      status.saveAudit(before, now, null);
      return;
    }
    boolean begins = before.auditCursor() == null;
    Instant began = begins ? now : before.auditedAt();
    String cursor = before.auditCursor();
    int pages = 0;
    do {
      Page<StoredSchedule> page = schedules.walk(PAGE, cursor);
      restore(page.items(), now);
      cursor = page.next();
    } while (cursor != null && ++pages < MOST_PAGES_PER_TICK && !deadline.hasPassed());
    status.saveAudit(before, began, cursor);
  }

  private static boolean isDue(Status status, Instant now) {
    return status.auditCursor() != null
        || status.auditedAt() == null
        || !now.isBefore(status.auditedAt().plus(PERIOD));
  }

  private void restore(List<StoredSchedule> active, Instant now) {
    List<Timer> restored = new ArrayList<>();
    for (StoredSchedule stored : active) {
      try {
        Instant horizon = LookAhead.horizon(stored.head().id(), now);
        restored.addAll(
            Activation.timersAfter(
                horizon,
                stored.head(),
                parser.parseStored(stored.definition()),
                stored.definition().generationSince()));
      } catch (RuntimeException damaged) {
        LOG.error(
            "the definition of {} cannot be read, so its missing timers are not restored; store the schedule again",
            stored.head().id(),
            damaged);
      }
    }
    timers.put(timers.missing(restored));
  }
}
