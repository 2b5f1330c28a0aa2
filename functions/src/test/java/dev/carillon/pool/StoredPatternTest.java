package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StoredPatternTest {

  /** Only a compiler finds that this is no pattern. */
  @Test
  void thePatternOfAStoredPoolIsNotCompiledBeforeItMatches() {
    ObjectNode document = Json.readObject("{\"match\": {\"a\": \"no list\"}}");
    assertThatThrownBy(() -> PoolReader.read(document)).isInstanceOf(InvalidDocument.class);

    Pool stored = PoolReader.stored(document);
    assertThatThrownBy(
            () -> Objects.requireNonNull(stored.match()).matches(Json.readObject("{\"a\": 1}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStoredDocumentWithAFaultCannotBeRead() {
    assertThatThrownBy(() -> PoolReader.stored(Json.readObject("{\"order\": \"newest\"}")))
        .isInstanceOf(InvalidDocument.class);
    assertThat(PoolReader.stored(Json.readObject("{}")).match()).isNull();
  }
}
