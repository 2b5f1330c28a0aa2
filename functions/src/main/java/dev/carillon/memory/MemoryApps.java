package dev.carillon.memory;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.id.AppId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Apps in memory. */
public final class MemoryApps implements Apps {

  private final Map<AppId, App> apps = new HashMap<>();

  @Override
  public synchronized Optional<App> find(AppId id) {
    return Optional.ofNullable(apps.get(id));
  }

  @Override
  public synchronized boolean save(@Nullable App before, App after) {
    if (isOther(apps.get(after.id()), before)) {
      return false;
    }
    apps.put(after.id(), after);
    return true;
  }

  @Override
  public synchronized boolean delete(App stored) {
    App present = apps.get(stored.id());
    if (present != null && isOther(present, stored)) {
      return false;
    }
    apps.remove(stored.id());
    return true;
  }

  private static boolean isOther(@Nullable App present, @Nullable App read) {
    return read == null ? present != null : present == null || present.version() != read.version();
  }
}
