package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.timer.LookAhead;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fires of one pass that get no new job: those that calendars exclude, and those that were
 * skipped as missed. If such a fire already has a job, the job goes on.
 *
 * @param skipped the skipped fires by schedule. It contains only schedules with a fire in this pass
 *     that is late enough to have been missed
 */
record PassedOverFires(
    Map<ScheduleId, Compiled> compiled, Map<ScheduleId, List<SkippedFires>> skipped) {

  /**
   * Reads the skipped fires up to the latest of the fires.
   *
   * @param unreadable receives the schedules whose skipped fires exist but cannot be read
   */
  static PassedOverFires read(
      Jobs jobs,
      Collection<JobId> ids,
      Map<ScheduleId, Compiled> compiled,
      Set<ScheduleId> unreadable,
      Instant now) {
    Map<ScheduleId, List<SkippedFires>> skipped = new HashMap<>();
    latest(ids, compiled, now.minus(LookAhead.AHEAD))
        .forEach(
            (schedule, fire) -> {
              try {
                skipped.put(schedule, SkippedFires.upTo(fire, jobs));
              } catch (UnreadableJobs damaged) {
                unreadable.add(schedule);
              }
            });
    return new PassedOverFires(compiled, skipped);
  }

  /** The latest fire of each schedule among those that may have been missed. */
  private static Map<ScheduleId, JobId> latest(
      Collection<JobId> ids, Map<ScheduleId, Compiled> compiled, Instant inTime) {
    Map<ScheduleId, JobId> latest = new HashMap<>();
    for (JobId id : ids) {
      Compiled known = compiled.get(id.schedule());
      boolean canBeMissed =
          known != null
              && id.generation() == known.definition().generation()
              && !known.schedule().catchUp().isEverything();
      if (canBeMissed && id.isFire() && id.at().isBefore(inTime)) {
        latest.merge(id.schedule(), id, (one, other) -> one.at().isAfter(other.at()) ? one : other);
      }
    }
    return latest;
  }

  /**
   * Whether the fire gets no new job. A check reads the calendars after the fire was due, and a
   * calendar keeps former versions. So all checks of the fire give the same result, unless a
   * calendar changes more often after the fire than it keeps versions.
   */
  boolean contains(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return id.isFire() && known != null && (known.isExcluded(id.at()) || isSkipped(id, known));
  }

  /**
   * Whether every time leaf that fires at this instant recorded the fire as skipped. A check
   * message of such a fire may still be under way, and must not launch the fire.
   */
  private boolean isSkipped(JobId id, Compiled known) {
    List<SkippedFires> decided = skipped.getOrDefault(id.schedule(), List.of());
    return !decided.isEmpty()
        && known.leavesFiring(id.at()).stream()
            .allMatch(
                leaf -> decided.stream().anyMatch(it -> it.leaf() == leaf && it.contains(id.at())));
  }
}
