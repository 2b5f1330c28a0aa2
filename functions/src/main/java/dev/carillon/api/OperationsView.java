package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.document.Json;
import dev.carillon.run.Operation;
import dev.carillon.run.Operations;

/** The JSON forms of operations. */
final class OperationsView {

  private OperationsView() {}

  /** All operations with their states. */
  static ArrayNode list(Operations operations) {
    ArrayNode list = Json.object().arrayNode();
    for (Operation operation : operations.all()) {
      ArrayNode after =
          list.addObject()
              .put("id", operation.id())
              .put("type", operation.type())
              .put("state", operations.stateOf(operation).name())
              .putArray("after");
      operation.after().forEach(after::add);
    }
    return list;
  }
}
