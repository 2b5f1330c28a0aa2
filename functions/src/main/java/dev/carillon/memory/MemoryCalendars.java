package dev.carillon.memory;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.TextForm;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calendars in memory. */
public final class MemoryCalendars implements Calendars {

  private final Map<CalendarId, StoredCalendar> calendars = new HashMap<>();

  @Override
  public synchronized Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids) {
    return ids.stream()
        .distinct()
        .filter(calendars::containsKey)
        .collect(Collectors.toMap(id -> id, calendars::get));
  }

  @Override
  public synchronized boolean save(@Nullable StoredCalendar before, StoredCalendar after) {
    if (!isStored(after.id(), before == null ? 0 : before.version())) {
      return false;
    }
    calendars.put(after.id(), after);
    return true;
  }

  @Override
  public synchronized boolean delete(StoredCalendar calendar) {
    return isStored(calendar.id(), calendar.version()) && calendars.remove(calendar.id()) != null;
  }

  private boolean isStored(CalendarId id, long version) {
    StoredCalendar stored = calendars.get(id);
    return version == (stored == null ? 0 : stored.version());
  }

  @Override
  public synchronized Page<StoredCalendar> list(
      String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    List<StoredCalendar> found =
        calendars.values().stream()
            .filter(calendar -> calendar.id().namespace().equals(namespace))
            .filter(calendar -> next == null || calendar.id().name().compareTo(next) > 0)
            .sorted(Comparator.comparing(calendar -> calendar.id().name()))
            .limit(limit + 1L)
            .toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<StoredCalendar> items = found.subList(0, limit);
    return new Page<>(List.copyOf(items), items.get(limit - 1).id().name());
  }
}
