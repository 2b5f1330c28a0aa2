package dev.carillon.cli.apply;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.cli.apply.Change.Field;
import dev.carillon.client.StoredSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Finds the values in which two documents differ. */
final class Fields {

  private final List<Field> fields = new ArrayList<>();

  private Fields() {}

  /** The differences between a stored schedule and the schedule that would be stored. */
  static List<Field> between(StoredSchedule stored, StoredSchedule wanted) {
    Fields fields = new Fields();
    fields.fields.addAll(between(stored.document(), wanted.document()));
    if (!stored.stateName().equals(wanted.stateName())) {
      fields.fields.add(
          new Field(
              "/state",
              TextNode.valueOf(stored.stateName()),
              TextNode.valueOf(wanted.stateName())));
    }
    return fields.fields;
  }

  /** The differences between two documents. */
  static List<Field> between(JsonNode stored, JsonNode wanted) {
    Fields fields = new Fields();
    fields.compare(JsonPointer.empty(), stored, wanted);
    return fields.fields;
  }

  private void compare(JsonPointer at, JsonNode from, JsonNode to) {
    if (from.isObject() && to.isObject()) {
      TreeSet<String> names = new TreeSet<>();
      from.properties().stream().map(Map.Entry::getKey).forEach(names::add);
      to.properties().stream().map(Map.Entry::getKey).forEach(names::add);
      names.forEach(name -> compare(at.appendProperty(name), from.path(name), to.path(name)));
    } else if (from.isArray() && to.isArray()) {
      for (int index = 0; index < Math.max(from.size(), to.size()); index++) {
        compare(at.appendIndex(index), from.path(index), to.path(index));
      }
    } else if (!from.equals(to)) {
      fields.add(
          new Field(
              at.toString(), from.isMissingNode() ? null : from, to.isMissingNode() ? null : to));
    }
  }
}
