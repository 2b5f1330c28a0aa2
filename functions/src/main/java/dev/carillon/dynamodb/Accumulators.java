package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.text;

import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Accumulator;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Recalled;
import dev.carillon.runtime.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The accumulators' part of the jobs table. */
final class Accumulators {

  private static final int MOST_READS = 5;

  private final DynamoDbClient client;
  private final Batches batches;
  private final Writes writes;
  private final String table;
  private final int attentionShards;
  private final Duration retention;
  private final LastRead lastRead = new LastRead();

  Accumulators(
      DynamoDbClient client,
      Batches batches,
      String table,
      int attentionShards,
      Duration retention) {
    this.client = client;
    this.batches = batches;
    this.writes = new Writes(client);
    this.table = table;
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  /** An accumulator with what is remembered beside it. */
  record Remembering(Accumulator accumulator, SeenIds seen) {}

  Optional<Recalled> recall(ScheduleId schedule, Instant now) {
    Optional<Remembering> stored = read(schedule, now);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    lastRead.keep(stored.get());
    SeenIds seen = stored.get().seen();
    return Optional.of(new Recalled(stored.get().accumulator(), seen.at(now), seen.window(now)));
  }

  private Optional<Remembering> read(ScheduleId schedule, Instant now) {
    for (int retry = 0; retry < MOST_READS; retry++) {
      Map<String, AttributeValue> item = item(schedule);
      if (item.isEmpty()) {
        return Optional.empty();
      }
      Optional<List<Slice>> slices = slices(schedule, AccumulatorRow.slices(item, now));
      if (slices.isPresent()) {
        SeenIds seen = AccumulatorRow.seen(item, slices.get());
        return Optional.of(new Remembering(AccumulatorRow.read(item), seen));
      }
      Backoff.pause(retry);
    }
    throw new IllegalStateException("the seen ids of " + schedule + " are incomplete");
  }

  private Map<String, AttributeValue> item(ScheduleId schedule) {
    List<Map<String, AttributeValue>> found =
        batches.get(table, List.of(AccumulatorRow.key(schedule)));
    return found.isEmpty() ? Map.of() : found.get(0);
  }

  /** Empty if not all can be seen yet: a query is not isolated from a transaction under way. */
  private Optional<List<Slice>> slices(ScheduleId schedule, AccumulatorRow.@Nullable Slices named) {
    if (named == null) {
      return Optional.of(List.of());
    }
    QueryRequest query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("schedule = :schedule AND #item BETWEEN :first AND :last")
            .expressionAttributeNames(Map.of("#item", JobRow.ITEM))
            .expressionAttributeValues(
                Map.of(
                    ":schedule", text(schedule.toString()),
                    ":first", text(AccumulatorRow.sliceName(named.first())),
                    ":last", text(AccumulatorRow.sliceName(named.last()))))
            .build();
    List<Slice> slices =
        Queries.all(client, query).stream().map(AccumulatorRow::readSlice).toList();
    return slices.size() == named.count() ? Optional.of(slices) : Optional.empty();
  }

  boolean save(
      @Nullable Accumulator before,
      Accumulator after,
      Collection<Long> newlySeen,
      List<Job> satisfied,
      Instant now) {
    Optional<SeenIds> remembered = before == null ? Optional.of(SeenIds.NONE) : seen(before, now);
    if (remembered.isEmpty()) {
      return false;
    }
    SeenIds seen = remembered.get().with(newlySeen, now);
    List<TransactWriteItem> others = new ArrayList<>();
    for (Slice slice : seen.slices()) {
      if (slice.number() > remembered.get().lastSlice()) {
        others.add(insert(AccumulatorRow.sliceItem(after.schedule(), slice)));
      }
    }
    Map<String, AttributeValue> item = AccumulatorRow.of(after, seen, attentionShards);
    boolean stored = store(item, before, satisfied, others);
    if (stored) {
      lastRead.keep(new Remembering(after, seen));
    } else {
      lastRead.forget(after.schedule());
    }
    return stored;
  }

  /** What is remembered beside this version; empty if another one is stored. */
  private Optional<SeenIds> seen(Accumulator before, Instant now) {
    Optional<Remembering> last = lastRead.of(before);
    Optional<Remembering> stored = last.isPresent() ? last : read(before.schedule(), now);
    return stored.isPresent() && stored.get().accumulator().version() == before.version()
        ? Optional.of(stored.get().seen())
        : Optional.empty();
  }

  private boolean store(
      Map<String, AttributeValue> item,
      @Nullable Accumulator before,
      List<Job> jobs,
      List<TransactWriteItem> slices) {
    Condition unchanged =
        before == null
            ? Condition.absent(JobRow.SCHEDULE)
            : Condition.equal(JobRow.VERSION, number(before.version()));
    if (jobs.isEmpty() && slices.isEmpty()) {
      return writes.put(table, item, unchanged).isEmpty();
    }
    List<Guarded> guards = new ArrayList<>();
    guards.add(writes.guarded(table, item, unchanged));
    for (Job job : jobs) {
      guards.add(guarded(job));
    }
    return writes.transact(guards, slices).isEmpty();
  }

  /** New, or as it was before it grew. */
  private Guarded guarded(Job job) {
    Condition condition =
        job.isNew()
            ? Condition.absent(JobRow.SCHEDULE)
            : DynamoJobs.unchanged(job.state(), job.version() - 1);
    return writes.guarded(table, JobRow.of(job, attentionShards, retention), condition);
  }

  private TransactWriteItem insert(Map<String, AttributeValue> item) {
    return TransactWriteItem.builder()
        .put(
            put ->
                put.tableName(table)
                    .item(item)
                    .conditionExpression("attribute_not_exists(schedule)"))
        .build();
  }
}
