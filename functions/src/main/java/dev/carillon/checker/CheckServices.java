package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.collect.Collector;
import dev.carillon.launch.Requests;
import dev.carillon.report.PoolWakeups;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The services that every check needs.
 *
 * @param pools makes pools choose
 * @param patterns the patterns of pools with which jobs are compared
 * @param fanout runs steps that concern one schedule each
 */
record CheckServices(
    Shared shared,
    LaunchSender sender,
    Requests requests,
    PoolWakeups pools,
    PoolPatterns patterns,
    Collector collector,
    Completion completion,
    EndSender ends,
    Fanout fanout,
    InstantSource clock) {

  /** The present instant, or a given one if the clock has stepped back to before it. */
  Instant presentFrom(Instant earliest) {
    Instant shown = clock.instant();
    return shown.isBefore(earliest) ? earliest : shown;
  }
}
