package dev.carillon.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PoolPatternsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final PoolPatterns patterns = new PoolPatterns();

  private static StoredPool read(String name) {
    return StoredPool.created(
        new PoolId("default", name),
        PoolReader.stored(Json.readObject("{\"match\": {\"a\": [1]}}")),
        NOW,
        "ann");
  }

  @Test
  void thePatternOfAVersionIsCompiledOnce() {
    StoredPool first = patterns.kept(read("a"));
    assertThat(patterns.kept(read("a"))).isSameAs(first);
    StoredPool changed = first.changed(first.pool(), NOW, "ann");
    assertThat(patterns.kept(changed)).isSameAs(changed);
    assertThat(patterns.kept(read("a"))).isNotSameAs(first);
  }

  @Test
  void thePatternsThatMatchedLongestAgoAreForgotten() {
    StoredPool first = patterns.kept(read("a"));
    for (int i = 0; i < PoolPatterns.MOST_ENTRIES; i++) {
      patterns.kept(read("b" + i));
    }
    assertThat(patterns.kept(read("a"))).isNotSameAs(first);
  }
}
