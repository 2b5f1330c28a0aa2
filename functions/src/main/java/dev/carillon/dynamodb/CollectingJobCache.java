package dev.carillon.dynamodb;

import dev.carillon.dynamodb.CollectingJobs.WithSeenIds;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache of the collecting jobs that were last read or stored, which saves a read before a change.
 * It is never a source of truth: each change is conditional on the version.
 */
final class CollectingJobCache {

  private static final int MOST = 500;

  private final Map<ScheduleId, WithSeenIds> bySchedule =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ScheduleId, WithSeenIds> eldest) {
          return size() > MOST;
        }
      };

  synchronized void keep(WithSeenIds stored) {
    bySchedule.put(stored.collectingJob().schedule(), stored);
  }

  synchronized void discard(ScheduleId schedule) {
    bySchedule.remove(schedule);
  }

  synchronized Optional<WithSeenIds> of(CollectingJob collectingJob) {
    WithSeenIds last = bySchedule.get(collectingJob.schedule());
    return last != null && last.collectingJob().version() == collectingJob.version()
        ? Optional.of(last)
        : Optional.empty();
  }
}
