package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.MessageLimits;
import dev.carillon.event.Event;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.Resend;
import dev.carillon.id.ScheduleId;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRoutesTest {

  private static final String EVENTS = "/v1/namespaces/default/events";
  private static final String PARTITION =
      "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"d\", \"numPartitions\": 1}}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private Caller.Reply send(String... events) {
    return caller.post(EVENTS, "{\"events\": [" + String.join(", ", events) + "]}");
  }

  private List<JsonNode> sent() {
    return world.ingestQueue.take().stream().map(Caller::json).toList();
  }

  @Test
  void eventsGetAnIdANamespaceAndATimeAndAreSentToTheIngestQueue() {
    JsonNode answer = send(PARTITION).is(202).json();
    String id = answer.path("ids").path(0).asText();

    assertThat(id).hasSize(36);
    assertThat(sent())
        .containsExactly(
            Caller.json(
                """
                {"id": "%s", "namespace": "default", "timestamp": 1773144000000,
                 "eventType": "PARTITION", "payload": {"datasetId": "d", "numPartitions": 1}}
                """
                    .formatted(id)));
  }

  @Test
  void theNamespaceOfThePathOverridesThatOfTheEvent() {
    caller
        .post(
            "/v1/namespaces/sales/events",
            "{\"events\": [{\"id\": \"e1\", \"namespace\": \"other\", \"eventType\": \"x\"}]}")
        .is(202);
    assertThat(sent())
        .singleElement()
        .satisfies(event -> assertThat(event.path("namespace").asText()).isEqualTo("sales"));
  }

  @Test
  void idsAreAnsweredInOrder() {
    JsonNode answer =
        send("{\"id\": \"b\", \"eventType\": \"x\"}", "{\"id\": \"a\", \"eventType\": \"x\"}")
            .json();
    assertThat(answer).isEqualTo(Caller.json("{\"ids\": [\"b\", \"a\"]}"));
  }

  @Test
  void anEventBridgeEnvelopeBelongsToTheNamespaceOfThePath() {
    String envelope =
        """
        {"id": "7", "source": "shop", "detail-type": "order", "time": "2026-03-10T11:00:00Z",
         "detail": {"n": 1}}
        """;
    caller.post("/v1/namespaces/sales/events", "{\"events\": [" + envelope + "]}").is(202);
    String document = Docs.active("{\"type\": \"event\", \"key\": \"shop:order\", \"count\": 1}");
    caller.send("PUT", "/v1/namespaces/sales/schedules/a", document, Map.of()).is(201);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.arrivals).hasSize(1);
    assertThat(world.rejected.all()).isEmpty();
  }

  @Test
  void anAcceptedEventLaunches() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    send(PARTITION, PARTITION).is(202);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void anEventSentTwiceWithOneIdCountsOnce() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    String event = "{\"id\": \"e\", " + PARTITION.substring(1);
    send(event).is(202);
    send(event).is(202);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void oneMalformedEventRefusesAllWithPointers() {
    Caller.Reply refused = send(PARTITION, "5", PARTITION, "{\"eventType\": \"SIZE\"}").is(400);

    assertThat(refused.pointers()).containsExactly("/events/1", "/events/3/payload");
    assertThat(sent()).isEmpty();
  }

  @Test
  void anEventThatIsTooLargeRefusesAll() {
    String large = "{\"eventType\": \"x\", \"payload\": \"" + "x".repeat(70_000) + "\"}";
    assertThat(send(PARTITION, large).is(400).pointers()).containsExactly("/events/1");
    String justTooLargeWithItsId =
        "{\"eventType\": \"x\", \"payload\": \"" + "x".repeat(65_480) + "\"}";
    assertThat(send(justTooLargeWithItsId).is(400).pointers()).containsExactly("/events/0");
    assertThat(sent()).isEmpty();
  }

  @Test
  void anEnvelopeThatIsTooDeepWithinAnEventRefusesAll() {
    String envelope = "{\"source\": \"shop\", \"detail-type\": \"order\", \"detail\": %s}";
    String deep = "[".repeat(31) + "]".repeat(31);
    Caller.Reply refused = send(PARTITION, envelope.formatted(deep)).is(400);
    assertThat(refused.pointers()).containsExactly("/events/1");
    assertThat(refused.body()).contains("nested more than 31 deep; flatten them");
    assertThat(sent()).isEmpty();

    send(envelope.formatted("[".repeat(30) + "]".repeat(30))).is(202);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.rejected.all()).isEmpty();
  }

  @Test
  void aRequestAcceptsAtMostAThousandEvents() {
    send(Collections.nCopies(1_000, PARTITION).toArray(String[]::new)).is(202);
    assertThat(sent()).hasSize(1_000);
    assertThat(
            send(Collections.nCopies(1_001, PARTITION).toArray(String[]::new)).is(400).pointers())
        .containsExactly("/events");
  }

  @Test
  void anEmptyListOfEventsIsAccepted() {
    assertThat(send().is(202).body()).isEqualTo("{\"ids\":[]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          []                       | ''
          {}                       | /events
          {"events": {}}           | /events
          {"events": null}         | /events
          {"event": [], "events": []} | /event
          """)
  void otherRequestsAreRefused(String body, String pointer) {
    assertThat(caller.post(EVENTS, body).is(400).pointers()).containsExactly(pointer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uFFFE", "\uFFFF", "\\uffFE", "\\uFFFF", "\\u0000", "\u007f\u0085"})
  void charactersThatNoMessageCanContainAreSentEscaped(String character) {
    String event = "{\"id\": \"e\", \"eventType\": \"x\", \"payload\": {\"k%1$s\": \"a%1$sb\"}}";
    send(event.formatted(character), PARTITION).is(202);

    List<String> messages = world.ingestQueue.take();
    assertThat(messages).hasSize(2).allMatch(MessageLimits::accepts);
    assertThat(Caller.json(messages.get(0)).path("payload"))
        .isEqualTo(Caller.json(event.formatted(character)).path("payload"));
  }

  @Test
  void anEventResentToSomeSchedulesKeepsCharactersThatNoMessageCanContain() {
    JsonNode payload = Caller.json("\"\uFFFE\"");
    Event event = new Event("e", "default", world.now(), "x", payload, Map.of("event:x", 1L));
    String message =
        Resend.of(event, List.of(new ScheduleId("default", "a")), true, null).get(0).write();

    assertThat(message).matches(MessageLimits::accepts);
    assertThat(Resend.read(message).orElseThrow().event().payload()).isEqualTo(payload);
  }

  @Test
  void aFailingQueueIsReportedAsHavingPerhapsAcceptedSomeEvents() {
    IngestQueue failing =
        (bodies, delay) -> {
          throw new IllegalStateException("no connection");
        };
    EventRoutes routes = new EventRoutes(failing, world::now, () -> new UUID(0, 0));
    Call call =
        Call.of(Caller.request("POST", EVENTS, "{\"events\": [" + PARTITION + "]}", Map.of()));

    assertThatThrownBy(() -> routes.accept(call))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(503);
              assertThat(problem.detail()).contains("may have been accepted", "\"id\"");
              assertThat(problem.headers()).containsEntry("Retry-After", "1");
            });
  }
}
