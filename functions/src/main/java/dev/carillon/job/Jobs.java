package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where jobs and collecting jobs are kept. */
public interface Jobs {

  int attentionShards();

  /**
   * Inserts each unless a job with its id is there.
   *
   * @return for each, in order, empty if it was inserted by this call, else the job that was there
   */
  List<Optional<Job>> insert(List<Job> jobs);

  /**
   * Replaces each, if what is stored has the state and version of {@code before}.
   *
   * @return for each, in order, empty if it was replaced by this call, else the job as it is now
   */
  List<Optional<Job>> update(List<Update> updates);

  record Update(Job before, Job after) {}

  /**
   * Those that exist. Consistent.
   *
   * @throws UnreadableJobs if some rows cannot be read
   */
  Map<JobId, Job> find(Collection<JobId> ids);

  /**
   * Jobs of a schedule, newest first, of all states or of one; without those that cannot be read.
   * Consistent.
   */
  Page<Job> ofSchedule(
      ScheduleId schedule, @Nullable JobState state, int limit, @Nullable String next);

  /**
   * The SKIPPED rows of a fire's generation up to its own, newest first: those among the last
   * {@link #MOST_LOOKED_BACK_AT} rows of any state. One Query, consistent.
   */
  List<Job> skippedUpTo(JobId fire);

  /**
   * Up to {@code limit} wake-ups of jobs, collecting jobs and backfills of a shard, at or before
   * {@code until}, in {@link Wakeup#ORDER}. From an index, so it may lag.
   *
   * @param after continues behind this one; null begins with the first
   */
  List<Wakeup> needingAttention(int shard, Instant until, @Nullable Wakeup after, int limit);

  /** Unfinished jobs that have a row, by state; counted up to {@code most} in all. May lag. */
  Map<JobState, Integer> countUnfinished(int most);

  /**
   * Remembers jobs that a suspension holds back, until they are let go. Repeating it changes
   * nothing.
   */
  void holdBack(List<Held> held);

  /**
   * The first jobs of a schedule that were held back under activations smaller than {@code below},
   * by activation and age. Consistent.
   */
  List<Held> heldBack(ScheduleId schedule, long below, int limit);

  /** Forgets that they were held back; those that are forgotten already are no fault. */
  void letGo(List<Held> held);

  /**
   * A job that is held back by its schedule's suspension.
   *
   * @param activation the schedule's then
   */
  record Held(JobId job, long activation) {}

  /** The collecting job of a schedule; empty if it never had one. Consistent. */
  Optional<Recalled> collectingJob(ScheduleId schedule, Instant now);

  /**
   * Stores the collecting job, and the jobs whose trigger it found satisfied, in one transaction.
   *
   * @param newlySeen the hashes of the event ids that are counted with this change
   * @param satisfied at most {@link #MOST_SATISFIED}. New ones are inserted; one of a later version
   *     has grown, and replaces the version before it if that is what is stored
   * @return false if what is stored has not {@code before}'s version (null: nothing is stored), or
   *     a job is not as it was: nothing was changed
   */
  boolean save(
      @Nullable CollectingJob before,
      CollectingJob after,
      Set<Long> newlySeen,
      List<Job> satisfied,
      Instant now);

  /** The jobs that one {@link #save} can take: a transaction has 100 items. */
  int MOST_SATISFIED = 50;

  /** The rows that {@link #skippedUpTo} looks at. */
  int MOST_LOOKED_BACK_AT = 1_000;

  /** How long the id of a counted event is remembered. */
  Duration SEEN_WINDOW = Duration.ofMinutes(10);

  /** The ids that are remembered of a schedule; above it the oldest go early. */
  int MOST_SEEN = 10_000;

  /**
   * @param seen the hashes of the event ids counted within {@code window}
   * @param window {@link #SEEN_WINDOW}, or the age of the oldest where there are too many
   */
  record Recalled(CollectingJob collectingJob, Set<Long> seen, Duration window) {}
}
