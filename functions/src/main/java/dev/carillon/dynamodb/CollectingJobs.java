package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.CollectingJobRow.sliceName;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;

import dev.carillon.dynamodb.CollectingJobRow.StoredSlice;
import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Recalled;
import dev.carillon.runtime.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;

/** The collecting jobs' part of the jobs table. */
final class CollectingJobs {

  private static final int MOST_READS = 5;

  private final Batches batches;
  private final Writes writes;
  private final DynamoDbTable<Row<CollectingJob>> collectingJobs;
  private final DynamoDbTable<Row<StoredSlice>> slices;
  private final DynamoDbTable<Row<Job>> jobs;
  private final int attentionShards;
  private final Duration retention;
  private final LastRead lastRead = new LastRead();

  CollectingJobs(
      Database database,
      Batches batches,
      DynamoDbTable<Row<Job>> jobs,
      int attentionShards,
      Duration retention) {
    this.batches = batches;
    this.writes = database.writes();
    this.collectingJobs = database.table(jobs.tableName(), () -> CollectingJobRow.SCHEMA);
    this.slices = database.table(jobs.tableName(), () -> CollectingJobRow.SLICE);
    this.jobs = jobs;
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  /** A collecting job with what is remembered beside it. */
  record Remembering(CollectingJob collectingJob, SeenIds seen) {}

  Optional<Recalled> recall(ScheduleId schedule, Instant now) {
    Optional<Remembering> stored = read(schedule, now);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    lastRead.keep(stored.get());
    SeenIds seen = stored.get().seen();
    return Optional.of(new Recalled(stored.get().collectingJob(), seen.at(now), seen.window(now)));
  }

  private Optional<Remembering> read(ScheduleId schedule, Instant now) {
    List<Key> key = List.of(Schema.key(CollectingJobRow.KEY, schedule));
    for (int retry = 0; retry < MOST_READS; retry++) {
      List<Row<CollectingJob>> found = batches.get(collectingJobs, key);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Row<CollectingJob> row = found.get(0);
      Optional<List<Slice>> live = slices(schedule, CollectingJobRow.slices(row, now));
      if (live.isPresent()) {
        SeenIds seen = CollectingJobRow.seen(row, live.get());
        return Optional.of(new Remembering(row.record(), seen));
      }
      Backoff.pause(retry);
    }
    throw new IllegalStateException("the seen ids of " + schedule + " are incomplete");
  }

  /** Empty if not all can be seen yet: a query is not isolated from a transaction under way. */
  private Optional<List<Slice>> slices(
      ScheduleId schedule, CollectingJobRow.@Nullable Slices named) {
    if (named == null) {
      return Optional.of(List.of());
    }
    String partition = schedule.toString();
    QueryConditional all =
        sortBetween(
            it -> it.partitionValue(partition).sortValue(sliceName(named.first())),
            it -> it.partitionValue(partition).sortValue(sliceName(named.last())));
    List<Slice> found =
        Queries.all(slices.query(it -> it.queryConditional(all).consistentRead(true))).stream()
            .map(row -> row.record().slice())
            .toList();
    return found.size() == named.count() ? Optional.of(found) : Optional.empty();
  }

  boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Collection<Long> newlySeen,
      List<Job> satisfied,
      Instant now) {
    Optional<SeenIds> remembered = before == null ? Optional.of(SeenIds.NONE) : seen(before, now);
    if (remembered.isEmpty()) {
      return false;
    }
    SeenIds seen = remembered.get().with(newlySeen, now);
    List<Write> others = new ArrayList<>();
    for (Slice slice : seen.slices()) {
      if (slice.number() > remembered.get().lastSlice()) {
        Row<StoredSlice> row = CollectingJobRow.of(after.schedule(), slice);
        others.add(Writes.putting(slices, row, Writes.absent(JobRow.SCHEDULE)));
      }
    }
    Row<CollectingJob> row = CollectingJobRow.of(after, seen, attentionShards);
    boolean stored = store(row, before, satisfied, others);
    if (stored) {
      lastRead.keep(new Remembering(after, seen));
    } else {
      lastRead.forget(after.schedule());
    }
    return stored;
  }

  /** What is remembered beside this version; empty if another one is stored. */
  private Optional<SeenIds> seen(CollectingJob before, Instant now) {
    Optional<Remembering> last = lastRead.of(before);
    Optional<Remembering> stored = last.isPresent() ? last : read(before.schedule(), now);
    return stored.isPresent() && stored.get().collectingJob().version() == before.version()
        ? Optional.of(stored.get().seen())
        : Optional.empty();
  }

  private boolean store(
      Row<CollectingJob> row,
      @Nullable CollectingJob before,
      List<Job> satisfied,
      List<Write> others) {
    Expression unchanged =
        before == null
            ? Writes.absent(JobRow.SCHEDULE)
            : Writes.unchanged(JobRow.VERSION, before.version());
    if (satisfied.isEmpty() && others.isEmpty()) {
      return writes.put(collectingJobs, row, unchanged).isEmpty();
    }
    List<Guarded> guards = new ArrayList<>();
    guards.add(writes.guarded(collectingJobs, row, unchanged));
    for (Job job : satisfied) {
      guards.add(guarded(job));
    }
    return writes.transact(guards, others).isEmpty();
  }

  /** New, or as it was before it grew. */
  private Guarded guarded(Job job) {
    Expression condition =
        job.isNew()
            ? Writes.absent(JobRow.SCHEDULE)
            : DynamoJobs.unchanged(job.state(), job.version() - 1);
    return writes.guarded(jobs, JobRow.of(job, attentionShards, retention), condition);
  }
}
