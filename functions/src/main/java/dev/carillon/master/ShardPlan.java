package dev.carillon.master;

import java.time.Duration;
import java.time.Instant;

/**
 * The shards that the master reads, as stored. The master reads all shards that a function can
 * write to. It follows an increase at once. It follows a decrease once the shards above the new
 * number are empty and no running function uses the higher number any more.
 *
 * @param read the shards that a tick reads; at least {@code configured}
 * @param configured the shards of the last tick's configuration
 * @param since the instant from which all ticks have had that configuration; the epoch if it never
 *     changed
 */
public record ShardPlan(Shards read, Shards configured, Instant since) {

  /**
   * How long the shards of an earlier configuration are read even if they are empty. It is longer
   * than a deployment in which two versions of a function run side by side, and longer than any lag
   * of an index.
   */
  static final Duration OVERLAP = Duration.ofHours(1);

  /** For this long after a change, the master searches the shards that are not read, once a day. */
  static final Duration SEARCH = Duration.ofDays(7);

  /** The numbers of shards of timers and of the attention index. */
  public record Shards(int timers, int attention) {

    /** The largest number that the template allows. */
    public static final int MOST = 16;

    Shards raisedTo(Shards others) {
      return new Shards(Math.max(timers, others.timers), Math.max(attention, others.attention));
    }
  }

  static ShardPlan first(Shards configured) {
    return new ShardPlan(configured, configured, Instant.EPOCH);
  }

  /** The plan if it is unknown which shards have items. */
  static ShardPlan unknown(Shards configured, Instant now) {
    return new ShardPlan(new Shards(Shards.MOST, Shards.MOST), configured, now);
  }

  /** The plan of a tick with this configuration. */
  ShardPlan configuredAs(Shards wanted, Instant now) {
    return wanted.equals(configured) ? this : new ShardPlan(read.raisedTo(wanted), wanted, now);
  }

  /** Whether empty shards can be left out. */
  boolean canShrink(Instant now) {
    return !read.equals(configured) && !now.isBefore(since.plus(OVERLAP));
  }

  /** Whether a function that missed the change may have written to shards that are not read. */
  boolean mayHaveStrays(Instant now) {
    return now.isBefore(since.plus(SEARCH));
  }

  /** The plan that reads these shards, but at least the configured shards. */
  ShardPlan reading(Shards needed) {
    return new ShardPlan(needed.raisedTo(configured), configured, since);
  }
}
