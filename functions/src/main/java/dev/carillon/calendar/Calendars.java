package dev.carillon.calendar;

import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where calendars are kept. */
public interface Calendars {

  /** Those that exist. Consistent. */
  Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids);

  /**
   * Stores a calendar if what is stored has {@code before}'s version (null: nothing is stored).
   *
   * @return false if it has not: nothing was changed
   */
  boolean save(@Nullable StoredCalendar before, StoredCalendar after);

  /**
   * Deletes a calendar if what is stored has its version.
   *
   * @return false if it has not: nothing was changed
   */
  boolean delete(StoredCalendar calendar);

  /** One page of the calendars of a namespace, by name. Consistent. */
  Page<StoredCalendar> list(String namespace, int limit, @Nullable String next);
}
