package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThanOrEqualTo;

import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.id.Page;
import dev.carillon.job.JobLists.Waiting;
import dev.carillon.job.WaitingPlace;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the jobs of one namespace from the attention index, which contains the jobs of all
 * namespaces.
 */
final class WaitingIndex {

  /**
   * A page examines as many entries as this many full queries. It examines more only if they share
   * one instant.
   */
  private static final int QUERIES = 10;

  private static final String NAME = AttentionItem.INDEX;

  private final DynamoDbTable<Item<AttentionItem>> entries;
  private final int examinedAtOnce;

  /**
   * @param examinedAtOnce how many entries one query examines
   */
  WaitingIndex(Database database, String table, int examinedAtOnce) {
    this.entries = database.table(table, () -> AttentionItem.OF_JOBS);
    this.examinedAtOnce = examinedAtOnce;
  }

  Page<Waiting> page(String namespace, int shards, int limit, @Nullable WaitingPlace next) {
    WaitingPlace begun = next == null ? WaitingPlace.startOf(0) : next;
    Reading reading = new Reading(namespace, limit);
    Page<Waiting> page = reading.read(begun);
    for (int shard = begun.shard() + 1; page == null && shard < shards; shard++) {
      page = reading.read(WaitingPlace.startOf(shard));
    }
    return page == null ? new Page<>(List.copyOf(reading.found), null) : page;
  }

  /** The reading of one page. */
  private final class Reading {

    private final String namespace;
    private final int limit;
    private final List<Waiting> found = new ArrayList<>();
    private int examined;

    Reading(String namespace, int limit) {
      this.namespace = namespace;
      this.limit = limit;
    }

    /**
     * Reads a shard, starting at a place. Returns where the page ends; null if it does not end in
     * this shard.
     */
    @Nullable Page<Waiting> read(WaitingPlace start) {
      Map<String, AttributeValue> last = keyOf(start);
      do {
        Part<AttentionItem> part = Queries.firstPage(entries.index(NAME).query(query(start, last)));
        for (Wakeup wakeup : Items.readable(part.items(), AttentionItem::wakeup)) {
          found.add(new Waiting(wakeup.subject(), WaitingPlace.after(start.shard(), wakeup)));
        }
        examined += part.examined();
        last = part.last();
        WaitingPlace end = end(start, last);
        if (end != null) {
          List<Waiting> items = found.subList(0, Math.min(limit, found.size()));
          return new Page<>(List.copyOf(items), end.text());
        }
      } while (last != null);
      return null;
    }

    /**
     * Where the page ends; null if it does not end yet. The place must not name an entry of another
     * namespace. So the page ends after a job of this namespace, or at an instant at which this
     * namespace has no job.
     */
    private @Nullable WaitingPlace end(
        WaitingPlace start, @Nullable Map<String, AttributeValue> last) {
      if (found.size() >= limit) {
        return found.get(limit - 1).place();
      }
      if (examined < QUERIES * examinedAtOnce) {
        return null;
      }
      if (!found.isEmpty()) {
        return found.get(found.size() - 1).place();
      }
      if (last == null) {
        return WaitingPlace.startOf(start.shard() + 1);
      }
      Instant reached = AttentionItem.OF_JOBS.mapToItem(last).urgent().at();
      return reached.isAfter(start.from()) ? new WaitingPlace(start.shard(), reached, null) : null;
    }

    private QueryEnhancedRequest query(
        WaitingPlace start, @Nullable Map<String, AttributeValue> last) {
      String shard = Integer.toString(start.shard());
      AttributeValue from = Forms.URGENT.transformFrom(new Urgent(start.from(), 0));
      return QueryEnhancedRequest.builder()
          .queryConditional(
              sortGreaterThanOrEqualTo(it -> it.partitionValue(shard).sortValue(from)))
          .filterExpression(jobsOf(namespace))
          .exclusiveStartKey(last)
          .limit(examinedAtOnce)
          .build();
    }
  }

  private static @Nullable Map<String, AttributeValue> keyOf(WaitingPlace place) {
    return place.after() == null
        ? null
        : AttentionItem.OF_JOBS.itemToMap(AttentionItem.of(place.after(), place.shard()), true);
  }

  /** Only entries of jobs and of open collecting jobs have a state. */
  private static Expression jobsOf(String namespace) {
    return Expression.builder()
        .expression("begins_with(#schedule, :namespace) AND attribute_exists(#state)")
        .putExpressionName("#schedule", JobItem.SCHEDULE)
        .putExpressionName("#state", JobItem.STATE)
        .putExpressionValue(":namespace", Forms.TEXT.transformFrom(namespace + "/"))
        .build();
  }
}
