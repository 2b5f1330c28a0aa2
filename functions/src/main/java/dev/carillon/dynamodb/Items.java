package dev.carillon.dynamodb;

import dev.carillon.id.UnreadableItems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads items one by one, so that an item that is damaged, or that a newer version stored, does not
 * prevent the reading of the others.
 */
final class Items {

  /** The key attributes of all tables, which identify an item in the log. */
  private static final List<String> KEYS = List.of("schedule", "gate", "item", "shard", "due");

  private static final Logger LOG = LoggerFactory.getLogger(Items.class);

  private Items() {}

  /**
   * Returns the readable records. Do not use it where a decision would treat a missing record as an
   * absent item.
   */
  static <T> List<T> readable(List<Item<T>> items) {
    return readable(items, record -> record);
  }

  /** Returns the results of the reader for the items it can read. */
  static <T, V> List<V> readable(List<Item<T>> items, Function<T, V> reader) {
    return read(items, reader, new ArrayList<>(), new ArrayList<>());
  }

  /**
   * Returns all records by their keys.
   *
   * @param key the schema of the key
   * @param keyOf the key of a record
   * @throws UnreadableItems if some items cannot be read; it names their keys
   */
  static <T, K> Map<K, T> byKey(List<Item<T>> items, TableSchema<K> key, Function<T, K> keyOf) {
    Map<K, T> found = new HashMap<>();
    all(items, (damaged, first) -> new UnreadableItems(keys(damaged, key), first))
        .forEach(record -> found.put(keyOf.apply(record), record));
    return found;
  }

  private static <T, K> Set<K> keys(List<Item<T>> items, TableSchema<K> key) {
    return items.stream().map(item -> item.as(key).record()).collect(Collectors.toSet());
  }

  /**
   * Returns all records.
   *
   * @param refusal if some items cannot be read, makes the exception from these items and the first
   *     failure
   */
  static <T> List<T> all(
      List<Item<T>> items, BiFunction<List<Item<T>>, RuntimeException, RuntimeException> refusal) {
    List<Item<T>> damaged = new ArrayList<>();
    List<RuntimeException> damages = new ArrayList<>();
    List<T> records = read(items, record -> record, damaged, damages);
    if (!damaged.isEmpty()) {
      throw refusal.apply(damaged, damages.get(0));
    }
    return records;
  }

  private static <T, V> List<V> read(
      List<Item<T>> items,
      Function<T, V> reader,
      List<Item<T>> damaged,
      List<RuntimeException> damages) {
    List<V> records = new ArrayList<>();
    for (Item<T> item : items) {
      try {
        records.add(reader.apply(item.record()));
      } catch (RuntimeException damage) {
        LOG.error(
            "the item {} cannot be read: it is damaged, or a newer version stored it; reading it"
                + " fails until it is stored again with PUT or deleted",
            keyOf(item.attributes()),
            damage);
        damaged.add(item);
        damages.add(damage);
      }
    }
    return records;
  }

  static List<String> keyOf(Map<String, AttributeValue> attributes) {
    return KEYS.stream()
        .flatMap(name -> Stream.ofNullable(attributes.get(name)))
        .map(AttributeValue::s)
        .toList();
  }
}
