package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence of a schedule: the unit of state, history and idempotency. Immutable; the methods
 * answer with the job's next version, to be stored on condition of this one.
 *
 * @param activation the schedule's activation that it was opened under
 * @param version counts the stored changes, from 1
 * @param attempt which launch request is meant, from 1; a resend is the same attempt
 * @param program the bare name of what it launches
 * @param scheduledFor the instant that it stands for
 * @param triggeredAt when its trigger was satisfied
 * @param launchedAt when its request was accepted by the target queue
 * @param launchingUntil while PENDING_LAUNCH: until then nobody but the launcher that wrote it acts
 * @param attentionAt when somebody should look at it if nothing else happened; null for plain
 *     fires, whose check message is durable, and for ended jobs
 * @param refusals how often in a row its request was refused
 * @param occasion null for plain fires: it follows from the schedule and scheduledFor
 * @param launchNow what the caller of launch-now gave; null for other jobs
 */
public record Job(
    JobId id,
    long activation,
    JobState state,
    long version,
    int attempt,
    String program,
    @Nullable String customer,
    int priority,
    Instant scheduledFor,
    Instant triggeredAt,
    @Nullable Instant launchedAt,
    @Nullable Instant launchingUntil,
    @Nullable Instant attentionAt,
    int refusals,
    @Nullable Occasion occasion,
    @Nullable ObjectNode launchNow,
    List<Transition> transitions) {

  /** The transitions kept from the beginning of a long history. */
  public static final int MOST_FIRST_TRANSITIONS = 10;

  /** The transitions kept from the end of a long history. */
  public static final int MOST_LAST_TRANSITIONS = 20;

  /** The longest pause between two tries to send a refused request. */
  public static final Duration LONGEST_REFUSAL_BACKOFF = Duration.ofMinutes(5);

  private static final int LONGEST_REASON = 300;

  public boolean isEnded() {
    return state.isEnd();
  }

  /** When it ended; null while it has not. */
  public @Nullable Instant endedAt() {
    return isEnded() ? transitions.get(transitions.size() - 1).at() : null;
  }

  /** Claimed for launching: until {@code leaseEnd} nobody else acts on it. */
  public Job launching(Instant now, Instant leaseEnd, @Nullable String reason) {
    return next(JobState.PENDING_LAUNCH, now, reason)
        .with(null, leaseEnd, attentionAt == null ? null : leaseEnd, refusals);
  }

  /** Its request was accepted; without tracking that is its end. */
  public Job sent(Instant now) {
    return next(JobState.SUCCEEDED, now, null).with(now, null, null, 0);
  }

  /** Its request was not accepted: back to wait for {@code lookAgain}. */
  public Job refused(Instant now, Instant lookAgain, String reason) {
    return next(JobState.PENDING_CONSTRAINT, now, reason).with(null, null, lookAgain, refusals + 1);
  }

  /** It waits for another reason than its schedule's: {@code lookAgain} is when to try it again. */
  public Job ended(JobState end, Instant now, String reason) {
    if (!end.isEnd()) {
      throw new IllegalArgumentException(end + " is no end");
    }
    return next(end, now, reason).with(launchedAt, null, null, refusals);
  }

  /** How long to wait after one more refusal: doubling from a second, at most five minutes. */
  public Duration refusalBackoff() {
    Duration doubled = Duration.ofSeconds(1L << Math.min(refusals, 9));
    return doubled.compareTo(LONGEST_REFUSAL_BACKOFF) < 0 ? doubled : LONGEST_REFUSAL_BACKOFF;
  }

  public Job withCustomerAndPriority(@Nullable String newCustomer, int newPriority) {
    return new Job(
        id,
        activation,
        state,
        version,
        attempt,
        program,
        newCustomer,
        newPriority,
        scheduledFor,
        triggeredAt,
        launchedAt,
        launchingUntil,
        attentionAt,
        refusals,
        occasion,
        launchNow,
        transitions);
  }

  private Job next(JobState newState, Instant now, @Nullable String reason) {
    return new Job(
        id,
        activation,
        newState,
        version + 1,
        attempt,
        program,
        customer,
        priority,
        scheduledFor,
        triggeredAt,
        launchedAt,
        launchingUntil,
        attentionAt,
        refusals,
        occasion,
        launchNow,
        append(transitions, new Transition(now, newState, shorten(reason))));
  }

  private Job with(
      @Nullable Instant newLaunchedAt,
      @Nullable Instant newLaunchingUntil,
      @Nullable Instant newAttentionAt,
      int newRefusals) {
    return new Job(
        id,
        activation,
        state,
        version,
        attempt,
        program,
        customer,
        priority,
        scheduledFor,
        triggeredAt,
        newLaunchedAt,
        newLaunchingUntil,
        newAttentionAt,
        newRefusals,
        occasion,
        launchNow,
        transitions);
  }

  private static List<Transition> append(List<Transition> transitions, Transition transition) {
    List<Transition> appended = new ArrayList<>(transitions);
    appended.add(transition);
    if (appended.size() > MOST_FIRST_TRANSITIONS + MOST_LAST_TRANSITIONS) {
      appended.remove(MOST_FIRST_TRANSITIONS);
    }
    return List.copyOf(appended);
  }

  private static @Nullable String shorten(@Nullable String reason) {
    return reason == null || reason.length() <= LONGEST_REASON
        ? reason
        : reason.substring(0, LONGEST_REASON - 1) + "…";
  }
}
