package dev.carillon.app;

import dev.carillon.id.AppId;
import dev.carillon.id.UnreadableItems;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores apps. Schedules are stored separately. */
public interface Apps {

  /**
   * Reads an app, strongly consistently.
   *
   * @throws UnreadableItems if it cannot be read
   */
  Optional<App> find(AppId id);

  /**
   * Replaces the stored app.
   *
   * @param before the app as it was read; null if there was none
   * @return false, without a change, if another write came first
   */
  boolean save(@Nullable App before, App after);

  /**
   * Stores an app in the place of one that cannot be read.
   *
   * @return false, without a change, if the stored app can be read; a store whose items cannot be
   *     damaged always returns false
   */
  default boolean overwrite(App after) {
    return false;
  }

  /**
   * Deletes an app.
   *
   * @return false, without a change, if another write came first; true also if the app is already
   *     deleted
   */
  boolean delete(App stored);
}
