package dev.carillon.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.time.Exclusion.Excluded;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedCalendarTest {

  private static NamedCalendar calendar(String document) {
    return new CalendarReader(ZoneOffset.UTC).read(Json.readObject(document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-12-24T22:59:59.999Z | false
          2026-12-24T23:00:00Z     | true
          2026-12-25T22:59:59.999Z | true
          2026-12-25T23:00:00Z     | false
          2026-07-10T15:59:59Z     | false
          2026-07-10T16:00:00Z     | true
          2026-07-12T21:59:59Z     | true
          2026-07-12T22:00:00Z     | false
          2026-08-01T12:29:59Z     | true
          2026-08-01T12:30:00Z     | false
          """)
  void datesAndRangesAreInTheZone(Instant instant, boolean excluded) {
    NamedCalendar calendar =
        calendar(
            """
            {"zone": "Europe/Berlin", "dates": ["2026-12-25"],
             "ranges": [{"from": "2026-07-10T18:00", "to": "2026-07-12"},
                        {"from": "2026-08-01", "to": "2026-08-01T14:30"}]}
            """);
    assertThat(calendar.around(instant).isPresent()).isEqualTo(excluded);
  }

  /** 2 March 2026 is a Monday. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-03-02T21:59:59Z | false
          2026-03-02T22:00:00Z | true
          2026-03-03T05:59:59Z | true
          2026-03-03T06:00:00Z | false
          2026-03-03T22:00:00Z | false
          2026-03-07T00:00:00Z | true
          2026-03-08T23:59:59Z | true
          2026-03-09T00:00:00Z | false
          """)
  void aWindowAcrossMidnightBelongsToTheDayItOpens(Instant instant, boolean excluded) {
    NamedCalendar calendar =
        calendar(
            """
            {"weekly": [{"days": ["MON"], "from": "22:00", "to": "06:00"}, {"days": ["SAT", "SUN"]}]}
            """);
    assertThat(calendar.around(instant).isPresent()).isEqualTo(excluded);
  }

  /** Tests each second of the days around both changes of the clocks. */
  @Test
  void stretchesContainExactlyTheExcludedTimes() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    NamedCalendar calendar =
        calendar(
            """
            {"zone": "Europe/Berlin", "dates": ["2026-10-24"],
             "ranges": [{"from": "2026-03-29T02:15", "to": "2026-03-29T02:45"}],
             "weekly": [{"days": ["SUN"], "from": "01:30", "to": "02:20"},
                        {"from": "23:00", "to": "00:20:01"}]}
            """);
    Predicate<LocalDateTime> excluded =
        local ->
            local.toLocalDate().toString().equals("2026-10-24")
                || isWithin(local, "2026-03-29T02:15", "2026-03-29T02:45")
                || isWithin(local, "2026-03-29T01:30", "2026-03-29T02:20")
                || isWithin(local, "2026-10-25T01:30", "2026-10-25T02:20")
                || local.getHour() == 23
                || local.getHour() == 0 && local.getMinute() * 60 + local.getSecond() < 20 * 60 + 1;
    for (String day : new String[] {"2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z"}) {
      Instant instant = Instant.parse(day);
      Instant end = instant.plus(Duration.ofDays(1));
      while (instant.isBefore(end)) {
        Optional<Excluded> around = calendar.around(instant);
        assertThat(around.isPresent())
            .as("%s", instant)
            .isEqualTo(excluded.test(LocalDateTime.ofInstant(instant, berlin)));
        if (around.isPresent()) {
          assertThat(instant).isBetween(around.get().from(), around.get().to().minusNanos(1));
          for (Instant in = around.get().from();
              in.isBefore(around.get().to());
              in = in.plusSeconds(59)) {
            assertThat(excluded.test(LocalDateTime.ofInstant(in, berlin))).as("%s", in).isTrue();
          }
        }
        instant = instant.plusSeconds(13);
      }
    }
  }

  private static boolean isWithin(LocalDateTime local, String from, String to) {
    return !local.isBefore(LocalDateTime.parse(from)) && local.isBefore(LocalDateTime.parse(to));
  }

  @Test
  void firesBeforeAChangeObeyTheVersionBefore() {
    Instant changed = Instant.parse("2026-03-02T12:00:00Z");
    StoredCalendar stored =
        StoredCalendar.created(
                new CalendarId("default", "c"),
                calendar("{\"dates\": [\"2026-03-02\"]}"),
                changed.minusSeconds(60),
                "ada")
            .changed(calendar("{\"dates\": [\"2026-03-03\"]}"), changed, "bob");

    assertThat(stored.around(changed))
        .contains(new Excluded(Instant.parse("2026-03-02T00:00:00Z"), changed.plusMillis(1)));
    assertThat(stored.around(changed.plusMillis(1))).isEmpty();
    assertThat(stored.around(Instant.parse("2026-03-03T12:00:00Z"))).isPresent();
    StoredCalendar again =
        stored.changed(calendar("{\"dates\": [\"2026-03-02\"]}"), changed.plusSeconds(1), "bob");
    assertThat(again.version()).isGreaterThan(stored.version());
    assertThat(again.around(changed.plusSeconds(2)).orElseThrow().from())
        .isEqualTo(changed.plusSeconds(1).plusMillis(1));
    assertThat(again.around(changed)).isEqualTo(stored.around(changed));
    assertThat(again.around(changed.plusSeconds(1))).isEmpty();
  }

  @Test
  void aChangeThatExcludesTheSameTimesReplacesNoVersion() {
    Instant created = Instant.parse("2026-03-02T12:00:00Z");
    StoredCalendar stored =
        StoredCalendar.created(
                new CalendarId("default", "c"), calendar("{\"dates\": []}"), created, "ada")
            .changed(calendar("{\"dates\": [\"2026-03-02\"]}"), created.plusSeconds(60), "ada");
    StoredCalendar described =
        stored.changed(
            calendar("{\"description\": \"d\", \"dates\": [\"2026-03-02\"]}"),
            created.plusSeconds(90),
            "bob");
    assertThat(described.former()).isEqualTo(stored.former());
    assertThat(described.around(created.plusSeconds(30))).isEmpty();
    assertThat(described.around(created.plusSeconds(80))).isPresent();
    assertThat(described.changedBy()).isEqualTo("bob");
  }

  @Test
  void aVersionOfAWriterWhoseClockIsBehindNeverApplies() {
    Instant created = Instant.parse("2026-03-02T12:00:00Z");
    StoredCalendar stored =
        StoredCalendar.created(
                new CalendarId("default", "c"), calendar("{\"dates\": []}"), created, "ada")
            .changed(calendar("{\"dates\": [\"2026-03-01\"]}"), created.plusSeconds(60), "ada")
            .changed(calendar("{\"dates\": [\"2026-03-02\"]}"), created.plusSeconds(58), "bob");
    Instant boundary = created.plusSeconds(60).plusMillis(1);
    assertThat(stored.around(created.plusSeconds(59))).isEmpty();
    assertThat(stored.around(boundary).orElseThrow().from()).isEqualTo(boundary);
  }

  @Test
  void theNewestFormerVersionsAreKept() {
    Instant created = Instant.parse("2026-03-02T12:00:00Z");
    StoredCalendar stored =
        StoredCalendar.created(
            new CalendarId("default", "c"), calendar("{\"dates\": []}"), created, "ada");
    for (int day = 1; day <= StoredCalendar.MOST_FORMER + 1; day++) {
      String document = "{\"dates\": [\"2026-05-%02d\"]}".formatted(day);
      stored = stored.changed(calendar(document), created.plusSeconds(day), "ada");
    }
    assertThat(stored.former()).hasSize(StoredCalendar.MOST_FORMER);
    assertThat(stored.former().get(0).until()).isEqualTo(created.plusSeconds(2));
  }
}
