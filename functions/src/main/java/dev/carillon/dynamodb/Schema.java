package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTag;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.WrappedTableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Declares the static schema of one kind of item, one attribute per line.
 *
 * @param <T> the record
 * @param <B> the builder that collects the record's members
 */
final class Schema<T, B> {

  private final StaticImmutableTableSchema.Builder<T, B> schema;
  private final List<String> required = new ArrayList<>();

  private Schema(StaticImmutableTableSchema.Builder<T, B> schema) {
    this.schema = schema;
  }

  static <T, B> Schema<T, B> of(
      Class<T> type, Class<B> builder, Supplier<B> begin, Function<B, T> end) {
    return new Schema<>(
        StaticImmutableTableSchema.builder(type, builder).newItemBuilder(begin, end));
  }

  /** A schema with only a key of two parts, which other schemas can flatten. */
  static <T> TableSchema<T> ofKey(
      Class<T> type,
      String partition,
      Function<T, String> toPartition,
      String sort,
      Function<T, String> toSort,
      BiFunction<String, String, T> read) {
    return Schema.of(type, String[].class, () -> new String[2], it -> read.apply(it[0], it[1]))
        .with(partition, Forms.TEXT, toPartition, (it, text) -> it[0] = text, primaryPartitionKey())
        .with(sort, Forms.TEXT, toSort, (it, text) -> it[1] = text, primarySortKey())
        .build();
  }

  /** A required attribute: an item without it cannot be read. */
  <V> Schema<T, B> with(
      String name,
      AttributeConverter<V> form,
      Function<T, V> getter,
      BiConsumer<B, V> setter,
      StaticAttributeTag... tags) {
    required.add(name);
    return optional(name, form, getter, setter, tags);
  }

  /** An attribute that is left out if its value is null. */
  <V> Schema<T, B> optional(
      String name,
      AttributeConverter<V> form,
      Function<T, @Nullable V> getter,
      BiConsumer<B, V> setter,
      StaticAttributeTag... tags) {
    schema.addAttribute(
        form.type(),
        it -> it.name(name).attributeConverter(form).getter(getter).setter(setter).tags(tags));
    return this;
  }

  /** An attribute for an index or for the expiry of the item. It is written, but never read. */
  <V> Schema<T, B> written(
      String name,
      AttributeConverter<V> form,
      Function<T, @Nullable V> getter,
      StaticAttributeTag... tags) {
    return optional(name, form, getter, (builder, value) -> {}, tags);
  }

  /** All attributes of a member's schema; none of them if the member is null. */
  <V> Schema<T, B> flat(
      TableSchema<V> member, Function<T, @Nullable V> getter, BiConsumer<B, V> setter) {
    schema.flatten(member, getter, setter);
    return this;
  }

  TableSchema<T> build() {
    return new Strict<>(schema.build(), List.copyOf(required));
  }

  /** The value; null if the value is the default, which is not stored. */
  static <V> @Nullable V unlessDefault(V usual, V value) {
    return value.equals(usual) ? null : value;
  }

  /** The key of a record. */
  static <T> Key key(TableSchema<T> schema, T record) {
    Map<String, AttributeValue> item = schema.itemToMap(record, true);
    TableMetadata names = schema.tableMetadata();
    Key.Builder key = Key.builder().partitionValue(item.get(names.primaryPartitionKey()));
    names.primarySortKey().ifPresent(sort -> key.sortValue(item.get(sort)));
    return key.build();
  }

  static AttributeValue required(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null) {
      throw new IllegalStateException("A stored item lacks the attribute " + name);
    }
    return value;
  }

  /**
   * Refuses an item that lacks a required attribute. Otherwise the record would have null or 0 in a
   * member that always has a value.
   */
  private static final class Strict<T> extends WrappedTableSchema<T, TableSchema<T>> {

    private final List<String> required;

    Strict(TableSchema<T> schema, List<String> required) {
      super(schema);
      this.required = required;
    }

    @Override
    public T mapToItem(Map<String, AttributeValue> item) {
      return mapToItem(item, false);
    }

    @Override
    public T mapToItem(Map<String, AttributeValue> item, boolean preserveEmptyObject) {
      for (String name : required) {
        AttributeValue unused = required(item, name);
      }
      return super.mapToItem(item, preserveEmptyObject);
    }
  }
}
