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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The leaves of a trigger that wait for a period to elapse, by their numbers, each with the start
 * of its period.
 *
 * @param clocks the stored state of the leaves whose period was started by an event or launch
 * @param since the start of the period of all other leaves
 */
public record LeafClocks(
    Map<Integer, ClockLeaf> leaves, Map<Integer, LeafClock> clocks, Instant since) {

  public static LeafClocks of(
      List<Trigger.Leaf> all, Map<Integer, LeafClock> clocks, Instant since) {
    Map<Integer, ClockLeaf> leaves = new TreeMap<>();
    for (int number = 0; number < all.size(); number++) {
      if (all.get(number) instanceof ClockLeaf leaf) {
        leaves.put(number, leaf);
      }
    }
    return new LeafClocks(leaves, clocks, since);
  }

  /**
   * The clocks of a collecting job of an earlier activation. If no job is open, the periods that
   * began before {@code opensSince} start again at that instant. Since then, jobs can be opened
   * without interruption.
   */
  static LeafClocks handedOn(List<Trigger.Leaf> all, CollectingJob stored, Instant opensSince) {
    Map<Integer, LeafClock> clocks = new TreeMap<>(stored.clocks());
    if (stored.open() == null) {
      clocks.values().removeIf(clock -> clock.last().isBefore(opensSince));
    }
    return of(all, clocks, opensSince);
  }

  /**
   * When the leaf is satisfied if nothing else happens; empty if an event or launch must first
   * start its period.
   */
  Optional<Instant> due(int number) {
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

  /** When the first leaf is satisfied by time alone, without the leaves in {@code satisfied}. */
  public Optional<Instant> due(Set<Integer> satisfied) {
    return leaves.keySet().stream()
        .filter(number -> !satisfied.contains(number))
        .flatMap(number -> due(number).stream())
        .min(Comparator.naturalOrder());
  }

  /** The leaves that time alone has satisfied by an instant. */
  Set<Integer> dueBy(Instant instant) {
    Set<Integer> due = new TreeSet<>();
    for (Integer number : leaves.keySet()) {
      due(number).filter(at -> !at.isAfter(instant)).ifPresent(at -> due.add(number));
    }
    return due;
  }

  /** Whether the event starts the period of any leaf. */
  boolean concern(Event event) {
    return leaves.values().stream().anyMatch(leaf -> isStartedBy(leaf, event));
  }

  private static boolean isStartedBy(ClockLeaf leaf, Event event) {
    EventLeaf starting = leaf.startingEvents();
    return starting != null && event.weightFor(starting) > 0;
  }

  /** Restarts at {@code now} the periods that the event starts. */
  LeafClocks afterEvent(Event event, Instant now) {
    Map<Integer, LeafClock> after = new TreeMap<>(clocks);
    leaves.forEach(
        (number, leaf) -> {
          if (isStartedBy(leaf, event)) {
            LeafClock clock = clocks.get(number);
            Instant first = clock == null || leaf instanceof Elapsed ? now : clock.first();
            after.put(number, new LeafClock(first, now, false));
          }
        });
    return with(after);
  }

  /**
   * Restarts at {@code now} the elapsing periods that the event restarts. The event does not belong
   * to the next job, so it starts no period: a leaf that waits for an event goes on waiting.
   */
  LeafClocks afterOther(Event event, Instant now) {
    Map<Integer, LeafClock> after = new TreeMap<>(clocks);
    leaves.forEach(
        (number, leaf) -> {
          LeafClock clock = clocks.get(number);
          boolean isSpent = clock != null && clock.isSpent();
          if (leaf instanceof Elapsed && !isSpent && isStartedBy(leaf, event)) {
            after.put(number, new LeafClock(now, now, false));
          }
        });
    return with(after);
  }

  /** Whether a launch of the schedule starts the period of any leaf. */
  public boolean countFromLaunches() {
    return leaves.values().stream().anyMatch(LeafClocks::countsFromLaunches);
  }

  private static boolean countsFromLaunches(ClockLeaf leaf) {
    return leaf instanceof Elapsed elapsed && elapsed.since() == null;
  }

  /**
   * When the first running period that a launch starts began. Launches before it restart none of
   * them.
   */
  public Instant countFromLaunchesSince() {
    return leaves.entrySet().stream()
        .filter(leaf -> countsFromLaunches(leaf.getValue()))
        .map(leaf -> began(leaf.getKey()))
        .min(Comparator.naturalOrder())
        .orElse(since);
  }

  private Instant began(int number) {
    LeafClock clock = clocks.get(number);
    return clock == null ? since : clock.last();
  }

  /** Restarts at {@code at} the periods that a launch starts, unless they started later. */
  public LeafClocks afterLaunch(Instant at) {
    Map<Integer, LeafClock> after = new TreeMap<>(clocks);
    leaves.forEach(
        (number, leaf) -> {
          if (countsFromLaunches(leaf) && began(number).isBefore(at)) {
            after.put(number, new LeafClock(at, at, false));
          }
        });
    return with(after);
  }

  /**
   * The clocks for the next job. A quiet leaf waits for another event in any case; an elapsed leaf
   * does so if it has satisfied this job.
   *
   * @param satisfied the leaves that the job has satisfied
   */
  LeafClocks afterClose(Set<Integer> satisfied, Instant now) {
    LeafClocks launched = afterLaunch(now);
    Map<Integer, LeafClock> after = new TreeMap<>(launched.clocks);
    leaves.forEach(
        (number, leaf) -> {
          if (leaf instanceof Quiet) {
            after.remove(number);
          } else if (!countsFromLaunches(leaf) && satisfied.contains(number)) {
            LeafClock clock = after.getOrDefault(number, new LeafClock(now, now, true));
            after.put(number, new LeafClock(clock.first(), clock.last(), true));
          }
        });
    return with(after);
  }

  private LeafClocks with(Map<Integer, LeafClock> after) {
    return new LeafClocks(leaves, after, since);
  }
}
