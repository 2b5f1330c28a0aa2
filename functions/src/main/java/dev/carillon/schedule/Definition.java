package dev.carillon.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.ScheduleId;
import java.time.Instant;

/**
 * The stored document of one generation of a schedule, with its author.
 *
 * @param document the document with all defaults, without {@code state}
 * @param generationSince when this generation began: the default anchor of {@code rate} triggers
 */
public record Definition(
    ScheduleId id,
    long generation,
    ObjectNode document,
    Instant generationSince,
    Instant createdAt,
    String createdBy,
    Instant updatedAt) {

  /** Whether jobs of this generation call back when they end. */
  public boolean wantsCallbacks() {
    return document.path(TargetReader.ON_END).isObject();
  }
}
