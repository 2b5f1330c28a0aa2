package dev.carillon.job;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in a job's history.
 *
 * @param reason null where the state says all
 */
public record Transition(Instant at, JobState state, @Nullable Reason reason) {

  /** As they happened: functions whose clocks differ may have stored them in another order. */
  public static List<Transition> inOrderOfTime(List<Transition> stored) {
    return stored.stream().sorted(Comparator.comparing(Transition::at)).toList();
  }

  /** The reason as users read it. */
  public @Nullable String reasonText() {
    return reason == null ? null : reason.text();
  }

  /** The name of the reason's code. */
  public @Nullable String reasonCode() {
    return reason == null ? null : reason.code().name();
  }
}
