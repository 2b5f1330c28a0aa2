package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observations of a job whose runs are tracked.
 *
 * @param launches its requests that arrived, in order; at least one
 * @param calls the calls of its workers, and the calls of callers about it
 * @param stored the stored job; null if it is not stored
 */
record TrackedJob(
    History history,
    String id,
    ScheduleSpec spec,
    Tracking tracking,
    List<Launch> launches,
    List<RunCall> calls,
    @Nullable StoredJob stored) {

  /** An invocation that a fault hit can still run for this long after the last fault. */
  static final long LONGEST_CALL = 30_000;

  /** The tracked jobs of a schedule for which at least one request has arrived. */
  static List<TrackedJob> of(History history, Schedule schedule) {
    Map<String, List<Launch>> byJob = new LinkedHashMap<>();
    for (Launch launch : schedule.launches()) {
      byJob.computeIfAbsent(launch.arrival().jobId(), any -> new ArrayList<>()).add(launch);
    }
    List<TrackedJob> jobs = new ArrayList<>();
    byJob.forEach(
        (id, launches) -> {
          ScheduleSpec spec = schedule.document(launches.get(0).version());
          Tracking tracking = spec == null ? null : spec.tracking();
          if (spec != null && tracking != null) {
            StoredJob stored =
                history.jobs().stream()
                    .filter(it -> it.jobId().equals(id))
                    .findFirst()
                    .orElse(null);
            List<RunCall> calls =
                history.runCalls().stream().filter(it -> it.jobId().equals(id)).toList();
            jobs.add(
                new TrackedJob(
                    history,
                    id,
                    spec,
                    tracking,
                    launches,
                    ForgottenEnds.unanswered(
                        StaleMessages.refused(calls, launches), history.faultsTo() + LONGEST_CALL),
                    stored));
          }
        });
    return jobs;
  }

  /** Whether the job waits in the pool. Jobs in the pool have a program of their own. */
  boolean isPooled() {
    return spec.limits().pool() != null;
  }

  Stream<RunCall> calls(Kind kind) {
    return calls.stream().filter(it -> it.kind() == kind);
  }

  /** The calls of a kind that may have been accepted. */
  Stream<RunCall> possible(Kind kind) {
    return calls(kind).filter(RunCall::mayBeAccepted);
  }

  /** The claims that were answered with a token, by token. */
  List<ClaimFacts> claims() {
    return calls(Kind.CLAIM)
        .filter(RunCall::isAccepted)
        .map(RunCall::token)
        .distinct()
        .map(this::claim)
        .toList();
  }

  private ClaimFacts claim(String token) {
    List<RunCall> accepted =
        calls(Kind.CLAIM).filter(it -> it.isAccepted() && it.token().equals(token)).toList();
    RunCall first = accepted.get(0);
    List<RunCall> claims =
        possible(Kind.CLAIM)
            .filter(
                it ->
                    accepted.contains(it)
                        || (!it.isAccepted()
                            && it.worker().equals(first.worker())
                            && it.attempt() == first.attempt()))
            .toList();
    List<RunCall> reports =
        calls.stream().filter(it -> it.isReport() && it.token().equals(token)).toList();
    return new ClaimFacts(tracking, skew(), token, claims, reports, this::takenBy);
  }

  /** The instant by which a message of the report queue has certainly been processed. */
  long takenBy(RunCall message) {
    long visible = message.from();
    boolean isUndisturbed =
        visible > history.faultsTo() + LONGEST_CALL
            || visible < history.faultsFrom() - History.ON_TIME;
    return isUndisturbed ? visible + History.ON_TIME : history.recoveredBy(visible);
  }

  private long skew() {
    return history.skew();
  }

  List<ClaimFacts> claims(int attempt) {
    return claims().stream().filter(claim -> claim.attempt() == attempt).toList();
  }

  Stream<Launch> launches(int attempt) {
    return launches.stream().filter(launch -> launch.arrival().attempt() == attempt);
  }

  /** The number of the last known attempt. */
  int attempts() {
    return launches.stream().mapToInt(launch -> launch.arrival().attempt()).max().orElse(1);
  }

  /**
   * The requests of callers to retry the job that may have been carried out. Refused requests are
   * among them: if the store's reply was lost, the request is repeated, and it is refused if it
   * then finds the next attempt under way.
   */
  Stream<RunCall> retries() {
    return disturbed(Kind.RETRY);
  }

  /**
   * The calls of a kind that may have been carried out. Refused calls are among them: if the
   * store's reply was lost, the call is repeated, and it then finds its own change.
   */
  Stream<RunCall> disturbed(Kind kind) {
    return calls(kind)
        .filter(it -> it.mayBeAccepted() || it.called() <= history.faultsTo() + LONGEST_CALL);
  }

  /**
   * Whether a refused report may have been carried out. If the store's reply was lost, the report
   * is repeated, and may then find that its claim has ended.
   */
  boolean mayBeCarriedOut(RunCall refused) {
    return refused.queued() == null
        && refused.called() <= history.faultsTo() + LONGEST_CALL
        && !StaleMessages.isStale(refused, calls, launches);
  }

  /** The instant at which the request of an attempt was first sent. */
  long sentAt(int attempt) {
    return launches(attempt)
        .mapToLong(launch -> launch.arrival().sent())
        .min()
        .orElse(History.NEVER);
  }

  /** Whether an attempt was certainly claimed. */
  private boolean isClaimed(int attempt) {
    return !claims(attempt).isEmpty();
  }

  /**
   * The earliest instant at which an attempt may have ended, by a report, a time-out or a caller;
   * NEVER if it was not sent.
   */
  long endedFrom(int attempt) {
    long sent = sentAt(attempt);
    if (sent == History.NEVER) {
      return History.NEVER;
    }
    LongStream timeouts =
        isClaimed(attempt)
            ? claims(attempt).stream().mapToLong(ClaimFacts::livesUntil)
            : LongStream.concat(
                LongStream.of(sent + tracking.enqueue() - 2 * skew()),
                disturbed(Kind.CLAIM)
                    .filter(it -> it.attempt() == attempt)
                    .mapToLong(it -> it.called() + tracking.claim() - 2 * skew()));
    LongStream reports = claims(attempt).stream().mapToLong(ClaimFacts::endedFrom);
    return LongStream.concat(timeouts, reports).min().orElse(History.NEVER);
  }

  /** The latest instant at which an attempt has ended; NEVER if that is unknown. */
  long endedBy(int attempt) {
    List<ClaimFacts> claims = claims(attempt);
    long ended = claims.stream().mapToLong(ClaimFacts::endedBy).min().orElse(History.NEVER);
    if (ended != History.NEVER) {
      return ended;
    }
    if (!claims.isEmpty()) {
      return claims.stream().mapToLong(ClaimFacts::expiresBy).max().orElse(History.NEVER);
    }
    long last =
        launches(attempt).mapToLong(launch -> launch.arrival().at()).max().orElse(History.NEVER);
    long unclaimed = history.bound(last);
    if (last == History.NEVER || unclaimed == History.NEVER) {
      return History.NEVER;
    }
    long claimed = -1;
    for (RunCall call : possible(Kind.CLAIM).filter(it -> it.attempt() == attempt).toList()) {
      if (call.returned() == History.NEVER) {
        return History.NEVER;
      }
      claimed = Math.max(claimed, call.returned() + tracking.claim());
    }
    return Math.max(unclaimed + tracking.enqueue(), claimed) + 2 * skew();
  }

  /**
   * The latest instant for the step that follows an attempt, if nothing holds it back.
   *
   * @param delay milliseconds after the end of the attempt
   */
  long followsBy(int attempt, long delay) {
    long ended = endedBy(attempt);
    return ended == History.NEVER ? History.NEVER : inTime(attempt, ended + delay);
  }

  /**
   * The latest instant for a step that is due during or after an attempt. It is exact if all
   * messages about the attempt were sent without faults.
   */
  long inTime(int attempt, long due) {
    if (due == History.NEVER || history.openFrom() == History.NEVER) {
      return History.NEVER;
    }
    long ready = Math.max(due, history.openFrom());
    boolean isUndisturbed = sentAt(attempt) > history.faultsTo() + LONGEST_CALL;
    return isUndisturbed ? ready + 2 * History.ON_TIME : history.bound(ready);
  }

  /** The earliest instant at which a caller may have cancelled the job; NEVER for none. */
  long cancelledFrom() {
    return possible(Kind.CANCEL).mapToLong(RunCall::called).min().orElse(History.NEVER);
  }

  /** Whether a caller may have retried the job after an instant. */
  boolean mayBeRetriedAfter(long instant) {
    return retries().anyMatch(it -> it.returned() >= instant);
  }
}
