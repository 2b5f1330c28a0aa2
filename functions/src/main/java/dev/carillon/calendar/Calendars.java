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
   * Returns the calendars that exist. Consistent.
   *
   * @throws UnreadableItems if some of them cannot be read
   */
  Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids);

  /**
   * Stores a calendar if the stored one has {@code before}'s version (null: none is stored).
   *
   * @return false if it has not; nothing was stored
   */
  boolean save(@Nullable StoredCalendar before, StoredCalendar after);

  /**
   * Stores a calendar in the place of one that cannot be read.
   *
   * @return false if the stored one can be read, as always where nothing can be damaged; nothing
   *     was stored
   */
  default boolean overwrite(StoredCalendar after) {
    return false;
  }

  /**
   * Deletes a calendar if the stored one has its version.
   *
   * @return false if it has not; nothing was deleted
   */
  boolean delete(StoredCalendar calendar);

  /**
   * One page of the calendars of a namespace, by name, without those that cannot be read.
   * Consistent.
   */
  Page<StoredCalendar> list(String namespace, int limit, @Nullable String next);
}
