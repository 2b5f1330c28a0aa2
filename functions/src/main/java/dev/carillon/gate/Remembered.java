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

/** What a gate remembers of the past: launches, and events that ended runs. */
final class Remembered {

  /**
   * So many launches are remembered beyond those that the limits need: schedules without the limit
   * are counted too, and the removal of a launch that did not take place must not hide them.
   */
  private static final int MOST_UNDONE = 25;

  /** How long an event that ended a run is remembered. */
  private static final Duration ENDS_WINDOW = Duration.ofMinutes(10);

  /** The most remembered ends. Beyond this the oldest are dropped before the window has passed. */
  static final int MOST_ENDS = 200;

  private Remembered() {}

  /**
   * The launches with one more. They are remembered for longer than a rate lasts, because another
   * job is decided on at an instant before {@code now}: launches are counted ahead, and clocks
   * differ.
   */
  static List<Instant> launches(List<Instant> before, Counted counted, Instant now) {
    if (counted.launches() == 0) {
      return before;
    }
    List<Instant> recent = new ArrayList<>(before);
    Instant forgotten = now.minus(counted.per()).minus(Gate.CLOCKS_DIFFER);
    recent.removeIf(launch -> !launch.isAfter(forgotten));
    recent.add(now);
    recent.sort(Comparator.naturalOrder());
    int kept = counted.launches() + MOST_UNDONE;
    return List.copyOf(recent.subList(Math.max(0, recent.size() - kept), recent.size()));
  }

  /** The hashes of events that ended runs, with one more. */
  static Map<Long, Instant> ends(Map<Long, Instant> before, long event, Instant now) {
    Map<Long, Instant> known = new TreeMap<>();
    List<Map.Entry<Long, Instant>> recent =
        before.entrySet().stream()
            .filter(end -> !end.getValue().isBefore(now.minus(ENDS_WINDOW)))
            .sorted(Map.Entry.comparingByValue())
            .toList();
    recent
        .subList(Math.max(0, recent.size() - MOST_ENDS + 1), recent.size())
        .forEach(end -> known.put(end.getKey(), end.getValue()));
    known.put(event, now);
    return Collections.unmodifiableMap(known);
  }
}
