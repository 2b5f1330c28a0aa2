package dev.carillon.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * For how long engines were up between the kill that delayed a launch (or its due time, if later)
 * and that launch. It goes on across further kills: what an engine leaves over because it is killed
 * in its turn counts on.
 *
 * @param kills in order
 */
record Recovery(List<Kill> kills) {

  /** 0 of a launch that no kill delayed. */
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
