package dev.carillon.dynamodb;

import dev.carillon.schedule.Head;
import dev.carillon.schedule.StoredSchedule;
import java.util.List;
import java.util.Optional;

/** The items of one schedule, as a Query finds them: its definition, then its head. */
final class ScheduleItems {

  private ScheduleItems() {}

  /**
   * Whether the items were stored by one change. A query can return one item of a transaction
   * before the other is visible.
   */
  static boolean areOneVersion(List<Item<Head>> items) {
    if (items.isEmpty()) {
      return true;
    }
    Item<Head> last = items.get(items.size() - 1);
    if (!last.text("item").equals(HeadItem.ITEM)) {
      return false;
    }
    return items.size() == 2
        ? DefinitionItem.headVersion(items.get(0)) == last.record().version()
        : last.record().isDeleted();
  }

  static Optional<StoredSchedule> stored(List<Item<Head>> items) {
    return items.size() < 2
        ? Optional.empty()
        : Optional.of(
            new StoredSchedule(
                items.get(1).record(), items.get(0).as(DefinitionItem.SCHEMA).record()));
  }
}
