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
 * The first instant of one time leaf that has not been handed to the check queue. It is moved,
 * never changed: everything but {@code generation} and {@code leafDocument} is its key, so that a
 * move of a stale timer can never overwrite a newer activation's.
 *
 * @param dueAt a fire of the leaf
 * @param activation the schedule's activation that it belongs to; those of older ones are dropped
 * @param leaf the leaf's place in the trigger, counted in document order; {@link #SUSPENSION_END}
 *     for none
 * @param leafDocument the leaf's own trigger document with zone and anchor resolved, so that
 *     expanding it needs no read of the schedule
 * @param catchUp what becomes of fires that are handed over too late
 * @param decidedTo those up to here come late, but are to be handed over; null if it is not decided
 * @param shard where it was read; null for one that was not, which is put, and looked for, in the
 *     shard that its schedule has by the number of them that is configured now
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
   * The place of no leaf: such a timer wakes {@link SuspensionEnd}. It is never dead, as the
   * checker finds out what there is to do.
   */
  public static final int SUSPENSION_END = -1;

  /** One that wakes the end of a schedule's suspension, or the jobs that one has left. */
  public static Timer ofSuspensionEnd(
      ScheduleId id, Instant dueAt, long activation, long generation) {
    return new Timer(
        id, dueAt, activation, SUSPENSION_END, generation, TriggerWriter.write(new At(dueAt)));
  }

  /** A timer that was not read. */
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

  /** A timer whose fires are all handed over, however late. */
  public Timer(
      ScheduleId id,
      Instant dueAt,
      long activation,
      int leaf,
      long generation,
      ObjectNode leafDocument) {
    this(id, dueAt, activation, leaf, generation, leafDocument, CatchUp.EVERYTHING, null);
  }

  /** What identifies a stored timer. */
  public record Key(ScheduleId id, Instant dueAt, long activation, int leaf) {}

  public Key key() {
    return new Key(id, dueAt, activation, leaf);
  }

  /** The same, as it was read in a shard. */
  public Timer in(int where) {
    return new Timer(
        id, dueAt, activation, leaf, generation, leafDocument, catchUp, decidedTo, where);
  }

  public boolean isOfSuspensionEnd() {
    return leaf == SUSPENSION_END;
  }

  /** The wake-up for one of its fires. */
  public Wakeup wakeupAt(Instant fire) {
    return new Wakeup(
        isOfSuspensionEnd() ? new SuspensionEnd(id) : JobId.ofFire(id, generation, fire), fire);
  }

  /** The same, of whose fires those up to an instant are handed over however late they come. */
  public Timer decidedTo(Instant instant) {
    return decided(dueAt, instant);
  }

  public Timer movedTo(Instant instant) {
    return decided(instant, decidedTo);
  }

  /** The same at another fire, where what was missed up to an instant is to be handed over. */
  public Timer decided(Instant instant, @Nullable Instant to) {
    Instant rest = to == null || instant.isAfter(to) ? null : to;
    return new Timer(id, instant, activation, leaf, generation, leafDocument, catchUp, rest);
  }

  /** Whether its fire was due by an instant, and may be one that is not made up for. */
  public boolean isUndecided(Instant missedTo) {
    boolean isDecided = decidedTo != null && !dueAt.isAfter(decidedTo);
    return !catchUp.isEverything() && !isDecided && !dueAt.isAfter(missedTo);
  }
}
