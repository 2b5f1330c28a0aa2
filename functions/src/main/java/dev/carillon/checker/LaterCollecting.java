package dev.carillon.checker;

import dev.carillon.schedule.Head;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Plans another check of a schedule whose collecting job cannot be read now: that of the end of a
 * suspension, which collects fires as well. All checks of a minute share one timer, so the number
 * of checks does not grow.
 */
final class LaterCollecting {

  private LaterCollecting() {}

  /**
   * @param now not before the fires that are to be collected
   */
  static void plan(Timers timers, Head head, Instant now) {
    Instant next = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
    timers.put(
        List.of(Timer.ofSuspensionEnd(head.id(), next, head.activation(), head.generation())));
  }
}
