package dev.carillon.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run of a tracked job, over all its attempts.
 *
 * @param place the place in the pool of the schedule; null if the schedule has no pool, and before
 *     the job's first place
 * @param operations the operations of the policy with their states
 * @param claim the claim of the current attempt, or of the last one if the job has ended; null for
 *     none
 * @param last the last accepted final report; null for none
 * @param isCancelRequested whether the worker is to stop
 * @param progress the progress that the worker reported last; null for none
 * @param output the output that the worker reported; null for none
 * @param error the error of the last failed attempt; null for none
 */
public record Run(
    RunPolicy policy,
    @Nullable Place place,
    Operations operations,
    @Nullable Claim claim,
    @Nullable FinalReport last,
    boolean isCancelRequested,
    @Nullable JsonNode progress,
    @Nullable JsonNode output,
    @Nullable String error) {

  /** A run that no worker has claimed. */
  public static Run of(RunPolicy policy) {
    return new Run(
        policy, null, Operations.of(policy.operations()), null, null, false, null, null, null);
  }

  public boolean isHeldBy(String token) {
    return claim != null && claim.token().equals(token);
  }

  /** The run after a worker has claimed the attempt, or after the claimed run has started. */
  public Run with(Claim newClaim) {
    return new Run(
        policy, place, operations, newClaim, last, isCancelRequested, progress, output, error);
  }

  /** The run with new progress; null keeps the last progress. */
  public Run with(@Nullable JsonNode newProgress) {
    return newProgress == null
        ? this
        : new Run(
            policy, place, operations, claim, last, isCancelRequested, newProgress, output, error);
  }

  /** The run with the states of operations that the worker has reported. */
  public Run with(Map<String, OperationState> states) {
    return new Run(
        policy,
        place,
        operations.with(states),
        claim,
        last,
        isCancelRequested,
        progress,
        output,
        error);
  }

  /** The run with a place in a pool. */
  public Run with(Place newPlace) {
    return new Run(
        policy, newPlace, operations, claim, last, isCancelRequested, progress, output, error);
  }

  public Run cancelRequested() {
    return new Run(policy, place, operations, claim, last, true, progress, output, error);
  }

  public Run succeeded(FinalReport report, @Nullable JsonNode result) {
    return new Run(
        policy, place, operations, claim, report, isCancelRequested, progress, result, null);
  }

  /** The run after its attempt has failed. */
  public Run failed(@Nullable FinalReport report, @Nullable String reason) {
    FinalReport newest = report == null ? last : report;
    return new Run(
        policy, place, operations, claim, newest, isCancelRequested, progress, null, reason);
  }

  /** The run for the next attempt, which no worker has claimed. */
  public Run unclaimed() {
    return new Run(policy, place, operations.interrupted(), null, last, false, null, null, error);
  }

  /** When the run must have ended; null before its first report. */
  public @Nullable Instant deadline() {
    Instant started = claim == null ? null : claim.startedAt();
    return started == null ? null : started.plus(policy.tracking().runTimeout());
  }

  /** When the next report is due after one that is accepted now. */
  public Instant nextReport(Instant now) {
    Duration timeout = policy.tracking().heartbeatTimeout();
    Instant next = now.plus(timeout);
    Instant deadline = deadline();
    return deadline != null && deadline.isBefore(next) ? deadline : next;
  }
}
