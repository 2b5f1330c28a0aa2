package dev.carillon.gate;

import dev.carillon.id.JobId;
import java.time.Instant;
import java.util.Comparator;

/**
 * An unfinished attempt.
 *
 * @param since when a gate counted it
 */
public record Slot(JobId job, Instant since) {

  /** The oldest attempt comes first. */
  public static final Comparator<Slot> ORDER =
      Comparator.comparing(Slot::since).thenComparing(slot -> slot.job().toString());
}
