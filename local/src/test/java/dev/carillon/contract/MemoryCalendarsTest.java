package dev.carillon.contract;

import dev.carillon.calendar.Calendars;
import dev.carillon.memory.MemoryCalendars;

class MemoryCalendarsTest extends CalendarsContract {

  private final MemoryCalendars calendars = new MemoryCalendars();

  @Override
  Calendars calendars() {
    return calendars;
  }
}
