package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.text;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.id.Attention;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Accumulator;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Jobs, accumulators and backfills on DynamoDB. */
public final class DynamoJobs implements Jobs, Backfills {

  private static final Condition NEW = Condition.absent(JobRow.SCHEDULE);

  /** How many jobs a page looks at for those of one state before it ends early. */
  private static final int MOST_LOOKED_AT = 10_000;

  private static final int LOOKED_AT_ONCE = 1_000;

  private final DynamoDbClient client;
  private final Batches batches;
  private final Writes writes;
  private final Fanout fanout;
  private final Accumulators accumulators;
  private final AttentionIndex attention;
  private final String table;
  private final int attentionShards;
  private final Duration retention;

  /**
   * @param retention how long a job is kept after its end
   */
  public DynamoJobs(
      DynamoDbClient client,
      Tables tables,
      int attentionShards,
      Duration retention,
      Fanout fanout) {
    this.client = client;
    this.batches = new Batches(client, fanout);
    this.writes = new Writes(client);
    this.fanout = fanout;
    this.accumulators =
        new Accumulators(client, batches, tables.jobs(), attentionShards, retention);
    this.attention = new AttentionIndex(client, tables.jobs(), attentionShards);
    this.table = tables.jobs();
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
  }

  @Override
  public List<Optional<Job>> insert(List<Job> jobs) {
    return fanout.map(jobs, job -> writes.put(table, row(job), NEW).map(JobRow::read));
  }

  @Override
  public List<Optional<Job>> update(List<Update> updates) {
    return fanout.map(updates, this::update);
  }

  private Optional<Job> update(Update update) {
    Job before = update.before();
    Optional<Map<String, AttributeValue>> other =
        writes.put(table, row(update.after()), unchanged(before));
    if (other.isPresent() && other.get().isEmpty()) {
      throw new IllegalStateException("job " + before.id() + " has no row to update");
    }
    return other.map(JobRow::read);
  }

  /** That what is stored is what was read; null for nothing. */
  static Condition unchanged(@Nullable Job before) {
    return before == null ? NEW : unchanged(before.state(), before.version());
  }

  static Condition unchanged(JobState state, long version) {
    return new Condition(
        "#state = :state AND v = :version",
        Map.of("#state", JobRow.STATE),
        Map.of(":state", text(state.name()), ":version", number(version)));
  }

  private Map<String, AttributeValue> row(Job job) {
    return JobRow.of(job, attentionShards, retention);
  }

