package dev.carillon.schedule;

import static dev.carillon.schedule.Documents.ID;
import static dev.carillon.schedule.Documents.NOW;
import static dev.carillon.schedule.Documents.aDocument;
import static dev.carillon.schedule.Documents.aDocumentWith;
import static dev.carillon.schedule.Documents.aFullDocument;
import static dev.carillon.schedule.Documents.faultsOf;
import static dev.carillon.schedule.Documents.json;
import static dev.carillon.schedule.Documents.parsed;
import static dev.carillon.schedule.Documents.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.Dialect;
import dev.carillon.time.Dst;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.Cron;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleParserTest {

  @Test
  void everyDefaultIsWrittenIntoTheDocument() {
    assertThat(parsed(aDocument()).document())
        .isEqualTo(
            json(
                """
                {"description": "", "app": null, "program": "report", "tags": {}, "customer": null,
                 "zone": "UTC", "trigger": {"type": "manual"},
                 "target": {"queue": "exports", "template": {}, "attributes": {}, "groupId": null},
                 "priority": 5, "properties": {}, "constraints": [], "timeout": null, "pool": null,
                 "operations": null, "tracking": null, "onEnd": null, "whilePending": "queue",
                 "catchUp": {"policy": "all", "window": null},
                 "retry": null,
                 "afterCompletion": "keep"}
                """));
  }

  @Test
  void everyFieldIsRead() {
    Schedule schedule = parsed(aFullDocument());
    assertThat(schedule.id()).isEqualTo(ID);
    assertThat(schedule.program()).isEqualTo("exporter");
    assertThat(schedule.app()).isEqualTo("exports");
    assertThat(schedule.tags()).isEqualTo(Map.of("team", "data"));
    assertThat(schedule.customer()).isEqualTo("${properties.customer}");
    assertThat(schedule.zone()).isEqualTo(ZoneId.of("America/Los_Angeles"));
    assertThat(schedule.priority().intValue()).isEqualTo(3);
    assertThat(schedule.properties().path("region").textValue()).isEqualTo("eu");
    assertThat(schedule.deleteAfterCompletion()).isTrue();
    assertThat(schedule.state()).isEqualTo(ScheduleState.ACTIVE);
    assertThat(schedule.target().queue()).isEqualTo("exports");
    assertThat(schedule.target().template()).isEqualTo(aFullDocument().at("/target/template"));
    assertThat(schedule.target().attributes()).isEqualTo(Map.of("kind", "daily"));
    assertThat(schedule.target().groupId()).isEqualTo("${customer}");
  }

  @Test
  void everyTriggerIsRead() {
    assertThat(parsed(aFullDocument()).trigger().leaves())
        .containsExactly(
            new Cron(
                "0 0 3 * * ?",
                Dialect.QUARTZ,
                ZoneId.of("Europe/Berlin"),
                new Dst(Dst.Gap.SKIP, Dst.Overlap.BOTH)),
            new Cron("0 2 * * 1", Dialect.UNIX, null, Dst.DEFAULT),
            new Trigger.Rate(Duration.ofDays(1), Instant.parse("2020-01-01T05:30:00Z")),
            new Trigger.At(Instant.parse("2026-07-01T16:00:00Z")),
            new Trigger.Partition("ns.purchases", 3),
            new Trigger.Size("clicks", 1_000_000_000_000L),
            new Trigger.AnyEvent("aws.s3:Object Created", 1, null),
            new Trigger.ProgramStatus("etl", Set.of("SUCCEEDED", "FAILED"), 2));
  }

  @Test
  void theDocumentWithDefaultsIsReadAsTheSame() {
    for (ObjectNode document : List.of(aDocument(), aFullDocument())) {
      Schedule first = parsed(document);
      Schedule again = parsed(first.document());
      assertThat(again.document()).isEqualTo(first.document());
      assertThat(again.trigger()).isEqualTo(first.trigger());
      assertThat(again.isSameGenerationAs(first)).isTrue();
    }
  }

  @Test
  void theDocumentIsEqualToItselfAfterItWasStored() {
    Schedule schedule =
        parsed(aDocumentWith("/properties", "{\"a\": 5.0, \"b\": 1e2, \"c\": 12345678901234}"));
    assertThat(Json.readObject(Json.write(schedule.document()))).isEqualTo(schedule.document());
  }

  @Test
  void aStoredDocumentIsReadBackUnchanged() {
    Schedule schedule = parsed(aFullDocument());
    Schedule stored =
        new ScheduleParser(ZoneId.of("Asia/Tokyo")).parseStored(stored(schedule.document()));
    assertThat(stored.document()).isEqualTo(schedule.document());
    assertThat(stored.trigger()).isEqualTo(schedule.trigger());
    assertThat(stored.zone()).isEqualTo(schedule.zone());
    assertThat(stored.target()).isEqualTo(schedule.target());
    assertThat(stored.state()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": \"at\", \"time\": \"2001-01-01T00:00:00Z\"}",
        "{\"type\": \"cron\", \"expression\": \"0 0 0 1 1 ? 2001\"}"
      })
  void aStoredDocumentCanContainPastTimes(String trigger) {
    ObjectNode document = aDocumentWith("/trigger", trigger);
    assertThat(faultsOf(document)).hasSize(1);
    Schedule stored = new ScheduleParser(ZoneId.of("UTC")).parseStored(stored(document));
    assertThat(stored.trigger()).isInstanceOf(Trigger.TimeLeaf.class);
  }

  @Test
  void aDamagedStoredDocumentIsNotTheUsersFault() {
    ScheduleParser parser = new ScheduleParser(ZoneId.of("UTC"));
    assertThatThrownBy(() -> parser.parseStored(stored(Json.object())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sales/report");
  }

  private static Definition stored(ObjectNode document) {
    return new Definition(ID, 1, document, NOW, NOW, "ann", NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /description     | "other"
          /tags            | {"a": "b"}
          /state           | "ACTIVE"
          /priority        | 5
          /program         | "sales/report"
          /timeout         | null
          /zone            | "UTC"
          /app             | null
          """)
  void labelsStateAndDefaultsKeepTheGeneration(String pointer, String value) {
    Schedule stored = parsed(aDocument());
    assertThat(parsed(aDocumentWith(pointer, value)).isSameGenerationAs(stored)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /priority             | 4
          /program              | "other"
          /zone                 | "Europe/Berlin"
          /app                  | "exports"
          /customer             | "acme"
          /target/template/a    | 1
          /target/queue         | "other"
          /properties/a         | 1
          /afterCompletion      | "delete"
          /trigger              | {"type": "event", "key": "a"}
          """)
  void everythingElseBeginsAGeneration(String pointer, String value) {
    Schedule stored = parsed(aDocument());
    assertThat(parsed(aDocumentWith(pointer, value)).isSameGenerationAs(stored)).isFalse();
  }

  @Test
  void anAbsentStateStaysAbsent() {
    assertThat(parsed(aDocument()).state()).isNull();
    assertThat(parsed(aDocumentWith("/state", "null")).state()).isNull();
    assertThat(parsed(aDocumentWith("/state", "\"SUSPENDED\"")).state())
        .isEqualTo(ScheduleState.SUSPENDED);
    assertThat(parsed(aDocumentWith("/state", "\"ACTIVE\"")).document().has("state")).isFalse();
  }

  @Test
  void nullForAnOptionalFieldMeansThatItIsAbsent() {
    ObjectNode document = aDocument();
    parsed(document).document().fieldNames().forEachRemaining(name -> addNull(document, name));
    assertThat(parsed(document).document()).isEqualTo(parsed(aDocument()).document());
  }

  private static void addNull(ObjectNode document, String name) {
    if (!document.has(name)) {
      document.putNull(name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-03-29T02:30 | Europe/Berlin | 2026-03-29T01:00:00Z
          2026-10-25T02:30 | Europe/Berlin | 2026-10-25T00:30:00Z
          2026-10-25T02:30:15.250 | +02:00 | 2026-10-25T00:30:15.250Z
          """)
  void aLocalTimeInAGapMeansItsEndAndInAnOverlapTheFirst(String time, String zone, String instant) {
    String trigger = "{\"type\": \"at\", \"time\": \"%s\", \"zone\": \"%s\"}".formatted(time, zone);
    assertThat(parsed(aDocumentWith("/trigger", trigger)).trigger())
        .isEqualTo(new Trigger.At(Instant.parse(instant)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /priority               | "${events[0].payload.priority}"
          /priority               | 0
          /priority               | 9
          /customer               | "${events[0].payload.customer}"
          /target/template        | "plain ${jobId} $${literal}"
          /target/template        | [1, "${trigger}", null, true]
          /target/template        | 5
          /target/queue           | "arn:aws:sqs:eu-west-1:123456789012:exports.fifo"
          /target/queue           | "https://sqs.eu-west-1.amazonaws.com/123456789012/exports"
          /target/attributes      | {"a": "${attempt}", "b.c": "x", "C_-1": "y", "d": "two\\nlines"}
          /description            | ""
          /description            | "two\\nlines"
          /tags                   | {}
          /operations             | null
          /retry                  | null
          /tracking               | {}
          /tracking               | {"enqueueTimeout": "P14D", "claimTimeout": "PT1S"}
          /catchUp                | {"policy": "all", "window": null}
          /catchUp                | {}
          /zone                   | "+02:00"
          /trigger                | {"type": "or", "triggers": [{"type": "manual"}]}
          /trigger                | {"type": "rate", "every": "PT1S"}
          /trigger                | {"type": "rate", "every": "PT1.5S", "anchor": "2099-01-01T00:00:00Z"}
          /trigger                | {"type": "cron", "expression": "0 0 2 * * ?", "dst": {}}
          /trigger                | {"type": "cron", "expression": "0 0 2 * * ?", "flexible": null}
          /trigger                | {"type": "cron", "expression": "0 0 2 * * ?", "flexible": "P7D"}
          /trigger                | {"type": "cron", "expression": "0 0 2 * * ?", "exclude": ["us-holidays", "de"]}
          /trigger                | {"type": "cron", "expression": "0 0 2 * * ?", "exclude": []}
          /trigger                | {"type": "rate", "every": "PT1M", "flexible": "PT1M"}
          /trigger                | {"type": "at", "time": "2026-03-01T00:00:00.001Z"}
          /trigger                | {"type": "elapsed", "since": "lastLaunch", "duration": "PT4H"}
          /trigger                | {"type": "elapsed", "since": {"type": "programStatus", "program": "etl", "statuses": ["FAILED"]}, "duration": "P1D"}
          /trigger                | {"type": "quiet", "of": {"type": "partition", "dataset": "d", "count": 1}, "period": "PT1S", "atMost": "PT1S"}
          /trigger                | {"type": "quiet", "of": {"type": "size", "stream": "s", "bytes": 1}, "period": "PT1M"}
          """)
  void isAccepted(String pointer, String value) {
    assertThat(faultsOf(aDocumentWith(pointer, value))).isEmpty();
  }

  /** The offset of "sales/report" within a day is 7:26:31 hours. */
  @ParameterizedTest
  @CsvSource({"17, true", "16, false"})
  void aFlexibleCronIsAcceptedUntilItsLastShiftedFire(int hour, boolean isAccepted) {
    String trigger =
        """
        {"type": "cron", "expression": "0 0 %d 28 2 ? 2026", "flexible": "P1D"}
        """
            .formatted(hour);
    List<Fault> faults = faultsOf(aDocumentWith("/trigger", trigger));
    assertThat(faults).hasSize(isAccepted ? 0 : 1);
    assertThat(faults)
        .allMatch(fault -> fault.detail().contains("it never fires after 2026-03-01"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"policy": "none", "window": "P1D"} | {"type": "cron", "expression": "0 0 3 * * ?"} | /catchUp/window | "policy" is "none", which launches no missed fires
          {"window": "PT59S"} | {"type": "rate", "every": "PT1H"} | /catchUp/window | "window" is "PT59S"; give an ISO-8601 duration of whole milliseconds from PT1M
          {"window": "P1M"} | {"type": "rate", "every": "PT1H"} | /catchUp/window | weeks, months and years are not supported
          {"policy": "none"} | {"type": "event", "key": "k"} | /catchUp | leave it out
          {"window": "P1D"}  | {"type": "manual"} | /catchUp | leave it out
          {"policy": "latest"} | {"type": "and", "triggers": [{"type": "rate", "every": "PT1H"}, {"type": "rate", "every": "PT2H"}]} | /catchUp | it applies only if the trigger is a cron, rate or at
          """)
  void catchUpIsRefused(String catchUp, String trigger, String pointer, String detail) {
    ObjectNode document = with(aDocumentWith("/catchUp", catchUp), "/trigger", trigger);
    assertThat(faultsOf(document))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"policy\":\"latest\",\"window\":null}",
        "{\"policy\":\"latest\",\"window\":\"PT1M\"}",
        "{\"policy\":\"none\",\"window\":null}",
        "{\"policy\":\"all\",\"window\":\"PT24H\"}"
      })
  void catchUpIsAcceptedIfEveryFireIsAJob(String catchUp) {
    String times =
        "{\"type\": \"or\", \"triggers\": [{\"type\": \"rate\", \"every\": \"PT1H\"}, {\"type\":"
            + " \"cron\", \"expression\": \"0 0 3 * * ?\"}]}";
    Schedule read = parsed(with(aDocumentWith("/catchUp", catchUp), "/trigger", times));
    assertThat(Json.write(read.document().path("catchUp"))).isEqualTo(catchUp);
  }

  @Test
  void allFaultsAreFoundAtOnce() {
    ObjectNode document =
        (ObjectNode)
            json(
                """
                {"description": 5, "zone": "Europe/Berlim", "priority": 10, "prority": 1,
                 "tags": {"a b": 1}, "timeout": {},
                 "trigger": {"type": "and", "triggers": [
                   {"type": "cron", "expression": "0 0 2 31 2 ?"},
                   {"type": "partition", "dataset": "", "count": 0},
                   {"type": "or", "triggers": []},
                   {"type": "programStatus", "program": "other/etl", "statuses": ["DONE"]}]},
                 "target": {"template": {"a": ["${nonsense}"]}, "attributes": {"AWS.x": "${no}"}}}
                """);
    assertThat(faultsOf(document))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder(
            "/description",
            "/zone",
            "/priority",
            "/prority",
            "/tags/a b",
            "/tags/a b",
            "/timeout/after",
            "/timeout/action",
            "/trigger/triggers/0/expression",
            "/trigger/triggers/1/dataset",
            "/trigger/triggers/1/count",
            "/trigger/triggers/2/triggers",
            "/trigger/triggers/3/program",
            "/trigger/triggers/3/statuses/0",
            "/target/queue",
            "/target/template/a/0",
            "/target/attributes/AWS.x",
            "/target/attributes/AWS.x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad namespace/report", "/report", "sales/", "sales/a b", "sales/ä"})
  void anInvalidScheduleNameIsRefused(String id) {
    ScheduleParser parser = new ScheduleParser(ZoneId.of("UTC"));
    assertThatThrownBy(() -> parser.parse(ScheduleId.parse(id), aDocument(), NOW))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid -> assertThat(invalid.faults()).extracting(Fault::pointer).contains(""));
  }

  @Test
  void theDefaultZoneIsThatOfTheDeployment() {
    ScheduleParser parser = new ScheduleParser(ZoneId.of("Asia/Tokyo"));
    ObjectNode document =
        with(aDocument(), "/trigger", "{\"type\": \"at\", \"time\": \"2026-07-01T09:00\"}");
    Schedule schedule = parser.parse(ID, document, NOW);
    assertThat(schedule.zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
    assertThat(schedule.trigger()).isEqualTo(new Trigger.At(Instant.parse("2026-07-01T00:00:00Z")));
  }
}
