package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

abstract class CalendarsContract {

  static final CalendarId US = new CalendarId("default", "us-holidays");

  abstract Calendars calendars();

  static NamedCalendar closedOn(String date) {
    return new CalendarReader(ZoneOffset.UTC)
        .read(Json.readObject("{\"zone\": \"Asia/Tokyo\", \"dates\": [\"%s\"]}".formatted(date)));
  }

  static StoredCalendar aCalendar(CalendarId id) {
    return StoredCalendar.created(id, closedOn("2026-12-25"), NOW, "ada");
  }

  @Test
  void aStoredCalendarIsFoundUnchanged() {
    StoredCalendar created = aCalendar(US);
    assertThat(calendars().find(List.of(US))).isEmpty();
    assertThat(calendars().save(null, created)).isTrue();
    assertThat(calendars().find(List.of(US, new CalendarId("default", "none"), US)))
        .isEqualTo(Map.of(US, created));
    StoredCalendar changed = created.changed(closedOn("2026-12-26"), NOW.plusSeconds(1), "bob");
    assertThat(calendars().save(created, changed)).isTrue();
    assertThat(calendars().find(List.of(US))).isEqualTo(Map.of(US, changed));
    assertThat(calendars().find(List.of())).isEmpty();
  }

  @Test
  void aWriterThatReadAnotherVersionChangesNothing() {
    StoredCalendar first = aCalendar(US);
    StoredCalendar second = first.changed(closedOn("2026-12-26"), NOW, "bob");
    StoredCalendar third = second.changed(closedOn("2026-12-27"), NOW, "bob");
    assertThat(calendars().save(first, second)).isFalse();
    assertThat(calendars().save(null, first)).isTrue();
    assertThat(calendars().save(null, first)).isFalse();
    assertThat(calendars().save(second, third)).isFalse();
    assertThat(calendars().save(first, second)).isTrue();
    assertThat(calendars().delete(first)).isFalse();
    assertThat(calendars().find(List.of(US))).isEqualTo(Map.of(US, second));
    assertThat(calendars().delete(second)).isTrue();
    assertThat(calendars().find(List.of(US))).isEmpty();
    assertThat(calendars().save(second, third)).isFalse();
  }

  @Test
  void calendarsOfANamespaceAreListedByName() {
    for (String name : List.of("b", "a.b", "B", "-", "a")) {
      calendars().save(null, aCalendar(new CalendarId("default", name)));
    }
    calendars().save(null, aCalendar(new CalendarId("default2", "x")));
    Page<StoredCalendar> first = calendars().list("default", 3, null);
    assertThat(first.items()).extracting(it -> it.id().name()).containsExactly("-", "B", "a");
    Page<StoredCalendar> rest = calendars().list("default", 3, first.next());
    assertThat(rest.items()).extracting(it -> it.id().name()).containsExactly("a.b", "b");
    assertThat(rest.next()).isNull();
    assertThat(calendars().list("none", 3, null).items()).isEmpty();
  }
}
