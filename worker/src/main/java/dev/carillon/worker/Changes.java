package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.OperationState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The changes that a handler has reported and that no answered heartbeat has carried yet. */
final class Changes {

  private @Nullable JsonNode progress;
  private Map<String, OperationState> operations = new LinkedHashMap<>();

  /**
   * The changes that one heartbeat carries.
   *
   * @param progress the progress; null if it did not change
   */
  record Batch(@Nullable JsonNode progress, Map<String, OperationState> operations) {}

  synchronized void progress(JsonNode now) {
    progress = now;
  }

  synchronized void operation(String id, OperationState now) {
    operations.put(id, now);
  }

  synchronized boolean isEmpty() {
    return progress == null && operations.isEmpty();
  }

  synchronized Batch take() {
    Batch batch = new Batch(progress, operations);
    progress = null;
    operations = new LinkedHashMap<>();
    return batch;
  }

  /** Takes the progress and one operation. The other operations stay. */
  synchronized Batch take(String operation) {
    Map<String, OperationState> one = new LinkedHashMap<>(operations);
    one.keySet().retainAll(Set.of(operation));
    operations.remove(operation);
    Batch batch = new Batch(progress, one);
    progress = null;
    return batch;
  }

  /**
   * Takes back a batch whose heartbeat was not answered, except for values that have changed again
   * since.
   */
  synchronized void putBack(Batch batch) {
    if (progress == null) {
      progress = batch.progress();
    }
    Map<String, OperationState> newer = operations;
    operations = new LinkedHashMap<>(batch.operations());
    operations.putAll(newer);
  }
}
