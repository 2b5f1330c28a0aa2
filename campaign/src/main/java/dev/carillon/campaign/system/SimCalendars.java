package dev.carillon.campaign.system;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.engine.Link;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import dev.carillon.memory.MemoryCalendars;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calendars behind a simulated connection. */
public final class SimCalendars implements Calendars {

  private final MemoryCalendars store;
  private final Link link;

  public SimCalendars(MemoryCalendars store, Link link) {
    this.store = store;
    this.link = link;
  }

  @Override
  public Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids) {
    return link.read("calendars.find", ids, () -> store.find(ids));
  }

  @Override
  public boolean save(@Nullable StoredCalendar before, StoredCalendar after) {
    return link.conditional(
        "calendars.save",
        after,
        () -> link.countLostRace(store.save(before, after)),
        () -> link.isOwn(after, store.find(List.of(after.id())).get(after.id())));
  }

  @Override
  public boolean delete(StoredCalendar calendar) {
    return link.conditional(
        "calendars.delete", calendar, () -> deleted(calendar), () -> deleted(calendar));
  }

  /** A repeated delete finds nothing, which counts as success. */
  private boolean deleted(StoredCalendar calendar) {
    return store.find(List.of(calendar.id())).isEmpty() || store.delete(calendar);
  }

  @Override
  public Page<StoredCalendar> list(String namespace, int limit, @Nullable String next) {
    return link.read("calendars.list", namespace, () -> store.list(namespace, limit, next));
  }
}
