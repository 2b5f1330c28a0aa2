package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.json;
import static dev.carillon.schedule.Documents.parsed;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.gate.LimitTexts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConstraintDocumentsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type": "delay", "duration": "PT10M"} | {"type":"delay","duration":"PT10M","onUnmet":"wait"}
          {"type": "delay", "duration": "PT600S", "onUnmet": "wait"} | {"type":"delay","duration":"PT10M","onUnmet":"wait"}
          {"type": "concurrency", "max": 3, "group": "db"} | {"type":"concurrency","max":3,"group":"db","onUnmet":"wait"}
          {"type": "concurrency", "max": 1000, "onUnmet": "skip"} | {"type":"concurrency","max":1000,"onUnmet":"skip"}
          {"type": "rate", "max": 1, "per": "PT60S"} | {"type":"rate","max":1,"per":"PT1M","onUnmet":"wait"}
          {"type": "sinceLastRun", "duration": "PT1H"} | {"type":"sinceLastRun","duration":"PT1H","onUnmet":"wait"}
          {"type": "resource", "name": "disk", "atMost": 3} | {"type":"resource","name":"disk","atMost":3,"ifUnknown":"wait","onUnmet":"wait"}
          {"type": "resource", "name": "disk", "atLeast": 10.500, "ifUnknown": "allow", "onUnmet": "skip"} | {"type":"resource","name":"disk","atLeast":10.5,"ifUnknown":"allow","onUnmet":"skip"}
          {"type": "resource", "name": "disk", "atMost": 123456789012345678} | {"type":"resource","name":"disk","atMost":123456789012345678,"ifUnknown":"wait","onUnmet":"wait"}
          {"type": "resource", "name": "disk", "atMost": 1.2e3} | {"type":"resource","name":"disk","atMost":1200,"ifUnknown":"wait","onUnmet":"wait"}
          {"type": "timeWindow", "from": "22:00:00", "to": "06:00:01"} | {"type":"timeWindow","from":"22:00","to":"06:00:01","onUnmet":"wait"}
          {"type": "timeWindow", "from": "00:00", "to": "24:00:00", "days": ["SUN", "MON"], "onUnmet": "skip"} | {"type":"timeWindow","from":"00:00","to":"24:00","days":["MON","SUN"],"onUnmet":"skip"}
          {"type": "timeWindow", "from": "01:00", "to": "02:00", "zone": "Europe/Berlin", "days": ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]} | {"type":"timeWindow","from":"01:00","to":"02:00","zone":"Europe/Berlin","onUnmet":"wait"}
          """)
  void isWrittenWithItsDefaults(String given, String canonical) {
    Schedule schedule = parsed(aDocumentWith("/constraints", "[" + given + "]"));
    JsonNode written = schedule.document().path("constraints");
    assertThat(written).isEqualTo(json("[" + canonical + "]"));
    assertThat(json(Json.write(written))).isEqualTo(written);
    assertThat(parsed(aDocumentWith("/constraints", written.toString())).constraints())
        .isEqualTo(schedule.constraints());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /type     | {"duration": "PT1S"} | "type" is missing; use one of
          /type     | {"type": "dely"} | did you mean "delay"?
          /duration | {"type": "delay"} | "duration" is missing; give an ISO-8601 duration
          /duration | {"type": "delay", "duration": "PT0S"} | "duration" is "PT0S"; give an ISO-8601 duration of whole milliseconds from PT0.001S
          /duration | {"type": "delay", "duration": "-PT1S"} | give an ISO-8601 duration
          /duration | {"type": "delay", "duration": "P400D"} | to P366D
          /duration | {"type": "delay", "duration": 10} | give an ISO-8601 duration
          /onUnmet  | {"type": "delay", "duration": "PT1S", "onUnmet": "skip"} | "onUnmet" is "skip"; with "skip" the delay would skip every job
          /onUnmet  | {"type": "timeWindow", "from": "01:00", "to": "02:00", "onUnmet": "later"} | use one of "wait", "skip"
          /atMost   | {"type": "resource", "name": "r"} | "atMost" is missing; give either "atMost" or "atLeast"
          /atMost   | {"type": "resource", "name": "r", "atMost": 1, "atLeast": 1} | "atMost" is 1; give either
          /atMost   | {"type": "resource", "name": "r", "atMost": "1"} | "atMost" is "1"; give a number like 3 or 0.75
          /atLeast  | {"type": "resource", "name": "r", "atLeast": 1e18} | with at most 18 digits before and after the decimal point
          /atLeast  | {"type": "resource", "name": "r", "atLeast": 1e-19} | give a number like 3 or 0.75
          /atLeast  | {"type": "resource", "name": "r", "atLeast": 1e999999999} | give a number like 3 or 0.75
          /atLeast  | {"type": "resource", "name": "r", "atLeast": 1e2147483647} | give a number like 3 or 0.75
          /name     | {"type": "resource", "atMost": 1} | "name" is missing; give 1 to 64
          /name     | {"type": "resource", "name": "a b", "atMost": 1} | "name" is "a b"; give 1 to 64
          /ifUnknown | {"type": "resource", "name": "r", "atMost": 1, "ifUnknown": "skip"} | use one of "wait", "allow"
          /max      | {"type": "resource", "name": "r", "atMost": 1, "max": 1} | "max" is an unknown field
          /max      | {"type": "concurrency"} | "max" is missing; give a whole number from 1 to 1000
          /max      | {"type": "concurrency", "max": 0} | "max" is 0; give a whole number from 1 to 1000
          /max      | {"type": "concurrency", "max": 1001} | "max" is 1001; give a whole number from 1 to 1000
          /group    | {"type": "concurrency", "max": 1, "group": "a b"} | "group" is "a b"; give 1 to 64
          /per      | {"type": "concurrency", "max": 1, "per": "PT1S"} | "per" is an unknown field
          /max      | {"type": "rate", "max": 0, "per": "PT1S"} | "max" is 0; give a whole number
          /per      | {"type": "rate", "max": 1} | "per" is missing; give an ISO-8601 duration
          /per      | {"type": "rate", "max": 1, "per": "PT0S"} | "per" is "PT0S"; give an ISO-8601 duration
          /duration | {"type": "sinceLastRun", "duration": "PT0S"} | "duration" is "PT0S"; give an ISO-8601 duration
          /group    | {"type": "sinceLastRun", "duration": "PT1S", "group": "g"} | "group" is an unknown field
          /max      | {"type": "delay", "duration": "PT1S", "max": 1} | "max" is an unknown field
          /from     | {"type": "timeWindow", "to": "02:00"} | "from" is missing; give a time of the day
          /from     | {"type": "timeWindow", "from": "24:00", "to": "02:00"} | "from" is "24:00"; give a time of the day
          /from     | {"type": "timeWindow", "from": "1:00", "to": "02:00"} | give a time of the day
          /from     | {"type": "timeWindow", "from": "01:60", "to": "02:00"} | give a time of the day
          /from     | {"type": "timeWindow", "from": "01:00:60", "to": "02:00"} | give a time of the day
          /from     | {"type": "timeWindow", "from": " 01:00", "to": "02:00"} | give a time of the day
          /from     | {"type": "timeWindow", "from": 1, "to": "02:00"} | give a time of the day
          /to       | {"type": "timeWindow", "from": "01:00", "to": "24:01"} | "to" is "24:01"; give a time of the day like "06:00" or "18:30:15", or "24:00"
          /to       | {"type": "timeWindow", "from": "01:00", "to": "25:00"} | give a time of the day
          /to       | {"type": "timeWindow", "from": "01:00", "to": "01:00"} | the window is never open
          /to       | {"type": "timeWindow", "from": "00:00", "to": "00:00:00"} | for whole days give "00:00" and "24:00"
          /zone     | {"type": "timeWindow", "from": "01:00", "to": "02:00", "zone": "Mars"} | the time zone is unknown
          /zone     | {"type": "timeWindow", "from": "01:00", "to": "02:00", "zone": "Europe/Berlim"} | did you mean "Europe/Berlin"?
          /days     | {"type": "timeWindow", "from": "01:00", "to": "02:00", "days": []} | "days" is a list; give a list of one or more of MON
          /days     | {"type": "timeWindow", "from": "01:00", "to": "02:00", "days": "MON"} | give a list
          /days/1   | {"type": "timeWindow", "from": "01:00", "to": "02:00", "days": ["MON", "MONDAY"]} | "MONDAY" is not a day; use one of MON, TUE
          /days/1   | {"type": "timeWindow", "from": "01:00", "to": "02:00", "days": ["MON", "MON"]} | "MON" is repeated
          """)
  void isRefused(String pointer, String constraint, String detail) {
    assertThat(faultsOf(aDocumentWith("/constraints", "[" + constraint + "]")))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/constraints/0" + pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void gateDemandsAreReadBackFromTheirText() {
    Schedule schedule =
        parsed(
            aDocumentWith(
                "/constraints",
                """
                [{"type": "concurrency", "max": 3, "group": "db.a-b"},
                 {"type": "concurrency", "max": 1},
                 {"type": "rate", "max": 7, "per": "PT0.5S"},
                 {"type": "rate", "max": 7, "per": "PT1S", "group": "db"},
                 {"type": "sinceLastRun", "duration": "PT1H"},
                 {"type": "resource", "name": "disk.a-b", "atLeast": -1.50, "ifUnknown": "allow"},
                 {"type": "resource", "name": "disk", "atMost": 1000},
                 {"type": "delay", "duration": "PT1H"}]
                """));
    assertThat(schedule.demands().limits()).hasSize(7);
    assertThat(LimitTexts.parse(schedule.demands().text())).isEqualTo(schedule.demands().limits());
  }

  @Test
  void isAnObject() {
    assertThat(faultsOf(aDocumentWith("/constraints", "[5]")))
        .containsExactly(new Fault("/constraints/0", "5 is not an object; give {…}"));
  }

  @Test
  void moreThanTenAreRefused() {
    String ten = "{\"type\": \"delay\", \"duration\": \"PT1S\"}, ".repeat(9);
    String last = "{\"type\": \"delay\", \"duration\": \"PT2S\"}";
    assertThat(faultsOf(aDocumentWith("/constraints", "[" + ten + last + "]"))).isEmpty();
    assertThat(faultsOf(aDocumentWith("/constraints", "[" + ten + last + "," + last + "]")))
        .containsExactly(
            new Fault(
                "/constraints",
                "\"constraints\" is a list; give a list of at most 10 constraints, not 11"));
  }

  @Test
  void windowsThatAreNeverOpenTogetherAreRefused() {
    String morning = "{\"type\": \"timeWindow\", \"from\": \"08:00\", \"to\": \"12:00\"}";
    String evening = "{\"type\": \"timeWindow\", \"from\": \"20:00\", \"to\": \"22:00\"}";
    assertThat(faultsOf(aDocumentWith("/constraints", "[" + morning + "," + evening + "]")))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/constraints");
              assertThat(fault.detail()).contains("never open at the same time");
            });
    assertThat(faultsOf(aDocumentWith("/constraints", "[" + morning + "," + morning + "]")))
        .isEmpty();
    String skip = ", \"onUnmet\": \"skip\"}";
    String skipping = evening.replace("}", skip);
    ObjectNode otherFault = aDocumentWith("/foo", "1");
    for (String windows :
        List.of(morning + "," + skipping, skipping + "," + morning.replace("}", skip))) {
      assertThat(faultsOf(with(otherFault, "/constraints", "[" + windows + "]")))
          .extracting(Fault::pointer)
          .containsExactlyInAnyOrder("/foo", "/constraints");
    }
    ObjectNode launching =
        aDocumentWith("/timeout", "{\"after\": \"PT30M\", \"action\": \"launch\"}");
    assertThat(faultsOf(with(launching, "/constraints", "[" + morning + "," + skipping + "]")))
        .isEmpty();
  }

  @Test
  void anotherConstraintIsAnotherGeneration() {
    Schedule with =
        parsed(aDocumentWith("/constraints", "[{\"type\": \"delay\", \"duration\": \"PT1S\"}]"));
    assertThat(with.isSameGenerationAs(parsed(aDocumentWith("/constraints", "[]")))).isFalse();
  }
}
