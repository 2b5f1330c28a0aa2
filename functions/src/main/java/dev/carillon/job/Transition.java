package dev.carillon.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in a job's history.
 *
 * @param reason null if the state needs no explanation
 */
public record Transition(Instant at, JobState state, @Nullable Reason reason) {

  /** The most transitions kept from the beginning of a long history. */
  public static final int MOST_FIRST = 10;

  /** The most transitions kept from the end of a long history. */
  public static final int MOST_LAST = 20;

  /** Adds a transition to a history. From the middle of a long history, transitions are dropped. */
  static List<Transition> append(List<Transition> transitions, Transition transition) {
    List<Transition> appended = new ArrayList<>(transitions);
    appended.add(transition);
    if (appended.size() > MOST_FIRST + MOST_LAST) {
      appended.remove(MOST_FIRST);
    }
    return List.copyOf(appended);
  }

  /**
   * Sorts transitions by time, because functions whose clocks differ may have stored them in
   * another order.
   */
  public static List<Transition> inOrderOfTime(List<Transition> stored) {
    return stored.stream().sorted(Comparator.comparing(Transition::at)).toList();
  }

  /** Whether the job can be in this state only if its target has accepted a request. */
  boolean provesAcceptance() {
    return switch (state) {
      case ENQUEUED, CLAIMED, RUNNING, LAUNCHED, SUCCEEDED -> true;
      default -> false;
    };
  }

  /** The text of the reason for users. */
  public @Nullable String reasonText() {
    return reason == null ? null : reason.text();
  }

  /** The name of the reason's code. */
  public @Nullable String reasonCode() {
    return reason == null ? null : reason.code().name();
  }
}
