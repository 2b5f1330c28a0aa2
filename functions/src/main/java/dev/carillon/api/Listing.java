package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pages of lists. */
final class Listing {

  /** The largest answer. Lambda allows 6 MB, of which headers and escapes take a part. */
  static final int MOST_ANSWER_BYTES = 4 * 1024 * 1024;

  private static final int MOST_NAMED = 10;
  private static final int MOST_ITEMS = 1_000;
  private static final int DEFAULT_ITEMS = 100;

  private Listing() {}

  static int limit(Fields query) {
    return (int) query.whole("limit", 1, MOST_ITEMS, DEFAULT_ITEMS);
  }

  static ObjectNode page(String name, List<? extends JsonNode> items, @Nullable String next) {
    ObjectNode page = Json.object();
    page.putArray(name).addAll(items);
    return page.put("next", next);
  }

  /** Reads the items of one kind in a namespace page by page, in the order of their names. */
  @FunctionalInterface
  interface Pages<T> {
    Page<T> read(String namespace, int limit, @Nullable String after);
  }

  /** Answers with a page of the items of one kind in a namespace. */
  static <T> APIGatewayProxyResponseEvent ofNamespace(
      Call call, String kind, Pages<T> pages, Function<T, ObjectNode> view) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    int limit = limit(query);
    String list = kind + " " + namespace;
    String from = Cursor.open(query, list, Cursor::isName);
    Problem.refuse(faults);
    return Answer.of(
        200,
        fitting(
            limit,
            items -> {
              Page<T> page = pages.read(namespace, items, from);
              List<ObjectNode> views = page.items().stream().map(view).toList();
              return page(kind, views, Cursor.seal(list, page.next()));
            }));
  }

  /** The page with {@code limit} items, or with fewer if they are too large for one answer. */
  static ObjectNode fitting(int limit, IntFunction<ObjectNode> page) {
    int items = limit;
    ObjectNode fitting = page.apply(items);
    while (items > 1 && bytes(fitting) > MOST_ANSWER_BYTES) {
      items /= 2;
      fitting = page.apply(items);
    }
    return fitting;
  }

  /** The names of the first schedules, by name, and the number of the others. */
  static String firstNames(Collection<ScheduleId> schedules) {
    String first =
        schedules.stream()
            .map(ScheduleId::name)
            .sorted()
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    int others = schedules.size() - MOST_NAMED;
    return others > 0 ? first + " and " + others + " more" : first;
  }

  static int bytes(JsonNode value) {
    return Json.write(value).getBytes(StandardCharsets.UTF_8).length;
  }
}
