package dev.carillon.timer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.TriggerWriter;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored next fire of one time leaf: the first fire that has not been handed to the check
 * queue. A timer is moved, never changed: everything except {@code generation} and {@code
 * leafDocument} is its key. So the move of an outdated timer never overwrites the timer of a newer
 * activation.
 *
 * @param dueAt a fire of the leaf
 * @param activation the schedule's activation to which the timer belongs; timers of older
 *     activations are dropped
 * @param leaf the leaf's number in the trigger, in document order; {@link #SUSPENSION_END} for a
 *     timer of no leaf
 * @param leafDocument the leaf's trigger document with its zone and anchor resolved, so that
 *     expanding it needs no read of the schedule
 * @param catchUp the policy for missed fires
 * @param decidedTo missed fires up to this instant are handed over, however late they are; null if
 *     nothing was decided
 * @param shard the shard from which the timer was read; null if it was not read. If it is null, its
 *     schedule and the configured number of shards determine the shard
 */
public record Timer(
    ScheduleId id,
    Instant dueAt,
    long activation,
    int leaf,
    long generation,
    ObjectNode leafDocument,
    CatchUp catchUp,
    @Nullable Instant decidedTo,
    @Nullable Integer shard) {

  /**
   * The leaf number of a timer that is not of a leaf, but wakes {@link SuspensionEnd}. Such a timer
   * is never dead, because only the checker can determine the remaining work.
   */
  public static final int SUSPENSION_END = -1;

  /**
   * A timer that makes the checker end a schedule's suspension, or process the jobs that an ended
   * suspension left.
   */
  public static Timer ofSuspensionEnd(
      ScheduleId id, Instant dueAt, long activation, long generation) {
    return new Timer(
        id, dueAt, activation, SUSPENSION_END, generation, TriggerWriter.write(new At(dueAt)));
  }

  /** A timer that was not read from a shard. */
  public Timer(
      ScheduleId id,
      Instant dueAt,
      long activation,
      int leaf,
      long generation,
      ObjectNode leafDocument,
      CatchUp catchUp,
      @Nullable Instant decidedTo) {
    this(id, dueAt, activation, leaf, generation, leafDocument, catchUp, decidedTo, null);
  }

  /** A timer whose fires are all handed over, however late they are. */
  public Timer(
      ScheduleId id,
      Instant dueAt,
      long activation,
      int leaf,
      long generation,
      ObjectNode leafDocument) {
    this(id, dueAt, activation, leaf, generation, leafDocument, CatchUp.EVERYTHING, null);
  }

  /** The key of a stored timer. */
  public record Key(ScheduleId id, Instant dueAt, long activation, int leaf) {}

  public Key key() {
    return new Key(id, dueAt, activation, leaf);
  }

  /** The timer as it was read from a shard. */
  public Timer in(int where) {
    return new Timer(
        id, dueAt, activation, leaf, generation, leafDocument, catchUp, decidedTo, where);
  }

  public boolean isOfSuspensionEnd() {
    return leaf == SUSPENSION_END;
  }

  /** The wake-up for a fire of the timer. */
  public Wakeup wakeupAt(Instant fire) {
    return new Wakeup(
        isOfSuspensionEnd() ? new SuspensionEnd(id) : JobId.ofFire(id, generation, fire), fire);
  }

  /**
   * The timer with the decision that its missed fires up to an instant are handed over, however
   * late they are.
   */
  public Timer decidedTo(Instant instant) {
    return decided(dueAt, instant);
  }

  public Timer movedTo(Instant instant) {
    return decided(instant, decidedTo);
  }

  /**
   * The timer at another fire, with the decision that its missed fires up to an instant are handed
   * over.
   */
  public Timer decided(Instant instant, @Nullable Instant to) {
    Instant rest = to == null || instant.isAfter(to) ? null : to;
    return new Timer(id, instant, activation, leaf, generation, leafDocument, catchUp, rest);
  }

  /** Whether the fire of the timer was due by an instant and must still be decided on. */
  public boolean isUndecided(Instant missedTo) {
    boolean isDecided = decidedTo != null && !dueAt.isAfter(decidedTo);
    return !catchUp.isEverything() && !isDecided && !dueAt.isAfter(missedTo);
  }
}
