package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.Link;
import dev.carillon.master.AuditProgress;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore;
import dev.carillon.memory.MemoryStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The master's status behind a simulated connection. */
public final class SimStatus implements StatusStore {

  private final MemoryStatus store = new MemoryStatus();
  private final Link link;

  public SimStatus(Link link) {
    this.link = link;
  }

  @Override
  public Optional<Status> read() {
    return link.read("status.read", "", store::read);
  }

  @Override
  public Optional<ShardPlan> shards() {
    return link.read("status.shards", "", store::shards);
  }

  /** The stored shards, read without faults; null before they are stored for the first time. */
  @Nullable ShardPlan storedShards() {
    return store.shards().orElse(null);
  }

  /**
   * The stored progress and audit, read without faults; null before they are stored for the first
   * time.
   */
  @Nullable Status stored() {
    return store.read().orElse(null);
  }

  @Override
  public boolean saveShards(@Nullable ShardPlan before, ShardPlan after) {
    return link.write("status.saveShards", "", () -> store.saveShards(before, after));
  }

  @Override
  public void advance(Instant lastProcessedTime) {
    link.write(
        "status.advance",
        lastProcessedTime,
        () -> {
          store.advance(lastProcessedTime);
          return true;
        });
  }

  @Override
  public boolean saveAudit(Status before, AuditProgress after) {
    return link.write("status.saveAudit", "", () -> store.saveAudit(before, after));
  }
}
