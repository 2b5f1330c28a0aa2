package dev.carillon.id;

import java.util.Collection;
import java.util.Set;
import java.util.function.Function;

/**
 * Some stored items exist but cannot be read: they are damaged, or a newer version stored them. The
 * caller can repeat the read without them.
 */
public final class UnreadableItems extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Set<?> keys;

  public UnreadableItems(Set<?> keys, RuntimeException damage) {
    super("the stored items " + keys + " cannot be read", damage);
    this.keys = Set.copyOf(keys);
  }

  /**
   * Reads the items that can be read.
   *
   * @param unreadable receives the keys of unreadable items
   */
  public static <K, T> T readable(
      Collection<K> keys, Set<K> unreadable, Function<Collection<K>, T> read) {
    try {
      return read.apply(keys);
    } catch (UnreadableItems damaged) {
      keys.stream().filter(damaged.keys::contains).forEach(unreadable::add);
      return read.apply(keys.stream().filter(key -> !damaged.keys.contains(key)).toList());
    }
  }

  /** The keys of the unreadable items, as the caller gave them; at least one. */
  public Set<?> keys() {
    return keys;
  }
}
