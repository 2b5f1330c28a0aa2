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
 * Past fires of a schedule that become jobs of their own, in order and some at a time. Immutable;
 * the methods answer with what is to be stored on condition of this version.
 *
 * <p>Whatever it has taken is named here until its job was seen to be over, so a job that has no
 * row yet is no job that is lost, and there are never more unfinished ones than are named.
 *
 * @param reason why it was cancelled; null otherwise
 * @param version counts the stored changes, from 1
 * @param next the fire that is taken next; null if none is left
 * @param taken how many fires were
 * @param open those taken whose job was not seen to be over, in order
 * @param ended how many jobs were seen to be over, by how they ended
 * @param attentionAt when somebody should look at it if nothing else happens; null when it is over
 * @param endedAt when it was seen to be over; null before
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

  /** More fires than this have to be confirmed. */
  public static final int MOST_UNCONFIRMED = 10_000;

  /** A longer past is given in parts. */
  public static final int MOST_FIRES = 100_000;

  /** The largest {@link Order#concurrency}: what one look takes in hand, and one check names. */
  public static final int MOST_AT_A_TIME = 100;

  /** Why one is cancelled whose schedule has no use for its jobs any more. */
  public static final String NOT_WANTED = Reason.of(ReasonCode.BACKFILL_OUTDATED).text();

  /** How long jobs may be without a row before somebody looks for them. */
  static final Duration HANDED_OVER = Duration.ofSeconds(80);

  /** How long it may wait for its jobs before somebody looks whether it does so in vain. */
  static final Duration SAFETY = Duration.ofHours(1);

  /** How far it is. */
  public enum State {
    RUNNING,
    /** All its jobs are over, however they ended. */
    COMPLETED,
    /** It takes no more fires; what was launched goes on. */
    CANCELLED
  }

  /**
   * What was asked for.
   *
   * @param generation of the schedule at that time, as {@code activation} and {@code program}
   * @param from before the first fire, exclusive
   * @param to after the last fire, inclusive
   * @param concurrency how many of its jobs may be unfinished at a time
   * @param fires how many there were within that time
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

  /** A new one. */
  public static Backfill asked(BackfillId id, Order order, Instant first) {
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
        order.at().plus(Wakeup.SLACK),
        null);
  }

  /** Whether nothing of it will change any more. */
  public boolean isOver() {
    return state != State.RUNNING && open.isEmpty();
  }

  /** The ids of the jobs that were not seen to be over. */
  public List<JobId> openJobs() {
    return open.stream().map(fire -> JobId.ofBackfill(id, order.generation(), fire)).toList();
  }

  /** Whether it has this job launched now. */
  public boolean launches(JobId job) {
    return state == State.RUNNING && names(job);
  }

  /** Whether this job was not seen to be over. */
  public boolean names(JobId job) {
    return job.generation() == order.generation() && open.contains(job.at());
  }

  /** Without those jobs that are over. */
  public Backfill counted(Iterable<Job> found) {
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
   * With as many further fires as its concurrency allows.
   *
   * @param following the fire of the schedule after another
   */
  public Backfill filled(Function<Instant, Optional<Instant>> following) {
    List<Instant> all = new ArrayList<>(open);
    Instant fire = next;
    while (state == State.RUNNING && fire != null && all.size() < order.concurrency()) {
      all.add(fire);
      fire = following.apply(fire).filter(later -> !later.isAfter(order.to())).orElse(null);
    }
    long more = all.size() - (long) open.size();
    return with(state, reason, fire, taken + more, all, ended, attentionAt, endedAt);
  }

  /** It takes no more; one that takes no more already stays as it is. */
  public Backfill cancelled(String why) {
    return state == State.RUNNING
        ? with(State.CANCELLED, why, next, taken, open, ended, attentionAt, endedAt)
        : this;
  }

  /**
   * Over if nothing is left, else with the instant at which somebody looks at it in any case: soon
   * while jobs of it have no row that needs attention by itself. An instant that will do stays: to
   * change it costs.
   */
  public Backfill attended(boolean isHandingOver, Instant now) {
    if (open.isEmpty() && (next == null || state == State.CANCELLED)) {
      State end = state == State.RUNNING ? State.COMPLETED : state;
      return with(end, reason, next, taken, open, ended, null, now);
    }
    Instant latest = now.plus(isHandingOver ? HANDED_OVER : SAFETY);
    Instant earliest = isHandingOver ? now.plus(Wakeup.SLACK) : now;
    boolean willDo =
        attentionAt != null && attentionAt.isAfter(earliest) && !attentionAt.isAfter(latest);
    return with(state, reason, next, taken, open, ended, willDo ? attentionAt : latest, endedAt);
  }

  /** As it is stored after this. */
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
