package dev.carillon.campaign;

import dev.carillon.calendar.CalendarId;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.schedule.Schedules.Page;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calendars behind a link. */
final class SimCalendars implements Calendars {

  private final MemoryCalendars store;
  private final Link link;
  private final boolean recognisesOwnWrites;

  SimCalendars(MemoryCalendars store, Link link, boolean recognisesOwnWrites) {
    this.store = store;
    this.link = link;
    this.recognisesOwnWrites = recognisesOwnWrites;
  }

  @Override
  public Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids) {
    return link.read("calendars.find", ids, () -> store.find(ids));
  }

  @Override
  public boolean save(@Nullable StoredCalendar before, StoredCalendar after) {
    return link.conditional(
        "calendars.save", after, () -> saved(before, after), () -> isStill(after));
  }

  private boolean saved(@Nullable StoredCalendar before, StoredCalendar after) {
    boolean won = store.save(before, after);
    if (!won) {
      link.weather().count(FaultKind.LOST_RACE);
    }
    return won;
  }

  /** The very same object stands for the token that each write leaves in its item. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isStill(StoredCalendar after) {
    return recognisesOwnWrites && after == store.find(List.of(after.id())).get(after.id());
  }

  @Override
  public boolean delete(StoredCalendar calendar) {
    return link.conditional(
        "calendars.delete", calendar, () -> deleted(calendar), () -> deleted(calendar));
  }

  /** Whoever repeats it finds nothing, which is as good. */
  private boolean deleted(StoredCalendar calendar) {
    return store.find(List.of(calendar.id())).isEmpty() || store.delete(calendar);
  }

  @Override
  public Page<StoredCalendar> list(String namespace, int limit, @Nullable String next) {
    return link.read("calendars.list", namespace, () -> store.list(namespace, limit, next));
  }
}
