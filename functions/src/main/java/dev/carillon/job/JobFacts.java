package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.run.Claim;
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The derived properties of a job. */
public sealed interface JobFacts permits Job {

  JobId id();

  long version();

  JobState state();

  Origin origin();

  Precedence precedence();

  Delivery delivery();

  @Nullable Wait waitsFor();

  @Nullable GateTicket ticket();

  List<Transition> transitions();

  default long activation() {
    return origin().activation();
  }

  default String program() {
    return origin().program();
  }

  default Instant scheduledFor() {
    return origin().scheduledFor();
  }

  default Instant triggeredAt() {
    return origin().triggeredAt();
  }

  default @Nullable ObjectNode launchNow() {
    return origin().launchNow();
  }

  default @Nullable String customer() {
    return precedence().customer();
  }

  default int priority() {
    return precedence().priority();
  }

  default @Nullable String linkId() {
    return precedence().linkId();
  }

  default int attempt() {
    return delivery().attempt();
  }

  default @Nullable Instant launchedAt() {
    return delivery().launchedAt();
  }

  default int refusals() {
    return delivery().refusals();
  }

  /** What is known of the run; null for a job that is not tracked, or was never launched. */
  default @Nullable Run run() {
    return delivery().run();
  }

  /** The claim of the current or last attempt; null if no worker has claimed that attempt. */
  default @Nullable Claim claim() {
    return run() == null ? null : run().claim();
  }

  /** The place in the pool of its schedule; null if the job never had one. */
  default @Nullable Place place() {
    return run() == null ? null : run().place();
  }

  /** Whether the job waits in a pool to be chosen. */
  default boolean isReady() {
    return waitsFor() instanceof Wait.InPool;
  }

  /** Whether the job's request was sent and, as far as is known, its run has not ended. */
  default boolean isRunning() {
    return waitsFor() instanceof Wait.Report;
  }

  /** When the next report about its run is due; null if no report is expected. */
  default @Nullable Instant reportBy() {
    return waitsFor() instanceof Wait.Report report ? report.until() : null;
  }

  /** The current attempt as the subject of time-outs. */
  default RunId runId() {
    return new RunId(id(), attempt(), isRunning() && claim() != null);
  }

  /** Whether the job has ended and its end is still to be announced. */
  default boolean isConcluding() {
    return waitsFor() instanceof Wait.Conclusion;
  }

  /** When a callback that was refused is sent again; null for none. */
  default @Nullable Instant callbackAt() {
    return waitsFor() instanceof Wait.Conclusion end ? end.at() : null;
  }

  /** The progress of the job's callback; null if its schedule wants none. */
  default @Nullable Callback callback() {
    return delivery().callback();
  }

  /** When the master sends a check of the job if no message brought one earlier; null for never. */
  default @Nullable Instant attentionAt() {
    return waitsFor() == null ? null : waitsFor().attentionAt();
  }

  /** The end of the lease of the checker that launches the job; null if no checker leases it. */
  default @Nullable Instant launchingUntil() {
    return waitsFor() instanceof Wait.Lease lease ? lease.until() : null;
  }

  /**
   * The earliest instant at which the job can continue, because of a constraint of the clock or a
   * retry.
   */
  default @Nullable Instant notBefore() {
    if (waitsFor() instanceof Wait.Opening opening) {
      return opening.at();
    }
    if (waitsFor() instanceof Wait.InPool pool) {
      return pool.retryAt();
    }
    return waitsFor() instanceof Wait.Retry retry ? retry.at() : null;
  }

  /** The gate at which the job waits; null if it waits at none. */
  default @Nullable GateKey waitsAt() {
    return waitsFor() instanceof Wait.AtGate atGate ? atGate.gate() : null;
  }

  /** Whether this is the first version that is stored. */
  default boolean isNew() {
    return version() == 1;
  }

  default boolean isEnded() {
    return state().isEnd();
  }

