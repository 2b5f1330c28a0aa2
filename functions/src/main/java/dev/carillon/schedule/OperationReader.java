package dev.carillon.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.run.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the operations of jobs from a schedule document or a launch. */
public final class OperationReader {

  private static final String NAME = "operations";

  /** How many operations one job has at most. */
  static final int MOST = 50;

  /**
   * The size with all defaults, as it is stored. It is limited because each change of a running job
   * stores its operations.
   */
  static final int MOST_BYTES = 8 * 1024;

  private static final TextForm TYPE = TextForm.line(64);

  private OperationReader() {}

  /** The operations; empty if there are none. They are valid only if no fault was noted. */
  public static List<Operation> read(Fields body, Faults faults) {
    if (!body.has(NAME)) {
      return List.of();
    }
    JsonNode given = body.get(NAME);
    if (!given.isArray()) {
      body.refuse(NAME, "give a list like [{\"id\": \"load\", \"type\": \"copy\", \"after\": []}]");
      return List.of();
    }
    if (given.isEmpty() || given.size() > MOST) {
      body.refuse(NAME, "give 1 to " + MOST + " operations, or null for none");
      return List.of();
    }
    List<Operation> read = operations(given, body.at(NAME), faults);
    ObjectNode stored = Json.object();
    write(stored, read);
    int bytes = Json.write(stored.get(NAME)).getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      faults.add(
          body.at(NAME),
          "the operations have %d bytes with their defaults; give at most %d, with shorter ids or types"
              .formatted(bytes, MOST_BYTES));
    }
    return read;
  }

  private static List<Operation> operations(JsonNode given, String pointer, Faults faults) {
    List<Fields> items = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      items.add(Fields.of(given.get(i), pointer + "/" + i, faults));
    }
    List<Operation> read = items.stream().map(OperationReader::operation).toList();
    refuseRepeated(items, read);
    refuseUnknown(items, read);
    refuseCircles(read, pointer, faults);
    return read;
  }

  private static Operation operation(Fields item) {
    item.allowOnly(List.of("id", "type", "after"));
    return new Operation(
        item.text("id", TextForm.NAME), item.optionalText("type", TYPE), after(item));
  }

  private static List<String> after(Fields item) {
    JsonNode given = item.get("after");
    boolean isList = given.isArray() && given.valueStream().allMatch(JsonNode::isTextual);
    if (item.has("after") && !isList) {
      item.refuse("after", "give a list of ids of other operations");
      return List.of();
    }
    return given.valueStream().map(JsonNode::textValue).distinct().toList();
  }

  private static void refuseRepeated(List<Fields> items, List<Operation> read) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < read.size(); i++) {
      if (!items.get(i).isRefused("id") && !seen.add(read.get(i).id())) {
        items.get(i).refuse("id", "another operation has this id; give each its own");
      }
    }
  }

  private static void refuseUnknown(List<Fields> items, List<Operation> read) {
    Set<String> known = new HashSet<>();
    read.forEach(operation -> known.add(operation.id()));
    for (int i = 0; i < read.size(); i++) {
      List<String> unknown =
          read.get(i).after().stream().filter(id -> !known.contains(id)).toList();
      if (!unknown.isEmpty()) {
        items
            .get(i)
            .refuse(
                "after",
                "there is no operation "
                    + Faults.quoted(unknown.get(0))
                    + "; give ids of other operations of the list");
      }
    }
  }

  /**
   * Refuses operations that wait for each other. To find them, it removes operations that can run,
   * until no remaining operation can run. The rest wait for each other.
   */
  private static void refuseCircles(List<Operation> read, String pointer, Faults faults) {
    Map<String, Set<String>> waiting = new HashMap<>();
    read.forEach(operation -> waiting.put(operation.id(), new HashSet<>(operation.after())));
    waiting.values().forEach(before -> before.retainAll(waiting.keySet()));
    while (waiting.values().removeIf(Set::isEmpty)) {
      waiting.values().forEach(before -> before.retainAll(waiting.keySet()));
    }
    if (!waiting.isEmpty()) {
      List<String> circle =
          read.stream().map(Operation::id).filter(waiting::containsKey).distinct().toList();
      faults.add(
          pointer,
          "the operations "
              + String.join(", ", circle)
              + " wait for each other and can never begin; remove one from an \"after\"");
    }
  }

  /** The operations that were stored with a launch; empty for none. */
  public static List<Operation> stored(ObjectNode launch) {
    Faults none = new Faults();
    return read(Fields.of(launch, "", none), none);
  }

  /** The member {@code operations} with all defaults; null if there are none. */
  static void write(ObjectNode document, List<Operation> operations) {
    if (operations.isEmpty()) {
      document.putNull(NAME);
      return;
    }
    ArrayNode list = document.putArray(NAME);
    for (Operation operation : operations) {
      ArrayNode after =
          list.addObject()
              .put("id", operation.id())
              .put("type", operation.type())
              .putArray("after");
      operation.after().forEach(after::add);
    }
  }
}
