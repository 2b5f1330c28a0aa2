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
 * An item and the schema of its record. The record is read on request and not together with its
 * page. So an item that is damaged, or that a newer version stored, does not prevent the reading of
 * the others.
 */
record Item<T>(Map<String, AttributeValue> attributes, TableSchema<T> schema) {

  static <T> Item<T> of(T record, TableSchema<T> schema) {
    return new Item<>(schema.itemToMap(record, true), schema);
  }

  /** Returns the same item with the schema of another kind of record. */
  <O> Item<O> as(TableSchema<O> other) {
    return new Item<>(attributes, other);
  }

  /** Adds an attribute that belongs to no member of the record. */
  Item<T> with(String name, AttributeValue value) {
    return with(Map.of(name, value));
  }

  /** Lets DynamoDB delete the item after the instant. */
  Item<T> expiring(Instant at) {
    return with("expiresAt", Forms.SECONDS.transformFrom(at));
  }

  Item<T> with(Map<String, AttributeValue> more) {
    Map<String, AttributeValue> all = new HashMap<>(attributes);
    all.putAll(more);
    return new Item<>(all, schema);
  }

  /** The text of an attribute. */
  String text(String name) {
    return Schema.required(attributes, name).s();
  }

  /** Whether the item exists. */
  boolean isStored() {
    return !attributes.isEmpty();
  }

  /**
   * @throws RuntimeException if the item cannot be read
   */
  T record() {
    return schema.mapToItem(attributes);
  }

  /**
   * The schema that the enhanced client uses for this type. The schema of the record is made when
   * the first item is read or written. A cold start needs only a few of these schemas.
   */
  record Schemas<T>(Supplier<TableSchema<T>> records) implements TableSchema<Item<T>> {

    @Override
    public Item<T> mapToItem(Map<String, AttributeValue> attributes) {
      return new Item<>(attributes, records.get());
    }

    @Override
    public Map<String, AttributeValue> itemToMap(Item<T> item, boolean ignoreNulls) {
      return item.attributes();
    }

    @Override
    public Map<String, AttributeValue> itemToMap(Item<T> item, Collection<String> names) {
      Map<String, AttributeValue> some = new HashMap<>(item.attributes());
      some.keySet().retainAll(names);
      return some;
    }

    @Override
    public AttributeValue attributeValue(Item<T> item, String name) {
      return Schema.required(item.attributes(), name);
    }

    @Override
    public TableMetadata tableMetadata() {
      return records.get().tableMetadata();
    }

    /** All items have one class, whatever their record is. */
    @Override
    @SuppressWarnings("unchecked")
    public EnhancedType<Item<T>> itemType() {
      return (EnhancedType<Item<T>>) (EnhancedType<?>) EnhancedType.of(Item.class);
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
