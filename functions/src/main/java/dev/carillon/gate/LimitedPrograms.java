package dev.carillon.gate;

import java.util.Map;

/**
 * Determines which programs of a namespace can have limits that make gates count launches. The
 * schedules with such limits are counted in a fixed number of buckets, by a hash of the program's
 * name. A program whose bucket is empty has no such limits.
 *
 * @param counts the counts of the buckets that are not empty; includes buckets whose count cannot
 *     be read
 */
public record LimitedPrograms(Map<Integer, Long> counts) {

  /** The number of buckets whose counts always fit into one read unit. */
  public static final int BUCKETS = 256;

  public static final LimitedPrograms NONE = new LimitedPrograms(Map.of());

  public static int bucket(String program) {
    return Math.floorMod(program.hashCode(), BUCKETS);
  }

  public boolean canInclude(String program) {
    return counts.getOrDefault(bucket(program), 0L) > 0;
  }
}
