package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.textOrNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  static <T> List<T> readable(
      List<Map<String, AttributeValue>> items, Function<Map<String, AttributeValue>, T> reader) {
    List<T> rows = new ArrayList<>();
    for (Map<String, AttributeValue> item : items) {
      try {
        rows.add(reader.apply(item));
      } catch (RuntimeException damage) {
        LOG.error("the item {} cannot be read", keyOf(item), damage);
      }
    }
    return rows;
  }

  /**
   * All of them.
   *
   * @param refusal makes what is thrown if some cannot be read, of those and of why the first of
   *     them cannot
   */
  static <T> List<T> all(
      List<Map<String, AttributeValue>> items,
      Function<Map<String, AttributeValue>, T> reader,
      BiFunction<List<Map<String, AttributeValue>>, RuntimeException, RuntimeException> refusal) {
    List<T> rows = new ArrayList<>();
    List<Map<String, AttributeValue>> damaged = new ArrayList<>();
    @Nullable RuntimeException first = null;
    for (Map<String, AttributeValue> item : items) {
      try {
        rows.add(reader.apply(item));
      } catch (RuntimeException damage) {
        LOG.error("the item {} cannot be read", keyOf(item), damage);
        damaged.add(item);
        first = first == null ? damage : first;
      }
    }
    if (first != null) {
      throw refusal.apply(damaged, first);
    }
    return rows;
  }

  private static List<String> keyOf(Map<String, AttributeValue> item) {
    return KEYS.stream().flatMap(name -> Stream.ofNullable(textOrNull(item, name))).toList();
  }
}
