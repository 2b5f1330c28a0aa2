package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next the start of the next page; null if this is the last page
 */
public record Page<T>(List<T> items, @Nullable String next) {

  static <T> Page<T> of(JsonNode answer, String name, Class<T> type) {
    return of(answer, name, item -> Json.read(item, type));
  }

  static <T> Page<T> of(JsonNode answer, String name, Function<JsonNode, T> read) {
    List<T> items = new ArrayList<>();
    for (JsonNode item : answer.path(name)) {
      items.add(read.apply(item));
    }
    return new Page<>(List.copyOf(items), answer.path("next").textValue());
  }
}
