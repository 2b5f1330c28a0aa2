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
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.SuspendedJob;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Processes the end of a suspension: resumes a schedule whose {@code until} has passed, moves its
 * collecting job to the new activation, sends checks of the suspended jobs, and ends the schedule
 * if its last fire has passed. Each step can be repeated without harm.
 */
final class SuspensionEnds {

  private static final int PAGE = 500;
  private static final int MOST_PAGES = 4;

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Jobs jobs;
  private final CheckQueue checks;
  private final Collector collector;
  private final Completion completion;
  private final Timers timers;
  private final Expander expander;
  private final InstantSource clock;

  SuspensionEnds(Shared shared, Collector collector, Completion completion, InstantSource clock) {
    this.schedules = shared.schedules();
    this.definitions = shared.definitions();
    this.jobs = shared.jobs();
    this.checks = shared.checks();
    this.collector = collector;
    this.completion = completion;
    this.timers = shared.timers();
    this.expander = new Expander(timers, checks, clock);
    this.clock = clock;
  }

  /**
   * @param came the instant at which the check was due; the clock may have stepped back since
   * @return the next wake-up of this subject if there is more to do; otherwise empty
   */
  Map<Subject, Instant> process(SuspensionEnd end, Instant came) {
    try {
      return resume(end.schedule(), came) ? releaseJobs(end, came) : checkLater(end);
    } catch (UnreadableSchedules damaged) {
      return checkLater(end);
    }
  }

  private Map<Subject, Instant> releaseJobs(SuspensionEnd end, Instant came) {
    Head head = head(end.schedule());
    if (head == null) {
      return Map.of();
    }
    Map<ScheduleId, Compiled> known = definitions.of(List.of(head));
    Compiled compiled = known.get(head.id());
    if (head.collects() && compiled == null) {
      return checkAtNextMinute(head, came);
    }
    if (head.collects() && compiled != null && !compiled.schedule().trigger().isPlainTime()) {
      try {
        collector.advance(compiled, head, came);
        collector.handOn(compiled, head);
      } catch (UnreadableItems | UnreadableJobs damaged) {
        return checkAtNextMinute(head, came);
      }
    }
    long below = head.life().minHeldActivation();
    if (!release(head.id(), below)) {
      return Map.of(end, clock.instant());
    }
    if (head.state() == ScheduleState.COMPLETED && compiled == null) {
      return checkAtNextMinute(head, came);
    }
    // After a change that follows the last fire, there may be no job whose check ends the schedule.
    Instant now = later(came);
    completion.complete(Completion.among(Map.of(head.id(), head.asOf(now)), known, now), now);
    return Map.of();
  }

  /** Other checks can plan this one as well, and they all share it. */
  private Map<Subject, Instant> checkAtNextMinute(Head head, Instant came) {
    NextMinute.check(timers, head, later(came));
    return Map.of();
  }

  /** The present instant, or a given one if the clock has stepped back to before it. */
  private Instant later(Instant came) {
    Instant shown = clock.instant();
    return shown.isAfter(came) ? shown : came;
  }

  /** Plans a later check of a schedule that cannot be read, or that was changed just now. */
  private Map<Subject, Instant> checkLater(SuspensionEnd end) {
    return Map.of(end, clock.instant().plus(JobDecision.UNREADABLE_PAUSE));
  }

  private @Nullable Head head(ScheduleId id) {
    return schedules.heads(List.of(id)).get(id);
  }

  /**
   * Resumes the schedule if its resumption is due. Returns false if the resumption needs a
   * definition that cannot be read.
   */
  private boolean resume(ScheduleId id, Instant came) {
    Instant now = later(came);
    Head head = head(id);
    if (head == null || !head.life().isResumptionDue(now)) {
      return true;
    }
    StoredSchedule stored = schedules.find(id).orElse(null);
    Instant until = stored == null ? null : stored.head().life().until();
    if (stored == null || until == null || !stored.head().life().isResumptionDue(now)) {
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

  /**
   * Sends checks of the suspended jobs of activations below {@code below}, the oldest first.
   * Returns false if some are left.
   */
  private boolean release(ScheduleId id, long below) {
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      List<SuspendedJob> held = jobs.suspendedJobs(id, below, PAGE);
      Instant now = clock.instant();
      // Each check is due at its job's own instant, so checks of old jobs are overdue and do not
      // delay other jobs.
      List<Wakeup> wakeups =
          held.stream().map(one -> new Wakeup(one.job(), one.job().at())).toList();
      checks.send(Check.of(wakeups, now), now);
      jobs.removeSuspended(held);
      if (held.size() < PAGE) {
        return true;
      }
    }
    return false;
  }
}
