package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The events that a job keeps: the first twenty and the last twenty. */
class TriggerStateTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final TriggerState NOTHING =
      TriggerState.of(List.of(new Trigger.At(NOON), new Trigger.Partition("d", 3)));

  private static Event event(int number, String payload) {
    return new Event(
        "e%02d".formatted(number),
        "default",
        NOON,
        "T",
        Json.object().put("p", payload),
        Map.of("k", 1L));
  }

  private static TriggerState with(int events, int bytes) {
    TriggerState triggerState = NOTHING;
    for (int i = 0; i < events; i++) {
      triggerState = triggerState.with(NOTHING.leaves(), event(i, "x".repeat(bytes)));
    }
    return triggerState;
  }

  private static List<String> ids(TriggerState triggerState) {
    return triggerState.events().stream().map(Event::id).toList();
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj("e%02d"::formatted).toList();
  }

  @Test
  void aTimeLeafNeedsOneFireAndAnEventLeafItsCount() {
    TriggerState nothing =
        TriggerState.of(List.of(new Trigger.At(NOON), new Trigger.Partition("d", 3)));
    assertThat(nothing).isEqualTo(NOTHING);
    assertThat(nothing.leaves())
        .containsExactly(new LeafCount(1, 0, null), new LeafCount(3, 0, null));
    assertThat(NOTHING.events()).isEmpty();
  }

  @Test
  void newCountsKeepTheEvents() {
    TriggerState two = with(2, 1);
    List<LeafCount> counted = List.of(new LeafCount(1, 1, NOON), new LeafCount(3, 2, null));
    assertThat(two.with(counted)).isEqualTo(new TriggerState(counted, two.events(), 0));
    assertThat(two.with(counted, event(2, "x")).leaves()).isEqualTo(counted);
  }

  @Test
  void theFirstAndTheLastTwentyEventsAreKept() {
    assertThat(ids(with(40, 1))).isEqualTo(numbered(0, 40));
    assertThat(with(40, 1).eventsOmitted()).isZero();
    TriggerState many = with(43, 1);
    assertThat(ids(many).subList(0, 20)).isEqualTo(numbered(0, 20));
    assertThat(ids(many).subList(20, 40)).isEqualTo(numbered(23, 43));
    assertThat(many.eventsOmitted()).isEqualTo(3);
  }

  /**
   * With id, type, key and {@code {"p":""}}, an event with a payload of this length has 1,024
   * bytes.
   */
  @Test
  void theTotalSizeOfThePayloadsIsBounded() {
    int bytes = 1_024 - 3 - 1 - 1 - 8;
    TriggerState full = with(40, bytes);
    assertThat(ids(full)).hasSize(40);
    int large = 4_096 - 3 - 1 - 1 - 8;
    assertThat(ids(with(16, large))).isEqualTo(numbered(0, 16));
    TriggerState over = with(17, large);
    assertThat(ids(over)).startsWith("e00", "e01").endsWith("e14", "e16").hasSize(16);
    assertThat(over.eventsOmitted()).isEqualTo(1);
    assertThat(ids(with(16, large + 1))).endsWith("e13", "e15").hasSize(15);
  }

  @Test
  void aLargeEventDropsTheOldestOfTheLast() {
    TriggerState thirty = with(30, 100);
    TriggerState pushed = thirty.with(NOTHING.leaves(), event(30, "x".repeat(62_800)));
    assertThat(ids(pushed).subList(0, 20)).isEqualTo(numbered(0, 20));
    assertThat(ids(pushed)).contains("e30").doesNotContain("e20");
    assertThat(pushed.events().size() + pushed.eventsOmitted()).isEqualTo(31);
  }

  @Test
  void theLastEventIsKeptHoweverLargeItIs() {
    TriggerState pushed = with(2, 1).with(NOTHING.leaves(), event(2, "x".repeat(70_000)));
    assertThat(ids(pushed)).containsExactly("e02");
    assertThat(pushed.eventsOmitted()).isEqualTo(2);
    assertThat(ids(with(2, 40_000))).containsExactly("e01");
  }
}
