package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule does from an operation, or the end of a suspension, on until the next.
 *
 * @param wish null if there is no schedule
 * @param mode in which it is suspended; null if it is active
 * @param life those of one life keep what the phase before has left
 * @param from when it began at the earliest
 * @param by when it began at the latest
 */
record Phase(@Nullable Wish wish, @Nullable Mode mode, int life, long from, long by) {

  /** Whether fires and events make jobs. */
  boolean opens() {
    return wish != null && (mode == null || mode == Mode.BACKLOG);
  }

  /** Whether jobs are launched. */
  boolean launches() {
    return wish != null && (mode == null || mode == Mode.DRAIN);
  }

  /** Whether jobs outlive it. */
  boolean keeps() {
    return wish != null && mode != Mode.DISCARD;
  }

  /** Whether events are counted, or what was counted is kept. */
  boolean collects() {
    return wish != null && keeps() && !wish.isPlain();
  }

  boolean holds() {
    return keeps() && !launches();
  }

  /**
   * Whether nobody can tell if a suspension ended by itself before something was done, or if a
   * document was stored that was followed by something else.
   */
  static boolean areAmbiguous(List<Operation> operations) {
    long until = History.NEVER;
    boolean mayBeStored = false;
    for (Operation operation : operations) {
      if (Span.isBeside(operation.kind())) {
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
      if (Span.isBeside(operation.kind()) || !(operation.done() || operation.isUnknown())) {
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

  /** One that changes nothing is left out. */
  private static void add(List<Phase> phases, @Nullable Phase next) {
    Phase last = last(phases);
    if (next != null
        && (last == null
            || next.life() != last.life()
            || next.mode() != last.mode()
            || !Objects.equals(next.wish(), last.wish()))) {
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
      case PUT -> new Phase(operation.wish(), operation.mode(), life + 1, from, by);
      case DELETE -> last == null ? null : new Phase(null, null, life + 1, from, by);
      case RESUME -> resumed(phases, from, by);
      case SUSPEND -> {
        if (last == null || last.wish() == null) {
          yield null;
        }
        boolean begins = operation.mode() == Mode.DISCARD && last.mode() != Mode.DISCARD;
        yield new Phase(last.wish(), operation.mode(), begins ? life + 1 : life, from, by);
      }
      default -> null;
    };
  }

  private static @Nullable Phase resumed(List<Phase> phases, long from, long by) {
    Phase last = last(phases);
    return last == null || last.wish() == null || last.mode() == null
        ? null
        : new Phase(last.wish(), null, last.life(), from, by);
  }
}
