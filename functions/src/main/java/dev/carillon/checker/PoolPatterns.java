package dev.carillon.checker;

import dev.carillon.id.PoolId;
import dev.carillon.pool.StoredPool;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache of the pools whose patterns were used last. A pattern is compiled when it is first
 * compared, so the cache keeps each version of a pool from one invocation to the next.
 */
public final class PoolPatterns {

  /** The most pools in the cache, because a pattern of the highest cost takes up to 600 KB. */
  static final int MOST_ENTRIES = 200;

  private final Map<PoolId, StoredPool> entries = new LinkedHashMap<>(16, 0.75f, true);

  /** The pool from the cache if its version is the same; otherwise the pool as it was read now. */
  synchronized StoredPool kept(StoredPool read) {
    StoredPool known = entries.get(read.id());
    if (known != null && known.version() == read.version()) {
      return known;
    }
    entries.put(read.id(), read);
    if (entries.size() > MOST_ENTRIES) {
      Iterator<StoredPool> eldest = entries.values().iterator();
      eldest.next();
      eldest.remove();
    }
    return read;
  }
}
