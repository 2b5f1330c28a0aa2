package dev.carillon.checker;

import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that the checker has leased, with its schedule's definition and time-outs.
 *
 * @param rates the gates that count its launch again if it is sent late
 * @param queue the queue of its pool; null without a pool, or if the pool has no queue
 */
record Launch(
    Compiled compiled,
    TimeoutPolicy timeouts,
    Map<GateKey, Counted> rates,
    @Nullable String queue,
    Job job) {

  static Launch of(Job leased, CheckSnapshot snapshot, GateTransactions gates, PassPools pools) {
    return new Launch(
        snapshot.compiledOf(leased),
        snapshot.timeoutsOf(leased),
        isCountedAgain(leased) ? snapshot.rates(leased, gates) : Map.of(),
        leased.place() == null ? null : pools.queueOf(leased),
        leased);
  }

  /**
   * Whether gates count the launch when its request is sent. They count a job with a pool when it
   * enters the pool.
   */
  private static boolean isCountedAgain(Job leased) {
    return leased.ticket() != null && leased.place() == null;
  }

  /** The same launch with another version of the job. */
  Launch with(Job other) {
    return new Launch(compiled, timeouts, rates, queue, other);
  }
}
