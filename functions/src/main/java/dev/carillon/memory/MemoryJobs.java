package dev.carillon.memory;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Precedence;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs, collecting jobs and backfills in memory. */
public final class MemoryJobs implements Jobs, Backfills {

  private static final Comparator<Job> LONGEST_DUE_FIRST =
      Comparator.comparing((Job job) -> attentionAt(job))
          .thenComparingInt(Job::priority)
          .thenComparing(job -> job.id().toString());

  private final int attentionShards;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final NavigableSet<Job> needingAttention = new TreeSet<>(LONGEST_DUE_FIRST);
  private final Set<Held> heldBack = new LinkedHashSet<>();
  private final Map<ScheduleId, CollectingJob> collectingJobs = new HashMap<>();
  private final Map<ScheduleId, LinkedHashMap<Long, Instant>> seen = new HashMap<>();
  private final Map<BackfillId, Backfill> backfills = new LinkedHashMap<>();

  public MemoryJobs(int attentionShards) {
    this.attentionShards = attentionShards;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
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
    if (before != null && before.attentionAt() != null) {
      needingAttention.remove(before);
    }
    if (job.attentionAt() != null) {
      needingAttention.add(job);
    }
  }

  @Override
  public synchronized List<Optional<Job>> update(List<Update> updates) {
    return updates.stream().map(this::update).toList();
  }

  private Optional<Job> update(Update update) {
    Job stored = jobs.get(update.before().id());
    if (stored == null) {
      throw new IllegalStateException("job " + update.before().id() + " has no row to update");
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
      ScheduleId schedule, @Nullable JobState state, int limit, @Nullable String next) {
    Page.requireToken(next, JobId.SORT_KEY_PATTERN);
    List<Job> found =
        jobs.values().stream()
            .filter(job -> job.id().schedule().equals(schedule))
            .filter(job -> state == null || job.state() == state)
            .filter(job -> next == null || job.id().sortKey().compareTo(next) < 0)
            .sorted(Comparator.comparing((Job job) -> job.id().sortKey()).reversed())
            .limit(limit + 1L)
            .toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<Job> items = found.subList(0, limit);
    return new Page<>(items, items.get(limit - 1).id().sortKey());
  }

  @Override
  public synchronized List<Job> skippedUpTo(JobId fire) {
    return jobs.values().stream()
        .filter(job -> job.id().schedule().equals(fire.schedule()))
        .filter(job -> job.id().generation() == fire.generation())
        .filter(job -> job.id().sortKey().compareTo(fire.sortKey()) <= 0)
        .sorted(Comparator.comparing((Job job) -> job.id().sortKey()).reversed())
        .limit(MOST_LOOKED_BACK_AT)
        .filter(job -> job.state() == JobState.SKIPPED)
        .toList();
  }

  @Override
  public synchronized List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    Stream<Entry> ofJobs =
        needingAttention.stream()
            .takeWhile(job -> !attentionAt(job).isAfter(until))
            .map(
                job ->
                    new Entry(
                        new Wakeup(job.id(), attentionAt(job), job.priority()),
                        job.id().toString()));
    return Stream.concat(ofJobs, wakeups())
        .filter(entry -> !entry.wakeup().at().isAfter(until))
        .filter(entry -> Math.floorMod(entry.key().hashCode(), attentionShards) == shard)
        .map(Entry::wakeup)
        .filter(wakeup -> after == null || Wakeup.ORDER.compare(wakeup, after) > 0)
        .sorted(Wakeup.ORDER)
        .limit(limit)
        .toList();
  }

  /** A wake-up, and what its shard follows from. */
  private record Entry(Wakeup wakeup, String key) {}

  private Stream<Entry> wakeups() {
    return Stream.concat(
        collectingJobs.values().stream().flatMap(collectingJob -> entry(collectingJob).stream()),
        backfills.values().stream().flatMap(backfill -> entry(backfill).stream()));
  }

  private static Optional<Entry> entry(Backfill backfill) {
    BackfillId id = backfill.id();
    return Optional.ofNullable(backfill.attentionAt())
        .map(at -> new Entry(new Wakeup(id, at, Precedence.LEAST_URGENT), id.toString()));
  }

  private static Optional<Entry> entry(CollectingJob collectingJob) {
    CollectingJobId id = new CollectingJobId(collectingJob.schedule());
    return Optional.ofNullable(collectingJob.wakeup())
        .map(plan -> new Entry(new Wakeup(id, plan.attentionAt()), id.schedule().toString()));
  }

  @Override
  public synchronized Map<JobState, Integer> countUnfinished(int most) {
    Stream<JobState> unfinished =
        Stream.concat(
            collectingJobs.values().stream()
                .filter(collectingJob -> collectingJob.open() != null)
                .map(collectingJob -> JobState.PENDING_TRIGGER),
            needingAttention.stream().map(Job::state));
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    unfinished.limit(most).forEach(state -> counts.merge(state, 1, Integer::sum));
    return counts;
  }

  @Override
  public synchronized void holdBack(List<Held> held) {
    heldBack.addAll(held);
  }

