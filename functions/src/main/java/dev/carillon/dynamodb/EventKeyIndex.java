package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;

import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;

/** The index that finds the trigger entries of schedules by event key. */
final class EventKeyIndex {

  private final DynamoDbTable<Row<EventKeyRow>> entries;
  private final Fanout fanout;

  EventKeyIndex(DynamoDbTable<Row<EventKeyRow>> entries, Fanout fanout) {
    this.entries = entries;
    this.fanout = fanout;
  }

  private DynamoDbIndex<Row<EventKeyRow>> index() {
    return entries.index(EventKeyRow.INDEX);
  }

  Set<ScheduleId> schedules(String namespace, String eventKey) {
    String indexed = EventKeyRow.indexed(namespace, eventKey);
    return Queries.all(index().query(keyEqualTo(it -> it.partitionValue(indexed)))).stream()
        .map(row -> ScheduleId.parse(row.record().schedule()))
        .collect(Collectors.toSet());
  }

  boolean shows(ScheduleId id, long generation, Set<String> eventKeys) {
    return fanout
        .map(List.copyOf(eventKeys), key -> shows(EventKeyRow.of(id, generation, key)))
        .stream()
        .allMatch(shown -> shown);
  }

  private boolean shows(EventKeyRow entry) {
    var pages =
        index()
            .query(
                keyEqualTo(it -> it.partitionValue(entry.indexed()).sortValue(entry.schedule())));
    return Queries.all(pages).stream().anyMatch(row -> row.record().equals(entry));
  }
}
