package dev.carillon.checker;

import dev.carillon.backfill.Backfills;
import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Ends the schedules whose last fire has come. */
final class Completion {

  /** The fires before the last one that may still be under way when the last one is looked at. */
  private static final int MOST_UNDER_WAY = 50;

  private static final int PAGE = 100;

  private final Schedules schedules;
  private final Jobs jobs;
  private final Backfills backfills;
  private final OptimisticUpdate updates;
  private final Fanout fanout;

  Completion(Shared shared, Fanout fanout) {
    this.schedules = shared.schedules();
    this.jobs = shared.jobs();
    this.backfills = shared.backfills();
    this.updates = shared.updates();
    this.fanout = fanout;
  }

  /** A schedule of times alone of which no fire is to come, and that has not ended yet. */
  record Exhausted(Head head, Compiled compiled) {}

  /**
   * The exhausted ones of some schedules. Each check of a job finds them, so that a crash before
   * they are ended is repaired, and the last job to end brings the deletion.
   */
  static List<Exhausted> among(
      Map<ScheduleId, Head> heads, Map<ScheduleId, Compiled> compiled, Instant now) {
    List<Exhausted> exhausted = new ArrayList<>();
    compiled.forEach(
        (id, known) -> {
          Head head = heads.get(id);
          if (head != null && isUnended(head, known.schedule()) && isExhausted(known, now)) {
            exhausted.add(new Exhausted(head, known));
          }
        });
    return exhausted;
  }

  /**
   * Ends them, side by side: deletes those that go when they are completed, once all their jobs are
   * launched or over.
   *
   * @throws RuntimeException if it is unknown of any whether it ended; it may be repeated
   */
  void complete(List<Exhausted> exhausted, Instant now) {
    fanout.forEach(exhausted, one -> complete(one.head(), one.compiled(), now));
  }

  private static boolean isUnended(Head head, Schedule schedule) {
    return schedule.deleteAfterCompletion()
        ? head.state() != ScheduleState.SUSPENDED
        : head.state() == ScheduleState.ACTIVE;
  }

  private static boolean isExhausted(Compiled known, Instant now) {
    if (!known.schedule().trigger().isPlainTime()) {
      return false;
    }
    return known.schedule().trigger().leaves().stream()
            .noneMatch(leaf -> TimeLeaves.isEndless((TimeLeaf) leaf))
        && Fires.next(allTimes(known), now).isEmpty();
  }

  /** With those that are excluded, for a calendar may change before they come. */
  private static List<FireTimes> allTimes(Compiled known) {
    Instant since = known.definition().generationSince();
    return known.schedule().trigger().leaves().stream()
        .map(leaf -> known.schedule().fireTimes((TimeLeaf) leaf, since))
        .toList();
  }

  private void complete(Head seen, Compiled known, Instant now) {
    if (!known.schedule().deleteAfterCompletion()) {
      save(seen, Lifecycle::complete);
    } else if (areLaunched(lastFires(seen, known), known.schedule()) && isNothingAsked(seen)) {
      Set<String> keys = known.schedule().trigger().indexKeys();
      save(seen, stored -> Lifecycle.delete(stored, keys, now));
    }
  }

  /** Unless the schedule has come to another life meanwhile, or to its end. */
  private void save(Head seen, Function<StoredSchedule, Schedules.Change> change) {
    updates.untilStored(
        seen.id(),
        () -> {
          StoredSchedule stored = schedules.find(seen.id()).orElse(null);
          return stored == null
              || stored.head().suspension() != null
              || stored.head().state() != seen.state()
              || stored.head().activation() != seen.activation()
              || schedules.save(change.apply(stored));
        });
  }

  private static List<JobId> lastFires(Head head, Compiled known) {
    List<FireTimes> times = known.fireTimes();
    List<JobId> last = new ArrayList<>();
    Optional<Instant> fire = Fires.previous(times, Instant.MAX).map(Fire::at);
    while (fire.isPresent()
        && fire.get().isAfter(head.life().beganAt())
        && last.size() < MOST_UNDER_WAY) {
      if (head.wantsFire(head.generation(), fire.get())) {
        last.add(JobId.ofFire(head.id(), head.generation(), fire.get()));
      }
      fire = Fires.previous(times, fire.get()).map(Fire::at);
    }
    return last;
  }

  /**
   * A deletion would cancel a job that has yet to be sent, or drop a fire that has yet to be seen.
   */
  private boolean areLaunched(List<JobId> fires, Schedule schedule) {
    Map<JobId, Job> found = jobs.find(fires);
    if (!found.values().stream().allMatch(Completion::isLaunched)) {
      return false;
    }
    List<JobId> rest = fires.stream().filter(fire -> !found.containsKey(fire)).toList();
    return rest.isEmpty() || (!schedule.catchUp().isEverything() && areSkipped(rest));
  }

  /** Whether no launch by hand and no backfill is under way: a deletion would cancel them. */
  private boolean isNothingAsked(Head head) {
    return backfills.openBackfills(head.id()).isEmpty()
        && isNone(head, JobState.PENDING_CONSTRAINT)
        && isNone(head, JobState.PENDING_LAUNCH);
  }

  private boolean isNone(Head head, JobState state) {
    String next = null;
    do {
      Page<Job> page = jobs.ofSchedule(head.id(), state, PAGE, next);
      for (Job job : page.items()) {
        if (head.wantsJob(job.id().generation(), job.activation())) {
          return false;
        }
      }
      next = page.next();
    } while (next != null);
    return true;
  }

  private static boolean isLaunched(Job job) {
    return job.isEnded() || job.state() == JobState.ENQUEUED;
  }

  /**
   * Whether they were missed and are not made up for: those have one row for many.
   *
   * @param fires the latest first
   */
  private boolean areSkipped(List<JobId> fires) {
    List<SkippedFires> skipped = SkippedFires.upTo(fires.get(0), jobs);
    return fires.stream()
        .allMatch(fire -> skipped.stream().anyMatch(row -> row.contains(fire.at())));
  }
}
