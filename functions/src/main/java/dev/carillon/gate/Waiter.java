package dev.carillon.gate;

import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import java.time.Instant;
import java.util.Comparator;

/** A job's place at a gate. */
public record Waiter(GateKey gate, int priority, Instant since, JobId job) {

  /** The most urgent first; of those that are equally urgent the oldest. */
  public static final Comparator<Waiter> ORDER =
      Comparator.comparingInt(Waiter::priority)
          .thenComparing(Waiter::since)
          .thenComparing(waiter -> waiter.job().toString());

  /** The place of a job with its priority. */
  public static Waiter of(GateKey gate, Job job) {
    return new Waiter(gate, job.priority(), job.triggeredAt(), job.id());
  }
}
