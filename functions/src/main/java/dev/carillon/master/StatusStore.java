package dev.carillon.master;

import dev.carillon.id.UnreadableItems;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the progress of the master. */
public interface StatusStore {

  /**
   * The status; empty before the first tick has stored its progress, or if the progress cannot be
   * read. An audit that cannot be read counts as none.
   */
  Optional<Status> read();

  /**
   * The shards that the master reads; empty before the first tick has stored them.
   *
   * @throws UnreadableItems if they cannot be read
   */
  Optional<ShardPlan> shards();

  /**
   * @param before the plan that was read; null if none was stored, or if the stored plan cannot be
   *     read
   * @return false if another tick stored something else after {@code before} was read
   */
  boolean saveShards(@Nullable ShardPlan before, ShardPlan after);

  /** Raises the last processed time. If a later one is stored already, the later one stays. */
  void advance(Instant lastProcessedTime);

  /**
   * Stores the progress of the daily audit.
   *
   * @return false if another tick stored something else after {@code before} was read
   */
  boolean saveAudit(Status before, AuditProgress after);

  /**
   * @param lastProcessedTime the instant up to which fires are handed over
   * @param audit null before the first tick has stored it
   */
  record Status(Instant lastProcessedTime, @Nullable AuditProgress audit) {}
}
