package dev.carillon.master;

import dev.carillon.id.Page;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Activation;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.WalkPart;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores missing timers once a day, a few pages each tick. This is the only permitted walk over
 * all schedules.
 *
 * <p>It computes the instant of each leaf's timer. A timer that is not missing is stored at this
 * instant, or its next move puts it there. So no leaf keeps a duplicate, and a page can be
 * processed again.
 */
public final class Audit {

  static final int PAGE = 250;

  /**
   * The number limits the work of a tick. With a tick a minute, this is enough for 14.4 million
   * schedules a day.
   */
  static final int MOST_PAGES_PER_TICK = 40;

  private static final Logger LOG = LoggerFactory.getLogger(Audit.class);

  private final Schedules schedules;
  private final ScheduleParser parser;
  private final Timers timers;
  private final StatusStore status;
  private final Fanout fanout;

  public Audit(
      Schedules schedules,
      ScheduleParser parser,
      Timers timers,
      StatusStore status,
      Fanout fanout) {
    this.schedules = schedules;
    this.parser = parser;
    this.timers = timers;
    this.status = status;
    this.fanout = fanout;
  }

  /** Whether an audit begins with this tick. */
  boolean isDue(Status before, Instant now) {
    AuditProgress stored = before.audit();
    return stored != null && !stored.began().equals(stored.begunIfDue(now).began());
  }

  /**
   * Continues each part where an earlier tick stopped, if an audit is running or due. The first
   * audit is due a day after the first tick. If two ticks overlap, or a tick crashes, some pages
   * are processed twice.
   */
  void proceed(Status before, Instant now, Deadline deadline) {
    AuditProgress stored = before.audit();
    AuditProgress progress =
        stored == null ? AuditProgress.none(now) : walked(stored.begunIfDue(now), now, deadline);
    if (!progress.equals(stored)) {
      status.saveAudit(before, progress);
    }
  }

  /**
   * Walks in rounds, one page of each part in a round. A part that fails waits for the next tick.
   */
  private AuditProgress walked(AuditProgress begun, Instant now, Deadline deadline) {
    AuditProgress progress = begun;
    List<Integer> running = begun.running();
    int pages = 0;
    while (!running.isEmpty() && pages < MOST_PAGES_PER_TICK && !deadline.hasPassed()) {
      List<Integer> round =
          running.subList(0, Math.min(running.size(), MOST_PAGES_PER_TICK - pages));
      AuditProgress before = progress;
      List<Optional<Page<StoredSchedule>>> walked =
          fanout.map(round, number -> page(before, number, now));
      List<Integer> next = new ArrayList<>(running.subList(round.size(), running.size()));
      for (int i = 0; i < round.size(); i++) {
        Page<StoredSchedule> page = walked.get(i).orElse(null);
        if (page != null) {
          Part part = Part.upTo(page.next());
          progress = progress.after(round.get(i), part, page.items().size());
          if (!part.isDone()) {
            next.add(round.get(i));
          }
        }
      }
      pages += round.size();
      running = next;
    }
    return progress;
  }

  /**
   * Restores the timers of one page. The result is empty if that failed; the next tick repeats the
   * page.
   */
  private Optional<Page<StoredSchedule>> page(AuditProgress progress, int number, Instant now) {
    WalkPart part = new WalkPart(number, progress.parts().size());
    try {
      Page<StoredSchedule> page = schedules.walk(part, PAGE, progress.parts().get(number).cursor());
      restore(page.items(), now);
      return Optional.of(page);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not audit the timers of part {} of {}; the next tick continues there",
          number,
          part.of(),
          unavailable);
      return Optional.empty();
    }
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
