package dev.carillon.memory;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs, collecting jobs and backfills in memory. */
public final class MemoryJobs implements Jobs, Backfills {

  private final MemoryShards shards;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final NavigableSet<Job> needingAttention = new TreeSet<>(JobOrders.LONGEST_DUE_FIRST);
  private final MemoryHeldBack suspendedJobs = new MemoryHeldBack();
  private final Map<ScheduleId, CollectingJob> collectingJobs = new HashMap<>();
  private final MemorySeen seen = new MemorySeen();
  private final MemoryBackfills backfills = new MemoryBackfills();
  private Consumer<Job> observer = job -> {};

  public MemoryJobs(int attentionShards) {
    this.shards = new MemoryShards(attentionShards);
  }

  @Override
  public synchronized int attentionShards() {
    return shards.count();
  }

  /** Configures the number of shards for everything that is written from now on. */
  public synchronized void configureAttentionShards(int count) {
    shards.configure(count);
  }

  MemoryShards shards() {
    return shards;
  }

  @Override
  public synchronized boolean isAttentionEmpty(int shard) {
    Stream<Wakeup> ofJobs = needingAttention.stream().map(MemoryWakeups::of);
    return shards.isEmpty(shard, Stream.concat(ofJobs, wakeups()));
  }

  @Override
  public synchronized List<Optional<Job>> insert(List<Job> added) {
    return added.stream().map(this::insert).toList();
  }

  private Optional<Job> insert(Job job) {
    Optional<Job> present = Optional.ofNullable(jobs.get(job.id()));
    if (present.isEmpty()) {
      store(job);
    }
    return present;
  }

  private void store(Job job) {
    Job before = jobs.put(job.id(), job);
    observer.accept(job);
    if (before != null && before.attentionAt() != null) {
      needingAttention.remove(before);
    }
    if (job.attentionAt() != null) {
      needingAttention.add(job);
      shards.written(job.id());
    }
  }

  @Override
  public synchronized List<Optional<Job>> update(List<Update> updates) {
    return updates.stream().map(this::update).toList();
  }

  private Optional<Job> update(Update update) {
    Job stored = jobs.get(update.before().id());
    if (stored == null) {
      throw new IllegalStateException(
          "job " + update.before().id() + " cannot be updated because it is not stored");
    }
    if (stored.state() != update.before().state()
        || stored.version() != update.before().version()) {
      return Optional.of(stored);
    }
    store(update.after());
    return Optional.empty();
  }

  @Override
  public synchronized Map<JobId, Job> find(Collection<JobId> ids) {
    Map<JobId, Job> found = new LinkedHashMap<>();
    for (JobId id : ids) {
      Job job = jobs.get(id);
      if (job != null) {
        found.put(id, job);
      }
    }
    return found;
  }

