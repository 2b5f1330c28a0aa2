package dev.carillon.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Measures the recovery of a launch that a kill delayed: the time from the kill to the launch,
 * without the time in which no engine was ready. If the launch was due after the kill, the time
 * begins at its due instant. A further kill does not end this time, because an engine leaves its
 * work to the next one.
 *
 * @param kills the kills in order
 */
record Recovery(List<Kill> kills) {

  /** The recovery time of a launch; 0 if no kill delayed it. */
  long millis(Instant due, Instant launched) {
    List<Kill> delaying = kills.stream().filter(kill -> kill.isDelaying(due, launched)).toList();
    if (delaying.isEmpty()) {
      return 0;
    }
    Instant killed = delaying.get(0).at();
    Instant from = due.isAfter(killed) ? due : killed;
    Duration down =
        delaying.stream().map(kill -> kill.downSince(from)).reduce(Duration.ZERO, Duration::plus);
    return Duration.between(from, launched).minus(down).toMillis();
  }
}
