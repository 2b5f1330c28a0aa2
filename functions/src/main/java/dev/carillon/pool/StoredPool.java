package dev.carillon.pool;

import dev.carillon.id.PoolId;
import java.time.Instant;

/**
 * A pool as it is stored.
 *
 * @param version grows with each stored change, and is the ETag. The first version is taken from
 *     the clock, so that no pool repeats a version of a deleted pool of the same name
 */
public record StoredPool(
    PoolId id,
    long version,
    Pool pool,
    Instant createdAt,
    String createdBy,
    Instant changedAt,
    String changedBy) {

  public static StoredPool created(PoolId id, Pool pool, Instant now, String by) {
    return new StoredPool(id, now.toEpochMilli(), pool, now, by, now, by);
  }

  public StoredPool changed(Pool changed, Instant now, String by) {
    return new StoredPool(id, version + 1, changed, createdAt, createdBy, now, by);
  }
}
