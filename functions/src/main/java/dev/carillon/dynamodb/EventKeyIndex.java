package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules.Change;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;

/** The index that finds the trigger entries of schedules by event key. */
final class EventKeyIndex {

  private final DynamoDbTable<Item<EventKeyItem>> entries;
  private final Fanout fanout;

  EventKeyIndex(DynamoDbTable<Item<EventKeyItem>> entries, Fanout fanout) {
    this.entries = entries;
    this.fanout = fanout;
  }

  private DynamoDbIndex<Item<EventKeyItem>> index() {
    return entries.index(EventKeyItem.INDEX);
  }

  /** One page of schedules, by name. A schedule with several entries is listed once. */
  Page<ScheduleId> schedules(String namespace, String eventKey, @Nullable String after) {
    String indexed = EventKeyItem.indexed(namespace, eventKey);
    QueryConditional wanted =
        after == null
            ? keyEqualTo(it -> it.partitionValue(indexed))
            : sortGreaterThan(
                it ->
                    it.partitionValue(indexed)
                        .sortValue(new ScheduleId(namespace, after).toString()));
    var page = index().query(wanted).iterator().next();
    List<ScheduleId> found =
        Items.readable(page.items(), entry -> ScheduleId.parse(entry.schedule())).stream()
            .distinct()
            .toList();
    boolean isLast = page.lastEvaluatedKey() == null || found.isEmpty();
    return new Page<>(found, isLast ? null : found.get(found.size() - 1).name());
  }

  /** The keys of the entries that a change deletes. */
  List<Key> stale(Change change) {
    ScheduleId id = change.after().id();
    Set<String> named = change.staleKeys();
    if (named == null) {
      QueryConditional all =
          sortBeginsWith(it -> it.partitionValue(id.toString()).sortValue(EventKeyItem.PREFIX));
      return Queries.all(entries.query(it -> it.queryConditional(all).consistentRead(true)))
          .stream()
          .map(entries::keyFrom)
          .toList();
    }
    Head before = change.before();
    return before == null
        ? List.of()
        : named.stream()
            .map(key -> entries.keyFrom(EventKeyItem.item(id, before.generation(), key)))
            .toList();
  }

  boolean shows(ScheduleId id, long generation, Set<String> eventKeys) {
    return fanout
        .map(List.copyOf(eventKeys), key -> shows(EventKeyItem.of(id, generation, key)))
        .stream()
        .allMatch(shown -> shown);
  }

  private boolean shows(EventKeyItem entry) {
    var pages =
        index()
            .query(
                keyEqualTo(it -> it.partitionValue(entry.indexed()).sortValue(entry.schedule())));
    return Items.readable(Queries.all(pages)).contains(entry);
  }
}
