package dev.carillon.master;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the master reports how far it came. */
public interface StatusStore {

  Optional<Status> read();

  /**
   * The most shards that were ever configured, after adding those configured now: what was stored
   * in a shard is found although the configuration has shrunk since.
   */
  Shards shards(Shards configured);

  /** How many shards there are of timers and of the attention index. */
  record Shards(int timers, int attention) {
    public Shards raisedTo(Shards others) {
      return new Shards(Math.max(timers, others.timers), Math.max(attention, others.attention));
    }

    /** Whether there are no fewer of either. */
    public boolean covers(Shards others) {
      return timers >= others.timers && attention >= others.attention;
    }
  }

  /** Raises the last processed time; one that is later already stays. */
  void advance(Instant lastProcessedTime);

  /**
   * Stores how far the daily audit came.
   *
   * @return false if another tick has stored something else since {@code before} was read
   */
  boolean saveAudit(Status before, @Nullable Instant auditedAt, @Nullable String auditCursor);

  /**
   * @param lastProcessedTime fires up to here are expanded
   * @param auditedAt when the last audit began; null before the first
   * @param auditCursor where the running audit goes on; null if none is running
   */
  record Status(
      Instant lastProcessedTime, @Nullable Instant auditedAt, @Nullable String auditCursor) {}
}
