package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;

/** The fields that are not available yet, with their defaults. */
final class LaterFeatures {

  private static final List<String> NONE_YET = List.of("pool", "operations", "tracking", "onEnd");

  private static final ObjectNode RETRY =
      Json.readObject(
          """
          {"maxAttempts": 3, "backoff": "PT10S", "rate": 2, "maxBackoff": "PT1H"}
          """);

  private LaterFeatures() {}

  /** Refuses each field that differs from its default. */
  static void refuse(Fields fields) {
    for (String name : NONE_YET) {
      fields.refuseUnavailable(name, false);
    }
    refuseRetry(fields.object("retry"));
  }

  private static void refuseRetry(Fields retry) {
    List<String> known = List.of("maxAttempts", "backoff", "rate", "maxBackoff");
    retry.allowOnly(known);
    for (String name : known) {
      retry.refuseUnavailable(name, same(retry.get(name), RETRY.get(name)));
    }
  }

  private static boolean same(JsonNode given, JsonNode usual) {
    if (given.isNumber() && usual.isNumber()) {
      return given.decimalValue().compareTo(usual.decimalValue()) == 0;
    }
    if (!given.isTextual() || !usual.isTextual()) {
      return false;
    }
    try {
      return Duration.parse(given.textValue()).equals(Duration.parse(usual.textValue()));
    } catch (DateTimeException noDuration) {
      return false;
    }
  }

  static void writeDefaults(ObjectNode document) {
    NONE_YET.forEach(document::putNull);
    document.set("retry", RETRY.deepCopy());
  }
}
