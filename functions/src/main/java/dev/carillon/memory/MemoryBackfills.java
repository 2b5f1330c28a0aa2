package dev.carillon.memory;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.id.BackfillId;
import dev.carillon.id.ScheduleId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Backfills in memory. It is not synchronized: {@link MemoryJobs} calls it from one thread at a
 * time.
 */
final class MemoryBackfills implements Backfills {

  private final Map<BackfillId, Backfill> backfills = new LinkedHashMap<>();

  @Override
  public Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    Map<BackfillId, Backfill> found = new LinkedHashMap<>(backfills);
    found.keySet().retainAll(ids);
    return found;
  }

  @Override
  public List<Backfill> openBackfills(ScheduleId schedule) {
    return backfills.values().stream()
        .filter(backfill -> backfill.id().schedule().equals(schedule) && !backfill.hasEnded())
        .toList();
  }

  @Override
  public boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    Backfill stored = backfills.get(after.id());
    if (before == null ? stored != null : stored == null || stored.version() != before.version()) {
      return false;
    }
    backfills.put(after.id(), after);
    return true;
  }

  /** All backfills, the oldest first. */
  List<Backfill> all() {
    return List.copyOf(backfills.values());
  }
}
