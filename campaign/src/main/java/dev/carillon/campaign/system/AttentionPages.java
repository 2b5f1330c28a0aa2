package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.ReplicatedIndex;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of a lagging attention index. */
final class AttentionPages {

  private AttentionPages() {}

  static List<Wakeup> page(
      ReplicatedIndex<? extends Subject, Wakeup> index,
      int shards,
      int shard,
      Instant until,
      @Nullable Wakeup after,
      int limit) {
    List<Wakeup> found = new ArrayList<>();
    index.forEachShown(
        (subject, shown) -> {
          if (Math.floorMod(subject.toString().hashCode(), shards) == shard
              && !shown.at().isAfter(until)
              && (after == null || Wakeup.ORDER.compare(shown, after) > 0)) {
            found.add(shown);
          }
        });
    found.sort(Wakeup.ORDER);
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }
}
