package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.ParsedMessage.Events;
import dev.carillon.event.ParsedMessage.Malformed;
import dev.carillon.event.Resend.Count;
import dev.carillon.event.Resend.EndRun;
import dev.carillon.event.Resend.SearchAgain;
import dev.carillon.event.Resend.SearchRest;
import dev.carillon.event.Resend.Work;
import dev.carillon.id.ScheduleId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResendTest {

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00.123456Z");
  private static final List<ScheduleId> SCHEDULES =
      List.of(new ScheduleId("default", "a"), new ScheduleId("default", "b"));

  private static Event event(String message) {
    return ((Events) EventParser.parse(message, "sqs-1", NOW, Optional.empty())).events().get(0);
  }

  static List<String> messages() {
    return List.of(
        """
        {"eventType": "PARTITION", "payload": {"datasetId": "d", "partitionKeys": "[1, 2]"}}
        """,
        """
        {"eventType": "SIZE", "payload": {"streamId": "s", "bytes": 7}}
        """,
        """
        {"eventType": "PROGRAM_STATUS", "payload": {"programId": "p", "status": "FAILED"}}
        """,
        """
        {"eventType": "done", "key": "orders", "payload": [1.50, null, {"a": 1e400}]}
        """,
        """
        {"eventType": "done", "timestamp": 5, "id": "mine"}
        """,
        """
        {"source": "s", "detail-type": "PARTITION", "detail": {"eventType": "SIZE"}}
        """,
        EventParserTest.ENVELOPE,
        EventParserTest.NOTIFICATION);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aResendIsReadAsItWasWritten(String message) {
    Resend resend = new Resend(event(message), new Count(SCHEDULES, true));
    assertThat(Resend.read(resend.write())).contains(resend);
  }

  @Test
  void theLargestAndDeepestEventsCanBeResent() {
    String form = "{\"eventType\":\"a\",\"payload\":%s}";
    String largest = form.formatted('"' + "x".repeat(64 * 1024 - form.length()) + '"');
    String deepest = form.formatted("[".repeat(31) + "]".repeat(31));
    for (String message : List.of(largest, deepest)) {
      Resend resend = new Resend(event(message), new Count(SCHEDULES, true));
      assertThat(Resend.read(resend.write())).contains(resend);
    }
  }

  private static List<ScheduleId> schedulesOf(Resend resend) {
    return ((Count) resend.work()).schedules();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void theEndOfARunIsAnEventForOlderVersions(String message) {
    assertIsReadAsWrittenAndAnEvent(message, new EndRun());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aSearchIsAnEventForOlderVersions(String message) {
    assertIsReadAsWrittenAndAnEvent(message, new SearchAgain());
    for (String key : event(message).weights().keySet()) {
      assertIsReadAsWrittenAndAnEvent(message, new SearchRest(key, "a"));
    }
  }

  private static void assertIsReadAsWrittenAndAnEvent(String message, Work work) {
    String written = new Resend(event(message), work).write();
    assertThat(Resend.read(written)).contains(new Resend(event(message), work));
    assertThat(event(written)).isEqualTo(event(message));
  }

  @Test
  void manySchedulesAreSplitOverMessages() {
    List<ScheduleId> schedules =
        IntStream.range(0, 1_001)
            .mapToObj(index -> new ScheduleId("default", "schedule-" + index))
            .toList();
    Event event = event("{\"eventType\": \"a\"}");
    List<Resend> resends = Resend.of(event, schedules, true, null);
    assertThat(resends)
        .extracting(resend -> schedulesOf(resend).size())
        .containsExactly(500, 500, 1);
    assertThat(resends.stream().flatMap(resend -> schedulesOf(resend).stream()))
        .containsExactlyElementsOf(schedules);
    assertThat(resends)
        .extracting(resend -> ((Count) resend.work()).reports())
        .containsExactly(true, false, false);
    assertThat(Resend.of(event, List.of(), true, null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"carillonResend\":5}",
        "{\"carillonResend\":{}}",
        "{\"carillonResend\":{\"schedules\":[],\"event\":{\"eventType\":\"a\"}}}",
        "{\"carillonResend\":{\"schedules\":[\"hr/a\"],\"event\":"
            + "{\"id\":\"1\",\"namespace\":\"default\",\"timestamp\":1,\"eventType\":\"a\"}}}",
        "{\"carillonResend\":{\"schedules\":[5],\"event\":"
            + "{\"id\":\"1\",\"namespace\":\"default\",\"timestamp\":1,\"eventType\":\"a\"}}}",
        "{\"carillonResend\":"
      })
  void otherMessagesAreNeitherResendsNorEvents(String message) {
    assertThat(Resend.read(message)).isEmpty();
    assertThat(EventParser.parse(message, "sqs-1", NOW, Optional.empty()))
        .isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"carillonCounted\":true,\"eventType\":\"a\"}",
        "{\"carillonSearch\":{\"again\":true},\"eventType\":\"a\"}",
        "{\"carillonSearch\":{\"key\":\"event:b\",\"after\":\"x\"},\"id\":\"1\",\"namespace\":\"n\",\"timestamp\":1,\"eventType\":\"a\"}",
        "{\"carillonSearch\":{\"key\":\"event:a\",\"after\":\"/\"},\"id\":\"1\",\"namespace\":\"n\",\"timestamp\":1,\"eventType\":\"a\"}",
        "{\"carillonCounted\": true, \"id\": \"1\", \"namespace\": \"n\", \"timestamp\": 1, \"eventType\": \"a\"}",
        "{\"carillonCounted\":false,\"id\":\"1\",\"namespace\":\"n\",\"timestamp\":1,\"eventType\":\"a\"}"
      })
  void messagesOfProducersAreEventsToCount(String message) {
    assertThat(Resend.read(message)).isEmpty();
    assertThat(event(message).eventType()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aResendKnowsWhenItsEventWasReceivedIfItsSchedulesWereSearchedAgain(boolean isKnown) {
    Event event = event("{\"eventType\": \"a\"}");
    Instant receivedAt = isKnown ? NOW.truncatedTo(ChronoUnit.MILLIS) : null;
    for (Work work :
        List.of(new Count(SCHEDULES, true), new SearchAgain(), new SearchRest("event:a", "b"))) {
      Resend resend = new Resend(event, work, receivedAt);
      assertThat(Resend.read(resend.write())).contains(resend);
    }
  }

  @Test
  void anEventWithTheFieldInItsPayloadIsNotAResend() {
    String message = "{\"eventType\": \"a\", \"carillonResend\": {}}";
    assertThat(Resend.read(message)).isEmpty();
    assertThat(event(message).eventType()).isEqualTo("a");
  }
}
