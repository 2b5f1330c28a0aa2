package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.TEXT;

import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedules.Change;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;

/**
 * The definitions of former generations that have callbacks. If the schedule of a running job is
 * replaced or deleted, the callback of the job needs the former definition. A definition expires
 * with its jobs.
 */
final class FormerDefinitions {

  /**
   * The prefix of the keys of former definitions. These keys sort behind the key of the head. One
   * query reads a range of keys that contains the definition and the head. This range must not
   * contain former definitions.
   */
  private static final String PREFIX = "past#";

  private final Batches batches;
  private final DynamoDbTable<Item<Definition>> definitions;
  private final Duration retention;
  private final InstantSource clock;

  FormerDefinitions(
      Batches batches,
      DynamoDbTable<Item<Definition>> definitions,
      Duration retention,
      InstantSource clock) {
    this.batches = batches;
    this.definitions = definitions;
    this.retention = retention;
    this.clock = clock;
  }

  /** The writes that keep the definition of the generation that a change ends. */
  List<Write> writes(Change change) {
    Definition former = change.former();
    if (former == null) {
      return List.of();
    }
    Item<Definition> item =
        Item.of(former, DefinitionItem.SCHEMA)
            .with(JobItem.ITEM, TEXT.transformFrom(PREFIX + former.generation()))
            .expiring(clock.instant().plus(retention));
    return List.of(Writes.putting(definitions, item));
  }

  /**
   * @throws UnreadableItems if the definition is stored and cannot be read
   */
  Optional<Definition> find(ScheduleId id, long generation) {
    Key key = Key.builder().partitionValue(id.toString()).sortValue(PREFIX + generation).build();
    return Items.all(
            batches.get(definitions, List.of(key)),
            (damaged, first) -> new UnreadableItems(Set.of(id), first))
        .stream()
        .findFirst();
  }
}
