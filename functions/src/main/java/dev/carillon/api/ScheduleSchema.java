package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The JSON Schema of schedule documents. The schema uses draft 7, which most editors and code
 * generators support.
 */
public final class ScheduleSchema {

  private ScheduleSchema() {}

  static APIGatewayProxyResponseEvent answer() {
    return Answer.schema(document());
  }

  public static ObjectNode document() {
    try (InputStream resource =
        Objects.requireNonNull(ScheduleSchema.class.getResourceAsStream("schedule.schema.json"))) {
      return Json.readObject(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
