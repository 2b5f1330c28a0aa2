package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fields;
import java.util.List;

/** The fields that are not available yet. */
final class LaterFeatures {

  private static final List<String> NONE_YET = List.of("pool");

  private LaterFeatures() {}

  /** Refuses each field that differs from its default. */
  static void refuse(Fields fields) {
    for (String name : NONE_YET) {
      fields.refuseUnavailable(name, false);
    }
  }

  static void writeDefaults(ObjectNode document) {
    NONE_YET.forEach(document::putNull);
  }
}
