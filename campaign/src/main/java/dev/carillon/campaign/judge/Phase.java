package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule between two operations or suspension ends.
 *
 * @param spec null if there is no schedule
 * @param mode the mode of its suspension; null if it is active
 * @param life the number of the life; phases of one life keep the jobs of the phases before
 * @param from the earliest instant at which the phase may have begun
 * @param by the latest instant at which it may have begun
 */
record Phase(@Nullable ScheduleSpec spec, @Nullable Mode mode, int life, long from, long by) {

  /** Whether fires and events create jobs. */
  boolean opens() {
    return spec != null && (mode == null || mode == Mode.BACKLOG);
  }

  /** Whether jobs are launched. */
  boolean launches() {
    return spec != null && (mode == null || mode == Mode.DRAIN);
  }

  /** Whether pending jobs are kept. */
  boolean keeps() {
    return spec != null && mode != Mode.DISCARD;
  }

  /** Whether events are counted, or earlier counts are kept. */
  boolean collects() {
    return spec != null && keeps() && !spec.isPlain();
  }

  boolean holds() {
    return keeps() && !launches();
  }

  /**
   * Whether the answers leave it open if a suspension ended before an operation, or if a document
   * was stored before a later operation.
   */
  static boolean areAmbiguous(List<Operation> operations) {
    long until = History.NEVER;
    boolean mayBeStored = false;
    for (Operation operation : operations) {
      if (Span.keepsPhase(operation.kind())) {
        continue;
      }
      if (mayBeStored) {
        return true;
      }
      mayBeStored = operation.kind() == Kind.PUT && operation.isUnknown();
      if (until != History.NEVER
          && operation.called() <= until + Judge.SKEW
          && operation.returned() >= until - Judge.SKEW) {
        return true;
      }
      boolean suspends = operation.kind() == Kind.SUSPEND;
      if (suspends && operation.until() != History.NEVER && !operation.done()) {
        return true;
      }
      until = suspends ? operation.until() : History.NEVER;
    }
    return false;
  }

  static List<Phase> of(List<Operation> operations) {
    List<Phase> phases = new ArrayList<>();
    long until = History.NEVER;
    for (Operation operation : operations) {
      if (Span.keepsPhase(operation.kind()) || !(operation.done() || operation.isUnknown())) {
        continue;
      }
      if (until < operation.called()) {
        add(phases, resumed(phases, until, until));
      }
      until = operation.kind() == Kind.SUSPEND ? operation.until() : History.NEVER;
      add(phases, after(phases, operation));
    }
    if (until != History.NEVER) {
      add(phases, resumed(phases, until, until));
    }
    return phases;
  }

  /** Adds a phase unless it changes nothing. */
  private static void add(List<Phase> phases, @Nullable Phase next) {
    Phase last = last(phases);
    if (next != null
        && (last == null
            || next.life() != last.life()
            || next.mode() != last.mode()
            || !Objects.equals(next.spec(), last.spec()))) {
      phases.add(next);
    }
  }

  private static @Nullable Phase last(List<Phase> phases) {
    return phases.isEmpty() ? null : phases.get(phases.size() - 1);
  }

  private static @Nullable Phase after(List<Phase> phases, Operation operation) {
    Phase last = last(phases);
    long from = operation.called();
    long by = operation.returned();
    int life = last == null ? 0 : last.life();
    return switch (operation.kind()) {
      case PUT -> new Phase(operation.spec(), operation.mode(), life + 1, from, by);
      case DELETE -> last == null ? null : new Phase(null, null, life + 1, from, by);
      case RESUME -> resumed(phases, from, by);
      case SUSPEND -> {
        if (last == null || last.spec() == null) {
          yield null;
        }
        boolean begins = operation.mode() == Mode.DISCARD && last.mode() != Mode.DISCARD;
        yield new Phase(last.spec(), operation.mode(), begins ? life + 1 : life, from, by);
      }
      default -> null;
    };
  }

  private static @Nullable Phase resumed(List<Phase> phases, long from, long by) {
    Phase last = last(phases);
    return last == null || last.spec() == null || last.mode() == null
        ? null
        : new Phase(last.spec(), null, last.life(), from, by);
  }
}