  /** Whether the job waits because its request was refused, or its move out of a pool. */
  default boolean isRefused() {
    if (waitsFor() instanceof Wait.InPool pool) {
      Reason newest = newestReason();
      return pool.retryAt() != null && newest != null && newest.code() != ReasonCode.CHECKS_FAILED;
    }
    return state() == JobState.PENDING_CONSTRAINT && waitsFor() instanceof Wait.Retry;
  }

  /** Whether the job waits because its constraints did not hold at its last check. */
  default boolean isBlocked() {
    return waitsFor() instanceof Wait.Opening || waitsFor() instanceof Wait.AtGate;
  }

  /** Whether the job waits for the end of its schedule's suspension. */
  default boolean isSuspended() {
    return waitsFor() instanceof Wait.Suspended;
  }

  /** Whether the job waits for a retry, a constraint, or the end of a suspension. */
  default boolean isWaiting() {
    return waitsFor() instanceof Wait.Retry || isBlocked() || isSuspended();
  }

  /** Whether a checker can still be sending the job's request. */
  default boolean isBeingLaunched(Instant now) {
    return waitsFor() instanceof Wait.Lease lease && lease.until().isAfter(now);
  }

  /**
   * Whether the request may have been sent although the job waits: SQS may have accepted a request
   * whose reply was lost.
   */
  default boolean mayHaveBeenSent() {
    return transitions().stream().anyMatch(one -> one.state() == JobState.PENDING_LAUNCH);
  }

  /**
   * Whether a target has accepted a request of the job, for any attempt. A later attempt alone does
   * not prove this, because a caller can retry a job that was never sent. A later attempt is taken
   * as a proof only if the transitions of earlier attempts were dropped.
   */
  default boolean wasAccepted() {
    boolean isHistoryCut =
        transitions().size() >= Transition.MOST_FIRST + Transition.MOST_LAST && attempt() > 1;
    return launchedAt() != null
        || isHistoryCut
        || transitions().stream().anyMatch(Transition::provesAcceptance);
  }

  /** The job's place at a gate, by its priority and age. */
  default Waiter placeAt(GateKey gate) {
    return new Waiter(gate, priority(), triggeredAt(), id());
  }

  /**
   * Whether the job got slots, which it holds until its end. The answer stays true after the end.
   */
  default boolean isSlotted() {
    return ticket() != null && ticket().slotted();
  }

  /** Whether the job's end changes gates. */
  default boolean hasStakeInGates() {
    boolean isCounted = ticket() != null && !ticket().gates().isEmpty();
    return !isEnded() && (isCounted || waitsAt() != null);
  }

  /** Whether the job is tracked, from its first launch on, and has not ended. */
  default boolean isUnfinishedRun() {
    return run() != null && !isEnded();
  }

  /**
   * Whether the job is attempted again because no worker claimed its previous attempt, and the
   * present attempt is not claimed either.
   */
  default boolean isUnclaimedAgain() {
    Reason why =
        transitions().stream()
            .filter(one -> one.state() == JobState.RETRY_WAIT)
            .reduce((former, latter) -> latter)
            .map(Transition::reason)
            .orElse(null);
    boolean isUnclaimed = why != null && why.code() == ReasonCode.CLAIM_MISSING;
    return isUnclaimed && !isEnded() && claim() == null;
  }

  /** Whether the caller of launch-now asked to ignore the constraints. */
  default boolean ignoresConstraints() {
    ObjectNode given = launchNow();
    return given != null && given.path(Job.IGNORE_CONSTRAINTS).asBoolean();
  }

  /** The reason of the newest transition; null for none. */
  default @Nullable Reason newestReason() {
    return transitions().isEmpty() ? null : transitions().get(transitions().size() - 1).reason();
  }

  /** The text of {@link #newestReason}. */
  default @Nullable String lastReason() {
    Reason newest = newestReason();
    return newest == null ? null : newest.text();
  }

  /** When the job ended; null if it has not. */
  default @Nullable Instant endedAt() {
    return isEnded() ? transitions().get(transitions().size() - 1).at() : null;
  }
}
