package dev.carillon.checker;

import dev.carillon.schedule.Head;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Plans another check of a schedule at the next whole minute, because its fires cannot be collected
 * or it cannot be ended now. It is the check of the end of a suspension, which does both. All
 * checks of a minute store the same timer, so the number of checks does not grow: there are at most
 * two in a minute, because the master takes a timer up to a minute before it is due.
 */
final class NextMinute {

  private NextMinute() {}

  /**
   * @param now not before the fires that are to be collected
   * @throws RuntimeException if the timer was possibly not stored
   */
  static void check(Timers timers, Head head, Instant now) {
    Instant next = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    timers.put(
        List.of(Timer.ofSuspensionEnd(head.id(), next, head.activation(), head.generation())));
  }
}