  @Override
  public synchronized Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String next) {
    Page.requireToken(next, JobId.SORT_KEY_PATTERN);
    List<Job> found =
        jobs.values().stream()
            .filter(job -> job.id().schedule().equals(schedule))
            .filter(job -> states == null || states.contains(job.state()))
            .filter(job -> next == null || job.id().sortKey().compareTo(next) < 0)
            .toList();
    return JobOrders.latest(found, limit);
  }

  @Override
  public synchronized List<Job> skippedUpTo(JobId fire) {
    return jobs.values().stream()
        .filter(job -> job.id().schedule().equals(fire.schedule()))
        .filter(job -> job.id().generation() == fire.generation())
        .filter(job -> job.id().sortKey().compareTo(fire.sortKey()) <= 0)
        .sorted(JobOrders.LATEST_FIRST)
        .limit(MOST_SEARCHED_BACK)
        .filter(job -> job.state() == JobState.SKIPPED)
        .toList();
  }

  @Override
  public synchronized List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    Stream<Wakeup> ofJobs =
        needingAttention.stream()
            .takeWhile(job -> !JobOrders.attentionAt(job).isAfter(until))
            .map(MemoryWakeups::of);
    return shards.page(shard, Stream.concat(ofJobs, wakeups()), until, after, limit);
  }

  /** The wake-ups of collecting jobs and backfills. */
  private Stream<Wakeup> wakeups() {
    return Stream.concat(
        collectingJobs.values().stream().flatMap(MemoryWakeups::of),
        backfills.all().stream().flatMap(MemoryWakeups::of));
  }

  @Override
  public synchronized Map<Subject, Instant> attentionOf(List<Subject> subjects) {
    Stream<Wakeup> ofJobs = needingAttention.stream().map(MemoryWakeups::of);
    return Stream.concat(ofJobs, wakeups())
        .filter(wakeup -> subjects.contains(wakeup.subject()))
        .collect(Collectors.toMap(Wakeup::subject, Wakeup::at));
  }

  @Override
  public synchronized Map<JobState, Integer> countUnfinished(int shards, int most) {
    Stream<JobState> unfinished =
        Stream.concat(
            collectingJobs.values().stream()
                .filter(collectingJob -> collectingJob.open() != null)
                .map(collectingJob -> JobState.PENDING_TRIGGER),
            needingAttention.stream().map(Job::state).filter(state -> !state.isEnd()));
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    unfinished.limit(most).forEach(state -> counts.merge(state, 1, Integer::sum));
    return counts;
  }

  @Override
  public synchronized void recordSuspended(List<SuspendedJob> held) {
    suspendedJobs.add(held);
  }

  @Override
  public synchronized List<SuspendedJob> suspendedJobs(ScheduleId schedule, long below, int limit) {
    return suspendedJobs.find(schedule, below, limit);
  }

  @Override
  public synchronized void removeSuspended(List<SuspendedJob> held) {
    suspendedJobs.remove(held);
  }

  @Override
  public synchronized Optional<StoredCollectingJob> collectingJob(
      ScheduleId schedule, Instant now) {
    return Optional.ofNullable(collectingJobs.get(schedule))
        .map(
            stored ->
                new StoredCollectingJob(
                    stored, seen.hashes(schedule, now), seen.window(schedule, now)));
  }

  @Override
  public synchronized boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    CollectingJob stored = collectingJobs.get(after.schedule());
    if (before == null ? stored != null : stored == null || stored.version() != before.version()) {
      return false;
    }
    Jobs.requireFew(satisfied);
    if (!satisfied.stream().allMatch(this::fits)) {
      return false;
    }
    collectingJobs.put(after.schedule(), after);
    shards.written(new CollectingJobId(after.schedule()));
    seen.remember(after.schedule(), newlyCounted, now);
    satisfied.forEach(this::store);
    return true;
  }

  private boolean fits(Job job) {
    Job stored = jobs.get(job.id());
    return job.isNew()
        ? stored == null
        : stored != null && stored.state() == job.state() && stored.version() == job.version() - 1;
  }

  @Override
  public synchronized Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    return backfills.backfills(ids);
  }

  @Override
  public synchronized List<Backfill> openBackfills(ScheduleId schedule) {
    return backfills.openBackfills(schedule);
  }

  @Override
  public synchronized boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    boolean isSaved = backfills.saveBackfill(before, after);
    if (isSaved) {
      shards.written(after.id());
    }
    return isSaved;
  }

  /** All backfills, the oldest first. */
  public synchronized List<Backfill> backfills() {
    return backfills.all();
  }

  /** Has an observer receive each job that is stored from now on. */
  public synchronized void observe(Consumer<Job> observer) {
    this.observer = this.observer.andThen(observer);
  }

  /** All stored jobs, by schedule and key. */
  public synchronized List<Job> all() {
    return jobs.values().stream().sorted(JobOrders.BY_ID).toList();
  }

  /** The number of stored jobs. */
  public synchronized int size() {
    return jobs.size();
  }

  /** The earliest wake-up of a job, collecting job or backfill; empty if there is none. */
  public synchronized Optional<Instant> earliestAttention() {
    return Stream.concat(
            needingAttention.stream().limit(1).map(JobOrders::attentionAt),
            wakeups().map(Wakeup::at))
        .min(Comparator.naturalOrder());
  }

  /** All collecting jobs, by schedule. */
  public synchronized List<CollectingJob> collectingJobs() {
    return collectingJobs.values().stream()
        .sorted(Comparator.comparing(CollectingJob::schedule))
        .toList();
  }
}
