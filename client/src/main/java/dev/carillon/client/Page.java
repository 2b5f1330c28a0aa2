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

  /** Reads pages whose items are in the member {@code name}. */
  static <T> Function<JsonNode, Page<T>> of(String name, Class<T> type) {
    return of(name, item -> Json.read(item, type));
  }

  /** Reads pages whose items are in the member {@code name}. */
  static <T> Function<JsonNode, Page<T>> of(String name, Function<JsonNode, T> read) {
    return answer -> {
      List<T> items = new ArrayList<>();
      for (JsonNode item : Json.list(answer, name)) {
        items.add(read.apply(item));
      }
      return new Page<>(List.copyOf(items), answer.path("next").textValue());
    };
  }
}