  @Override
  public Map<JobId, Job> find(Collection<JobId> ids) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    ids.forEach(id -> keys.add(JobRow.key(id)));
    Map<JobId, Job> found = new HashMap<>();
    Rows.all(
            batches.get(table, keys),
            JobRow::read,
            (damaged, first) ->
                new UnreadableJobs(
                    damaged.stream().map(JobRow::id).collect(Collectors.toSet()), first))
        .forEach(job -> found.put(job.id(), job));
    return found;
  }

  @Override
  public Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable JobState state, int limit, @Nullable String next) {
    Page.requireToken(next, JobId.SORT_KEY_PATTERN);
    List<Job> found = new ArrayList<>();
    String last = next;
    int lookedAt = 0;
    do {
      int atOnce = state == null ? limit + 1 - found.size() : LOOKED_AT_ONCE;
      QueryResponse answer = client.query(newestFirst(schedule, state, atOnce, last));
      found.addAll(Rows.readable(answer.items(), JobRow::read));
      last = answer.hasLastEvaluatedKey() ? sortKey(answer.lastEvaluatedKey()) : null;
      lookedAt += answer.scannedCount();
    } while (last != null && found.size() <= limit && lookedAt < MOST_LOOKED_AT);
    if (found.size() <= limit) {
      return new Page<>(List.copyOf(found), last);
    }
    List<Job> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, items.get(limit - 1).id().sortKey());
  }

  private QueryRequest newestFirst(
      ScheduleId schedule, @Nullable JobState state, int limit, @Nullable String after) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":schedule", text(schedule.toString()));
    values.put(":job", text(JobRow.PREFIX));
    QueryRequest.Builder query =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression("schedule = :schedule AND begins_with(#item, :job)")
            .consistentRead(true)
            .scanIndexForward(false)
            .limit(limit);
    Map<String, String> names = new HashMap<>(Map.of("#item", JobRow.ITEM));
    if (state != null) {
      names.put("#state", JobRow.STATE);
      values.put(":state", text(state.name()));
      query.filterExpression("#state = :state");
    }
    if (after != null) {
      query.exclusiveStartKey(
          Map.of(
              JobRow.SCHEDULE,
              text(schedule.toString()),
              JobRow.ITEM,
              text(JobRow.PREFIX + after)));
    }
    return query.expressionAttributeNames(names).expressionAttributeValues(values).build();
  }

  @Override
  public List<Job> skippedUpTo(JobId fire) {
    JobId first = JobId.ofFire(fire.schedule(), fire.generation(), Instant.EPOCH);
    QueryRequest query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .scanIndexForward(false)
            .keyConditionExpression("schedule = :schedule AND #item BETWEEN :first AND :last")
            .filterExpression("#state = :skipped")
            .expressionAttributeNames(Map.of("#item", JobRow.ITEM, "#state", JobRow.STATE))
            .expressionAttributeValues(
                Map.of(
                    ":schedule", text(fire.schedule().toString()),
                    ":first", text(JobRow.PREFIX + first.sortKey()),
                    ":last", text(JobRow.PREFIX + fire.sortKey()),
                    ":skipped", text(JobState.SKIPPED.name())))
            .limit(MOST_LOOKED_BACK_AT)
            .build();
    return client.query(query).items().stream().map(JobRow::read).toList();
  }

  private static String sortKey(Map<String, AttributeValue> key) {
    return JobRow.id(key).sortKey();
  }

  @Override
  public List<Attention> needingAttention(
      int shard, Instant until, @Nullable Attention after, int limit) {
    return attention.until(shard, until, after, limit);
  }

  @Override
  public Map<JobState, Integer> countUnfinished(int most) {
    return attention.count(most);
  }

  @Override
  public void holdBack(List<Held> held) {
    batches.put(table, held.stream().map(HeldRow::of).toList(), JobRow.KEY);
  }

  @Override
  public List<Held> heldBack(ScheduleId schedule, long below, int limit) {
    QueryRequest query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("schedule = :schedule AND #item BETWEEN :first AND :end")
            .expressionAttributeNames(Map.of("#item", JobRow.ITEM))
            .expressionAttributeValues(
                Map.of(
                    ":schedule", text(schedule.toString()),
                    ":first", HeldRow.first(),
                    ":end", HeldRow.endBelow(below)))
            .limit(limit)
            .build();
    return client.queryPaginator(query).items().stream().limit(limit).map(HeldRow::read).toList();
  }

  @Override
  public void letGo(List<Held> held) {
    batches.delete(table, held.stream().map(HeldRow::of).toList());
  }

  @Override
  public Optional<Recalled> accumulator(ScheduleId schedule, Instant now) {
    return accumulators.recall(schedule, now);
  }

  @Override
  public boolean save(
      @Nullable Accumulator before,
      Accumulator after,
      Set<Long> newlySeen,
      List<Job> satisfied,
      Instant now) {
    if (satisfied.size() > MOST_SATISFIED) {
      throw new IllegalArgumentException("more than " + MOST_SATISFIED + " satisfied jobs at once");
    }
    return accumulators.save(before, after, newlySeen, satisfied, now);
  }

  @Override
  public Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    return batches.get(table, ids.stream().map(BackfillRow::key).toList()).stream()
        .map(BackfillRow::read)
        .collect(Collectors.toMap(Backfill::id, Function.identity()));
  }

  @Override
  public List<Backfill> openBackfills(ScheduleId schedule) {
    QueryRequest query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("schedule = :schedule AND begins_with(#item, :backfill)")
            .expressionAttributeNames(Map.of("#item", JobRow.ITEM))
            .expressionAttributeValues(
                Map.of(
                    ":schedule", text(schedule.toString()),
                    ":backfill", text(BackfillRow.PREFIX)))
            .build();
    return client.queryPaginator(query).items().stream()
        .map(BackfillRow::read)
        .filter(backfill -> !backfill.isOver())
        .toList();
  }

  @Override
  public boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    Condition unchanged =
        before == null ? NEW : Condition.equal(JobRow.VERSION, number(before.version()));
    return writes
        .put(table, BackfillRow.of(after, attentionShards, retention), unchanged)
        .isEmpty();
  }
}
