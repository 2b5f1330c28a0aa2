package dev.carillon.cli.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Schedule;

/**
 * A schedule, pool or calendar of a file.
 *
 * @param pointer the pointer to its document in the file
 */
public record SourceDocument(
    Kind kind,
    SourceFile source,
    String pointer,
    String namespace,
    String name,
    ObjectNode document) {

  /** The document as a schedule, if it is one. */
  public Schedule schedule() {
    return Schedule.of(name, document);
  }

  /** The id in the form {@code namespace/name}. */
  public String id() {
    return kind.id(namespace, name);
  }

  LocatedFault fault(String within, String detail) {
    return source.fault(pointer + within, detail);
  }
}
