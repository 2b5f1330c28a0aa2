package dev.carillon.collect;

import dev.carillon.event.Event;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.LeafClock;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.ClockLeaf;
import dev.carillon.trigger.Trigger.Elapsed;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.trigger.Trigger.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The leaves of a trigger that wait for time to pass, by their numbers, and since when they do. */
public final class LeafClocks {

  private final Map<Integer, ClockLeaf> leaves = new TreeMap<>();
  private final Map<Integer, LeafClock> clocks;
  private final Instant since;

  /**
   * @param clocks what is remembered
   * @param since counts where nothing has happened yet
   */
  public LeafClocks(List<Trigger.Leaf> all, Map<Integer, LeafClock> clocks, Instant since) {
    for (int number = 0; number < all.size(); number++) {
      if (all.get(number) instanceof ClockLeaf leaf) {
        leaves.put(number, leaf);
      }
    }
    this.clocks = new TreeMap<>(clocks);
    this.since = since;
  }

  /**
   * What a collecting job of an earlier activation remembers. Unless it has a job open, leaves that
   * had waited before no job could be opened for a while begin anew with {@code opensSince}.
   */
  static LeafClocks handedOn(List<Trigger.Leaf> all, CollectingJob stored, Instant opensSince) {
    Map<Integer, LeafClock> clocks = new TreeMap<>(stored.clocks());
    if (stored.open() == null) {
      clocks.values().removeIf(clock -> clock.last().isBefore(opensSince));
    }
    return new LeafClocks(all, clocks, opensSince);
  }

  /** What has to be remembered. */
  Map<Integer, LeafClock> clocks() {
    return Collections.unmodifiableMap(new TreeMap<>(clocks));
  }

  /** When the leaf is satisfied if nothing happens; empty if something has to happen first. */
  public Optional<Instant> due(int number) {
    ClockLeaf leaf = leaves.get(number);
    LeafClock clock = clocks.get(number);
    if (leaf instanceof Elapsed elapsed) {
      Instant last = clock == null ? since : clock.last();
      return clock != null && clock.isSpent()
          ? Optional.empty()
          : Optional.of(last.plus(elapsed.duration()));
    }
    return leaf instanceof Quiet quiet && clock != null
        ? Optional.of(due(quiet, clock))
        : Optional.empty();
  }

  private static Instant due(Quiet quiet, LeafClock clock) {
    Instant due = clock.last().plus(quiet.period());
    Duration atMost = quiet.atMost();
    return atMost == null || clock.first().plus(atMost).isAfter(due)
        ? due
        : clock.first().plus(atMost);
  }

  /** The first that is due by itself, of those that {@code satisfied} does not name. */
  public Optional<Instant> due(Set<Integer> satisfied) {
    Instant first = null;
    for (Integer number : leaves.keySet()) {
      Optional<Instant> due = satisfied.contains(number) ? Optional.empty() : due(number);
      if (due.isPresent() && (first == null || due.get().isBefore(first))) {
        first = due.get();
      }
    }
    return Optional.ofNullable(first);
  }

  /** Those that are due at an instant. */
  Set<Integer> dueBy(Instant instant) {
    Set<Integer> due = new TreeSet<>();
    for (Integer number : leaves.keySet()) {
      due(number).filter(at -> !at.isAfter(instant)).ifPresent(at -> due.add(number));
    }
    return due;
  }

  boolean concern(Event event) {
    for (ClockLeaf leaf : leaves.values()) {
      if (counts(leaf.named(), event)) {
        return true;
      }
    }
    return false;
  }

  void accept(Event event, Instant now) {
    for (Map.Entry<Integer, ClockLeaf> entry : leaves.entrySet()) {
      ClockLeaf leaf = entry.getValue();
      if (counts(leaf.named(), event)) {
        LeafClock clock = clocks.get(entry.getKey());
        Instant first = clock == null || leaf instanceof Elapsed ? now : clock.first();
        clocks.put(entry.getKey(), new LeafClock(first, now, false));
      }
    }
  }

  private static boolean counts(@Nullable EventLeaf named, Event event) {
    return named != null && event.weightFor(named) > 0;
  }

  /** Whether a leaf waits for the next launch. */
  boolean countFromLaunches() {
    for (ClockLeaf leaf : leaves.values()) {
      if (countsFromLaunches(leaf)) {
        return true;
      }
    }
    return false;
  }

  private static boolean countsFromLaunches(ClockLeaf leaf) {
    return leaf instanceof Elapsed elapsed && elapsed.since() == null;
  }

  /** The schedule launches by whatever. */
  void launched(Instant at) {
    for (Map.Entry<Integer, ClockLeaf> leaf : leaves.entrySet()) {
      LeafClock clock = clocks.get(leaf.getKey());
      if (countsFromLaunches(leaf.getValue()) && (clock == null || clock.last().isBefore(at))) {
        clocks.put(leaf.getKey(), new LeafClock(at, at, false));
      }
    }
  }

  /** A job is satisfied; the next one begins. */
  void close(Set<Integer> satisfied, Instant now) {
    launched(now);
    for (Map.Entry<Integer, ClockLeaf> leaf : leaves.entrySet()) {
      Integer number = leaf.getKey();
      if (leaf.getValue() instanceof Quiet) {
        clocks.remove(number);
      } else if (!countsFromLaunches(leaf.getValue()) && satisfied.contains(number)) {
        LeafClock clock = clocks.getOrDefault(number, new LeafClock(now, now, true));
        clocks.put(number, new LeafClock(clock.first(), clock.last(), true));
      }
    }
  }
}
