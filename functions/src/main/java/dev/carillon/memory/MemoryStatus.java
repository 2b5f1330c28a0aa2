package dev.carillon.memory;

import dev.carillon.master.AuditProgress;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The master's status in memory. */
public final class MemoryStatus implements StatusStore {

  private @Nullable Status status;
  private @Nullable ShardPlan shards;

  @Override
  public synchronized Optional<Status> read() {
    return Optional.ofNullable(status);
  }

  @Override
  public synchronized Optional<ShardPlan> shards() {
    return Optional.ofNullable(shards);
  }

  @Override
  public synchronized boolean saveShards(@Nullable ShardPlan before, ShardPlan after) {
    if (!Objects.equals(shards, before)) {
      return false;
    }
    shards = after;
    return true;
  }

  @Override
  public synchronized void advance(Instant lastProcessedTime) {
    if (status == null) {
      status = new Status(lastProcessedTime, null);
    } else if (lastProcessedTime.isAfter(status.lastProcessedTime())) {
      status = new Status(lastProcessedTime, status.audit());
    }
  }

  @Override
  public synchronized boolean saveAudit(Status before, AuditProgress after) {
    if (status == null || !Objects.equals(status.audit(), before.audit())) {
      return false;
    }
    status = new Status(status.lastProcessedTime(), after);
    return true;
  }
}
