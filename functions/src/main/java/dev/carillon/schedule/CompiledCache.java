package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most recently used definitions, up to a number and an estimated size. Both are bounded,
 * because the memory of a function holds many small definitions but only a few of 64 KB.
 */
final class CompiledCache {

  static final int MOST_ENTRIES = 20_000;
  static final long MOST_BYTES = 64L * 1024 * 1024;

  /** The estimated memory of a definition without its texts. */
  private static final long BYTES_OF_ENTRY = 1_000;

  /** The estimated memory of a JSON value and of its parsed form. */
  private static final long BYTES_OF_VALUE = 100;

  /**
   * The estimated memory of a compiled value of a filter, as a multiple of that of another value.
   */
  private static final long FACTOR_OF_FILTER = 20;

  private final Map<ScheduleId, Sized> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Sized(Compiled compiled, long bytes) {}

  synchronized @Nullable Compiled find(ScheduleId id) {
    Sized entry = entries.get(id);
    return entry == null ? null : entry.compiled();
  }

  synchronized void put(ScheduleId id, Compiled compiled) {
    long size = BYTES_OF_ENTRY + bytes(compiled.definition().document());
    Sized before = entries.put(id, new Sized(compiled, size));
    bytes += size - (before == null ? 0 : before.bytes());
    Iterator<Sized> eldest = entries.values().iterator();
    while (entries.size() > MOST_ENTRIES || bytes > MOST_BYTES) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  synchronized void clear() {
    entries.clear();
    bytes = 0;
  }

  private static long bytes(JsonNode value) {
    long sum = BYTES_OF_VALUE + (value.isTextual() ? value.textValue().length() : 0);
    for (JsonNode element : value) {
      sum += bytes(element);
    }
    JsonNode filter = value.path("filter");
    return sum + (FACTOR_OF_FILTER - 1) * (filter.isMissingNode() ? 0 : bytes(filter));
  }
}
