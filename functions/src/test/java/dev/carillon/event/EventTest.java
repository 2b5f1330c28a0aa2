package dev.carillon.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.InstantRange;
import dev.carillon.document.Json;
import dev.carillon.event.ParsedMessage.Events;
import dev.carillon.event.ParsedMessage.Malformed;
import dev.carillon.trigger.EventPatternReader;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.EventLeaf;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTest {

  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  private static Event event(Map<String, Long> weights) {
    return new Event("e1", "default", NOON, "kind", Json.object().put("size", 7), weights);
  }

  /** An event with 3 partitions of dataset "d", and the end of program "p". */
  private static final Event EVENT =
      event(Map.of("partition:d", 3L, "program:p:FAILED", 1L, "size:empty", 0L));

  private static EventLeaf leaf(String text) {
    String[] parts = text.split(" ");
    return switch (parts[0]) {
      case "partition" -> new Trigger.Partition(parts[1], 9);
      case "size" -> new Trigger.Size(parts[1], 9);
      case "program" -> new Trigger.ProgramStatus(parts[1], Set.of(parts[2].split("\\|")), 9);
      default -> throw new IllegalArgumentException(text);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "partition d,                  3",
    "partition other,              0",
    "size d,                       0",
    "size empty,                   0",
    "program p FAILED,             1",
    "program p SUCCEEDED|FAILED,   1",
    "program p SUCCEEDED,          0",
    "program other FAILED,         0"
  })
  void anEventCountsForTheLeavesWithOneOfItsKeys(String leaf, long weight) {
    assertThat(EVENT.weightFor(leaf(leaf))).isEqualTo(weight);
  }

  /** The size of the event is 7. */
  @ParameterizedTest
  @CsvSource({
    "'{}', 1",
    "'{\"filter\": {\"size\": [7]}}', 1",
    "'{\"filter\": {\"size\": [8]}}', 0"
  })
  void aLeafWithAFilterCountsOnlyThePayloadsThatMatch(String leaf, long weight) {
    Faults faults = new Faults();
    Fields fields = Fields.of(Json.readObject(leaf), "", faults);
    EventLeaf counting =
        new Trigger.AnyEvent("kind", 9, EventPatternReader.read(fields, "filter", faults));
    assertThat(event(Map.of("event:kind", 1L)).weightFor(counting)).isEqualTo(weight);
  }

  /** Such a key is given apart from the type; the keys of other kinds follow from the payload. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"event:orders, orders", "partition:d, -", "size:s, -", "program:p:FAILED, -"})
  void theDocumentOfAnEventNamesTheKeyOfItsOwnKind(String key, String named) {
    assertThat(event(Map.of(key, 1L)).document().path("key").asText(null)).isEqualTo(named);
  }

  // ---- reading

  private static ParsedMessage at(long timestamp) {
    String message = "{\"eventType\": \"a\", \"timestamp\": %d}".formatted(timestamp);
    return EventParser.parse(message, "sqs-1", NOON, Optional.empty());
  }

  @Test
  void anEventBelongsToTheRangeOfInstants() {
    long end = InstantRange.END_OF_TIME.toEpochMilli();
    assertThat(at(0)).isInstanceOf(Events.class);
    assertThat(at(-1)).isInstanceOf(Malformed.class);
    assertThat(at(end - 1)).isInstanceOf(Events.class);
    assertThat(at(end)).isInstanceOf(Malformed.class);
  }

  // ---- sending

  @Test
  void anEventCanBeReceivedAtOnceUnlessADelayIsGiven() {
    List<String> sent = new ArrayList<>();
    IngestQueue queue = (bodies, delay) -> bodies.forEach(body -> sent.add(body + " " + delay));
    queue.send(List.of("one", "two"));
    queue.send(List.of("three"), Duration.ofSeconds(9));
    assertThat(sent).containsExactly("one PT0S", "two PT0S", "three PT9S");
  }
}
