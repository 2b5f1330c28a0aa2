package dev.carillon.dynamodb;

import dev.carillon.dynamodb.CollectingJobs.Remembering;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was last read or stored of some collecting jobs, so that the change that follows a reading
 * need not read again. Never a source of truth: the change is conditional on the version.
 */
final class LastRead {

  private static final int MOST = 500;

  private final Map<ScheduleId, Remembering> bySchedule =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ScheduleId, Remembering> eldest) {
          return size() > MOST;
        }
      };

  synchronized void keep(Remembering stored) {
    bySchedule.put(stored.collectingJob().schedule(), stored);
  }

  synchronized void forget(ScheduleId schedule) {
    bySchedule.remove(schedule);
  }

  synchronized Optional<Remembering> of(CollectingJob collectingJob) {
    Remembering last = bySchedule.get(collectingJob.schedule());
    return last != null && last.collectingJob().version() == collectingJob.version()
        ? Optional.of(last)
        : Optional.empty();
  }
}
