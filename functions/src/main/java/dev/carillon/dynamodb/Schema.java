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
 * Declares the static schema of one kind of item, an attribute in a line.
 *
 * @param <T> the record
 * @param <B> what collects its members when an item is read
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

  /** A schema that has nothing but a key of two parts, which others can be flattened into. */
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

  /** An attribute without which an item cannot be read. */
  <V> Schema<T, B> with(
      String name,
      AttributeConverter<V> form,
      Function<T, V> getter,
      BiConsumer<B, V> setter,
      StaticAttributeTag... tags) {
    required.add(name);
    return optional(name, form, getter, setter, tags);
  }

  /** An attribute that is left out where its value is null. */
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

  /** An attribute for an index or for expiry, which nothing is read from. */
  <V> Schema<T, B> written(
      String name,
      AttributeConverter<V> form,
      Function<T, @Nullable V> getter,
      StaticAttributeTag... tags) {
    return optional(name, form, getter, (builder, value) -> {}, tags);
  }

  /** All attributes of a member's schema; none of them where the member is null. */
  <V> Schema<T, B> flat(
      TableSchema<V> member, Function<T, @Nullable V> getter, BiConsumer<B, V> setter) {
    schema.flatten(member, getter, setter);
    return this;
  }

  /** Each attribute that no other member has, as a text. */
  Schema<T, B> others(
      String name,
      Function<T, Map<String, String>> getter,
      BiConsumer<B, Map<String, String>> set) {
    schema.flatten(name, getter, set);
    return this;
  }

  TableSchema<T> build() {
    return new Strict<>(schema.build(), List.copyOf(required));
  }

  /** Null for what is usual, which is not stored. */
  static <V> @Nullable V unless(V usual, V value) {
    return value.equals(usual) ? null : value;
  }

  /** The key that a schema gives a record. */
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
      throw new IllegalStateException("a stored row lacks its attribute " + name);
    }
    return value;
  }

  /** Reads no item that lacks an attribute: a member would be null or 0 that never is. */
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
