package dev.carillon.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.pagination.sync.SdkIterable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads pages of queries, and requests no more pages than needed. */
final class Queries {

  private Queries() {}

  /** All items that the query finds. */
  static <T> List<Item<T>> all(SdkIterable<Page<Item<T>>> pages) {
    List<Item<T>> items = new ArrayList<>();
    pages.forEach(page -> items.addAll(page.items()));
    return items;
  }

  /** The first items, or all if there are fewer than wanted. */
  static <T> List<Item<T>> first(SdkIterable<Page<Item<T>>> pages, int wanted) {
    List<Item<T>> items = new ArrayList<>();
    for (Page<Item<T>> page : pages) {
      items.addAll(page.items());
      if (items.size() >= wanted) {
        break;
      }
    }
    return items.size() > wanted ? items.subList(0, wanted) : items;
  }

  /** Like {@link #first}, but leaves out unreadable items. */
  static <T> List<T> readable(SdkIterable<Page<Item<T>>> pages, int wanted) {
    return readable(pages, wanted, record -> record);
  }

  /** Like {@link #first}, but leaves out unreadable items and converts the others by the reader. */
  static <T, V> List<V> readable(
      SdkIterable<Page<Item<T>>> pages, int wanted, Function<T, V> reader) {
    List<V> records = new ArrayList<>();
    for (Page<Item<T>> page : pages) {
      records.addAll(Items.readable(page.items(), reader));
      if (records.size() >= wanted) {
        break;
      }
    }
    return records.size() > wanted ? records.subList(0, wanted) : records;
  }

  /** Whether a query without a filter finds no item, readable or not. */
  static <T> boolean isEmpty(SdkIterable<Page<Item<T>>> pages) {
    return firstPage(pages).items().isEmpty();
  }

  /** Reads only the first page. */
  static <T> Part<T> firstPage(SdkIterable<Page<Item<T>>> pages) {
    Page<Item<T>> page = pages.iterator().next();
    return new Part<>(page.items(), page.scannedCount(), page.lastEvaluatedKey());
  }

  /**
   * A page.
   *
   * @param examined how many items DynamoDB examined before it filtered
   * @param last the key after which the next page begins; null if there is none
   */
  record Part<T>(List<Item<T>> items, int examined, @Nullable Map<String, AttributeValue> last) {

    /** The records without unreadable items. */
    List<T> readable() {
      return Items.readable(items);
    }

    /** The token after which the next page begins; null if there is none. */
    <K> @Nullable String next(TableSchema<K> key, Function<K, String> token) {
      return last == null ? null : token.apply(key.mapToItem(last));
    }
  }
}
