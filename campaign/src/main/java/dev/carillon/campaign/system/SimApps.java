package dev.carillon.campaign.system;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.campaign.engine.Link;
import dev.carillon.id.AppId;
import dev.carillon.memory.MemoryApps;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Apps behind a simulated connection. */
public final class SimApps implements Apps {

  private final MemoryApps store = new MemoryApps();
  private final Link link;

  public SimApps(Link link) {
    this.link = link;
  }

  @Override
  public Optional<App> find(AppId id) {
    return link.read("apps.find", id, () -> store.find(id));
  }

  /** The stored app, read without faults; null if there is none. */
  @Nullable App stored(AppId id) {
    return store.find(id).orElse(null);
  }

  @Override
  public boolean save(@Nullable App before, App after) {
    return link.conditional(
        "apps.save",
        after,
        () -> link.countLostRace(store.save(before, after)),
        () -> link.isOwn(after, store.find(after.id()).orElse(null)));
  }

  /** A repeated delete finds nothing, which counts as success. */
  @Override
  public boolean delete(App stored) {
    return link.conditional(
        "apps.delete", stored, () -> store.delete(stored), () -> store.delete(stored));
  }
}
