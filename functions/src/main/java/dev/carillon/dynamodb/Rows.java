package dev.carillon.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads items one by one: one that is damaged, or that a newer version has stored, must not stop
 * those beside it.
 */
final class Rows {

  /** What tells an item from others, in whatever table. */
  private static final List<String> KEYS = List.of("schedule", "gate", "item", "shard", "due");

  private static final Logger LOG = LoggerFactory.getLogger(Rows.class);

  private Rows() {}

  /** Those that can be read: for where nobody takes what is left out for absent. */
  static <T> List<T> readable(List<Row<T>> rows) {
    return readable(rows, record -> record);
  }

  /** What is made of those of which it can be made. */
  static <T, V> List<V> readable(List<Row<T>> rows, Function<T, V> reader) {
    return read(rows, reader, new ArrayList<>(), new ArrayList<>());
  }

  /**
   * All of them.
   *
   * @param refusal makes what is thrown if some cannot be read, of those and of why the first of
   *     them cannot
   */
  static <T> List<T> all(
      List<Row<T>> rows, BiFunction<List<Row<T>>, RuntimeException, RuntimeException> refusal) {
    List<Row<T>> damaged = new ArrayList<>();
    List<RuntimeException> damages = new ArrayList<>();
    List<T> records = read(rows, record -> record, damaged, damages);
    if (!damaged.isEmpty()) {
      throw refusal.apply(damaged, damages.get(0));
    }
    return records;
  }

  private static <T, V> List<V> read(
      List<Row<T>> rows,
      Function<T, V> reader,
      List<Row<T>> damaged,
      List<RuntimeException> damages) {
    List<V> records = new ArrayList<>();
    for (Row<T> row : rows) {
      try {
        records.add(reader.apply(row.record()));
      } catch (RuntimeException damage) {
        LOG.error("the item {} cannot be read", keyOf(row.item()), damage);
        damaged.add(row);
        damages.add(damage);
      }
    }
    return records;
  }

  private static List<String> keyOf(Map<String, AttributeValue> item) {
    return KEYS.stream()
        .flatMap(name -> Stream.ofNullable(item.get(name)))
        .map(AttributeValue::s)
        .toList();
  }
}
