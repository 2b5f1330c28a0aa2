package dev.carillon.checker;

import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.Pools;
import java.util.Iterator;
import java.util.List;

/**
 * The rows of a pool between two keys, a page at a time. Each page is read when it is asked for, so
 * it can have no rows.
 */
final class RowPages implements Iterator<List<PoolRow>> {

  private final Pools pools;
  private final PoolId pool;
  private final String until;
  private final int size;
  private String position;
  private boolean isLast;

  /**
   * @param after the smallest key, exclusive
   * @param until the largest key, exclusive
   * @param size the most rows of a page
   */
  RowPages(Pools pools, PoolId pool, String after, String until, int size) {
    this.pools = pools;
    this.pool = pool;
    this.until = until;
    this.size = size;
    this.position = after;
    this.isLast = after.compareTo(until) >= 0;
  }

  /** All rows whose keys begin with the prefix. */
  static RowPages of(Pools pools, PoolId pool, String prefix, int size) {
    return new RowPages(pools, pool, prefix, PoolRow.after(prefix), size);
  }

  @Override
  public boolean hasNext() {
    return !isLast;
  }

  @Override
  public List<PoolRow> next() {
    List<PoolRow> page = pools.rows(pool, position, until, size);
    isLast = page.size() < size;
    position = isLast ? until : page.get(size - 1).key();
    return page;
  }

  /** The key up to which the rows were read. */
  String position() {
    return position;
  }
}
