package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortLessThanOrEqualTo;

import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.id.Subject;
import dev.carillon.job.JobState;
import dev.carillon.job.Precedence;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;

/** The sparse index of the wake-ups in a table, by shard and instant. */
final class AttentionIndex {

  private final DynamoDbTable<Item<AttentionItem>> entries;
  private final Supplier<TableSchema<AttentionItem>> schema;

  AttentionIndex(Database database, String table, Supplier<TableSchema<AttentionItem>> schema) {
    this.entries = database.table(table, schema);
    this.schema = schema;
  }

  private DynamoDbIndex<Item<AttentionItem>> index() {
    return entries.index(AttentionItem.INDEX);
  }

  List<Wakeup> until(int shard, Instant until, @Nullable Wakeup after, int limit) {
    Urgent last = new Urgent(until, Precedence.LEAST_URGENT);
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortLessThanOrEqualTo(
                    it ->
                        it.partitionValue(Integer.toString(shard))
                            .sortValue(Forms.URGENT.transformFrom(last))))
            .limit(limit);
    if (after != null) {
      query.exclusiveStartKey(schema.get().itemToMap(AttentionItem.of(after, shard), true));
    }
    return Queries.readable(index().query(query.build()), limit, AttentionItem::wakeup);
  }

  /** When the index shows the subjects, as their items say; the others are left out. */
  Map<Subject, Instant> of(Batches batches, List<Subject> subjects) {
    List<Item<AttentionItem>> shown =
        batches.get(entries, subjects.stream().map(AttentionItem::key).toList()).stream()
            .filter(item -> item.attributes().containsKey(AttentionItem.SHARD))
            .toList();
    return Items.readable(shown, AttentionItem::wakeup).stream()
        .collect(Collectors.toMap(Wakeup::subject, Wakeup::at));
  }

  boolean isEmpty(int shard) {
    return Queries.isEmpty(index().query(it -> it.queryConditional(allOf(shard)).limit(1)));
  }

  private static QueryConditional allOf(int shard) {
    return keyEqualTo(it -> it.partitionValue(Integer.toString(shard)));
  }

  /**
   * Counts the unfinished jobs of the index by their state. The index also has jobs that have ended
   * and whose end is still to be announced; these are not counted.
   *
   * @param most how many jobs it counts at most
   */
  Map<JobState, Integer> count(int shards, int most) {
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    int rest = most;
    for (int shard = 0; shard < shards && rest > 0; shard++) {
      List<JobState> states = states(shard, rest);
      states.forEach(state -> counts.merge(state, 1, Integer::sum));
      rest -= states.size();
    }
    return counts;
  }

  private List<JobState> states(int shard, int most) {
    QueryEnhancedRequest query =
        QueryEnhancedRequest.builder().queryConditional(allOf(shard)).limit(most).build();
    List<Item<AttentionItem>> jobs =
        Queries.first(index().query(query), most).stream()
            .filter(item -> item.attributes().containsKey(JobItem.STATE))
            .toList();
    return Items.readable(jobs, item -> JobState.valueOf(requireNonNull(item.state()))).stream()
        .filter(state -> !state.isEnd())
        .toList();
  }
}
