package dev.carillon.dynamodb;

import dev.carillon.dynamodb.Accumulators.Remembering;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Accumulator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was last read or stored of some accumulators, so that the change that follows a reading need
 * not read again. Never a source of truth: the change is conditional on the version.
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
    bySchedule.put(stored.accumulator().schedule(), stored);
  }

  synchronized void forget(ScheduleId schedule) {
    bySchedule.remove(schedule);
  }

  synchronized Optional<Remembering> of(Accumulator accumulator) {
    Remembering last = bySchedule.get(accumulator.schedule());
    return last != null && last.accumulator().version() == accumulator.version()
        ? Optional.of(last)
        : Optional.empty();
  }
}
