package dev.carillon.gate;

import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.time.Instant;
import java.util.Comparator;

/** A job's place at a gate. */
public record Waiter(GateKey gate, int priority, Instant since, JobId job) {

  /** The most urgent first; among equally urgent jobs the oldest. */
  public static final Comparator<Waiter> ORDER =
      Comparator.comparingInt(Waiter::priority)
          .thenComparing(Waiter::since)
          .thenComparing(waiter -> waiter.job().toString());
}
