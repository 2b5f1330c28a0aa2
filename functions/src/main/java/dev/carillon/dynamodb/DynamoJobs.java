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
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.wakeup.Wakeup;
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
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Jobs, collecting jobs and backfills on DynamoDB. */
public final class DynamoJobs implements Jobs, Backfills {

  private static final Expression NEW = Writes.absent(JobRow.SCHEDULE);

  /** How many jobs a page looks at for those of one state before it ends early. */
  private static final int MOST_LOOKED_AT = 10_000;

  private static final int LOOKED_AT_ONCE = 1_000;

  private final Batches batches;
  private final Writes writes;
  private final Fanout fanout;
  private final CollectingJobs collectingJobs;
  private final AttentionIndex attention;
  private final DynamoDbTable<Row<Job>> jobs;
  private final DynamoDbTable<Row<Held>> held;
  private final DynamoDbTable<Row<Backfill>> backfills;
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
    this.jobs = database.table(tables.jobs(), () -> JobRow.SCHEMA);
    this.held = database.table(tables.jobs(), () -> HeldRow.SCHEMA);
    this.backfills = database.table(tables.jobs(), () -> BackfillRow.SCHEMA);
    this.collectingJobs = new CollectingJobs(database, batches, jobs, attentionShards, retention);
    this.attention = new AttentionIndex(database, tables.jobs(), () -> AttentionRow.OF_JOBS);
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
  }

  @Override
  public List<Optional<Job>> insert(List<Job> added) {
    return fanout.map(added, job -> writes.put(jobs, row(job), NEW).map(Row::record));
  }

  @Override
  public List<Optional<Job>> update(List<Update> updates) {
    return fanout.map(updates, this::update);
  }

  private Optional<Job> update(Update update) {
    Job before = update.before();
    Optional<Row<Job>> other = writes.put(jobs, row(update.after()), unchanged(before));
    if (other.isPresent() && !other.get().isStored()) {
      throw new IllegalStateException("job " + before.id() + " has no row to update");
    }
    return other.map(Row::record);
  }

  /** That what is stored is what was read; null for nothing. */
  static Expression unchanged(@Nullable Job before) {
    return before == null ? NEW : unchanged(before.state(), before.version());
  }

  static Expression unchanged(JobState state, long version) {
    return Expression.builder()
        .expression("#state = :state AND v = :version")
        .putExpressionName("#state", JobRow.STATE)
        .putExpressionValue(":state", Forms.TEXT.transformFrom(state.name()))
        .putExpressionValue(":version", Forms.NUMBER.transformFrom(version))
        .build();
  }

  private Row<Job> row(Job job) {
    return JobRow.of(job, attentionShards, retention);
  }

  @Override
  public Map<JobId, Job> find(Collection<JobId> ids) {
    Map<JobId, Job> found = new HashMap<>();
    Rows.all(
            batches.get(jobs, ids.stream().map(id -> Schema.key(JobRow.KEY, id)).toList()),
            (damaged, first) -> new UnreadableJobs(ids(damaged), first))
        .forEach(job -> found.put(job.id(), job));
    return found;
  }

  private static Set<JobId> ids(List<Row<Job>> rows) {
    return rows.stream().map(row -> row.as(JobRow.KEY).record()).collect(Collectors.toSet());
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
      Part<Job> page = Queries.firstPage(jobs.query(newestFirst(schedule, state, atOnce, last)));
      found.addAll(Rows.readable(page.rows()));
      last = page.next(JobRow.KEY, JobId::sortKey);
      lookedAt += page.lookedAt();
    } while (last != null && found.size() <= limit && lookedAt < MOST_LOOKED_AT);
    if (found.size() <= limit) {
      return new Page<>(List.copyOf(found), last);
    }
    List<Job> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, items.get(limit - 1).id().sortKey());
  }

  private static QueryEnhancedRequest newestFirst(
      ScheduleId schedule, @Nullable JobState state, int limit, @Nullable String after) {
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortBeginsWith(
                    it -> it.partitionValue(schedule.toString()).sortValue(JobRow.PREFIX)))
            .consistentRead(true)
            .scanIndexForward(false)
            .limit(limit);
    if (state != null) {
      query.filterExpression(inState(state));
    }
    if (after != null) {
      query.exclusiveStartKey(JobRow.KEY.itemToMap(JobRow.id(schedule, after), true));
    }
    return query.build();
  }

  private static Expression inState(JobState state) {
    return Writes.equal(JobRow.STATE, Forms.TEXT.transformFrom(state.name()));
  }

  @Override
  public List<Job> skippedUpTo(JobId fire) {
    JobId first = JobId.ofFire(fire.schedule(), fire.generation(), Instant.EPOCH);
    QueryConditional upTo =
        sortBetween(Schema.key(JobRow.KEY, first), Schema.key(JobRow.KEY, fire));
    return Queries.firstPage(
            jobs.query(
                it ->
                    it.queryConditional(upTo)
                        .consistentRead(true)
                        .scanIndexForward(false)
                        .filterExpression(inState(JobState.SKIPPED))
                        .limit(MOST_LOOKED_BACK_AT)))
        .records();
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return attention.until(shard, until, after, limit);
  }

  @Override
  public Map<JobState, Integer> countUnfinished(int most) {
    return attention.count(attentionShards, most);
  }

  @Override
  public void holdBack(List<Held> added) {
    batches.put(held, added.stream().map(it -> Row.of(it, HeldRow.SCHEMA)).toList());
  }

  @Override
  public List<Held> heldBack(ScheduleId schedule, long below, int limit) {
    String partition = schedule.toString();
    QueryConditional all =
        sortBetween(
            it -> it.partitionValue(partition).sortValue(HeldRow.FIRST),
            it -> it.partitionValue(partition).sortValue(HeldRow.endBelow(below)));
    var pages = held.query(it -> it.queryConditional(all).consistentRead(true).limit(limit));
    return Queries.first(pages, limit).stream().map(Row::record).toList();
  }

  @Override
  public void letGo(List<Held> gone) {
    batches.delete(held, gone.stream().map(it -> Schema.key(HeldRow.SCHEMA, it)).toList());
  }

  @Override
  public Optional<Recalled> collectingJob(ScheduleId schedule, Instant now) {
    return collectingJobs.recall(schedule, now);
  }

  @Override
  public boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlySeen,
      List<Job> satisfied,
      Instant now) {
    if (satisfied.size() > MOST_SATISFIED) {
      throw new IllegalArgumentException("more than " + MOST_SATISFIED + " satisfied jobs at once");
    }
    return collectingJobs.save(before, after, newlySeen, satisfied, now);
  }

  @Override
  public Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    return batches
        .get(backfills, ids.stream().map(id -> Schema.key(BackfillRow.KEY, id)).toList())
        .stream()
        .map(Row::record)
        .collect(Collectors.toMap(Backfill::id, Function.identity()));
  }

  @Override
  public List<Backfill> openBackfills(ScheduleId schedule) {
    QueryConditional all =
        sortBeginsWith(it -> it.partitionValue(schedule.toString()).sortValue(BackfillRow.PREFIX));
    var pages = backfills.query(it -> it.queryConditional(all).consistentRead(true));
    return Queries.all(pages).stream()
        .map(Row::record)
        .filter(backfill -> !backfill.isOver())
        .toList();
  }

  @Override
  public boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    Expression unchanged =
        before == null ? NEW : Writes.unchanged(JobRow.VERSION, before.version());
    Row<Backfill> row = BackfillRow.of(after, attentionShards, retention);
    return writes.put(backfills, row, unchanged).isEmpty();
  }
}
