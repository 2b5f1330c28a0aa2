package dev.carillon.job;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step in a job's history. */
public record Transition(Instant at, JobState state, @Nullable String reason) {

  /** As they happened: functions whose clocks differ may have stored them in another order. */
  public static List<Transition> inOrderOfTime(List<Transition> stored) {
    return stored.stream().sorted(Comparator.comparing(Transition::at)).toList();
  }
}
