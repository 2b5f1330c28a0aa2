package dev.carillon.master;

import dev.carillon.fires.Expander;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of a tick whose missed fires need a decision. A tick decides on each timer once, after
 * it has expanded all others.
 */
final class MissedTimers {

  /** How many timers are kept in memory at most. The next round finds the other timers. */
  static final int MOST_KEPT = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(MissedTimers.class);

  private final Expander expander;
  private final Fanout fanout;
  private final Instant now;
  private final Map<Timer.Key, Timer> kept = new LinkedHashMap<>();
  private final Map<Timer.Key, Instant> ends = new HashMap<>();
  private final Set<Timer.Key> tried = new HashSet<>();
  private int found;

  MissedTimers(Expander expander, Fanout fanout, Instant now) {
    this.expander = expander;
    this.fanout = fanout;
    this.now = now;
  }

  /**
   * @param endOf gives for each timer the instant up to which its fires are handed over
   */
  void add(List<Timer> undecided, Function<Timer, Instant> endOf) {
    for (Timer timer : undecided) {
      if (tried.contains(timer.key())) {
        continue;
      }
      found++;
      if (kept.size() < MOST_KEPT) {
        kept.put(timer.key(), timer);
        ends.put(timer.key(), endOf.apply(timer));
      }
    }
  }

  /** How many timers were added that had not been tried before. */
  int found() {
    return found;
  }

  /**
   * Decides on the timers that are kept and expands them.
   *
   * @return whether all of them were decided on
   */
  boolean decide(Deadline deadline) {
    List<Timer> timers = List.copyOf(kept.values());
    tried.addAll(kept.keySet());
    kept.clear();
    Function<Timer, Instant> endOf = timer -> ends.getOrDefault(timer.key(), Instant.MIN);
    try {
      return expander.decide(timers, endOf, now, deadline, fanout).undecided().isEmpty();
    } catch (RuntimeException unavailable) {
      LOG.warn("could not expand some timers; the next tick expands them again", unavailable);
      return false;
    } finally {
      ends.clear();
    }
  }
}
