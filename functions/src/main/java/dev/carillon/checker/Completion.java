package dev.carillon.checker;

import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Ends the schedules whose last fire was looked at. */
final class Completion {

  private final Schedules schedules;
  private final Jobs jobs;

  Completion(Schedules schedules, Jobs jobs) {
    this.schedules = schedules;
    this.jobs = jobs;
  }

  /** Repeated with every look at such a fire, so that a crash before it is repaired. */
  void completeExhausted(
      Map<ScheduleId, Compiled> compiled, Map<ScheduleId, Head> heads, List<JobId> fires) {
    for (JobId fire : fires) {
      Compiled known = compiled.get(fire.schedule());
      Head head = heads.get(fire.schedule());
      if (known != null
          && head != null
          && head.state() == ScheduleState.ACTIVE
          && isLast(known, fire)) {
        complete(head, known.schedule(), fire);
      }
    }
  }

  private static boolean isLast(Compiled known, JobId fire) {
    Schedule schedule = known.schedule();
    return schedule.trigger().leaves().stream()
        .map(TimeLeaf.class::cast)
        .map(
            leaf ->
                TimeLeaves.fireTimes(leaf, schedule.zone(), known.definition().generationSince()))
        .allMatch(times -> times.next(fire.at()).isEmpty());
  }

  private void complete(Head seen, Schedule schedule, JobId fire) {
    if (!schedule.deleteAfterCompletion()) {
      save(seen, Lifecycle::complete);
    } else if (isEnded(fire)) {
      save(seen, stored -> Lifecycle.delete(stored, Set.of()));
    }
  }

  private void save(Head seen, Function<StoredSchedule, Schedules.Change> change) {
    schedules
        .find(seen.id())
        .filter(stored -> stored.head().version() == seen.version())
        .map(change)
        .ifPresent(schedules::save);
  }

  /** A deletion would cancel a job that has yet to be sent. */
  private boolean isEnded(JobId fire) {
    Job job = jobs.find(List.of(fire)).get(fire);
    return job != null && job.isEnded();
  }
}
