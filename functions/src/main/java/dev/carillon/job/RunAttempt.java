package dev.carillon.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a tracked job, as the job's history shows it.
 *
 * @param number the number of the attempt, from 1
 * @param worker the worker that claimed it; null if no worker did
 * @param startedAt the instant of its first report, which can also be its last; null if no report
 *     came
 * @param endedAt null while the attempt goes on
 * @param why the reason why the attempt ended; null while it goes on
 */
public record RunAttempt(
    int number,
    @Nullable String worker,
    @Nullable Instant claimedAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Reason why) {

  private static RunAttempt launched(int number) {
    return new RunAttempt(number, null, null, null, null, null);
  }

  /**
   * The attempts of a job, in order. If the history is long, attempts whose claim or end was
   * dropped are missing.
   */
  public static List<RunAttempt> of(Job job) {
    List<Transition> all = job.transitions();
    boolean isWhole = all.size() < Transition.MOST_FIRST + Transition.MOST_LAST;
    int cut = isWhole ? all.size() : Transition.MOST_FIRST;
    TreeMap<Integer, RunAttempt> attempts = new TreeMap<>();
    addAll(all.subList(0, cut), 1, attempts);
    if (!isWhole) {
      List<Transition> last = all.subList(cut, all.size());
      int retries = (int) last.stream().filter(RunAttempt::isRetry).count();
      int first = job.attempt() - retries;
      attempts.values().removeIf(one -> one.endedAt == null && one.number != first);
      addAll(last, first, attempts);
    }
    return new ArrayList<>(attempts.values());
  }

  private static boolean isRetry(Transition transition) {
    return transition.state() == JobState.RETRY_WAIT;
  }

  /** Whether the transition shows an attempt from its beginning. */
  private static boolean begins(Transition transition) {
    return switch (transition.state()) {
      case ENQUEUED, CLAIMED -> true;
      default -> false;
    };
  }

  /**
   * Adds the attempts that these transitions show; the first transition belongs to attempt {@code
   * number}.
   */
  private static void addAll(
      List<Transition> transitions, int number, TreeMap<Integer, RunAttempt> attempts) {
    int current = number;
    for (Transition transition : transitions) {
      RunAttempt known = attempts.get(current);
      if (known != null || begins(transition)) {
        RunAttempt before = known == null ? launched(current) : known;
        attempts.put(current, before.after(transition));
      }
      current += isRetry(transition) ? 1 : 0;
    }
  }

  private RunAttempt after(Transition transition) {
    Instant at = transition.at();
    return switch (transition.state()) {
      case CLAIMED ->
          claimedAt == null
              ? new RunAttempt(number, claimant(transition), at, null, null, null)
              : this;
      case RUNNING ->
          startedAt == null ? new RunAttempt(number, worker, claimedAt, at, null, null) : this;
      case PENDING_CONSTRAINT, PENDING_LAUNCH, ENQUEUED -> this;
      default ->
          endedAt == null
              ? new RunAttempt(
                  number, worker, claimedAt, start(transition), at, transition.reason())
              : this;
    };
  }

  private @Nullable Instant start(Transition end) {
    return startedAt == null && isReported(end) ? end.at() : startedAt;
  }

  private static boolean isReported(Transition end) {
    Reason reason = end.reason();
    return reason != null
        && (reason.code() == ReasonCode.SUCCESS_REPORTED
            || reason.code() == ReasonCode.FAILURE_REPORTED);
  }

  private static @Nullable String claimant(Transition claimed) {
    Reason reason = claimed.reason();
    return reason == null ? null : reason.arguments().get(0);
  }
}
