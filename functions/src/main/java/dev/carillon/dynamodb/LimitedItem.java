package dev.carillon.dynamodb;

import dev.carillon.gate.LimitedPrograms;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The counts of {@link LimitedPrograms} of a namespace, as one item with an attribute for each
 * bucket. The counts are changed by additions, without being read.
 */
final class LimitedItem {

  private static final String ITEM = "gated";
  private static final int RADIX = 36;

  /** The name of a bucket: two letters, because the item is read with each launch. */
  private static final Pattern BUCKET = Pattern.compile("[0-9a-z]{2}");

  private static final Logger LOG = LoggerFactory.getLogger(LimitedItem.class);

  /**
   * The key of the item of a namespace. No schedule has it, because the partition key of a schedule
   * contains a slash.
   */
  static final TableSchema<String> KEY =
      Schema.ofKey(
          String.class,
          "schedule",
          namespace -> namespace,
          "item",
          namespace -> ITEM,
          (namespace, item) -> namespace);

  private LimitedItem() {}

  static boolean isOne(Item<?> item) {
    return item.text("item").equals(ITEM);
  }

  /** The numbers to add to the buckets. */
  static Item<String> additions(String namespace, Map<Integer, Long> inBuckets) {
    Item<String> item = new Item<>(KEY.itemToMap(namespace, true), KEY);
    for (Map.Entry<Integer, Long> bucket : inBuckets.entrySet()) {
      item = item.with(name(bucket.getKey()), Forms.NUMBER.transformFrom(bucket.getValue()));
    }
    return item;
  }

  private static String name(int bucket) {
    String digits = Integer.toString(bucket, RADIX);
    return digits.length() < 2 ? "0" + digits : digits;
  }

  /** Returns an entry for each namespace, even if nothing is stored for it. */
  static Map<String, LimitedPrograms> read(
      Collection<String> namespaces, List<Item<String>> items) {
    Map<String, LimitedPrograms> limited = new HashMap<>();
    namespaces.forEach(namespace -> limited.put(namespace, LimitedPrograms.NONE));
    for (Item<String> item : items) {
      Map<Integer, Long> counts = new HashMap<>();
      item.attributes()
          .forEach(
              (name, value) -> {
                if (BUCKET.matcher(name).matches()) {
                  counts.put(Integer.parseInt(name, RADIX), count(name, value));
                }
              });
      limited.put(item.record(), new LimitedPrograms(counts));
    }
    return limited;
  }

  /**
   * If the count of a bucket cannot be read, the bucket counts as not empty, and the gates show
   * which programs are in it.
   */
  private static long count(String name, AttributeValue value) {
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException damage) {
      LOG.error(
          "the number of limited programs in the bucket {} cannot be read; launches read the gates of"
              + " its programs instead",
          name,
          damage);
      return 1;
    }
  }
}
