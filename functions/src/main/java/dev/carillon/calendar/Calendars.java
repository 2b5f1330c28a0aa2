package dev.carillon.calendar;

import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import dev.carillon.id.UnreadableItems;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store of calendars. */
public interface Calendars {

  /**
   * Returns the calendars with these ids that exist. The read is strongly consistent.
   *
   * @throws UnreadableItems if some of them cannot be read
   */
  Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids);

  /**
   * Stores a calendar if the stored calendar has the version of {@code before}, or if {@code
   * before} is null and none is stored.
   *
   * @return false if the condition does not hold; then nothing was stored
   */
  boolean save(@Nullable StoredCalendar before, StoredCalendar after);

  /**
   * Stores a calendar in the place of one that cannot be read.
   *
   * @return false if the stored calendar can be read; then nothing was stored. A store whose items
   *     cannot be damaged always returns false
   */
  default boolean overwrite(StoredCalendar after) {
    return false;
  }

  /**
   * Deletes a calendar if the stored calendar has the same version.
   *
   * @return false if it has another version; then nothing was deleted
   */
  boolean delete(StoredCalendar calendar);

  /**
   * One page of the calendars of a namespace, by name, without those that cannot be read. The read
   * is strongly consistent.
   */
  Page<StoredCalendar> list(String namespace, int limit, @Nullable String next);
}
