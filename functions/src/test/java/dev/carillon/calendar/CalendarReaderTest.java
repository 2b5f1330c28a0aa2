package dev.carillon.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import java.time.ZoneId;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarReaderTest {

  private final CalendarReader reader = new CalendarReader(ZoneId.of("Asia/Tokyo"));

  @Test
  void theDocumentWithDefaultsIsReadAsTheSame() {
    NamedCalendar read =
        reader.read(
            Json.readObject(
                """
                {"dates": ["2026-12-26", "2026-12-25", "2026-12-25"],
                 "ranges": [{"from": "2026-07-10T18:00", "to": "2026-07-12"}],
                 "weekly": [{"days": ["SUN", "SAT"]}, {"from": "22:00", "to": "06:00:30"}]}
                """));
    assertThat(read.document())
        .isEqualTo(
            Json.readObject(
                """
                {"description": "", "zone": "Asia/Tokyo", "dates": ["2026-12-25", "2026-12-26"],
                 "ranges": [{"from": "2026-07-10T18:00", "to": "2026-07-12"}],
                 "weekly": [{"days": ["SAT", "SUN"], "from": "00:00", "to": "24:00"},
                            {"days": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
                             "from": "22:00", "to": "06:00:30"}]}
                """));
    assertThat(reader.read(read.document())).isEqualTo(read);
  }

  /** With all defaults, because a stored calendar is read in the same way. */
  @Test
  void aCalendarHasAtMost64KilobytesWithDefaults() {
    ObjectNode document = Json.object();
    ArrayNode weekly = document.putArray("weekly");
    for (int window = 0; window < 810; window++) {
      weekly.addObject().put("from", "10:00").put("to", "11:00");
    }
    assertThatThrownBy(() -> reader.read(document))
        .isInstanceOf(InvalidDocument.class)
        .hasMessageContaining("bytes of JSON; give at most 65536");
    IntStream.range(0, 20).forEach(any -> weekly.remove(0));
    assertThat(reader.read(reader.read(document).document())).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"dates\": null, \"ranges\": [], \"zone\": \"+02:00\", \"description\": \"two\\nlines\"}",
        "{\"weekly\": [{\"from\": \"00:00:01\"}]}",
        "{\"weekly\": [{\"days\": [\"MON\", \"TUE\", \"WED\", \"THU\", \"FRI\", \"SAT\"]}]}"
      })
  void isAccepted(String document) {
    assertThat(reader.read(Json.readObject(document)).document()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"date": []}                       | /date     | did you mean "dates"?
          {"zone": "Mars"}                   | /zone     | the time zone is unknown
          {"description": 5}                 | /description | "description" is 5
          {"dates": "2026-12-25"}            | /dates    | give a list of at most 1000 dates
          {"dates": ["2026-02-30"]}          | /dates/0  | "2026-02-30" is not a date; give one like "2030-12-25"
          {"dates": [20261225]}              | /dates/0  | 20261225 is not a date
          {"dates": ["1969-12-31"]}          | /dates/0  | from 1970-01-01
          {"ranges": [5]}                    | /ranges/0 | 5 is not an object
          {"ranges": [{"to": "2026-01-02"}]} | /ranges/0/from | "from" is missing; give a date
          {"ranges": [{"from": "2026-01-02", "to": "2026-01-01"}]} | /ranges/0/to | "to" is "2026-01-01"; it is not after "from"
          {"ranges": [{"from": "2026-01-02T08:00", "to": "2026-01-02T08:00"}]} | /ranges/0/to | not after
          {"ranges": [{"from": "2026-01-02T08:00:00.5", "to": "2026-01-03"}]} | /ranges/0/from | whole seconds
          {"ranges": [{"from": "2026-01-02T08:00Z", "to": "2026-01-03"}]} | /ranges/0/from | local time
          {"ranges": [{"from": "2026-01-02", "to": "2026-01-03", "zone": "UTC"}]} | /ranges/0/zone | unknown field
          {"weekly": {}}                     | /weekly   | "weekly" is an object; give a list
          {"weekly": [{"days": []}]}         | /weekly/0/days | one or more of MON
          {"weekly": [{"days": "MON"}]}      | /weekly/0/days | "days" is "MON"
          {"weekly": [{"days": ["Mon"]}]}    | /weekly/0/days/0 | "Mon" is not a day; use one of MON
          {"weekly": [{"from": "8:00"}]}     | /weekly/0/from | "from" is "8:00"; give a time of day
          {"weekly": [{"to": "24:01"}]}      | /weekly/0/to | at most "24:00"
          {"weekly": [{"to": "12:60"}]}      | /weekly/0/to | give a time of day
          {"weekly": [{"from": "12:00", "to": "12:00:00"}]} | /weekly/0/to | it equals "from"
          {"weekly": [{"from": "24:00", "to": "12:00"}]} | /weekly/0/from | a window cannot open at the end of a day
          {"weekly": [{}]}                   | /weekly   | cover the whole week
          {"weekly": [{"from": "06:00", "to": "06:00:01"}, {"from": "06:00:01", "to": "06:00"}]} | /weekly | cover the whole week
          """)
  void isRefused(String document, String pointer, String detail) {
    assertThatThrownBy(() -> reader.read(Json.readObject(document)))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid -> {
              assertThat(invalid.faults()).extracting(Fault::pointer).containsExactly(pointer);
              assertThat(invalid.faults().get(0).detail()).contains(detail);
            });
  }

  @Test
  void moreThanAThousandOfAKindAreRefused() {
    String dates = "\"2026-12-25\", ".repeat(1_000) + "\"2026-12-25\"";
    assertThatThrownBy(() -> reader.read(Json.readObject("{\"dates\": [" + dates + "]}")))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid -> assertThat(invalid.faults().get(0).detail()).contains("dates, not 1001"));
  }
}
