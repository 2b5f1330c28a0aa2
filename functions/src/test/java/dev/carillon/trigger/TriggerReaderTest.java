package dev.carillon.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggerReaderTest {

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
  private static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");
  private static final ScheduleId ID = new ScheduleId("sales", "report");

  private final Faults faults = new Faults();

  private Trigger read(String document) {
    return new TriggerReader(ID, ZONE, NOW, faults).read(json(document), "/trigger");
  }

  private static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                              | /type  | "type" is missing; use one of "cron", "rate"
          {"type": "crno"}                | /type  | "type" is "crno"; did you mean "cron"?
          {"type": 5}                     | /type  | "type" is 5; use one of
          {"type": "elapse"}              | /type  | did you mean "elapsed"?
          "cron"                          | ''     | "cron" is not an object
          {"type": "manual", "count": 1}  | /count | "count" is an unknown field
          {"type": "event", "key": "event:invoice"} | /key | "key" is "event:invoice"; "event:" is added automatically; write "invoice"
          {"type": "event", "key": "event:"} | /key | "key" is "event:"; give what follows "event:"
          {"type": "cron"}                | /expression | "expression" is missing
          {"type": "cron", "expression": ""}               | /expression | "expression" is ""
          {"type": "cron", "expression": 5}                | /expression | "expression" is 5
          {"type": "cron", "expression": "0 0 3 * *"}      | /expression | '0 0 3 * *': 5 fields, but
          {"type": "cron", "expression": "0 0 25 * * ?"}   | /expression | 0 0 25 * * ?
          {"type": "cron", "expression": "0 0 2 31 2 ?"}   | /expression | it never fires after 2026-03-01T00:00:00.000Z
          {"type": "cron", "expression": "0 30 * * * ? 2019"} | /expression | it never fires
          {"type": "cron", "expression": "0 0 2 * * ?", "zone": "Mars"} | /zone | the time zone is unknown
          {"type": "cron", "expression": "0 0 2 * * ?", "dialect": "aws"} | /expression | '?' is not understood; the fields are minute hour day-of-month month day-of-week year
          {"type": "cron", "expression": "0 0 2 * * ?", "dialect": "posix"} | /dialect | use one of "quartz", "unix"
          {"type": "cron", "expression": "0 0 2 * * ?", "dst": "skip"} | /dst | "skip" is not an object
          {"type": "cron", "expression": "0 0 2 * * ?", "dst": {"gap": "both"}} | /dst/gap | use one of "shift", "skip"
          {"type": "cron", "expression": "0 0 2 * * ?", "dst": {"overlap": "skip"}} | /dst/overlap | use one of "first", "second", "both"
          {"type": "cron", "expression": "0 0 2 * * ?", "dst": {"gaps": "skip"}} | /dst/gaps | did you mean "gap"?
          {"type": "cron", "expression": "0 0 2 * * ?", "exclude": "us"} | /exclude | "exclude" is "us"; give a list of names of calendars
          {"type": "cron", "expression": "0 0 2 * * ?", "exclude": ["us", "u s"]} | /exclude/1 | "u s" is not a calendar name; give 1 to 64 letters
          {"type": "cron", "expression": "0 0 2 * * ?", "exclude": [5]} | /exclude/0 | 5 is not a calendar name
          {"type": "cron", "expression": "0 0 2 * * ?", "exclude": ["us", "us"]} | /exclude/1 | "us" is repeated
          {"type": "cron", "expression": "0 0 2 * * ?", "flexible": "PT0.5S"} | /flexible | "flexible" is "PT0.5S"; give an ISO-8601 duration of whole milliseconds from PT1S to P7D
          {"type": "cron", "expression": "0 0 2 * * ?", "flexible": "P8D"} | /flexible | to P7D
          {"type": "cron", "expression": "0 0 2 * * ?", "flexible": 4} | /flexible | "flexible" is 4
          {"type": "cron", "expression": "0 0 2 * * ?", "every": "PT4H"} | /every | unknown field
          {"type": "rate"}                                  | /every | "every" is missing
          {"type": "rate", "every": "PT0.9S"}               | /every | "every" is "PT0.9S"; give an ISO-8601 duration
          {"type": "rate", "every": "PT1.0005S"}            | /every | whole milliseconds
          {"type": "rate", "every": "P3661D"}               | /every | PT1S to P3660D
          {"type": "rate", "every": "P1M"}                  | /every | "every" is "P1M"; weeks, months and years are not supported; give days or smaller units, like "P7D"
          {"type": "rate", "every": "P1W"}                  | /every | days or smaller units
          {"type": "cron", "expression": "0 2 * * *", "dialect": "aws"} | /expression | 5 fields, but dialect aws has 6: minute
          {"type": "cron", "expression": "0 2 * * ? 2150", "dialect": "aws"} | /expression | it never fires after
          {"type": "at", "time": "noon", "zone": "Europe/Berlin"} | /time | "time" is "noon"
          {"type": "at", "time": "5000-01-01T00:00:00Z"}     | /time | from 1970-01-01 to 4999-12-31, because the id of a job
          {"type": "at", "time": "5188-04-23T00:00:00Z"}     | /time | from 1970-01-01 to 4999-12-31
          {"type": "rate", "every": "PT1M", "anchor": "5188-04-23T00:00:00Z"} | /anchor | from 1970-01-01 to 4999-12-31
          {"type": "rate", "every": 60}                     | /every | "every" is 60
          {"type": "rate", "every": "PT1M", "anchor": "noon"} | /anchor | "anchor" is "noon"; give an ISO-8601 instant
          {"type": "rate", "every": "PT1M", "anchor": "2026-01-01T00:00"} | /anchor | give an ISO-8601 instant
          {"type": "rate", "every": "PT1M", "anchor": "1969-12-31T23:59:59Z"} | /anchor | give an ISO-8601 instant
          {"type": "rate", "every": "PT1M", "exclude": [null]} | /exclude/0 | null is not a calendar name
          {"type": "at", "time": "2026-05-01T00:00:00Z", "exclude": ["us"]} | /exclude | unknown field
          {"type": "rate", "every": "PT1M", "flexible": "PT61S"} | /flexible | from PT1S to PT1M
          {"type": "at", "time": "2026-05-01T00:00:00Z", "flexible": "PT1M"} | /flexible | unknown field
          {"type": "at"}                                    | /time  | "time" is missing
          {"type": "at", "time": 1700000000000}             | /time  | "time" is 1700000000000; give
          {"type": "at", "time": "tomorrow"}                | /time  | "time" is "tomorrow"; give an instant like
          {"type": "at", "time": "2026-02-30T00:00:00Z"}    | /time  | give an instant
          {"type": "at", "time": "2026-05-01T00:00:00.0001Z"} | /time | whole milliseconds
          {"type": "at", "time": "+20000-01-01T00:00:00Z"}  | /time  | to 4999-12-31
          {"type": "at", "time": "2026-03-01T00:00:00Z"}    | /time  | "time" is "2026-03-01T00:00:00Z"; it is in the past
          {"type": "at", "time": "2026-02-28T16:00"}        | /time  | it is in the past
          {"type": "at", "time": "2026-05-01T00:00:00Z", "zone": "UTC"} | /zone | leave the zone out
          {"type": "at", "time": "2026-05-01T00:00", "zone": "Mars"} | /zone | the time zone is unknown
          {"type": "partition", "count": 1}                 | /dataset | "dataset" is missing
          {"type": "partition", "dataset": ""}              | /dataset | "dataset" is ""
          {"type": "partition", "dataset": "a\\nb"}         | /dataset | control character
          {"type": "partition", "dataset": 7}               | /dataset | "dataset" is 7
          {"type": "partition", "dataset": "d", "count": 0} | /count | "count" is 0; give a whole number from 1 to 1000000000
          {"type": "partition", "dataset": "d", "count": -1} | /count | "count" is -1
          {"type": "partition", "dataset": "d", "count": 1.5} | /count | "count" is 1.5
          {"type": "partition", "dataset": "d", "count": "1"} | /count | "count" is "1"
          {"type": "partition", "dataset": "d", "count": 1000000001} | /count | "count" is 1000000001
          {"type": "partition", "dataset": "d", "count": 99999999999999999999} | /count | "count" is 99999999999999999999
          {"type": "size", "bytes": 1}                      | /stream | "stream" is missing
          {"type": "size", "stream": "s"}                   | /bytes | "bytes" is missing; give a whole number from 1
          {"type": "size", "stream": "s", "bytes": 0}       | /bytes | "bytes" is 0
          {"type": "size", "stream": "s", "bytes": 1000000000000001} | /bytes | to 1000000000000000
          {"type": "event"}                                 | /key   | "key" is missing
          {"type": "event", "key": "k", "count": 0}         | /count | "count" is 0
          {"type": "event", "key": "k", "filter": "x"} | /filter | an event pattern is an object
          {"type": "event", "key": "k", "filter": {}} | /filter | an event pattern is an object
          {"type": "event", "key": "k", "filter": []} | /filter | an event pattern is an object
          {"type": "event", "key": "k", "filter": {"a": 1}} | /filter/a | 1 is neither a list of values nor an object; give [1]
          {"type": "event", "key": "k", "filter": {"a": []}} | /filter/a | Empty arrays are not allowed
          {"type": "event", "key": "k", "filter": {"a": {}}} | /filter/a | an event pattern is an object
          {"type": "event", "key": "k", "filter": {"a": {"b/c": [{"prefix": 1}]}}} | /filter/a/b~1c | prefix match pattern must be a string; see
          {"type": "event", "key": "k", "filter": {"a": [{"like": "x"}]}} | /filter/a | Unrecognized match type like
          {"type": "event", "key": "k", "filter": {"a": [{"cidr": "1.2.3"}]}} | /filter/a | CIDR
          {"type": "event", "key": "k", "filter": {"$or": [{"a": [1]}]}} | /filter/$or | two or more patterns
          {"type": "event", "key": "k", "filter": {"$or": [{"a": [1]}, {"b": 2}]}} | /filter/$or/1/b | neither a list
          {"type": "event", "key": "k", "filter": {"a": [{"wildcard": "*a*b*c*d*e*f"}, {"anything-but": {"wildcard": "*a*b*c*d*e*f"}}]}} | /filter | 12 "*" in wildcards; give at most 10
          {"type": "programStatus", "statuses": ["FAILED"]} | /program | "program" is missing
          {"type": "programStatus", "program": "a b", "statuses": ["FAILED"]} | /program | "program" is "a b"
          {"type": "programStatus", "program": "hr/etl", "statuses": ["FAILED"]} | /program | a program of another namespace is not allowed; name one of "sales"
          {"type": "programStatus", "program": "sales/a b", "statuses": ["FAILED"]} | /program | after the "/" give
          {"type": "programStatus", "program": "p"}         | /statuses | "statuses" is missing; give a list
          {"type": "programStatus", "program": "p", "statuses": []} | /statuses | one or more of STARTED
          {"type": "programStatus", "program": "p", "statuses": "FAILED"} | /statuses | "statuses" is "FAILED"
          {"type": "programStatus", "program": "p", "statuses": ["FAILED", "DONE"]} | /statuses/1 | "DONE" is not a status
          {"type": "programStatus", "program": "p", "statuses": [null]} | /statuses/0 | null is not a status
          {"type": "programStatus", "program": "p", "statuses": ["FAILED", "FAILED"]} | /statuses/1 | "FAILED" is repeated
          {"type": "programStatus", "program": "p", "statuses": ["FAILED"], "count": 0} | /count | "count" is 0
          {"type": "elapsed", "duration": "PT1H"}           | /since | "since" is missing; give "lastLaunch" or a trigger
          {"type": "elapsed", "since": "lastRun", "duration": "PT1H"} | /since | use "lastLaunch"
          {"type": "elapsed", "since": "lastLaunch"}        | /duration | "duration" is missing
          {"type": "elapsed", "since": "lastLaunch", "duration": "PT0S"} | /duration | from PT1S
          {"type": "elapsed", "since": 5, "duration": "PT1H"} | /since | 5 is not an object
          {"type": "elapsed", "since": {"type": "manual"}, "duration": "PT1H"} | /since/type | "manual" names no events; use "partition"
          {"type": "elapsed", "since": {"type": "or", "triggers": [{"type": "event", "key": "k"}]}, "duration": "PT1H"} | /since/triggers | nest at most 8 levels deep
          {"type": "elapsed", "since": {"type": "event", "key": "k", "count": 2}, "duration": "PT1H"} | /since/count | "count" is 2, but each event counts as one here; give 1
          {"type": "elapsed", "since": "lastLaunch", "duration": "PT1H", "of": {}} | /of | unknown field
          {"type": "quiet", "period": "PT1H"}               | /of | "of" is missing; give a trigger that names events
          {"type": "quiet", "of": {"type": "partition"}, "period": "PT1H"} | /of/dataset | "dataset" is missing
          {"type": "quiet", "of": {"type": "size", "stream": "s", "bytes": 5}, "period": "PT1H"} | /of/bytes | "bytes" is 5, but each event
          {"type": "quiet", "of": {"type": "event", "key": "k"}} | /period | "period" is missing
          {"type": "quiet", "of": {"type": "event", "key": "k"}, "period": "PT1H", "atMost": "PT59M"} | /atMost | shorter than "period"
          {"type": "quiet", "of": {"type": "cron", "expression": "0 0 3 * * ?"}, "period": "PT1H"} | /of/type | "cron" names no events
          {"type": "and"}                                   | /triggers | "triggers" is missing; give a list of 1 to 32
          {"type": "or", "triggers": []}                    | /triggers | give a list of 1 to 32 triggers, not 0
          {"type": "or", "triggers": {}}                    | /triggers | "triggers" is an object
          {"type": "or", "triggers": [null]}                | /triggers/0 | null is not an object
          {"type": "or", "triggers": [{"type": "manual"}], "count": 1} | /count | unknown field
          {"type": "and", "triggers": [{"type": "event", "key": "k"}, {"type": "manual"}]} | /triggers/1 | never satisfied
          {"type": "and", "triggers": [{"type": "or", "triggers": [{"type": "manual"}]}]} | /triggers/0 | never satisfied
          """)
  void isRefused(String document, String pointer, String detail) {
    read(document);
    assertThat(faults.found())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/trigger" + pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void manualIsAllowedIfAnotherTriggerCanSatisfy() {
    read(
        """
        {"type": "and", "triggers": [
          {"type": "event", "key": "k"},
          {"type": "or", "triggers": [{"type": "manual"}, {"type": "event", "key": "l"}]}]}
        """);
    assertThat(faults.found()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"partition,dataset", "size,stream", "event,key"})
  void aNameOfDataHasAtMost256Characters(String type, String field) {
    String document = "{\"type\": \"%s\", \"%s\": \"%s\"%s}";
    String bytes = type.equals("size") ? ", \"bytes\": 1" : "";
    read(document.formatted(type, field, "é".repeat(256), bytes));
    assertThat(faults.found()).isEmpty();
    read(document.formatted(type, field, "é".repeat(257), bytes));
    assertThat(faults.found()).extracting(Fault::pointer).containsExactly("/trigger/" + field);
  }

  private static String composite(String type, List<String> children) {
    String triggers = String.join(",", children);
    return "{\"type\": \"%s\", \"triggers\": [%s]}".formatted(type, triggers);
  }

  private static List<String> many(int count, String form) {
    return IntStream.range(0, count).mapToObj(form::formatted).collect(Collectors.toList());
  }

  @Test
  void mayHave32ChildrenAndNoMore() {
    String child = "{\"type\": \"event\", \"key\": \"k\"}";
    read(composite("and", Collections.nCopies(32, child)));
    assertThat(faults.found()).isEmpty();
    read(composite("and", Collections.nCopies(33, child)));
    assertThat(faults.found()).extracting(Fault::pointer).containsExactly("/trigger/triggers");
  }

  @Test
  void mayNest8DeepAndNoDeeper() {
    String nested = "{\"type\": \"event\", \"key\": \"k\"}";
    for (int depth = 0; depth < 8; depth++) {
      nested = composite(depth % 2 == 0 ? "and" : "or", List.of(nested));
    }
    read(nested);
    assertThat(faults.found()).isEmpty();
    read(composite("and", List.of(nested)));
    assertThat(faults.found())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer())
                  .isEqualTo("/trigger" + "/triggers/0".repeat(8) + "/triggers");
              assertThat(fault.detail()).contains("at most 8 levels deep");
            });
  }

  @Test
  void mayHave8TimeTriggersAndNoMore() {
    String form = "{\"type\": \"rate\", \"every\": \"PT%dM\"}";
    read(composite("or", many(9, form).subList(1, 9)));
    assertThat(faults.found()).isEmpty();
    read(composite("or", many(10, form).subList(1, 10)));
    assertThat(faults.found())
        .containsExactly(
            new Fault(
                "/trigger",
                "the trigger has 9 time triggers; at most 8 are allowed, so split the schedule"));
  }

  @Test
  void mayHave40EventKeysAndNoMore() {
    String form = "{\"type\": \"partition\", \"dataset\": \"d%d\"}";
    String first = composite("or", many(32, form));
    String others = composite("or", many(8, "{\"type\": \"event\", \"key\": \"e%d\"}"));
    read(composite("and", List.of(first, others, first)));
    assertThat(faults.found()).isEmpty();
    String one = "{\"type\": \"size\", \"stream\": \"s\", \"bytes\": 1}";
    read(composite("and", List.of(first, others, one)));
    assertThat(faults.found())
        .containsExactly(
            new Fault(
                "/trigger",
                "the trigger has 41 event keys and calendars; at most 40 are allowed, so split the"
                    + " schedule"));
  }

  @Test
  void isAlsoFoundByItsCalendars() {
    String cron =
        "{\"type\": \"cron\", \"expression\": \"0 0 2 * * ?\", \"exclude\": [\"%s\", \"us\"]}";
    Trigger trigger =
        read(
            composite(
                "or",
                List.of(
                    cron.formatted("de"),
                    cron.formatted("fr"),
                    "{\"type\": \"event\", \"key\": \"k\"}")));
    assertThat(trigger.eventKeys()).containsExactly("event:k");
    assertThat(trigger.indexKeys())
        .containsExactly("calendar:de", "calendar:fr", "calendar:us", "event:k");
  }

  @Test
  void isFoundByTheKeysOfAllItsEventLeaves() {
    Trigger trigger =
        read(
            """
            {"type": "or", "triggers": [
              {"type": "partition", "dataset": "p1"},
              {"type": "programStatus", "program": "prog1", "statuses": ["SUCCEEDED"]},
              {"type": "and", "triggers": [
                {"type": "or", "triggers": [
                  {"type": "programStatus", "program": "prog1", "statuses": ["SUCCEEDED"]},
                  {"type": "programStatus", "program": "sales/prog2", "statuses": ["FAILED", "STARTED"]}]},
                {"type": "partition", "dataset": "p2"}]}]}
            """);
    assertThat(faults.found()).isEmpty();
    assertThat(trigger.eventKeys())
        .containsExactlyInAnyOrder(
            "partition:p1",
            "partition:p2",
            "program:prog1:SUCCEEDED",
            "program:prog2:FAILED",
            "program:prog2:STARTED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type": "cron", "expression": "0 0 3 * * ?"} | {"type": "cron", "expression": "0 0 3 * * ?", "dialect": "quartz"}
          {"type": "cron", "expression": "0 3 * * *", "zone": "UTC", "dialect": "unix", "dst": {"gap": "skip"}} | {"type": "cron", "expression": "0 3 * * *", "zone": "UTC", "dialect": "unix", "dst": {"gap": "skip"}}
          {"type": "cron", "expression": "0 0 3 * * ?", "dst": {"overlap": "both", "gap": null}} | {"type": "cron", "expression": "0 0 3 * * ?", "dialect": "quartz", "dst": {"overlap": "both"}}
          {"type": "rate", "every": "P1D"} | {"type": "rate", "every": "PT24H"}
          {"type": "rate", "every": "PT60S", "anchor": "2026-01-01T01:00:00+01:00"} | {"type": "rate", "every": "PT1M", "anchor": "2026-01-01T00:00:00Z"}
          {"type": "at", "time": "2026-05-01T08:00"} | {"type": "at", "time": "2026-05-01T15:00:00Z"}
          {"type": "at", "time": "2026-03-29T02:30", "zone": "Europe/Berlin"} | {"type": "at", "time": "2026-03-29T01:00:00Z"}
          {"type": "at", "time": "2026-10-25T02:30", "zone": "Europe/Berlin"} | {"type": "at", "time": "2026-10-25T00:30:00Z"}
          {"type": "partition", "dataset": "d"} | {"type": "partition", "dataset": "d", "count": 1}
          {"type": "size", "stream": "s", "bytes": 5} | {"type": "size", "stream": "s", "bytes": 5}
          {"type": "event", "key": "k", "filter": {"b": [1.50, {"prefix": "x"}], "a": {"c": [null]}}} | {"type": "event", "key": "k", "count": 1, "filter": {"b": [1.50, {"prefix": "x"}], "a": {"c": [null]}}}
          {"type": "cron", "expression": "0 3 * * ? *", "dialect": "aws"} | {"type": "cron", "expression": "0 3 * * ? *", "dialect": "aws"}
          {"type": "event", "key": "k", "filter": null} | {"type": "event", "key": "k", "count": 1}
          {"type": "programStatus", "program": "sales/p", "statuses": ["FAILED", "STARTED"]} | {"type": "programStatus", "program": "p", "statuses": ["STARTED", "FAILED"], "count": 1}
          {"type": "or", "triggers": [{"type": "manual"}]} | {"type": "or", "triggers": [{"type": "manual"}]}
          """)
  void isWrittenWithItsDefaultsAndReadAgain(String document, String canonical) {
    Trigger trigger = read(document);
    String written = Json.write(TriggerWriter.write(trigger));
    assertThat(json(written)).isEqualTo(json(canonical));
    assertThat(read(written)).isEqualTo(trigger);
    assertThat(faults.found()).isEmpty();
  }
}
