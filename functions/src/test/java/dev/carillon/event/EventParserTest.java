package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.event.ParsedMessage.Events;
import dev.carillon.event.ParsedMessage.Malformed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventParserTest {

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00.123456Z");
  private static final Instant NOW_MILLIS = Instant.parse("2026-03-01T00:00:00.123Z");

  static ParsedMessage parse(String message) {
    return EventParser.parse(message, "sqs-1", NOW, Optional.empty());
  }

  private static List<Event> events(String message) {
    return events(parse(message));
  }

  private static List<Event> events(ParsedMessage parsed) {
    assertThat(parsed).isInstanceOf(Events.class);
    return ((Events) parsed).events();
  }

  private static Event event(String message) {
    List<Event> events = events(message);
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  private static List<Fault> faults(ParsedMessage parsed) {
    assertThat(parsed).isInstanceOf(Malformed.class);
    return ((Malformed) parsed).faults();
  }

  @Test
  void anEventIsReadAsItWasSent() {
    Event event =
        event(
            """
            {"id": "e-1", "namespace": "sales", "timestamp": 1700000000123,
             "eventType": "PARTITION",
             "payload": {"datasetId": "ns.purchases", "partitionKeys": [{"d": 1}, {"d": 2}]}}
            """);
    assertThat(event.id()).isEqualTo("e-1");
    assertThat(event.namespace()).isEqualTo("sales");
    assertThat(event.timestamp()).isEqualTo("2023-11-14T22:13:20.123Z");
    assertThat(event.eventType()).isEqualTo("PARTITION");
    assertThat(event.payload().at("/partitionKeys/1/d").intValue()).isEqualTo(2);
    assertThat(event.weights()).isEqualTo(Map.of("partition:ns.purchases", 2L));
  }

  @Test
  void aNumberThatIsTooLargeMakesAMessageMalformed() {
    assertThat(faults(parse("{\"eventType\": \"a\", \"payload\": {\"n\": 1e99999999999}}")))
        .hasSize(1);
  }

  @Test
  void missingFieldsOfAnEventHaveDefaults() {
    Event event = event("{\"eventType\": \"done\", \"id\": null, \"payload\": null}");
    assertThat(event)
        .isEqualTo(
            new Event(
                "sqs-1", "default", NOW_MILLIS, "done", Json.object(), Map.of("event:done", 1L)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": ["a"]}      | partition:d | 1
          "eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": "[1, 2]"}   | partition:d | 2
          "eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 12}         | partition:d | 12
          "eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 9, "partitionKeys": [1]} | partition:d | 1
          "eventType": "SIZE", "payload": {"streamId": "s", "bytes": 5000000000}               | size:s      | 5000000000
          "eventType": "PROGRAM_STATUS", "payload": {"programId": "etl", "status": "FAILED", "runId": "r"} | program:etl:FAILED | 1
          "eventType": "PROGRAM_STATUS", "namespace": "sales", "payload": {"programId": "sales/etl", "status": "STARTED"} | program:etl:STARTED | 1
          "eventType": "done"                                                                  | event:done  | 1
          "eventType": "done", "key": "orders.done", "payload": [1]                            | event:orders.done | 1
          "eventType": "partition", "payload": "text"                                          | event:partition | 1
          "eventType": "PARTITION", "key": "k", "payload": {"datasetId": "d", "numPartitions": 1} | partition:d | 1
          """)
  void countsForTheKeyOfItsKind(String members, String key, long weight) {
    assertThat(event("{" + members + "}").weights()).isEqualTo(Map.of(key, weight));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          ~~                                           | ~~ | is not an object
          {                                            | ~~ | the message is not JSON at line 1, column
          {} {}                                        | ~~ | the message is not JSON
          {"eventType": "a", "eventType": "b"}         | ~~ | the message has the key "eventType" twice
          5                                            | ~~ | 5 is not an object
          []                                           | ~~ | a list is not an object
          null                                         | ~~ | null is not an object
          {}                                           | /eventType | "eventType" is missing
          {"eventType": ""}                            | /eventType | "eventType" is ""
          {"eventType": 5}                             | /eventType | "eventType" is 5
          {"eventType": "a", "id": ""}                 | /id        | "id" is ""; give 1 to 128
          {"eventType": "a", "id": 5}                  | /id        | "id" is 5
          {"eventType": "a", "key": ""}                | /key       | "key" is ""
          {"eventType": "a", "namespace": "a.b"}       | /namespace | "namespace" is "a.b"; give 1 to 32
          {"eventType": "a", "namespace": ""}          | /namespace | "namespace" is ""
          {"eventType": "a", "timestamp": "2026"}      | /timestamp | "timestamp" is "2026"; give the milliseconds since 1970-01-01T00:00:00Z
          {"eventType": "a", "timestamp": -1}          | /timestamp | "timestamp" is -1
          {"eventType": "a", "timestamp": 99999999999999999} | /timestamp | a whole number from 0 to
          {"eventType": "a", "payload": {"b": "\\ud800"}} | /payload/b | unpaired surrogate
          {"eventType": "PARTITION"}                   | /payload | "payload" is missing; give an object
          {"eventType": "PARTITION", "payload": "x"}   | /payload | "x" is not an object
          {"eventType": "PARTITION", "payload": {"numPartitions": 1}} | /payload/datasetId | "datasetId" is missing
          {"eventType": "PARTITION", "payload": {"datasetId": "d"}} | /payload/partitionKeys | "partitionKeys" is missing; give a non-empty list of keys, or a text with such a list as JSON, or "numPartitions" instead
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 0}} | /payload/numPartitions | "numPartitions" is 0
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 1.5}} | /payload/numPartitions | "numPartitions" is 1.5
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": []}} | /payload/partitionKeys | non-empty list of keys
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": "[]"}} | /payload/partitionKeys | non-empty list of keys
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": "[1"}} | /payload/partitionKeys | non-empty list of keys
          {"eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": {}}} | /payload/partitionKeys | non-empty list of keys
          {"eventType": "SIZE", "payload": {"bytes": 1}} | /payload/streamId | "streamId" is missing
          {"eventType": "SIZE", "payload": {"streamId": "s"}} | /payload/bytes | "bytes" is missing
          {"eventType": "SIZE", "payload": {"streamId": "s", "bytes": 0}} | /payload/bytes | "bytes" is 0
          {"eventType": "SIZE", "payload": {"streamId": "s", "bytes": 1e3}} | /payload/bytes | "bytes" is 1E+3
          {"eventType": "PROGRAM_STATUS", "payload": {"status": "FAILED"}} | /payload/programId | "programId" is missing
          {"eventType": "PROGRAM_STATUS", "payload": {"programId": "a b", "status": "FAILED"}} | /payload/programId | "programId" is "a b"
          {"eventType": "PROGRAM_STATUS", "payload": {"programId": "hr/etl", "status": "FAILED"}} | /payload/programId | another namespace
          {"eventType": "PROGRAM_STATUS", "payload": {"programId": "etl"}} | /payload/status | "status" is missing
          {"eventType": "PROGRAM_STATUS", "payload": {"programId": "etl", "status": "DONE"}} | /payload/status | "status" is "DONE"; use one of "STARTED"
          {"eventType": "PROGRAM_STATUS", "payload": {"programId": "etl", "status": "FAILED", "runId": 5}} | /payload/runId | "runId" is 5
          {"detail-type": "t", "detail": {}}                  | /source | "source" is missing
          {"detail-type": 5, "source": "s", "detail": {}}     | /detail-type | "detail-type" is 5
          {"detail-type": "t", "source": "s"}                 | /detail | "detail" is missing
          {"detail-type": "t", "source": "s", "detail": {}, "time": "now"} | /time | "time" is "now"
          {"Records": []}                                     | /Records | give at least one record
          {"Records": [5]}                                    | /Records/0 | 5 is not an object
          {"Records": [{"eventSource": "aws:sns", "eventName": "x", "s3": {"bucket": {"name": "b"}, "object": {"key": "k"}}}]} | /Records/0/eventSource | give "aws:s3"
          {"Records": [{"eventSource": "aws:s3", "s3": {"bucket": {"name": "b"}, "object": {"key": "k"}}}]} | /Records/0/eventName | "eventName" is missing
          {"Records": [{"eventSource": "aws:s3", "eventName": "x"}]} | /Records/0/s3 | "s3" is missing
          {"Records": [{"eventSource": "aws:s3", "eventName": "x", "s3": {"bucket": {}, "object": {"key": "k"}}}]} | /Records/0/s3/bucket/name | "name" is missing
          {"Event": "s3:TestEvent"}                           | /eventType | "eventType" is missing
          """)
  void isRejected(String message, String pointer, String detail) {
    assertThat(faults(parse(message)))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void allFaultsOfAMessageAreFound() {
    assertThat(
            faults(
                parse(
                    """
                    {"id": "", "namespace": "?", "eventType": "SIZE", "payload": {"bytes": 0}}
                    """)))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder("/id", "/namespace", "/payload/streamId", "/payload/bytes");
  }

  @Test
  void anIdHasAtMost128Characters() {
    String message = "{\"eventType\": \"a\", \"id\": \"%s\"}";
    assertThat(event(message.formatted("i".repeat(128))).id()).hasSize(128);
    assertThat(faults(parse(message.formatted("i".repeat(129)))))
        .extracting(Fault::pointer)
        .containsExactly("/id");
  }

  @Test
  void aMessageHasAtMost64Kilobytes() throws JsonProcessingException {
    String form = "{\"eventType\":\"a\",\"payload\":\"%s\"}";
    String largest = form.formatted("x".repeat(64 * 1024 - form.length() + 2));
    assertThat(event(largest).payload().textValue()).hasSizeGreaterThan(65_000);
    assertThat(faults(parse(largest + " "))).extracting(Fault::pointer).containsExactly("");
    String tooLarge = largest.replace("xx", "xxx");
    assertThat(
            faults(
                EventParser.parse(
                    Json.read(tooLarge.replaceFirst("x", "xx")),
                    "/events/3",
                    "id",
                    NOW,
                    Optional.empty())))
        .extracting(Fault::pointer)
        .containsExactly("/events/3");
  }

  @Test
  void aMessageIsNestedAtMost32Deep() {
    String form = "{\"eventType\": \"a\", \"payload\": %s}";
    assertThat(events(form.formatted("[".repeat(31) + "]".repeat(31)))).hasSize(1);
    assertThat(faults(parse(form.formatted("[".repeat(32) + "]".repeat(32)))))
        .extracting(Fault::pointer)
        .containsExactly("/payload" + "/0".repeat(31));
    assertThat(faults(parse("[".repeat(100_000)))).hasSize(1);
  }

  @Test
  void unknownMembersAreRefusedInListsAndIgnoredInMessages() throws JsonProcessingException {
    String misspelt = "{\"eventType\": \"a\", \"paylod\": {\"size\": 10}}";
    assertThat(event(misspelt).payload()).isEmpty();
    ParsedMessage item =
        EventParser.parse(Json.read(misspelt), "/events/3", "id", NOW, Optional.empty());
    assertThat(faults(item))
        .containsExactly(
            new Fault(
                "/events/3/paylod", "\"paylod\" is an unknown field; did you mean \"payload\"?"));
    String envelope =
        "{\"source\": \"s\", \"detail-type\": \"t\", \"detail\": {}, \"account\": \"1\"}";
    assertThat(EventParser.parse(Json.read(envelope), "/events/3", "id", NOW, Optional.empty()))
        .isInstanceOf(Events.class);
  }

  @Test
  void faultsOfItemsHavePointers() throws JsonProcessingException {
    ParsedMessage parsed =
        EventParser.parse(
            Json.read("{\"eventType\": \"SIZE\", \"payload\": {}}"),
            "/events/3",
            "id",
            NOW,
            Optional.empty());
    assertThat(faults(parsed))
        .extracting(Fault::pointer)
        .containsExactly("/events/3/payload/streamId", "/events/3/payload/bytes");
  }

  @Test
  void aForcedNamespaceOverridesThatOfTheEvent() {
    assertThat(events(inSales("{\"eventType\": \"a\"}")).get(0).namespace()).isEqualTo("sales");
    assertThat(events(inSales("{\"eventType\": \"a\", \"namespace\": \"sales\"}"))).hasSize(1);
    assertThat(events(inSales("{\"eventType\": \"a\", \"namespace\": \"hr\"}")).get(0).namespace())
        .isEqualTo("sales");
    assertThat(events(inSales("{\"eventType\": \"a\", \"namespace\": 5}")).get(0).namespace())
        .isEqualTo("sales");
    assertThat(events(inSales(ENVELOPE)).get(0).namespace()).isEqualTo("sales");
    assertThat(events(inSales(NOTIFICATION)).get(0).namespace()).isEqualTo("sales");
  }

  private static ParsedMessage inSales(String message) {
    return EventParser.parse(message, "id", NOW, Optional.of("sales"));
  }

  static final String ENVELOPE =
      """
      {"version": "0", "id": "17793124-05d4-b198-2fde-7ededc63b103",
       "detail-type": "Object Created", "source": "aws.s3", "account": "123456789012",
       "time": "2021-11-12T00:00:00Z", "region": "ca-central-1", "resources": [],
       "detail": {"bucket": {"name": "b"}}}
      """;

  @Test
  void anEventBridgeEnvelopeIsAcceptedUnchanged() throws JsonProcessingException {
    assertThat(event(ENVELOPE))
        .isEqualTo(
            new Event(
                "17793124-05d4-b198-2fde-7ededc63b103",
                "default",
                Instant.parse("2021-11-12T00:00:00Z"),
                "aws.s3:Object Created",
                Json.read(ENVELOPE),
                Map.of("event:aws.s3:Object Created", 1L)));
    assertThat(event("{\"source\": \"s\", \"detail-type\": \"t\", \"detail\": {}}"))
        .returns("sqs-1", Event::id)
        .returns(NOW_MILLIS, Event::timestamp);
  }

  static final String NOTIFICATION =
      """
      {"Records": [
        {"eventVersion": "2.1", "eventSource": "aws:s3", "awsRegion": "us-west-2",
         "eventTime": "2026-01-01T00:00:00.000Z", "eventName": "ObjectCreated:Put",
         "s3": {"bucket": {"name": "b"}, "object": {"key": "a/b.csv", "sequencer": "0055AE"}}},
        {"eventSource": "aws:s3", "eventName": "ObjectRemoved:Delete",
         "s3": {"bucket": {"name": "b"}, "object": {"key": "a/b.csv", "sequencer": "0055AF"}}},
        {"eventSource": "aws:s3", "eventName": "ObjectTagging:Put",
         "s3": {"bucket": {"name": "b"}, "object": {"key": "a/b.csv"}}}]}
      """;

  @Test
  void eachRecordOfANotificationIsAnEvent() {
    List<Event> events = events(NOTIFICATION);
    assertThat(events)
        .extracting(event -> event.weights().keySet().iterator().next())
        .containsExactly(
            "event:aws.s3:Object Created",
            "event:aws.s3:Object Deleted",
            "event:aws.s3:ObjectTagging:Put");
    assertThat(events.get(0).timestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(events.get(1).timestamp()).isEqualTo(NOW_MILLIS);
    assertThat(events.get(0).payload().at("/s3/object/key").textValue()).isEqualTo("a/b.csv");
    assertThat(events.get(2).id()).isEqualTo("sqs-1-2");
  }

  @Test
  void theIdOfARecordNamesTheChangeOfTheObject() {
    List<Event> events = events(NOTIFICATION);
    assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(events.get(0).id()).matches("s3-[0-9a-f]{32}");
    ParsedMessage again = EventParser.parse(NOTIFICATION, "sqs-2", NOW, Optional.empty());
    assertThat(events(again).get(0).id()).isEqualTo(events.get(0).id());
  }

  @Test
  void theTestMessageOfS3IsNotAnEvent() {
    assertThat(
            events(
                """
                {"Service": "Amazon S3", "Event": "s3:TestEvent", "Time": "2014-10-13T15:57:02Z",
                 "Bucket": "b", "RequestId": "5582815E1AEA5ADF", "HostId": "8cLeGAmw098X5cv"}
                """))
        .isEmpty();
  }

  @Test
  void theReasonFitsIntoAMessageAttribute() {
    String names = "\"\\u0001%s\": 1,".formatted("é".repeat(500));
    ParsedMessage parsed = parse("{" + names + "\"eventType\": \"\", \"id\": \"\\u0001\"}");
    assertThat(parsed)
        .isInstanceOfSatisfying(
            Malformed.class,
            malformed ->
                assertThat(malformed.reason())
                    .startsWith("/id \"id\" is ")
                    .contains("; /eventType \"eventType\" is \"\"")
                    .doesNotContain("\u0001")
                    .hasSizeLessThanOrEqualTo(1_000));
  }
}
