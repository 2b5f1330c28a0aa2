package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.LaggingIndex;
import dev.carillon.id.Attention;
import dev.carillon.id.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an index of attention shows of a shard, as far as it has caught up. */
final class AttentionPages {

  private AttentionPages() {}

  static List<Attention> page(
      LaggingIndex<? extends Subject, Attention> index,
      int shards,
      int shard,
      Instant until,
      @Nullable Attention after,
      int limit) {
    List<Attention> found = new ArrayList<>();
    index.forEachShown(
        (subject, shown) -> {
          if (Math.floorMod(subject.toString().hashCode(), shards) == shard
              && !shown.at().isAfter(until)
              && (after == null || Attention.ORDER.compare(shown, after) > 0)) {
            found.add(shown);
          }
        });
    found.sort(Attention.ORDER);
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }
}
