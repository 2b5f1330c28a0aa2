package dev.carillon.campaign.system;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.ReplicatedIndex;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Unavailable;
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
import dev.carillon.job.Precedence;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Jobs and backfills behind a simulated connection, with an attention index that lags. */
public final class SimJobs implements Jobs, Backfills {

  private static final long LONGEST_LAG = 5_000;

  private final MemoryJobs store;
  private final Link link;
  private final ReplicatedIndex<Subject, Wakeup> attention;
  private final Map<ScheduleId, CollectingJob> collectingJobs = new HashMap<>();

  public SimJobs(MemoryJobs store, Link link) {
    this(store, link, null);
  }

  /**
   * @param copies draws which copy of the index a read comes from; null for a single copy
   */
  public SimJobs(MemoryJobs store, Link link, @Nullable SeededRandom copies) {
    this.store = store;
    this.link = link;
    this.attention =
        new ReplicatedIndex<>(
            link.simulator(),
            link.faults(),
            FaultKind.INDEX_LAG,
            FaultKind.READ_STEPPED_BACK,
            copies,
            LONGEST_LAG);
  }

  @Override
  public int attentionShards() {
    return store.attentionShards();
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return link.read("jobs.isAttentionEmpty", shard, () -> store.isAttentionEmpty(shard));
  }

  @Override
  public List<Optional<Job>> insert(List<Job> jobs) {
    return each(
        jobs,
        job ->
            link.conditional(
                "jobs.insert",
                job.id(),
                () -> shown(store.insert(List.of(job)).get(0), job),
                () -> present(job)));
  }

  @Override
  public List<Optional<Job>> update(List<Update> updates) {
    return each(
        updates,
        update ->
            link.conditional(
                "jobs.update",
                update.after().id() + " to " + update.after().state(),
                () -> shown(store.update(List.of(update)).get(0), update.after()),
                () -> present(update.after())));
  }

  /** Writes all items as the adapters do: tries all of them, and throws a failure at the end. */
  private <T> List<Optional<Job>> each(List<T> items, Function<T, Optional<Job>> write) {
    List<Optional<Job>> answers = new ArrayList<>();
    items.forEach(item -> answers.add(Optional.empty()));
    RuntimeException failure = null;
    for (int i : link.random().shuffled(IntStream.range(0, items.size()).boxed().toList())) {
      try {
        answers.set(i, write.apply(items.get(i)));
      } catch (Unavailable unknown) {
        failure = unknown;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return answers;
  }

  private Optional<Job> shown(Optional<Job> other, Job written) {
    if (link.countLostRace(other.isEmpty())) {
      show(written);
    }
    return other;
  }

  /** Updates the index with a job as it is stored now. */
  void show(Job written) {
    attention.change(written.id(), attention(written));
  }

  private Optional<Job> present(Job written) {
    Job stored = store.find(List.of(written.id())).get(written.id());
    return Optional.ofNullable(stored).filter(job -> !link.isOwn(written, job));
  }

  @Override
  public Map<JobId, Job> find(Collection<JobId> ids) {
    return ids.isEmpty() ? Map.of() : link.read("jobs.find", ids, () -> store.find(ids));
  }

  @Override
  public Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String next) {
    return link.read(
        "jobs.ofSchedule", schedule, () -> store.ofSchedule(schedule, states, limit, next));
  }

  @Override
  public List<Job> skippedUpTo(JobId fire) {
    return link.read("jobs.skippedUpTo", fire, () -> store.skippedUpTo(fire));
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return link.read(
        "jobs.needingAttention",
        shard,
        () -> AttentionPages.page(attention, attentionShards(), shard, until, after, limit));
  }

  @Override
  public Map<Subject, Instant> attentionOf(List<Subject> subjects) {
    return link.read("jobs.attentionOf", subjects, () -> store.attentionOf(subjects));
  }

  private static @Nullable Wakeup attention(CollectingJob collectingJob) {
    Wakeup.Plan plan = collectingJob.wakeup();
    return plan == null
        ? null
        : new Wakeup(new CollectingJobId(collectingJob.schedule()), plan.attentionAt());
  }

  private static @Nullable Wakeup attention(Job job) {
    return job.attentionAt() == null
        ? null
        : new Wakeup(job.id(), job.attentionAt(), job.priority());
  }

  @Override
  public void recordSuspended(List<SuspendedJob> held) {
    link.each("jobs.recordSuspended", held, one -> store.recordSuspended(List.of(one)));
  }

  @Override
  public List<SuspendedJob> suspendedJobs(ScheduleId schedule, long below, int limit) {
    return link.read(
        "jobs.suspendedJobs", schedule, () -> store.suspendedJobs(schedule, below, limit));
  }

  @Override
  public void removeSuspended(List<SuspendedJob> held) {
    link.each("jobs.removeSuspended", held, one -> store.removeSuspended(List.of(one)));
  }

  @Override
  public Map<BackfillId, Backfill> backfills(Collection<BackfillId> ids) {
    return link.read("jobs.backfills", ids, () -> store.backfills(ids));
  }

  @Override
  public List<Backfill> openBackfills(ScheduleId schedule) {
    return link.read("jobs.openBackfills", schedule, () -> store.openBackfills(schedule));
  }

  @Override
  public boolean saveBackfill(@Nullable Backfill before, Backfill after) {
    return link.conditional(
        "jobs.saveBackfill",
        after,
        () -> link.countLostRace(stored(before, after)),
        () -> link.isOwn(after, store.backfills(List.of(after.id())).get(after.id())));
  }

  private boolean stored(@Nullable Backfill before, Backfill after) {
    boolean won = store.saveBackfill(before, after);
    if (won) {
      Instant at = after.attentionAt();
      attention.change(
          after.id(), at == null ? null : new Wakeup(after.id(), at, Precedence.LEAST_URGENT));
    }
    return won;
  }

  @Override
  public Map<JobState, Integer> countUnfinished(int shards, int most) {
    return link.read("jobs.countUnfinished", most, () -> store.countUnfinished(shards, most));
  }

  @Override
  public Optional<StoredCollectingJob> collectingJob(ScheduleId schedule, Instant now) {
    return link.read("jobs.collectingJob", schedule, () -> store.collectingJob(schedule, now));
  }

  @Override
  public boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    return link.conditional(
        "jobs.save",
        after + " with " + satisfied.stream().map(Job::id).toList(),
        () -> link.countLostRace(stored(before, after, newlyCounted, satisfied, now)),
        () -> link.isOwn(after, collectingJobs.get(after.schedule())));
  }

  private boolean stored(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now) {
    boolean won = store.save(before, after, newlyCounted, satisfied, now);
    if (won) {
      collectingJobs.put(after.schedule(), after);
      satisfied.forEach(job -> attention.change(job.id(), attention(job)));
      attention.change(new CollectingJobId(after.schedule()), attention(after));
    }
    return won;
  }

  /** The collecting jobs by schedule. */
  public Map<ScheduleId, CollectingJob> collectingJobs() {
    return collectingJobs;
  }
}
