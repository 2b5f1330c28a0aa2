package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.collect.Collector;
import dev.carillon.decision.JobDecision;
import dev.carillon.fires.Expander;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Held;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Processes the end of a suspension: resumes a schedule whose time has come, hands the collecting
 * job on to the new activation, and has the jobs checked that were held back. Each step may be
 * repeated.
 */
final class SuspensionEnds {

  private static final int PAGE = 500;
  private static final int MOST_PAGES = 4;

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Jobs jobs;
  private final CheckQueue checks;
  private final Collector collector;
  private final Expander expander;
  private final InstantSource clock;

  SuspensionEnds(Shared shared, Collector collector, InstantSource clock) {
    this.schedules = shared.schedules();
    this.definitions = shared.definitions();
    this.jobs = shared.jobs();
    this.checks = shared.checks();
    this.collector = collector;
    this.expander = new Expander(shared.timers(), checks, clock);
    this.clock = clock;
  }

  /**
   * @param came the instant that was waited for, from which a clock may have stepped back
   * @return the same if there is more to do, and when
   */
  Map<Subject, Instant> process(SuspensionEnd end, Instant came) {
    try {
      return resume(end.schedule(), came) ? releaseJobs(end, came) : later(end);
    } catch (UnreadableSchedules damaged) {
      return later(end);
    }
  }

  private Map<Subject, Instant> releaseJobs(SuspensionEnd end, Instant came) {
    Head head = head(end.schedule());
    if (head == null) {
      return Map.of();
    }
    Compiled compiled = definitions.of(List.of(head)).get(head.id());
    if (head.collects() && compiled == null) {
      return later(end);
    }
    if (head.collects() && compiled != null && !compiled.schedule().trigger().isPlainTime()) {
      collector.advance(compiled, head, came);
    }
    long below = head.life().minHeldActivation();
    return release(head.id(), below) ? Map.of() : Map.of(end, clock.instant());
  }

  /** The schedule cannot be read, or was changed just now. */
  private Map<Subject, Instant> later(SuspensionEnd end) {
    return Map.of(end, clock.instant().plus(JobDecision.UNREADABLE_PAUSE));
  }

  private @Nullable Head head(ScheduleId id) {
    return schedules.heads(List.of(id)).get(id);
  }

  /**
   * Resumes the schedule if its suspension is overdue; false if what it is resumed with cannot be
   * read.
   */
  private boolean resume(ScheduleId id, Instant came) {
    Instant shown = clock.instant();
    Instant now = shown.isAfter(came) ? shown : came;
    Head head = head(id);
    if (head == null || !isOverdue(head, now)) {
      return true;
    }
    StoredSchedule stored = schedules.find(id).orElse(null);
    Suspension suspension = stored == null ? null : stored.head().suspension();
    Instant until = suspension == null ? null : suspension.until();
    if (stored == null || until == null || !isOverdue(stored.head(), now)) {
      return true;
    }
    Compiled compiled = definitions.of(List.of(stored.head())).get(id);
    if (compiled == null) {
      return false;
    }
    Change resumption = Lifecycle.resume(stored, compiled.schedule(), until);
    if (schedules.save(resumption)) {
      Instant end = LookAhead.selectionEnd(now);
      List<Timer> due =
          resumption.timers().stream().filter(timer -> !timer.dueAt().isAfter(end)).toList();
      expander.expand(due, now);
    }
    return true;
  }

  private static boolean isOverdue(Head head, Instant now) {
    return head.suspension() != null && head.suspension().isOverdue(now);
  }

  /** Has those of smaller activations checked, the oldest first; false if some are left. */
  private boolean release(ScheduleId id, long below) {
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      List<Held> held = jobs.heldBack(id, below, PAGE);
      Instant now = clock.instant();
      checks.send(Check.of(now, held.stream().map(Held::job).toList()), now);
      jobs.letGo(held);
      if (held.size() < PAGE) {
        return true;
      }
    }
    return false;
  }
}
