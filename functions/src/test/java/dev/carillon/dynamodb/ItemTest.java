package dev.carillon.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.SuspendedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ItemTest {

  private static final Instant AT = Instant.parse("2026-03-01T12:00:00.123Z");

  private static final Head HEAD =
      new Head(
          new ScheduleId("default", "report"),
          6,
          Life.begun(2, 5, null, null, Instant.EPOCH),
          null,
          "exporter",
          null);

  private final Item<Head> item = Item.of(HEAD, HeadItem.SCHEMA);

  /** A missing number would be read as 0, and a fence that is 0 lets every job through. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedule",
        "item",
        "generation",
        "state",
        "activation",
        "minLiveActivation",
        "periods",
        "version",
        "program"
      })
  void anItemThatLacksAnAttributeCannotBeRead(String name) {
    Map<String, AttributeValue> attributes = new HashMap<>(item.attributes());
    attributes.remove(name);
    assertThatThrownBy(() -> new Item<>(attributes, HeadItem.SCHEMA).record())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(name);
  }

  @Test
  void theLongestLifeFitsIntoOneWriteUnit() {
    List<Period> periods = new ArrayList<>(List.of(new Period(null, AT)));
    for (int pause = 0; pause < Periods.MOST_PAUSES; pause++) {
      periods.add(new Period(SuspendMode.BACKLOG, AT));
      periods.add(new Period(null, AT));
    }
    periods.add(new Period(SuspendMode.BACKLOG, AT));
    long activation = AT.getEpochSecond();
    Life longest =
        new Life(
            99,
            ScheduleState.SUSPENDED,
            activation,
            activation,
            activation,
            new Periods(periods),
            AT);
    SuspendedBy caller = new SuspendedBy("a".repeat(100), "r".repeat(200), AT);
    Head head = new Head(HEAD.id(), 99, longest, caller, "exporter", "exports");
    int bytes =
        Item.of(head, HeadItem.SCHEMA).attributes().entrySet().stream()
            .mapToInt(attribute -> attribute.getKey().length() + bytes(attribute.getValue()))
            .sum();
    assertThat(bytes).isLessThan(1_024);
  }

  /** The size of a text, or of a number, which takes fewer bytes than its digits. */
  private static int bytes(AttributeValue value) {
    return value.s() == null ? value.n().length() : value.s().length();
  }

  @Test
  void aPageIsReadWithoutItsDamagedItems() {
    Item.Schemas<Head> items = new Item.Schemas<>(() -> HeadItem.SCHEMA);
    Item<Head> damaged =
        items.mapToItem(item.with("state", AttributeValue.fromS("?")).attributes());
    assertThat(Items.readable(List.of(damaged, items.mapToItem(item.attributes()))))
        .containsExactly(HEAD);
  }

  @Test
  void attributesOfANewerVersionAreIgnored() {
    assertThat(item.with("later", AttributeValue.fromS("x")).record()).isEqualTo(HEAD);
  }

  @Test
  void nullMembersAreNotStored() {
    assertThat(item.attributes()).doesNotContainKeys("app", "suspendedBy", "suspendedUntil");
  }
}
