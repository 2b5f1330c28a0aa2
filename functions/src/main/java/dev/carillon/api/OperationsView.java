package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.run.Operation;
import dev.carillon.run.OperationState;
import dev.carillon.run.Operations;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JSON forms of operations. */
final class OperationsView {

  private static final String NAME = "operations";
  private static final List<String> STATES =
      Arrays.stream(OperationState.values()).map(Enum::name).toList();

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

  /** The states that a worker reports, by operation; empty for none. */
  static Map<String, OperationState> reported(Fields body) {
    Fields given = body.object(NAME);
    Map<String, OperationState> states = new LinkedHashMap<>();
    for (String id : given.names()) {
      given
          .choice(id, STATES, List.of())
          .map(OperationState::valueOf)
          .ifPresent(state -> states.put(id, state));
    }
    return states;
  }

  /** The faults of a report about operations that the job does not have. */
  static List<Fault> unknown(Operations operations, Collection<String> given) {
    List<String> known = operations.all().stream().map(Operation::id).toList();
    String remedy =
        known.isEmpty()
            ? "the job has no operations; leave the member out"
            : known.stream()
                .map(Faults::quoted)
                .collect(Collectors.joining(", ", "its operations are ", ""));
    return given.stream()
        .filter(id -> !known.contains(id))
        .map(
            id ->
                new Fault(
                    Faults.member("/" + NAME, id),
                    Faults.quoted(id) + " is not an operation of the job; " + remedy))
        .toList();
  }
}
