package dev.carillon.dynamodb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.time.Timestamps;
import dev.carillon.wakeup.Wakeup.Plan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The forms in which values are stored. */
final class Forms {

  static final AttributeConverter<String> TEXT = library(EnhancedType.of(String.class));
  static final AttributeConverter<Long> NUMBER = library(EnhancedType.of(Long.class));
  static final AttributeConverter<Integer> COUNT = library(EnhancedType.of(Integer.class));
  static final AttributeConverter<Boolean> FLAG = library(EnhancedType.of(Boolean.class));
  static final AttributeConverter<List<String>> TEXTS = library(EnhancedType.listOf(String.class));

  /** An instant as ISO-8601 text. */
  static final AttributeConverter<Instant> MOMENT = library(EnhancedType.of(Instant.class));

  static final AttributeConverter<Instant> MILLIS =
      number(Instant.class, Instant::toEpochMilli, Instant::ofEpochMilli);

  /** The form that DynamoDB's time to live requires. */
  static final AttributeConverter<Instant> SECONDS =
      number(Instant.class, Instant::getEpochSecond, Instant::ofEpochSecond);

  static final AttributeConverter<ObjectNode> JSON =
      text(ObjectNode.class, Json::write, Json::readObject);

  static final AttributeConverter<Urgent> URGENT =
      new Form<>(
          EnhancedType.of(Urgent.class),
          AttributeValueType.N,
          urgent -> AttributeValue.fromN(urgent.number()),
          value -> Urgent.of(new BigDecimal(value.n())));

  /** The text is short, because DynamoDB counts write units by size. */
  static final AttributeConverter<List<Instant>> INSTANTS =
      joined(" ", Instant.class, Timestamps::shortText, Timestamps::ofShortText);

  /**
   * The text begins with {@code m} if a message carries the wake-up, or with {@code i} if only the
   * index does. The instant follows.
   */
  static final AttributeConverter<Plan> PLAN =
      text(
          Plan.class,
          plan -> (plan.isInMessage() ? "m" : "i") + Timestamps.shortText(plan.at()),
          text -> new Plan(Timestamps.ofShortText(text.substring(1)), text.startsWith("m")));

  private Forms() {}

  /**
   * When a subject must be checked, and its priority. The number holds milliseconds before the
   * decimal point and the priority after it, so that entries of one instant sort by priority.
   */
  record Urgent(Instant at, int priority) {
    static @Nullable Urgent of(@Nullable Instant at, int priority) {
      return at == null ? null : new Urgent(at, priority);
    }

    private static Urgent of(BigDecimal number) {
      BigDecimal priority = number.remainder(BigDecimal.ONE).movePointRight(1);
      return new Urgent(Instant.ofEpochMilli(number.longValue()), priority.intValue());
    }

    private String number() {
      return at.toEpochMilli() + (priority == 0 ? "" : "." + priority);
    }
  }

  private static <V> AttributeConverter<V> library(EnhancedType<V> type) {
    return AttributeConverterProvider.defaultProvider().converterFor(type);
  }

  /** A record as a nested map, which is stored even if it is empty. */
  static <V> AttributeConverter<V> document(Class<V> type, TableSchema<V> schema) {
    return library(
        EnhancedType.documentOf(
            type, schema, how -> how.ignoreNulls(true).preserveEmptyObject(true)));
  }

  static <E extends Enum<E>> AttributeConverter<E> named(Class<E> type) {
    return text(type, Enum::name, name -> Enum.valueOf(type, name));
  }

  static <V> AttributeConverter<V> number(
      Class<V> type, Function<V, Long> write, Function<Long, V> read) {
    return new Form<>(
        EnhancedType.of(type),
        AttributeValueType.N,
        value -> AttributeValue.fromN(write.apply(value).toString()),
        value -> read.apply(Long.valueOf(value.n())));
  }

  static <V> AttributeConverter<V> text(
      Class<V> type, Function<V, String> write, Function<String, V> read) {
    return text(EnhancedType.of(type), write, read);
  }

  static <V> AttributeConverter<V> text(
      EnhancedType<V> type, Function<V, String> write, Function<String, V> read) {
    return new Form<>(
        type,
        AttributeValueType.S,
        value -> AttributeValue.fromS(write.apply(value)),
        value -> read.apply(value.s()));
  }

  /** A list as one text, which takes fewer bytes than a DynamoDB list. */
  static <V> AttributeConverter<List<V>> joined(
      String separator, Class<V> type, Function<V, String> write, Function<String, V> read) {
    return text(
        EnhancedType.listOf(type),
        values -> values.stream().map(write).collect(Collectors.joining(separator)),
        text -> Arrays.stream(text.split(separator, -1)).map(read).toList());
  }

  /** Compressed text, because DynamoDB counts write units by size. */
  static <V> AttributeConverter<V> deflated(
      Class<V> type, Function<V, String> write, Function<String, V> read) {
    return deflated(EnhancedType.of(type), write, read);
  }

  static <V> AttributeConverter<V> deflated(
      EnhancedType<V> type, Function<V, String> write, Function<String, V> read) {
    return bytes(type, value -> deflate(write.apply(value)), it -> read.apply(inflate(it)));
  }

  static <V> AttributeConverter<V> bytes(
      EnhancedType<V> type, Function<V, byte[]> write, Function<byte[], V> read) {
    return new Form<>(
        type,
        AttributeValueType.B,
        value -> AttributeValue.fromB(SdkBytes.fromByteArray(write.apply(value))),
        value -> read.apply(value.b().asByteArrayUnsafe()));
  }

  private static byte[] deflate(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  private static String inflate(byte[] bytes) {
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException damage) {
      throw new UncheckedIOException("a compressed attribute cannot be decompressed", damage);
    }
  }

  private record Form<V>(
      EnhancedType<V> type,
      AttributeValueType attributeValueType,
      Function<V, AttributeValue> write,
      Function<AttributeValue, V> read)
      implements AttributeConverter<V> {

    @Override
    public AttributeValue transformFrom(V value) {
      return write.apply(value);
    }

    @Override
    public V transformTo(AttributeValue value) {
      return read.apply(value);
    }
  }
}
