package dev.carillon.backfill;

import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A backfill: turns past fires of a schedule into jobs, in order. It limits how many of these jobs
 * are unfinished at a time. Immutable; the methods return the next version, to be stored on
 * condition that this version is still stored.
 *
 * <p>A backfill records each fire that it takes, until a check finds that the job of the fire has
 * ended. A job that is not stored yet is therefore not lost, and the number of unfinished jobs
 * never exceeds the recorded fires.
 *
 * @param reason why it was cancelled; null otherwise
 * @param version counts the stored changes, from 1
 * @param next the fire to take next; null if none is left
 * @param taken the number of fires taken
 * @param open the taken fires whose jobs are not known to have ended, in order
 * @param ended the number of jobs known to have ended, by final state
 * @param attentionAt when the backfill is checked if nothing else triggers a check; null once it
 *     has ended
 * @param endedAt when a check found that it had ended; null before
 */
public record Backfill(
    BackfillId id,
    Order order,
    State state,
    @Nullable String reason,
    long version,
    @Nullable Instant next,
    long taken,
    List<Instant> open,
    Map<JobState, Long> ended,
    @Nullable Instant attentionAt,
    @Nullable Instant endedAt) {

  /** A backfill with more fires than this needs a confirmation. */
  public static final int MOST_UNCONFIRMED = 10_000;

  /** The most fires of one backfill. A longer range needs several backfills. */
  public static final int MOST_FIRES = 100_000;

  /**
   * The largest {@link Order#concurrency}, which limits the work of one pass and the size of one
   * check message.
   */
  public static final int MOST_AT_A_TIME = 100;

  /** The reason for cancelling a backfill after its schedule was changed, suspended or deleted. */
  public static final String NOT_WANTED = Reason.of(ReasonCode.BACKFILL_OUTDATED).text();

  /**
   * After a fire is taken, its job must be stored within this time. After this time, a check hands
   * the fire over again.
   */
  static final Duration HANDED_OVER = Duration.ofSeconds(80);

  /**
   * The longest time between checks of a backfill that waits for its jobs, in case a wake-up was
   * lost.
   */
  static final Duration SAFETY = Duration.ofHours(1);

  /** The states of a backfill. */
  public enum State {
    RUNNING,
    /** All its jobs have ended, in any final state. */
    COMPLETED,
    /** Takes no more fires; launched jobs continue. */
    CANCELLED
  }

  /**
   * The parameters of a backfill.
   *
   * @param generation the schedule's generation when the backfill was created; {@code activation}
   *     and {@code program} are of the same instant
   * @param from the start of the range, exclusive
   * @param to the end of the range, inclusive
   * @param concurrency the most unfinished jobs at a time
   * @param fires the number of fires in the range
   */
  public record Order(
      long generation,
      long activation,
      String program,
      Instant from,
      Instant to,
      int concurrency,
      long fires,
      String by,
      Instant at) {}

  public Backfill {
    open = List.copyOf(open);
    Map<JobState, Long> inOrder = new EnumMap<>(JobState.class);
    inOrder.putAll(ended);
    ended = Collections.unmodifiableMap(inOrder);
  }

  /** A new backfill. */
  public static Backfill create(BackfillId id, Order order, Instant first) {
    return new Backfill(
        id,
        order,
        State.RUNNING,
        null,
        1,
        first,
        0,
        List.of(),
        Map.of(),
        Wakeup.plan(order.at(), order.at()).attentionAt(),
        null);
  }

  /** Whether the backfill is in its final state. */
  public boolean hasEnded() {
    return state != State.RUNNING && open.isEmpty();
  }

  /** The ids of the jobs that are not known to have ended. */
  public List<JobId> openJobs() {
    return open.stream().map(fire -> JobId.ofBackfill(id, order.generation(), fire)).toList();
  }

  /** Whether the backfill currently wants this job to launch. */
  public boolean launches(JobId job) {
    return state == State.RUNNING && hasOpen(job);
  }

  /** Whether this job belongs to the backfill and is not known to have ended. */
  public boolean hasOpen(JobId job) {
    return job.generation() == order.generation() && open.contains(job.at());
  }

  /** Removes the jobs that have ended from the open ones and counts them. */
  public Backfill withEnded(Iterable<Job> found) {
    List<Instant> rest = new ArrayList<>(open);
    Map<JobState, Long> outcomes = new EnumMap<>(JobState.class);
    outcomes.putAll(ended);
    for (Job job : found) {
      if (job.isEnded() && rest.remove(job.id().at())) {
        outcomes.merge(job.state(), 1L, Long::sum);
      }
    }
    return with(state, reason, next, taken, rest, outcomes, attentionAt, endedAt);
  }

  /**
   * Takes further fires, up to the concurrency.
   *
   * @param following returns the fire that follows a given fire
   */
  public Backfill withNextFires(Function<Instant, Optional<Instant>> following) {
    List<Instant> all = new ArrayList<>(open);
    Instant fire = next;
    while (state == State.RUNNING && fire != null && all.size() < order.concurrency()) {
      all.add(fire);
      fire = following.apply(fire).filter(later -> !later.isAfter(order.to())).orElse(null);
    }
    long more = all.size() - (long) open.size();
    return with(state, reason, fire, taken + more, all, ended, attentionAt, endedAt);
  }

  /** Takes no more fires. A cancelled backfill stays as it is. */
  public Backfill cancelled(String why) {
    return state == State.RUNNING
        ? with(State.CANCELLED, why, next, taken, open, ended, attentionAt, endedAt)
        : this;
  }

  /**
   * Ends the backfill if no job is left. Otherwise plans the next check. The check is soon if a
   * taken fire has no stored job, because nothing else would launch that fire. If the planned
   * instant is early enough, it is kept, which saves a write.
   */
  public Backfill withNextCheck(boolean isHandingOver, Instant now) {
    if (open.isEmpty() && (next == null || state == State.CANCELLED)) {
      State end = state == State.RUNNING ? State.COMPLETED : state;
      return with(end, reason, next, taken, open, ended, null, now);
    }
    Instant latest = now.plus(isHandingOver ? HANDED_OVER : SAFETY);
    Instant earliest = isHandingOver ? Wakeup.plan(now, now).attentionAt() : now;
    boolean isSuitable =
        attentionAt != null && attentionAt.isAfter(earliest) && !attentionAt.isAfter(latest);
    return with(
        state, reason, next, taken, open, ended, isSuitable ? attentionAt : latest, endedAt);
  }

  /** The next version, to be stored. */
  public Backfill stored() {
    return new Backfill(
        id, order, state, reason, version + 1, next, taken, open, ended, attentionAt, endedAt);
  }

  private Backfill with(
      State newState,
      @Nullable String newReason,
      @Nullable Instant newNext,
      long newTaken,
      List<Instant> newOpen,
      Map<JobState, Long> newEnded,
      @Nullable Instant newAttentionAt,
      @Nullable Instant newEndedAt) {
    return new Backfill(
        id,
        order,
        newState,
        newReason,
        version,
        newNext,
        newTaken,
        newOpen,
        newEnded,
        newAttentionAt,
        newEndedAt);
  }
}
