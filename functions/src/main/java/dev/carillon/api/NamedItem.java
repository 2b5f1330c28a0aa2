package dev.carillon.api;

import dev.carillon.id.UnreadableItems;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a name that a caller chose: a readable item, an unreadable item, or nothing.
 *
 * @param item null if there is none that can be read
 * @param etag null if nothing is stored
 */
record NamedItem<T>(@Nullable T item, @Nullable String etag) {

  static <T> NamedItem<T> of(Supplier<@Nullable T> find, ToLongFunction<T> version) {
    try {
      T found = find.get();
      String etag = found == null ? null : Conditions.etag(version.applyAsLong(found));
      return new NamedItem<>(found, etag);
    } catch (UnreadableItems damaged) {
      return new NamedItem<>(null, Conditions.UNREADABLE);
    }
  }

  boolean isUnreadable() {
    return Conditions.UNREADABLE.equals(etag);
  }
}
