package dev.carillon.master;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the progress of the master. */
public interface StatusStore {

  Optional<Status> read();

  /**
   * Stores the shards that are configured now, and returns the most that were ever configured. So
   * items in a shard are found even if the configuration has shrunk since.
   */
  Shards shards(Shards configured);

  /** The numbers of shards of timers and of the attention index. */
  record Shards(int timers, int attention) {
    public Shards raisedTo(Shards others) {
      return new Shards(Math.max(timers, others.timers), Math.max(attention, others.attention));
    }

    /** Whether neither number is smaller than the other's. */
    public boolean covers(Shards others) {
      return timers >= others.timers && attention >= others.attention;
    }
  }

  /** Raises the last processed time; a later stored value stays. */
  void advance(Instant lastProcessedTime);

  /**
   * Stores the progress of the daily audit.
   *
   * @return false if another tick stored something else after {@code before} was read
   */
  boolean saveAudit(Status before, AuditProgress after);

  /**
   * @param lastProcessedTime fires up to here are expanded
   * @param audit null before the first tick has stored it
   */
  record Status(Instant lastProcessedTime, @Nullable AuditProgress audit) {}
}
