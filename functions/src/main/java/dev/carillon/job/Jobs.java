package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.UnreadableItems;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores jobs and collecting jobs. */
public interface Jobs {

  int attentionShards();

  /**
   * Inserts each job unless a job with its id exists.
   *
   * @return for each job, in order: empty if this call inserted it, otherwise the existing job
   * @throws UnreadableJobs if some existing jobs cannot be read; it has the outcomes of the others
   */
  List<Optional<Job>> insert(List<Job> jobs);

  /**
   * Replaces each job if the state and version of {@code before} are still stored.
   *
   * @return for each job, in order: empty if this call replaced it, otherwise the stored job
   * @throws UnreadableJobs if some stored jobs cannot be read; it has the outcomes of the others
   */
  List<Optional<Job>> update(List<Update> updates);

  record Update(Job before, Job after) {}

  /**
   * Returns the jobs that exist, in the order of their ids in {@code ids}. The read is strongly
   * consistent.
   *
   * @throws UnreadableJobs if some of them cannot be read
   */
  Map<JobId, Job> find(Collection<JobId> ids);

  /**
   * Jobs of a schedule, newest first, without those that cannot be read. The read is strongly
   * consistent.
   *
   * @param states the states of the jobs; null for all
   */
  Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable Set<JobState> states, int limit, @Nullable String next);

  /**
   * The SKIPPED jobs of a fire's generation that are not after the fire, newest first. Only the
   * last {@link #MOST_SEARCHED_BACK} jobs of the generation up to the fire are searched, whatever
   * their states. The call makes one Query, which is strongly consistent.
   *
   * @throws UnreadableJobs if some of them cannot be read
   */
  List<Job> skippedUpTo(JobId fire);

  /**
   * Up to {@code limit} wake-ups of jobs, collecting jobs and backfills of a shard, at or before
   * {@code until}, in {@link Wakeup#ORDER}. The wake-ups are read from an index, which can lag.
   *
   * @param after the page starts after this one; null for the first page
   */
  List<Wakeup> needingAttention(int shard, Instant until, @Nullable Wakeup after, int limit);

  /**
   * When the index shows jobs, collecting jobs and backfills, also those that cannot be read. The
   * others are left out. The read is strongly consistent.
   */
  Map<Subject, Instant> attentionOf(List<Subject> subjects);

  /**
   * Whether a shard of the index has no entry of a subject. Entries of all instants count, readable
   * or not. The index can lag.
   */
  boolean isAttentionEmpty(int shard);

  /** Stored unfinished jobs by state, counted up to {@code most} in all. The numbers can lag. */
  Map<JobState, Integer> countUnfinished(int shards, int most);

  /**
   * Records jobs that are suspended with their schedule. {@link #removeSuspended} removes the
   * records. The call can be repeated without a change.
   */
  void recordSuspended(List<SuspendedJob> held);

  /**
   * The first recorded suspended jobs of a schedule, by activation and age, that were suspended
   * under activations smaller than {@code below}. The read is strongly consistent.
   */
  List<SuspendedJob> suspendedJobs(ScheduleId schedule, long below, int limit);

  /** Removes the records. If a record is removed already, this is no error. */
  void removeSuspended(List<SuspendedJob> held);

  /**
   * A job that is suspended with its schedule.
   *
   * @param activation the schedule's activation when the job was suspended
   */
  record SuspendedJob(JobId job, long activation) {}

  /**
   * The collecting job of a schedule; empty if the schedule never had one. The read is strongly
   * consistent.
   *
   * @throws UnreadableItems if the collecting job or its seen ids cannot be read
   */
  Optional<StoredCollectingJob> collectingJob(ScheduleId schedule, Instant now);

  /**
   * Stores, in one transaction, the collecting job and the jobs whose trigger it found satisfied.
   *
   * @param newlyCounted the hashes of the event ids that are counted with this change
   * @param satisfied at most {@link #MOST_SATISFIED}. New jobs are inserted. A job of a later
   *     version, into which events were merged, replaces the version before it if that version is
   *     still stored
   * @return false if the version of {@code before} is not stored (if {@code before} is null: if a
   *     collecting job is stored), or if another writer has changed a job; then nothing was changed
   */
  boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlyCounted,
      List<Job> satisfied,
      Instant now);

  /**
   * Replaces a collecting job that cannot be read, or whose seen ids cannot be read. Keeps the seen
   * ids that can be read.
   *
   * @return false if the stored collecting job can be read; then nothing was stored. A store whose
   *     items cannot be damaged always returns false
   */
  default boolean overwrite(CollectingJob after, Instant now) {
    return false;
  }

  /** The most jobs that one {@link #save} takes: a transaction has at most 100 items. */
  int MOST_SATISFIED = 50;

  /**
   * Checks the argument of {@link #save}.
   *
   * @throws IllegalArgumentException if it has more than {@link #MOST_SATISFIED} jobs
   */
  static void requireFew(List<Job> satisfied) {
    if (satisfied.size() > MOST_SATISFIED) {
      throw new IllegalArgumentException(
          satisfied.size() + " satisfied jobs exceed the limit of " + MOST_SATISFIED);
    }
  }

  /** The most jobs that {@link #skippedUpTo} reads. */
  int MOST_SEARCHED_BACK = 1_000;

  /** How long the id of a counted event is remembered. */
  Duration SEEN_WINDOW = Duration.ofMinutes(10);

  /**
   * The most remembered ids of a schedule. Beyond this number, the oldest are dropped before the
   * window has passed.
   */
  int MOST_SEEN = 10_000;

  /**
   * A stored collecting job.
   *
   * @param seen the hashes of the event ids counted within {@code window}
   * @param window {@link #SEEN_WINDOW}; if there are too many ids, the age of the oldest remembered
   *     id
   */
  record StoredCollectingJob(CollectingJob collectingJob, Set<Long> seen, Duration window) {}
}
