package dev.carillon.job;

import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence of a schedule: the unit of state, history and idempotency. Immutable; the methods
 * answer with the job's next version, to be stored on condition of this one.
 *
 * @param version counts the stored changes, from 1
 * @param waitsFor null for a job that has ended
 * @param triggerState null for plain fires: it follows from the schedule and scheduledFor, until
 *     others are merged into it
 * @param ticket the gates that have counted it; null for none
 * @param transitions the first and the last ones, as {@link Transition#append} keeps them
 */
public record Job(
    JobId id,
    long version,
    JobState state,
    Origin origin,
    Precedence precedence,
    Delivery delivery,
    @Nullable Wait waitsFor,
    @Nullable TriggerState triggerState,
    @Nullable GateTicket ticket,
    List<Transition> transitions)
    implements JobFacts {

  /** What a caller of launch-now says to have a job launched whatever the constraints say. */
  public static final String IGNORE_CONSTRAINTS = "ignoreConstraints";

  /** Held by one checker, which sends its request: until {@code leaseEnd} no other acts on it. */
  public Job launching(Instant now, Instant leaseEnd) {
    return launching(
        now,
        leaseEnd,
        state == JobState.PENDING_LAUNCH ? Reason.of(ReasonCode.LAUNCH_INTERRUPTED) : null);
  }

  /** The same, with the reason for it. */
  public Job launching(Instant now, Instant leaseEnd, @Nullable Reason reason) {
    Instant attention = attentionAt() == null ? null : leaseEnd;
    Wait lease = new Wait.Lease(leaseEnd, attention);
    return next(JobState.PENDING_LAUNCH, now, reason, delivery, lease, ticket);
  }

  /**
   * Its constraints do not hold before {@code opening}. The reason is noted when it is another than
   * before.
   *
   * @param attention when the master has it checked if no message comes before
   */
  public Job waitingUntil(Instant opening, Instant attention, Instant now, Reason reason) {
    boolean isKnown =
        state == JobState.PENDING_CONSTRAINT && Objects.equals(newestReason(), reason);
    Job waiting = pending(now, reason, delivery.restarted(), new Wait.Opening(opening, attention));
    return isKnown ? waiting.withTransitions(transitions) : waiting;
  }

  /**
   * It waits at a gate until that lets it through.
   *
   * @param attention when the master has it checked in any case
   */
  public Job waitingAt(GateKey gate, Instant attention, Instant now, Reason reason) {
    return pending(now, reason, delivery.restarted(), new Wait.AtGate(gate, attention));
  }

  /** Its schedule's suspension holds it back. */
  public Job suspended(Instant now, Reason reason) {
    return pending(now, reason, delivery.restarted(), new Wait.Suspended());
  }

  /** Its request was not accepted: it is sent again after a pause that doubles each time. */
  public Job refused(Instant now, Reason reason) {
    return refusedUntil(now.plus(delivery.backoff()), now, reason);
  }

  /**
   * The same, but the next try is not later than its time-out.
   *
   * @param timeouts its schedule's
   */
  public Job refused(Instant now, Reason reason, TimeoutPolicy timeouts) {
    return refusedUntil(timeouts.soonest(now.plus(delivery.backoff()), id, now), now, reason);
  }

  private Job refusedUntil(Instant again, Instant now, Reason reason) {
    return pending(
        now, reason, delivery.refused(), new Wait.Retry(again, again.plus(Wakeup.SLACK)));
  }

  /** The gate at which it waits keeps it; the master has it checked at another instant. */
  public Job waitingOn(Instant attention) {
    GateKey gate = Objects.requireNonNull(waitsAt());
    return next(state, attention, null, delivery, new Wait.AtGate(gate, attention), ticket)
        .withTransitions(transitions);
  }

  /**
   * The same, counted by gates.
   *
   * @param through null if no gate has counted it
   */
  public Job through(@Nullable GateTicket through) {
    return new Job(
        id,
        version,
        state,
        origin,
        precedence,
        delivery,
        waitsFor,
        triggerState,
        through,
        transitions);
  }

  /**
   * Its request was accepted; it holds its slots until its end is reported.
   *
   * @param timeout when it fails without a report
   */
  public Job enqueued(Instant now, @Nullable Reason note, Instant timeout) {
    Wait report = new Wait.RunEnd(timeout);
    return next(JobState.ENQUEUED, now, note, delivery.accepted(now), report, ticket);
  }

  /**
   * Its end was reported.
   *
   * @param event the hash of the event, if that did not name the job
   */
  public Job reported(JobState end, Instant now, Reason reason, @Nullable Long event) {
    Instant launched = launchedAt() == null ? now : launchedAt();
    GateTicket left = ticket == null || event == null ? ticket : ticket.endedBy(event);
    return next(end, now, reason, delivery.accepted(launched), null, left);
  }

  /** Its request was accepted; without tracking that is its end. */
  public Job sent(Instant now, @Nullable Reason note) {
    return next(JobState.SUCCEEDED, now, note, delivery.accepted(now), null, ticket);
  }

  /** It is over without a (further) launch. */
  public Job ended(JobState end, Instant now, Reason reason) {
    return next(end, now, reason, delivery, null, ticket);
  }

  /** It stands for more events or fires than before. */
  public Job grown(TriggerState grown) {
    return with(grown, version + 1);
  }

  /** The same, before it was ever stored. */
  public Job withTriggerState(TriggerState grown) {
    return with(grown, version);
  }

  private Job with(TriggerState grown, long newVersion) {
    return new Job(
        id, newVersion, state, origin, precedence, delivery, waitsFor, grown, ticket, transitions);
  }

  public Job withCustomerAndPriority(@Nullable String customer, int priority) {
    Precedence own = new Precedence(customer, priority);
    return new Job(
        id, version, state, origin, own, delivery, waitsFor, triggerState, ticket, transitions);
  }

  private Job withTransitions(List<Transition> kept) {
    return new Job(
        id, version, state, origin, precedence, delivery, waitsFor, triggerState, ticket, kept);
  }

  private Job pending(Instant now, Reason reason, Delivery next, Wait newWait) {
    return next(JobState.PENDING_CONSTRAINT, now, reason, next, newWait, null);
  }

  private Job next(
      JobState newState,
      Instant now,
      @Nullable Reason reason,
      Delivery newDelivery,
      @Nullable Wait newWait,
      @Nullable GateTicket newPassage) {
    return new Job(
        id,
        version + 1,
        newState,
        origin,
        precedence,
        newDelivery,
        newWait,
        triggerState,
        newPassage,
        Transition.append(transitions, new Transition(now, newState, reason)));
  }
}
