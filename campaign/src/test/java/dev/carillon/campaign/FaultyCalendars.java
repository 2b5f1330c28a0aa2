package dev.carillon.campaign;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.calendar.StoredCalendar.Former;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.id.CalendarId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.timer.Timers;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Faulty stores of calendars. */
final class FaultyCalendars {

  private FaultyCalendars() {}

  /** Calendars that never changed. */
  static Calendars withoutFormer(Calendars real) {
    return changed(real, it -> with(it, it.current(), List.of()));
  }

  /** Calendars without their weekly windows. */
  static Calendars withoutWindows(Calendars real) {
    return changed(
        real,
        it ->
            with(
                it,
                withoutWeekly(it.current()),
                it.former().stream()
                    .map(one -> new Former(withoutWeekly(one.calendar()), one.until()))
                    .toList()));
  }

  private static Calendars changed(Calendars real, UnaryOperator<StoredCalendar> change) {
    return Around.of(Calendars.class, real)
        .<Map<CalendarId, StoredCalendar>>after(
            "find",
            found ->
                found.values().stream()
                    .map(change)
                    .collect(Collectors.toMap(StoredCalendar::id, it -> it)))
        .port();
  }

  private static StoredCalendar with(
      StoredCalendar it, NamedCalendar current, List<Former> former) {
    return new StoredCalendar(
        it.id(),
        it.version(),
        current,
        former,
        it.createdAt(),
        it.createdBy(),
        it.changedAt(),
        it.changedBy());
  }

  private static NamedCalendar withoutWeekly(NamedCalendar calendar) {
    ObjectNode document = calendar.document().deepCopy();
    document.putArray("weekly");
    return new CalendarReader(ZoneOffset.UTC).read(document);
  }

  /** Calendars that cannot be read are left out, as if they did not exist. */
  @SuppressWarnings("unchecked")
  static Calendars absent(Calendars real) {
    return Around.of(Calendars.class, real)
        .replace(
            "find",
            arguments ->
                UnreadableItems.readable(
                    (Collection<CalendarId>) arguments[0], new HashSet<>(), real::find))
        .port();
  }

  /** A calendar that cannot be read counts as replaced. */
  static Calendars staying(Calendars real) {
    return Around.of(Calendars.class, real).replace("overwrite", arguments -> true).port();
  }

  /** The checker has the calendar as it was when the master last read timers. */
  static final class OfLastTick implements Tampering {
    private static final CalendarId ID = new CalendarId("default", Scenario.CALENDAR);

    private @Nullable Calendars stored;
    private @Nullable Map<CalendarId, StoredCalendar> read;

    @Override
    public Calendars calendars(FunctionName function, Calendars real) {
      stored = real;
      return function != FunctionName.CHECKER
          ? real
          : Around.of(Calendars.class, real)
              .<Map<CalendarId, StoredCalendar>>after("find", found -> read == null ? found : read)
              .port();
    }

    @Override
    public Timers timers(FunctionName function, Timers real) {
      return function != FunctionName.MASTER
          ? real
          : Around.of(Timers.class, real)
              .before("due", arguments -> read = absent(stored).find(List.of(ID)))
              .port();
    }
  }
}
