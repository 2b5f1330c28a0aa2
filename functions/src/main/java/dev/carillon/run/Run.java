package dev.carillon.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run of a tracked job, over all its attempts.
 *
 * @param place in the pool of the schedule; null if it has none, and before the first place
 * @param operations how far the operations of the policy are
 * @param claim of the current attempt, or of the last one if the job has ended; null for none
 * @param last the last accepted final report; null for none
 * @param isCancelRequested whether the worker is to stop
 * @param progress as the worker reported it last; null for none
 * @param output as the worker reported it; null for none
 * @param error of the last failed attempt; null for none
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

  /** A worker has claimed the attempt, or its claim has started. */
  public Run with(Claim newClaim) {
    return new Run(
        policy, place, operations, newClaim, last, isCancelRequested, progress, output, error);
  }

  /** With progress; null leaves the last one. */
  public Run with(@Nullable JsonNode newProgress) {
    return newProgress == null
        ? this
        : new Run(
            policy, place, operations, claim, last, isCancelRequested, newProgress, output, error);
  }

  /** With the states of operations that the worker has reported. */
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

  /** A run that has a place in a pool. */
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

  /** The attempt has failed. */
  public Run failed(@Nullable FinalReport report, @Nullable String reason) {
    FinalReport newest = report == null ? last : report;
    return new Run(
        policy, place, operations, claim, newest, isCancelRequested, progress, null, reason);
  }

  /** For the next attempt, which no worker has claimed. */
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
