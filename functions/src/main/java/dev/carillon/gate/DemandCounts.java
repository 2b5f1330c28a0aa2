package dev.carillon.gate;

import dev.carillon.constraint.Limit;
import dev.carillon.id.GateKey;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many schedules set the same limits at each gate, or how a change of a schedule changes these
 * numbers. The gate of a program counts all limits of the program's schedules, so that it shows
 * which other gates the program's jobs pass. The gate of a group or resource counts only the limits
 * that are set at this gate.
 *
 * @param atGates for each gate and each text of limits, how many more schedules (or fewer, if
 *     negative) set these limits
 * @param inBuckets how many more schedules (or fewer, if negative) count for a bucket of {@link
 *     LimitedPrograms}
 */
public record DemandCounts(Map<GateKey, Map<String, Long>> atGates, Map<Integer, Long> inBuckets) {

  public static final DemandCounts NONE = new DemandCounts(Map.of(), Map.of());

  /**
   * The counts of one schedule.
   *
   * @param limits a text of {@link LimitTexts}; null if the schedule has no limits
   */
  public static DemandCounts of(String namespace, String program, @Nullable String limits) {
    DemandCounts counts = new DemandCounts(new TreeMap<>(GateKey.ORDER), new TreeMap<>());
    if (limits == null) {
      return counts;
    }
    GateKey own = GateKey.ofProgram(namespace, program);
    counts.add(own, limits, 1);
    List<Limit> readable = LimitTexts.readable(limits);
    readable.stream()
        .collect(Collectors.groupingBy(limit -> limit.gate(namespace, program)))
        .forEach(
            (gate, here) -> {
              if (!gate.equals(own)) {
                counts.add(gate, LimitTexts.of(here), 1);
              }
            });
    if (readable.stream().anyMatch(Limit::countsLaunches)) {
      counts.inBuckets.merge(LimitedPrograms.bucket(program), 1L, Long::sum);
    }
    return counts;
  }

  /** The change that leads from these counts to the others. */
  public DemandCounts to(DemandCounts others) {
    DemandCounts difference = new DemandCounts(new TreeMap<>(GateKey.ORDER), new TreeMap<>());
    others.atGates.forEach(
        (gate, texts) -> texts.forEach((text, count) -> difference.add(gate, text, count)));
    atGates.forEach(
        (gate, texts) -> texts.forEach((text, count) -> difference.add(gate, text, -count)));
    others.inBuckets.forEach(
        (bucket, count) -> difference.inBuckets.merge(bucket, count, Long::sum));
    inBuckets.forEach((bucket, count) -> difference.inBuckets.merge(bucket, -count, Long::sum));
    difference.atGates.values().forEach(texts -> texts.values().removeIf(count -> count == 0));
    difference.atGates.values().removeIf(Map::isEmpty);
    difference.inBuckets.values().removeIf(count -> count == 0);
    return difference;
  }

  /** How many schedules set the limits of each text, after changes. */
  static Map<String, Long> sum(Map<String, Long> before, Map<String, Long> changes) {
    Map<String, Long> all = new TreeMap<>(before);
    changes.forEach((text, change) -> all.merge(text, change, Long::sum));
    all.values().removeIf(count -> count <= 0);
    return Collections.unmodifiableMap(all);
  }

  private void add(GateKey gate, String text, long count) {
    atGates.computeIfAbsent(gate, any -> new TreeMap<>()).merge(text, count, Long::sum);
  }
}
