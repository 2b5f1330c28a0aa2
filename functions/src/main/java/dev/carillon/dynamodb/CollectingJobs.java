package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.CollectingJobItem.sliceName;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;

import dev.carillon.dynamodb.CollectingJobItem.StoredSlice;
import dev.carillon.dynamodb.SeenIds.Slice;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.runtime.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;

/** The store of collecting jobs in the table of jobs. */
final class CollectingJobs {

  private static final int MOST_READS = 5;

  private static final Logger LOG = LoggerFactory.getLogger(CollectingJobs.class);

  private final Batches batches;
  private final Writes writes;
  private final DynamoDbTable<Item<CollectingJob>> collectingJobs;
  private final DynamoDbTable<Item<StoredSlice>> slices;
  private final DynamoDbTable<Item<Job>> jobs;
  private final int attentionShards;
  private final Duration retention;
  private final CollectingJobCache cache = new CollectingJobCache();

  CollectingJobs(
      Database database,
      Batches batches,
      DynamoDbTable<Item<Job>> jobs,
      int attentionShards,
      Duration retention) {
    this.batches = batches;
    this.writes = database.writes();
    this.collectingJobs = database.table(jobs.tableName(), () -> CollectingJobItem.SCHEMA);
    this.slices = database.table(jobs.tableName(), () -> CollectingJobItem.SLICE);
    this.jobs = jobs;
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  /** A collecting job with its seen ids. */
  record WithSeenIds(CollectingJob collectingJob, SeenIds seen) {}

  Optional<StoredCollectingJob> find(ScheduleId schedule, Instant now) {
    Optional<WithSeenIds> stored = read(schedule, now);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    cache.keep(stored.get());
    SeenIds seen = stored.get().seen();
    return Optional.of(
        new StoredCollectingJob(stored.get().collectingJob(), seen.at(now), seen.window(now)));
  }

  private Optional<WithSeenIds> read(ScheduleId schedule, Instant now) {
    try {
      return readWhole(schedule, now);
    } catch (Unreadable damaged) {
      throw new UnreadableItems(Set.of(new CollectingJobId(schedule)), damaged.damage);
    }
  }

  /** An item was found, but cannot be read. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final RuntimeException damage;

    Unreadable(RuntimeException damage) {
      super(damage);
      this.damage = damage;
    }
  }

  private static <V> V reading(Supplier<V> read) {
    try {
      return read.get();
    } catch (RuntimeException damage) {
      throw new Unreadable(damage);
    }
  }

  private Optional<WithSeenIds> readWhole(ScheduleId schedule, Instant now) {
    List<Key> key = List.of(Schema.key(CollectingJobItem.KEY, schedule));
    for (int retry = 0; retry < MOST_READS; retry++) {
      List<Item<CollectingJob>> found = batches.get(collectingJobs, key);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Item<CollectingJob> item = found.get(0);
      Optional<SeenIds> seen = seenIds(schedule, item, now);
      if (seen.isPresent()) {
        return Optional.of(new WithSeenIds(reading(item::record), seen.get()));
      }
      Backoff.pause(retry);
    }
    throw new IllegalStateException(
        "the ids of the counted events of %s are incomplete after %d reads; read them again"
            .formatted(schedule, MOST_READS));
  }

  private Optional<SeenIds> seenIds(ScheduleId schedule, Item<CollectingJob> item, Instant now) {
    return slices(schedule, reading(() -> CollectingJobItem.slices(item, now)))
        .map(live -> reading(() -> CollectingJobItem.seen(item, live)));
  }

  /**
   * The clock gives the numbers of the new slices, so they exceed the numbers of the lost slices.
   */
  boolean overwrite(CollectingJob after, Instant now) {
    ScheduleId schedule = after.schedule();
    List<Item<CollectingJob>> found =
        batches.get(collectingJobs, List.of(Schema.key(CollectingJobItem.KEY, schedule)));
    if (found.isEmpty() || isReadable(schedule, now)) {
      return false;
    }
    LOG.warn("the collecting job of {} cannot be read; it is replaced", schedule);
    SeenIds seen;
    try {
      seen = seenIds(schedule, found.get(0), now).orElseThrow();
    } catch (RuntimeException lost) {
      seen = new SeenIds(List.of(), List.of(), now.getEpochSecond());
    }
    cache.discard(schedule);
    Item<CollectingJob> item = CollectingJobItem.of(after, seen, attentionShards);
    return writes.put(collectingJobs, item, Repairs.unchanged(found.get(0))).isEmpty();
  }

  private boolean isReadable(ScheduleId schedule, Instant now) {
    try {
      return readWhole(schedule, now).isPresent();
    } catch (Unreadable damaged) {
      return false;
    }
  }

  /**
   * The slices of a collecting job. The result is empty if not all of them are visible yet, because
   * a query is not isolated from a running transaction.
   */
  private Optional<List<Slice>> slices(
      ScheduleId schedule, CollectingJobItem.@Nullable Slices named) {
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
            .map(item -> reading(() -> item.record().slice()))
            .toList();
    return found.size() == named.count() ? Optional.of(found) : Optional.empty();
  }

  boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Collection<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    Optional<SeenIds> seenBefore = before == null ? Optional.of(SeenIds.NONE) : seen(before, now);
    if (seenBefore.isEmpty()) {
      return false;
    }
    SeenIds seen = seenBefore.get().with(newlyCounted, now);
    List<Write> others = new ArrayList<>();
    for (Slice slice : seen.slices()) {
      if (slice.number() > seenBefore.get().lastSlice()) {
        Item<StoredSlice> item = CollectingJobItem.of(after.schedule(), slice);
        others.add(Writes.putting(slices, item, Writes.absent(JobItem.SCHEDULE)));
      }
    }
    Item<CollectingJob> item = CollectingJobItem.of(after, seen, attentionShards);
    boolean stored = store(item, before, satisfied, others);
    if (stored) {
      cache.keep(new WithSeenIds(after, seen));
    } else {
      cache.discard(after.schedule());
    }
    return stored;
  }

  /**
   * The seen ids that are stored with this version of the collecting job; empty if another version
   * is stored.
   */
  private Optional<SeenIds> seen(CollectingJob before, Instant now) {
    Optional<WithSeenIds> last = cache.of(before);
    Optional<WithSeenIds> stored = last.isPresent() ? last : read(before.schedule(), now);
    return stored.isPresent() && stored.get().collectingJob().version() == before.version()
        ? Optional.of(stored.get().seen())
        : Optional.empty();
  }

  private boolean store(
      Item<CollectingJob> item,
      @Nullable CollectingJob before,
      List<Job> satisfied,
      List<Write> others) {
    Expression unchanged =
        before == null
            ? Writes.absent(JobItem.SCHEDULE)
            : Writes.unchanged(JobItem.VERSION, before.version());
    if (satisfied.isEmpty() && others.isEmpty()) {
      return writes.put(collectingJobs, item, unchanged).isEmpty();
    }
    List<Guarded> guards = new ArrayList<>();
    guards.add(writes.guarded(collectingJobs, item, unchanged));
    for (Job job : satisfied) {
      guards.add(guarded(job));
    }
    return writes.transact(guards, others).isEmpty();
  }

  /** The condition that a new job is absent, or that a stored one is unchanged. */
  private Guarded guarded(Job job) {
    Expression condition =
        job.isNew()
            ? Writes.absent(JobItem.SCHEDULE)
            : DynamoJobs.unchanged(job.state(), job.version() - 1);
    return writes.guarded(jobs, JobItem.of(job, attentionShards, retention), condition);
  }
}
