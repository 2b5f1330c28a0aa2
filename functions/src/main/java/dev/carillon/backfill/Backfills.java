package dev.carillon.backfill;

import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores backfills. */
public interface Backfills {

  /**
   * Reads the backfills with these ids, strongly consistently. The result leaves out ids without a
   * backfill.
   *
   * @throws UnreadableItems if some of them cannot be read
   */
  Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids);

  /**
   * Reads the backfills of a schedule that have not ended, strongly consistently.
   *
   * @throws UnreadableItems if some backfills of the schedule cannot be read
   */
  List<Backfill> openBackfills(ScheduleId schedule);

  /**
   * Replaces the stored backfill.
   *
   * @param before the backfill as it was read; null if there was none
   * @return false, without a change, if another write came first
   */
  boolean saveBackfill(@Nullable Backfill before, Backfill after);
}
