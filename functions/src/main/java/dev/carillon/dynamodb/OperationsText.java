package dev.carillon.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.document.Json;
import dev.carillon.run.Operation;
import dev.carillon.run.OperationState;
import dev.carillon.run.Operations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Operations as JSON: for each operation, a list of its id, its type, the ids of the operations
 * before it, and its state if one was reported.
 */
final class OperationsText {

  private OperationsText() {}

  static ArrayNode write(Operations operations) {
    ArrayNode list = Json.object().arrayNode();
    for (Operation operation : operations.all()) {
      ArrayNode parts = list.addArray().add(operation.id()).add(operation.type());
      operation.after().forEach(parts.addArray()::add);
      OperationState state = operations.reported().get(operation.id());
      if (state != null) {
        parts.add(state.name());
      }
    }
    return list;
  }

  static Operations read(JsonNode list) {
    List<Operation> all = new ArrayList<>();
    Map<String, OperationState> states = new HashMap<>();
    for (JsonNode parts : list) {
      List<String> after = parts.get(2).valueStream().map(JsonNode::textValue).toList();
      Operation operation =
          new Operation(parts.get(0).textValue(), parts.get(1).textValue(), after);
      all.add(operation);
      if (parts.has(3)) {
        states.put(operation.id(), OperationState.valueOf(parts.get(3).textValue()));
      }
    }
    return new Operations(List.copyOf(all), Map.copyOf(states));
  }
}
