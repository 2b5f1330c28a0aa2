package dev.carillon.gate;

import dev.carillon.gate.GatedPrograms.Counted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a gate remembers of the past.
 *
 * @param launches the instants of the last launches, the oldest first; at least as many as the
 *     limits at the gate require, unless more than {@link #MOST_UNDONE} of them were removed
 * @param dropped the last launch that is older than these and may still count; null if there is
 *     none
 * @param lastSuccess the end of the last successful run; null if there was none
 * @param ends the hashes of events that ended runs without naming them, with the instant of the
 *     event's processing
 * @param unsureUntil the instant until which a job without a slot may have a run, because its
 *     request seemed to be refused, or its sender stopped; null if there was no such job
 */
public record Remembered(
    List<Instant> launches,
    @Nullable Instant dropped,
    @Nullable Instant lastSuccess,
    Map<Long, Instant> ends,
    @Nullable Instant unsureUntil) {

  /** A gate that no job has passed remembers nothing. */
  public static final Remembered NOTHING = new Remembered(List.of(), null, null, Map.of(), null);

  /**
   * How many launches are remembered beyond those that the limits need. The margin replaces
   * launches that are removed because they did not take place. It is needed because launches of
   * schedules without the limit are counted as well.
   */
  private static final int MOST_UNDONE = 25;

  /** How long an event that ended a run is remembered. */
  private static final Duration ENDS_WINDOW = Duration.ofMinutes(10);

  /**
   * The most remembered ends. Beyond this number, the oldest are dropped before the window has
   * passed.
   */
  static final int MOST_ENDS = 200;

  /** Whether nothing relevant is remembered. */
  boolean isNothing() {
    return launches.isEmpty() && dropped == null && lastSuccess == null && ends.isEmpty();
  }

  /**
   * The memory with one more launch. Launches are remembered for longer than the window of the
   * rate, for two reasons: they are counted ahead of time, and clocks differ. So another job can be
   * decided on at an instant before {@code now}.
   */
  Remembered withLaunch(Counted counted, Instant now) {
    if (counted.launches() == 0) {
      return this;
    }
    List<Instant> recent = new ArrayList<>(launches);
    Instant forgotten = now.minus(counted.per()).minus(Gate.CLOCKS_DIFFER);
    recent.removeIf(launch -> !launch.isAfter(forgotten));
    recent.add(now);
    recent.sort(Comparator.naturalOrder());
    int older = Math.max(0, recent.size() - counted.launches() - MOST_UNDONE);
    Instant next =
        Stream.concat(recent.subList(0, older).stream(), Stream.ofNullable(dropped))
            .filter(launch -> launch.isAfter(forgotten))
            .max(Comparator.naturalOrder())
            .orElse(null);
    return with(recent.subList(older, recent.size()), next);
  }

  /** The memory without a launch that did not take place. */
  Remembered withoutLaunch(Instant takenAt) {
    List<Instant> others = new ArrayList<>(launches);
    return others.remove(takenAt) ? with(others, dropped) : this;
  }

  private Remembered with(List<Instant> otherLaunches, @Nullable Instant older) {
    return new Remembered(List.copyOf(otherLaunches), older, lastSuccess, ends, unsureUntil);
  }

  /** The memory with the end of a successful run; the same if a later end is known. */
  Remembered withSuccess(Instant at) {
    return lastSuccess != null && !lastSuccess.isBefore(at)
        ? this
        : new Remembered(launches, dropped, at, ends, unsureUntil);
  }

  /** The memory that a job without a slot may have a run, until an instant. */
  Remembered withUnsure(Instant until) {
    return unsureUntil != null && !unsureUntil.isBefore(until)
        ? this
        : new Remembered(launches, dropped, lastSuccess, ends, until);
  }

  /** The memory with one more event that ended a run. */
  Remembered withEnd(long event, Instant now) {
    Map<Long, Instant> known = new TreeMap<>();
    List<Map.Entry<Long, Instant>> recent =
        ends.entrySet().stream()
            .filter(end -> !end.getValue().isBefore(now.minus(ENDS_WINDOW)))
            .sorted(Map.Entry.comparingByValue())
            .toList();
    recent
        .subList(Math.max(0, recent.size() - MOST_ENDS + 1), recent.size())
        .forEach(end -> known.put(end.getKey(), end.getValue()));
    known.put(event, now);
    return new Remembered(
        launches, dropped, lastSuccess, Collections.unmodifiableMap(known), unsureUntil);
  }
}
