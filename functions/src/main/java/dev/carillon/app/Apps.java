package dev.carillon.app;

import dev.carillon.id.AppId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where apps are kept. Their schedules are kept elsewhere, each on its own. */
public interface Apps {

  /** Consistent. */
  Optional<App> find(AppId id);

  /**
   * Stores an app in place of what was read.
   *
   * @param before null if there was none
   * @return false if something else is stored by now: nothing was changed
   */
  boolean save(@Nullable App before, App after);

  /**
   * Removes an app.
   *
   * @return false if something else is stored by now: nothing was changed; true also if it is gone
   *     already
   */
  boolean delete(App stored);
}
