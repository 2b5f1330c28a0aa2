package dev.carillon.master;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.schedule.ScheduleId;
import java.time.Instant;

/**
 * The first instant of one time leaf that has not been handed to the check queue. It is moved,
 * never changed: everything but {@code generation} and {@code leafDocument} is its key, so that a
 * move of a stale timer can never overwrite a newer activation's.
 *
 * @param dueAt a fire of the leaf
 * @param activation the schedule's activation that it belongs to; those of older ones are dropped
 * @param leaf the leaf's place in the trigger, counted in document order
 * @param leafDocument the leaf's own trigger document with zone and anchor resolved, so that
 *     expanding it needs no read of the schedule
 */
public record Timer(
    ScheduleId id,
    Instant dueAt,
    long activation,
    int leaf,
    long generation,
    ObjectNode leafDocument) {

  /** What identifies a stored timer. */
  public record Key(ScheduleId id, Instant dueAt, long activation, int leaf) {}

  public Key key() {
    return new Key(id, dueAt, activation, leaf);
  }

  public Timer movedTo(Instant instant) {
    return new Timer(id, instant, activation, leaf, generation, leafDocument);
  }
}
