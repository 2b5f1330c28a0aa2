package dev.carillon.dynamodb;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item and the schema of its record. It is read when the record is asked for, and not with the
 * page that it came in: an item that is damaged, or that a newer version has stored, must not stop
 * those beside it.
 */
record Row<T>(Map<String, AttributeValue> item, TableSchema<T> schema) {

  static <T> Row<T> of(T record, TableSchema<T> schema) {
    return new Row<>(schema.itemToMap(record, true), schema);
  }

  /** The same item, read as another kind. */
  <O> Row<O> as(TableSchema<O> other) {
    return new Row<>(item, other);
  }

  /** With an attribute that no member of the record tells. */
  Row<T> with(String name, AttributeValue value) {
    return with(Map.of(name, value));
  }

  /** Removed by DynamoDB some time after the instant. */
  Row<T> expiring(Instant at) {
    return with("expiresAt", Forms.SECONDS.transformFrom(at));
  }

  Row<T> with(Map<String, AttributeValue> more) {
    Map<String, AttributeValue> all = new HashMap<>(item);
    all.putAll(more);
    return new Row<>(all, schema);
  }

  /** What an attribute tells by itself. */
  String text(String name) {
    return Schema.required(item, name).s();
  }

  /** Whether there is an item at all. */
  boolean isStored() {
    return !item.isEmpty();
  }

  /**
   * @throws RuntimeException if the item cannot be read
   */
  T record() {
    return schema.mapToItem(item);
  }

  /**
   * The schema of rows, by which the enhanced client takes items from us and hands them on. What it
   * stands for is made when the first row is read or written: a function that starts cold needs
   * few.
   */
  record Schemas<T>(Supplier<TableSchema<T>> records) implements TableSchema<Row<T>> {

    @Override
    public Row<T> mapToItem(Map<String, AttributeValue> item) {
      return new Row<>(item, records.get());
    }

    @Override
    public Map<String, AttributeValue> itemToMap(Row<T> row, boolean ignoreNulls) {
      return row.item();
    }

    @Override
    public Map<String, AttributeValue> itemToMap(Row<T> row, Collection<String> attributes) {
      Map<String, AttributeValue> some = new HashMap<>(row.item());
      some.keySet().retainAll(attributes);
      return some;
    }

    @Override
    public AttributeValue attributeValue(Row<T> row, String name) {
      return Schema.required(row.item(), name);
    }

    @Override
    public TableMetadata tableMetadata() {
      return records.get().tableMetadata();
    }

    /** Of a row there is one class, whatever its record is. */
    @Override
    @SuppressWarnings("unchecked")
    public EnhancedType<Row<T>> itemType() {
      return (EnhancedType<Row<T>>) (EnhancedType<?>) EnhancedType.of(Row.class);
    }

    @Override
    public List<String> attributeNames() {
      return records.get().attributeNames();
    }

    @Override
    public boolean isAbstract() {
      return false;
    }
  }
}
