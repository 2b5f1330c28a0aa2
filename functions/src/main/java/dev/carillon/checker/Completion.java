package dev.carillon.checker;

import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleId;
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

  private final Schedules schedules;
  private final Jobs jobs;

  Completion(Schedules schedules, Jobs jobs) {
    this.schedules = schedules;
    this.jobs = jobs;
  }

  /**
   * Repeated with every look at a fire when no other is to come, so that a crash before it is
   * repaired, and the last job to end brings the deletion.
   */
  void completeExhausted(
      Map<ScheduleId, Compiled> compiled,
      Map<ScheduleId, Head> heads,
      List<JobId> fires,
      Instant now) {
    for (JobId fire : fires) {
      Compiled known = compiled.get(fire.schedule());
      Head head = heads.get(fire.schedule());
      if (known != null && head != null && isExhausted(known, now)) {
        complete(head, known, now);
      }
    }
  }

  private static boolean isExhausted(Compiled known, Instant now) {
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
    if (seen.state() == ScheduleState.SUSPENDED) {
      return;
    }
    if (known.schedule().deleteAfterCompletion()) {
      if (areLaunched(lastFires(seen, known), known.schedule())) {
        Set<String> keys = known.schedule().trigger().indexKeys();
        save(seen, stored -> Lifecycle.delete(stored, keys, now));
      }
    } else if (seen.state() == ScheduleState.ACTIVE) {
      save(seen, Lifecycle::complete);
    }
  }

  private void save(Head seen, Function<StoredSchedule, Schedules.Change> change) {
    schedules
        .find(seen.id())
        .filter(stored -> stored.head().version() == seen.version())
        .filter(stored -> stored.head().suspension() == null)
        .map(change)
        .ifPresent(schedules::save);
  }

  private static List<JobId> lastFires(Head head, Compiled known) {
    List<FireTimes> times = known.fireTimes();
    List<JobId> last = new ArrayList<>();
    Optional<Instant> fire = Fires.previous(times, Instant.MAX).map(Fire::at);
    while (fire.isPresent()
        && fire.get().isAfter(head.activeSince())
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
