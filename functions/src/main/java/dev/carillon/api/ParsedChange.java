package dev.carillon.api;

import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

/**
 * A change of a schedule with its parsed definition, so that the definition is not parsed again
 * when the change is carried out.
 *
 * @param schedule null for a deletion
 */
record ParsedChange(Change change, @Nullable Schedule schedule) {

  /** The schedule after the change; null after a deletion. */
  @Nullable ParsedSchedule after() {
    Definition definition = change.definition();
    return definition == null || schedule == null
        ? null
        : ParsedSchedule.of(new StoredSchedule(change.after(), definition), schedule);
  }
}
