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

/** Pages of queries, of which no more are asked for than are needed. */
final class Queries {

  private Queries() {}

  /** All items that the query finds. */
  static <T> List<Row<T>> all(SdkIterable<Page<Row<T>>> pages) {
    List<Row<T>> rows = new ArrayList<>();
    pages.forEach(page -> rows.addAll(page.items()));
    return rows;
  }

  /** As many as are wanted, or all if there are fewer. */
  static <T> List<Row<T>> first(SdkIterable<Page<Row<T>>> pages, int wanted) {
    List<Row<T>> rows = new ArrayList<>();
    for (Page<Row<T>> page : pages) {
      rows.addAll(page.items());
      if (rows.size() >= wanted) {
        break;
      }
    }
    return rows.size() > wanted ? rows.subList(0, wanted) : rows;
  }

  /** The same of those that can be read. */
  static <T> List<T> readable(SdkIterable<Page<Row<T>>> pages, int wanted) {
    return readable(pages, wanted, record -> record);
  }

  /** The same of those that can be read, as what is made of them. */
  static <T, V> List<V> readable(
      SdkIterable<Page<Row<T>>> pages, int wanted, Function<T, V> reader) {
    List<V> records = new ArrayList<>();
    for (Page<Row<T>> page : pages) {
      records.addAll(Rows.readable(page.items(), reader));
      if (records.size() >= wanted) {
        break;
      }
    }
    return records.size() > wanted ? records.subList(0, wanted) : records;
  }

  /** The first page alone. */
  static <T> Part<T> firstPage(SdkIterable<Page<Row<T>>> pages) {
    Page<Row<T>> page = pages.iterator().next();
    return new Part<>(page.items(), page.scannedCount(), page.lastEvaluatedKey());
  }

  /**
   * A page.
   *
   * @param lookedAt how many items it was filtered from
   * @param last the key that the next page is behind; null if there is none
   */
  record Part<T>(List<Row<T>> rows, int lookedAt, @Nullable Map<String, AttributeValue> last) {

    List<T> records() {
      return rows.stream().map(Row::record).toList();
    }

    /** What a reader of pages continues behind; null if there is nothing. */
    <K> @Nullable String next(TableSchema<K> key, Function<K, String> token) {
      return last == null ? null : token.apply(key.mapToItem(last));
    }
  }
}
