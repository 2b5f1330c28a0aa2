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

  /**
   * The schedule of the items; empty if there is none. Items that stay of different changes come
   * from a restore of the table that took over a part of a transaction. Of these, a definition
   * without a head, or with the head of a deleted schedule, is no schedule.
   *
   * @throws IllegalStateException if the definition is missing, or of another change than the head
   */
  static Optional<StoredSchedule> stored(List<Item<Head>> items) {
    if (!areOneVersion(items)) {
      Item<Head> last = items.get(items.size() - 1);
      if (last.text("item").equals(HeadItem.ITEM) && !last.record().isDeleted()) {
        throw new IllegalStateException("the head and the definition are of different changes");
      }
      return Optional.empty();
    }
    return items.size() < 2
        ? Optional.empty()
        : Optional.of(
            new StoredSchedule(
                items.get(1).record(), items.get(0).as(DefinitionItem.SCHEMA).record()));
  }
}
