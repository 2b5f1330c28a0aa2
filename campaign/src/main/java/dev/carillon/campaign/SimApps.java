package dev.carillon.campaign;

import dev.carillon.app.App;
import dev.carillon.app.AppId;
import dev.carillon.app.Apps;
import dev.carillon.memory.MemoryApps;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Apps behind a link. */
final class SimApps implements Apps {

  private final MemoryApps store = new MemoryApps();
  private final Link link;
  private final boolean recognisesOwnWrites;

  SimApps(Link link, boolean recognisesOwnWrites) {
    this.link = link;
    this.recognisesOwnWrites = recognisesOwnWrites;
  }

  @Override
  public Optional<App> find(AppId id) {
    return link.read("apps.find", id, () -> store.find(id));
  }

  @Override
  public boolean save(@Nullable App before, App after) {
    return link.conditional("apps.save", after, () -> saved(before, after), () -> isStill(after));
  }

  private boolean saved(@Nullable App before, App after) {
    boolean won = store.save(before, after);
    if (!won) {
      link.weather().count(FaultKind.LOST_RACE);
    }
    return won;
  }

  /** The very same object stands for the token that each write leaves in its item. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isStill(App after) {
    return recognisesOwnWrites && after == store.find(after.id()).orElse(null);
  }

  /** Whoever repeats it finds nothing, which is as good. */
  @Override
  public boolean delete(App stored) {
    return link.conditional(
        "apps.delete", stored, () -> store.delete(stored), () -> store.delete(stored));
  }
}