  @Override
  public synchronized List<Held> heldBack(ScheduleId schedule, long below, int limit) {
    return heldBack.stream()
        .filter(held -> held.job().schedule().equals(schedule) && held.activation() < below)
        .sorted(Comparator.comparing(Held::activation).thenComparing(it -> it.job().sortKey()))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized void letGo(List<Held> held) {
    held.forEach(heldBack::remove);
  }

  @Override
  public synchronized Optional<Recalled> collectingJob(ScheduleId schedule, Instant now) {
    return Optional.ofNullable(collectingJobs.get(schedule))
        .map(stored -> new Recalled(stored, seen(schedule, now), window(schedule, now)));
  }

  private Duration window(ScheduleId schedule, Instant now) {
    Collection<Instant> all = seen.getOrDefault(schedule, new LinkedHashMap<>()).values();
    return all.size() < MOST_SEEN ? SEEN_WINDOW : Duration.between(Collections.min(all), now);
  }

  private Set<Long> seen(ScheduleId schedule, Instant now) {
    Map<Long, Instant> all = seen.getOrDefault(schedule, new LinkedHashMap<>());
    Set<Long> remembered = new LinkedHashSet<>();
    all.forEach(
        (hash, at) -> {
          if (!at.isBefore(now.minus(SEEN_WINDOW))) {
            remembered.add(hash);
          }
        });
    return Collections.unmodifiableSet(remembered);
  }

  @Override
  public synchronized boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlySeen,
      List<Job> satisfied,
      Instant now) {
    CollectingJob stored = collectingJobs.get(after.schedule());
    if (before == null ? stored != null : stored == null || stored.version() != before.version()) {
      return false;
    }
    refuseTooMany(satisfied);
    if (!satisfied.stream().allMatch(this::fits)) {
      return false;
    }
    collectingJobs.put(after.schedule(), after);
    remember(after.schedule(), newlySeen, now);
    satisfied.forEach(this::store);
    return true;
  }

  private static void refuseTooMany(List<Job> satisfied) {
    if (satisfied.size() > MOST_SATISFIED) {
      throw new IllegalArgumentException("more than " + MOST_SATISFIED + " satisfied jobs at once");
    }
  }

  private boolean fits(Job job) {
    Job stored = jobs.get(job.id());
    return job.isNew()
        ? stored == null
        : stored != null && stored.state() == job.state() && stored.version() == job.version() - 1;
  }

  private void remember(ScheduleId schedule, Set<Long> newlySeen, Instant now) {
    LinkedHashMap<Long, Instant> all = seen.computeIfAbsent(schedule, any -> new LinkedHashMap<>());
    for (Long hash : newlySeen) {
      all.remove(hash);
      all.put(hash, now);
    }
    all.values().removeIf(at -> at.isBefore(now.minus(SEEN_WINDOW)));
    List<Long> oldestFirst = new ArrayList<>(all.keySet());
    oldestFirst.subList(0, Math.max(0, all.size() - MOST_SEEN)).forEach(all::remove);
  }

  @Override
  public synchronized Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    Map<BackfillId, Backfill> found = new LinkedHashMap<>(backfills);
    found.keySet().retainAll(ids);
    return found;
  }

  @Override
  public synchronized List<Backfill> openBackfills(ScheduleId schedule) {
    return backfills.values().stream()
        .filter(backfill -> backfill.id().schedule().equals(schedule) && !backfill.isOver())
        .toList();
  }

  @Override
  public synchronized boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    Backfill stored = backfills.get(after.id());
    if (before == null ? stored != null : stored == null || stored.version() != before.version()) {
      return false;
    }
    backfills.put(after.id(), after);
    return true;
  }

  /** All backfills, the oldest first. */
  public synchronized List<Backfill> backfills() {
    return List.copyOf(backfills.values());
  }

  /** All of them that are kept as rows, in the order in which they came. */
  public synchronized List<Job> rows() {
    return List.copyOf(jobs.values());
  }

  /** All of them that are kept as rows, by schedule and key. */
  public synchronized List<Job> all() {
    Function<Job, String> key = job -> job.id().toString();
    return jobs.values().stream().sorted(Comparator.comparing(key)).toList();
  }

  /** How many there are as rows. */
  public synchronized int size() {
    return jobs.size();
  }

  /**
   * When the first of them, or a collecting job or backfill, needs attention; empty if none does.
   */
  public synchronized Optional<Instant> earliestAttention() {
    return Stream.concat(
            needingAttention.stream().limit(1).map(MemoryJobs::attentionAt),
            wakeups().map(entry -> entry.wakeup().at()))
        .min(Comparator.naturalOrder());
  }

  /** All of them, by schedule. */
  public synchronized List<CollectingJob> collectingJobs() {
    return collectingJobs.values().stream()
        .sorted(Comparator.comparing(CollectingJob::schedule))
        .toList();
  }

  private static Instant attentionAt(Job job) {
    return job.attentionAt() == null ? Instant.MAX : job.attentionAt();
  }
}
