package dev.carillon.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RowTest {

  private static final Head HEAD =
      new Head(
          new ScheduleId("default", "report"),
          2,
          ScheduleState.ACTIVE,
          5,
          5,
          Instant.EPOCH,
          6,
          null,
          "exporter",
          null);

  private final Row<Head> row = Row.of(HEAD, HeadRow.SCHEMA);

  /** A number that is missing would be read as 0, and a fence that is 0 lets everything through. */
  @ParameterizedTest
  @ValueSource(strings = {"schedule", "item", "generation", "state", "version", "program"})
  void anItemThatLacksAnAttributeCannotBeRead(String name) {
    Map<String, AttributeValue> item = new HashMap<>(row.item());
    item.remove(name);
    assertThatThrownBy(() -> new Row<>(item, HeadRow.SCHEMA).record())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(name);
  }

  @Test
  void aPageWithADamagedItemIsReadButForThatItem() {
    Row.Schemas<Head> rows = new Row.Schemas<>(() -> HeadRow.SCHEMA);
    Row<Head> damaged = rows.mapToItem(row.with("state", AttributeValue.fromS("?")).item());
    assertThat(Rows.readable(List.of(damaged, rows.mapToItem(row.item())))).containsExactly(HEAD);
  }

  @Test
  void attributesThatANewerVersionHasAddedAreNoObstacle() {
    assertThat(row.with("later", AttributeValue.fromS("x")).record()).isEqualTo(HEAD);
  }

  @Test
  void nothingIsStoredForWhatIsNull() {
    assertThat(row.item()).doesNotContainKeys("app", "suspensionMode", "pauses");
  }
}
