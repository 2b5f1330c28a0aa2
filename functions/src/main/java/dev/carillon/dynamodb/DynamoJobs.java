package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Jobs, collecting jobs and backfills on DynamoDB. */
public final class DynamoJobs implements Jobs, Backfills {

  private static final Expression NEW = Writes.absent(JobItem.SCHEDULE);

  /** How many jobs a page examines at most when it filters by state. */
  private static final int MOST_EXAMINED = 10_000;

  private static final int EXAMINED_AT_ONCE = 1_000;

  private final Batches batches;
  private final Writes writes;
  private final Fanout fanout;
  private final CollectingJobs collectingJobs;
  private final AttentionIndex attention;
  private final DynamoDbTable<Item<Job>> jobs;
  private final DynamoDbTable<Item<SuspendedJob>> held;
  private final DynamoDbTable<Item<Backfill>> backfills;
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
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.writes = database.writes();
    this.fanout = fanout;
    this.jobs = database.table(tables.jobs(), () -> JobItem.SCHEMA);
    this.held = database.table(tables.jobs(), () -> HeldItem.SCHEMA);
    this.backfills = database.table(tables.jobs(), () -> BackfillItem.SCHEMA);
    this.collectingJobs = new CollectingJobs(database, batches, jobs, attentionShards, retention);
    this.attention = new AttentionIndex(database, tables.jobs(), () -> AttentionItem.OF_JOBS);
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return attention.isEmpty(shard);
  }

  @Override
  public List<Optional<Job>> insert(List<Job> added) {
    return ReadJobs.outcomes(fanout.map(added, job -> writes.put(jobs, item(job), NEW)));
  }

  @Override
  public List<Optional<Job>> update(List<Update> updates) {
    return ReadJobs.outcomes(fanout.map(updates, this::update));
  }

  private Optional<Item<Job>> update(Update update) {
    Job before = update.before();
    Optional<Item<Job>> other = writes.put(jobs, item(update.after()), unchanged(before));
    if (other.isPresent() && !other.get().isStored()) {
      throw new IllegalStateException(
          "job " + before.id() + " cannot be updated because it is not stored");
    }
    return other;
  }

  /** The condition that this version is still stored; null stands for no item. */
  static Expression unchanged(@Nullable Job before) {
    return before == null ? NEW : unchanged(before.state(), before.version());
  }

  static Expression unchanged(JobState state, long version) {
    return Expression.builder()
        .expression("#state = :state AND v = :version")
        .putExpressionName("#state", JobItem.STATE)
        .putExpressionValue(":state", Forms.TEXT.transformFrom(state.name()))
        .putExpressionValue(":version", Forms.NUMBER.transformFrom(version))
        .build();
  }

  private Item<Job> item(Job job) {
    return JobItem.of(job, attentionShards, retention);
  }

  @Override
  public Map<JobId, Job> find(Collection<JobId> ids) {
    Map<JobId, Job> found = new HashMap<>();
    ReadJobs.readable(
            batches.get(jobs, ids.stream().map(id -> Schema.key(JobItem.KEY, id)).toList()))
        .forEach(job -> found.put(job.id(), job));
    Map<JobId, Job> inOrder = new LinkedHashMap<>();
    for (JobId id : ids) {
      Job job = found.get(id);
      if (job != null) {
        inOrder.put(id, job);
      }
    }
    return inOrder;
  }

  @Override
  public Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String next) {
    Page.requireToken(next, JobId.SORT_KEY_PATTERN);
    List<Job> found = new ArrayList<>();
    String last = next;
    int examined = 0;
    do {
      int atOnce = states == null ? limit + 1 - found.size() : EXAMINED_AT_ONCE;
      Part<Job> page = Queries.firstPage(jobs.query(newestFirst(schedule, states, atOnce, last)));
      found.addAll(Items.readable(page.items()));
      last = page.next(JobItem.KEY, JobId::sortKey);
      examined += page.examined();
    } while (last != null && found.size() <= limit && examined < MOST_EXAMINED);
    if (found.size() <= limit) {
      return new Page<>(List.copyOf(found), last);
    }
    List<Job> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, items.get(limit - 1).id().sortKey());
  }

  private static QueryEnhancedRequest newestFirst(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String after) {
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortBeginsWith(
                    it -> it.partitionValue(schedule.toString()).sortValue(JobItem.PREFIX)))
            .consistentRead(true)
            .scanIndexForward(false)
            .limit(limit);
    if (states != null) {
      query.filterExpression(inState(states));
    }
    if (after != null) {
      query.exclusiveStartKey(JobItem.KEY.itemToMap(JobItem.id(schedule, after), true));
    }
    return query.build();
  }

  private static Expression inState(Set<JobState> states) {
    Expression.Builder condition = Expression.builder().putExpressionName("#state", JobItem.STATE);
    states.forEach(
        state ->
            condition.putExpressionValue(
                ":" + state.name(), Forms.TEXT.transformFrom(state.name())));
    String values =
        states.stream().map(state -> ":" + state.name()).collect(Collectors.joining(", "));
    return condition.expression("#state IN (" + values + ")").build();
  }

  @Override
  public List<Job> skippedUpTo(JobId fire) {
    JobId first = JobId.ofFire(fire.schedule(), fire.generation(), Instant.EPOCH);
    QueryConditional upTo =
        sortBetween(Schema.key(JobItem.KEY, first), Schema.key(JobItem.KEY, fire));
    return ReadJobs.readable(
        Queries.firstPage(
                jobs.query(
                    it ->
                        it.queryConditional(upTo)
                            .consistentRead(true)
                            .scanIndexForward(false)
                            .filterExpression(inState(Set.of(JobState.SKIPPED)))
                            .limit(MOST_SEARCHED_BACK)))
            .items());
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return attention.until(shard, until, after, limit);
  }

  @Override
  public Map<Subject, Instant> attentionOf(List<Subject> subjects) {
    return attention.of(batches, subjects);
  }

  @Override
  public Map<JobState, Integer> countUnfinished(int shards, int most) {
    return attention.count(shards, most);
  }

  @Override
  public void recordSuspended(List<SuspendedJob> added) {
    batches.put(held, added.stream().map(it -> Item.of(it, HeldItem.SCHEMA)).toList());
  }

  @Override
  public List<SuspendedJob> suspendedJobs(ScheduleId schedule, long below, int limit) {
    String partition = schedule.toString();
    QueryConditional all =
        sortBetween(
            it -> it.partitionValue(partition).sortValue(HeldItem.FIRST),
            it -> it.partitionValue(partition).sortValue(HeldItem.endBelow(below)));
    var pages = held.query(it -> it.queryConditional(all).consistentRead(true).limit(limit));
    return Queries.readable(pages, limit);
  }

  @Override
  public void removeSuspended(List<SuspendedJob> deleted) {
    batches.delete(held, deleted.stream().map(it -> Schema.key(HeldItem.SCHEMA, it)).toList());
  }

  @Override
  public Optional<StoredCollectingJob> collectingJob(ScheduleId schedule, Instant now) {
    return collectingJobs.find(schedule, now);
  }

  @Override
  public boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    Jobs.requireFew(satisfied);
    return collectingJobs.save(before, after, newlyCounted, satisfied, now);
  }

  @Override
  public boolean overwrite(CollectingJob after, Instant now) {
    return collectingJobs.overwrite(after, now);
  }

  @Override
  public Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    return Items.byKey(
        batches.get(backfills, ids.stream().map(id -> Schema.key(BackfillItem.KEY, id)).toList()),
        BackfillItem.KEY,
        Backfill::id);
  }

  @Override
  public List<Backfill> openBackfills(ScheduleId schedule) {
    QueryConditional ofSchedule =
        sortBeginsWith(it -> it.partitionValue(schedule.toString()).sortValue(BackfillItem.PREFIX));
    var pages = backfills.query(it -> it.queryConditional(ofSchedule).consistentRead(true));
    Map<BackfillId, Backfill> all = Items.byKey(Queries.all(pages), BackfillItem.KEY, Backfill::id);
    return all.values().stream().filter(backfill -> !backfill.hasEnded()).toList();
  }

  @Override
  public boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    Expression unchanged =
        before == null ? NEW : Writes.unchanged(JobItem.VERSION, before.version());
    Item<Backfill> item = BackfillItem.of(after, attentionShards, retention);
    return writes.put(backfills, item, unchanged).isEmpty();
  }
}
