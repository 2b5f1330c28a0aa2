package dev.carillon.backfill;

import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where backfills are kept. */
public interface Backfills {

  /** Those that exist. Consistent. */
  Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids);

  /** Those of a schedule that are not over. Consistent. */
  List<Backfill> openBackfills(ScheduleId schedule);

  /**
   * Stores a backfill in place of what was read.
   *
   * @param before null if there was none
   * @return false if something else is stored: nothing was changed
   */
  boolean saveBackfill(@Nullable Backfill before, Backfill after);
}
