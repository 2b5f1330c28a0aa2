package dev.carillon.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads and writes attributes. */
final class Values {

  private Values() {}

  static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  static AttributeValue millis(Instant value) {
    return number(value.toEpochMilli());
  }

  /** As ISO-8601 text. */
  static AttributeValue moment(Instant value) {
    return text(value.toString());
  }

  static AttributeValue seconds(Instant value) {
    return number(value.getEpochSecond());
  }

  static AttributeValue bytes(byte[] value) {
    return AttributeValue.fromB(SdkBytes.fromByteArray(value));
  }

  /** Text that is worth to be compressed: write units are counted by size. */
  static AttributeValue deflated(String value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(value.getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      deflater.end();
    }
    return bytes(bytes.toByteArray());
  }

  static String inflatedOf(Map<String, AttributeValue> item, String name) {
    byte[] bytes = required(item, name).b().asByteArrayUnsafe();
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException damage) {
      throw new UncheckedIOException("stored text is damaged", damage);
    }
  }

  static String textOf(Map<String, AttributeValue> item, String name) {
    return required(item, name).s();
  }

  static @Nullable String textOrNull(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? null : value.s();
  }

  static Instant momentOf(Map<String, AttributeValue> item, String name) {
    return Instant.parse(textOf(item, name));
  }

  static long numberOf(Map<String, AttributeValue> item, String name) {
    return Long.parseLong(required(item, name).n());
  }

  static long numberOf(Map<String, AttributeValue> item, String name, long absent) {
    AttributeValue value = item.get(name);
    return value == null ? absent : Long.parseLong(value.n());
  }

  static Instant instantOf(Map<String, AttributeValue> item, String name) {
    return Instant.ofEpochMilli(numberOf(item, name));
  }

  static @Nullable Instant instantOrNull(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? instantOf(item, name) : null;
  }

  private static AttributeValue required(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null) {
      throw new IllegalStateException("a stored row lacks its attribute " + name);
    }
    return value;
  }
}
