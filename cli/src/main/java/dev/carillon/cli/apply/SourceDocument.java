package dev.carillon.cli.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Schedule;

/**
 * A schedule of a file.
 *
 * @param pointer where its document is in the file
 */
public record SourceDocument(
    SourceFile source, String pointer, String namespace, String name, ObjectNode document) {

  public Schedule schedule() {
    return Schedule.of(name, document);
  }

  /** {@code namespace/name}. */
  public String id() {
    return namespace + "/" + name;
  }

  LocatedFault fault(String within, String detail) {
    return source.fault(pointer + within, detail);
  }
}
