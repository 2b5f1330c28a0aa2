package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocument;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.json;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault is reported once, where it is, without consequential faults. */
class ConsequentialFaultsTest {

  private static final String CRON = "{\"type\": \"cron\", \"expression\": \"0 0 3 * * ?\"}";
  private static final String DELAY = "{\"type\": \"delay\", \"duration\": \"PT1H\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /trigger | {"type": "rate", "every": "1h", "flexible": "PT10M"} | /trigger/every
          /trigger | {"type": "rate", "flexible": "PT10M"} | /trigger/every
          /trigger | {"type": "rate", "evry": "PT1H", "flexible": "PT10M"} | /trigger/evry
          /trigger | {"type": "cron", "expresion": "0 0 3 * * ?"} | /trigger/expresion
          /trigger | {"type": "at", "time": "2026-02-28T23:00", "zone": "Amerika/Los_Angeles"} | /trigger/zone
          /trigger | {"type": "at", "time": "2030-03-01T01:00:00Z", "zone": "Amerika/Los_Angeles"} | /trigger/zone
          /trigger | {"type": "quiet", "of": {"type": "event", "key": "k"}, "period": "PT1M", "atMost": "1h"} | /trigger/atMost
          /trigger | {"type": "quiet", "of": {"type": "event", "key": "k"}, "priod": "PT1M", "atMost": "PT0.1S"} | /trigger/priod /trigger/atMost
          /timeout | {"after": "1d", "action": "discard"} | /timeout/after
          /timeout | {"after": "PT1M", "action": "launhc"} | /timeout/action
          /catchUp | {"policy": "none", "window": "1d"} | /catchUp/window
          /priority | "" | /priority
          """)
  void oneFaultIsReportedOnce(String pointer, String value, String pointers) {
    ObjectNode document = with(aDocument(), "/trigger", CRON);
    document.set("constraints", json("[" + DELAY + "]"));
    with(document, pointer, value);

    assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly(pointers.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type": "timeWindow", "from": "6am", "to": "00:00"} | /from
          {"type": "timeWindow", "from": "24:00", "to": "06:00"} | /from
          {"type": "resource", "name": "r", "atLaest": 3} | /atLaest
          {"type": "resource", "name": "r", "atMots": 3} | /atMots
          """)
  void oneFaultOfAConstraintIsReportedOnce(String constraint, String pointer) {
    ObjectNode document = with(aDocument(), "/constraints", "[" + constraint + "]");
    assertThat(faultsOf(document))
        .extracting(Fault::pointer)
        .containsExactly("/constraints/0" + pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type": "crno", "expression": "0 0 3 * * ?"} | /trigger/type
          {"type": "or", "triggers": [{"type": "crno"}]} | /trigger/triggers/0/type
          null | /trigger
          """)
  void thePlaceholderOfAnInvalidTriggerHasNoFaults(String trigger, String pointer) {
    ObjectNode document = with(aDocument(), "/catchUp", "{\"policy\": \"latest\"}");
    with(document, "/trigger", trigger);

    assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly(pointer);
  }

  @Test
  void aMisspeltNameIsNotAlsoReportedAsMissing() {
    ObjectNode document = with(aDocument(), "/tagret", "{}");
    document.remove("target");
    assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly("/tagret");
  }

  @Test
  void aLocalTimeIsNotCheckedInAnUnknownZone() {
    ObjectNode document = with(aDocument(), "/zone", "\"Amerika/Los_Angeles\"");
    with(document, "/trigger", "{\"type\": \"at\", \"time\": \"2026-02-28T23:00\"}");
    assertThat(faultsOf(document)).extracting(Fault::pointer).containsExactly("/zone");

    with(document, "/trigger", "{\"type\": \"at\", \"time\": \"2026-02-28T23:00:00Z\"}");
    assertThat(faultsOf(document))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder("/zone", "/trigger/time");
  }

  @Test
  void aWholeCalendarResponseIsRefusedWithOneHint() {
    JsonNode answer = json("{\"namespace\": \"a\", \"name\": \"b\", \"calendar\": {}}");
    InvalidDocument refused =
        catchThrowableOfType(
            InvalidDocument.class, () -> new CalendarReader(ZoneOffset.UTC).read(answer));
    assertThat(refused.faults())
        .containsExactly(
            new Fault(
                "/calendar",
                "the document is the whole answer of a GET; send only its member \"calendar\""));
  }
}
