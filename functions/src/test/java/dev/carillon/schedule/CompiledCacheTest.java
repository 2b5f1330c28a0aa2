package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompiledCacheTest {

  private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

  private final CompiledCache cache = new CompiledCache();

  private static ScheduleId id(int number) {
    return new ScheduleId("default", "s" + number);
  }

  /** A definition whose document has a description of this length. */
  private static Compiled compiled(int number, int length) {
    var document =
        Json.readObject(
            """
            {"trigger": {"type": "manual"},
             "target": {"queue": "q", "template": {}},
             "program": "p"}
            """);
    Schedule schedule = new ScheduleParser(ZoneOffset.UTC).parse(id(number), document, NOW);
    document.put("description", "x".repeat(length));
    return new Compiled(new Definition(id(number), 1, document, NOW, NOW, "test", NOW), schedule);
  }

  private long kept(int of) {
    return IntStream.range(0, of).filter(number -> cache.find(id(number)) != null).count();
  }

  @Test
  void tensOfThousandsOfSmallDefinitionsAreKept() {
    Compiled small = compiled(0, 0);
    IntStream.range(0, 30_000).forEach(number -> cache.put(id(number), small));
    assertThat(kept(30_000)).isEqualTo(CompiledCache.MOST_ENTRIES);
    assertThat(cache.find(id(29_999))).isSameAs(small);
    assertThat(cache.find(id(0))).isNull();
  }

  @Test
  void largeDefinitionsAreBoundedByTheirSize() {
    Compiled large = compiled(0, 64 * 1024);
    IntStream.range(0, 2_000).forEach(number -> cache.put(id(number), large));
    assertThat(kept(2_000)).isBetween(800L, CompiledCache.MOST_BYTES / (64 * 1024));
  }

  @Test
  void aDefinitionThatIsStoredAgainReplacesItself() {
    Compiled large = compiled(0, 64 * 1024);
    Compiled other = compiled(1, 0);
    cache.put(id(1), other);
    IntStream.range(0, 5_000).forEach(any -> cache.put(id(0), large));
    assertThat(cache.find(id(1))).isSameAs(other);
    cache.clear();
    assertThat(cache.find(id(0))).isNull();
  }
}
