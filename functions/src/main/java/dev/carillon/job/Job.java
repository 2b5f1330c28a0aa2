package dev.carillon.job;

import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.run.Place;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence of a schedule: the unit of state, history and idempotency. Immutable; the methods
 * return the job's next version, to be stored on condition that this version is still stored.
 *
 * @param version counts the stored changes, from 1
 * @param waitsFor what the job waits for; null for a job that has ended and needs nothing more
 * @param triggerState what the trigger has counted; null for the job of a single fire, whose counts
 *     follow from the schedule and {@code scheduledFor}
 * @param ticket the gates that have counted the job; null for none
 * @param transitions the first and the last transitions, as {@link Transition#append} keeps them
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

  /** The option of launch-now that launches a job although its constraints do not hold. */
  public static final String IGNORE_CONSTRAINTS = "ignoreConstraints";

  /**
   * A checker leases the job to send its request. Until {@code leaseEnd}, no other checker acts on
   * the job.
   */
  public Job launching(Instant now, Instant leaseEnd) {
    return launching(
        now,
        leaseEnd,
        state == JobState.PENDING_LAUNCH ? Reason.of(ReasonCode.LAUNCH_INTERRUPTED) : null);
  }

  /** A checker leases the job, with a reason for its history. */
  public Job launching(Instant now, Instant leaseEnd, @Nullable Reason reason) {
    Instant attention = attentionAt() == null ? null : leaseEnd;
    Wait lease = new Wait.Lease(leaseEnd, attention);
    return next(JobState.PENDING_LAUNCH, now, reason, delivery, lease, ticket);
  }

  /**
   * The job waits until {@code opening}, the instant at which its constraints can hold. The reason
   * is recorded if it differs from the last one.
   *
   * @param attention when the master sends a check if no message brings one earlier
   */
  public Job waitingUntil(Instant opening, Instant attention, Instant now, Reason reason) {
    boolean isKnown =
        state == JobState.PENDING_CONSTRAINT && Objects.equals(newestReason(), reason);
    Job waiting = pending(now, reason, delivery.restarted(), new Wait.Opening(opening, attention));
    return isKnown ? waiting.withTransitions(transitions) : waiting;
  }

  /**
   * The job waits at a gate until the gate lets it pass.
   *
   * @param attention when the master sends a check, even if nothing happens at the gate
   */
  public Job waitingAt(GateKey gate, Instant attention, Instant now, Reason reason) {
    return pending(now, reason, delivery.restarted(), new Wait.AtGate(gate, attention));
  }

  /** The job waits for the end of its schedule's suspension. */
  public Job waitingForResumption(Instant now, Reason reason) {
    return pending(now, reason, delivery.restarted(), new Wait.Suspended());
  }

  /**
   * The constraints of the job hold, and it waits in a pool to be chosen.
   *
   * @param attention when the master sends a check of the job; null for never
   * @param reason why the job goes on although a condition does not hold; null if all conditions
   *     hold
   */
  public Job waitingIn(
      Place place, @Nullable Instant attention, Instant now, @Nullable Reason reason) {
    Delivery placed = delivery.restarted().with(requiredRun().with(place));
    return next(JobState.READY, now, reason, placed, new Wait.InPool(null, attention), ticket);
  }

  /** The request was refused. It is sent again after a delay that doubles each time. */
  public Job refused(Instant now, Reason reason) {
    return refusedUntil(now.plus(delivery.backoff()), now, reason);
  }

  /**
   * The request was refused. It is sent again after a delay that doubles each time, but not later
   * than the job's time-out.
   *
   * @param timeouts the time-outs of its schedule
   */
  public Job refused(Instant now, Reason reason, TimeoutPolicy timeouts) {
    return refusedUntil(timeouts.soonest(now.plus(delivery.backoff()), id, now), now, reason);
  }

  /**
   * The request was refused. A job that its pool has let through all gates returns to its place
   * there, and keeps its turn and its slots. A job that has only the place of an earlier attempt
   * must pass the gates again.
   */
  private Job refusedUntil(Instant retryAt, Instant now, Reason reason) {
    Instant attention = Wakeup.plan(retryAt, now).attentionAt();
    boolean isInPool = place() != null && (isReady() || state == JobState.PENDING_LAUNCH);
    return isInPool
        ? next(
            JobState.READY,
            now,
            reason,
            delivery.refused(),
            new Wait.InPool(retryAt, attention),
            ticket)
        : pending(now, reason, delivery.refused(), new Wait.Retry(retryAt, attention));
  }

  /**
   * The job keeps waiting at its gate; only the instant of its next check by the master changes.
   */
  public Job waitingOn(Instant attention) {
    GateKey gate = Objects.requireNonNull(waitsAt());
    return next(state, attention, null, delivery, new Wait.AtGate(gate, attention), ticket)
        .withTransitions(transitions);
  }

  /**
   * The job with the gates that have counted it.
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
   * The request was accepted. The job holds its slots until its end is reported.
   *
   * @param timeout when the job fails if no end is reported
   */
  public Job enqueued(Instant now, @Nullable Reason note, Instant timeout) {
    Wait report = new Wait.Report(timeout, run() == null ? timeout : null);
    return next(JobState.ENQUEUED, now, note, delivery.accepted(now), report, ticket);
  }

  /** The job is tracked from its first launch on. */
  public Job tracked(RunPolicy policy) {
    return run() == null ? with(delivery.with(Run.of(policy))) : this;
  }

  /** The attempt has failed; the next one is launched at {@code retryAt}. */
  public Job retried(Run failed, Instant retryAt, Instant now, Reason reason) {
    Wait retry = new Wait.Retry(retryAt, Wakeup.plan(retryAt, now).attentionAt());
    Delivery again = delivery.next(failed.unclaimed());
    return next(JobState.RETRY_WAIT, now, reason, again, retry, null);
  }

  /** The end of the run is known. */
  public Job ended(JobState end, Run known, Instant now, Reason reason) {
    return with(delivery.with(known)).ended(end, now, reason);
  }

  /** The end of the job was announced. */
  public Job concluded() {
    return with(version + 1, delivery, null);
  }

  Run requiredRun() {
    return Objects.requireNonNull(run(), "the job is not tracked");
  }

  Job with(Delivery other) {
    return with(version, other, waitsFor);
  }

  Job with(long newVersion, Delivery other, @Nullable Wait wait) {
    return new Job(
        id, newVersion, state, origin, precedence, other, wait, triggerState, ticket, transitions);
  }

  /**
   * An event has reported the end of the job's run, which proves that its request was accepted.
   *
   * @param event the hash of the event, if it did not name the job
   */
  public Job reported(JobState end, Instant now, Reason reason, @Nullable Long event) {
    Instant launched = launchedAt() == null ? now : launchedAt();
    GateTicket left = ticket == null || event == null ? ticket : ticket.endedBy(event);
    return with(delivery.accepted(launched)).through(left).ended(end, now, reason);
  }

  /** The request was accepted, and nothing will report the end of the run. */
  public Job sent(Instant now, @Nullable Reason note) {
    return next(JobState.LAUNCHED, now, note, delivery.accepted(now), conclusion(now), ticket);
  }

  /** The job ends without a (further) launch. */
  public Job ended(JobState end, Instant now, Reason reason) {
    return next(end, now, reason, delivery, conclusion(now), ticket);
  }

  private @Nullable Wait conclusion(Instant now) {
    return Wait.Conclusion.of(this, now);
  }

  /** More events or fires were merged into the job. */
  public Job grown(TriggerState grown) {
    return with(grown, version + 1);
  }

  /** More events or fires were merged into the job before it was ever stored. */
  public Job withTriggerState(TriggerState grown) {
    return with(grown, version);
  }

  private Job with(TriggerState grown, long newVersion) {
    return new Job(
        id, newVersion, state, origin, precedence, delivery, waitsFor, grown, ticket, transitions);
  }

  public Job withCustomerAndPriority(@Nullable String customer, int priority) {
    return with(new Precedence(customer, priority, linkId()));
  }

  /** The job with the link of its properties; null for none. */
  public Job linked(@Nullable String linkId) {
    return with(new Precedence(customer(), priority(), linkId));
  }

  private Job with(Precedence own) {
    return new Job(
        id, version, state, origin, own, delivery, waitsFor, triggerState, ticket, transitions);
  }

  Job withTransitions(List<Transition> kept) {
    return new Job(
        id, version, state, origin, precedence, delivery, waitsFor, triggerState, ticket, kept);
  }

  private Job pending(Instant now, Reason reason, Delivery next, Wait newWait) {
    return next(JobState.PENDING_CONSTRAINT, now, reason, next, newWait, null);
  }

  Job next(
      JobState newState,
      Instant now,
      @Nullable Reason reason,
      Delivery newDelivery,
      @Nullable Wait newWait,
      @Nullable GateTicket newTicket) {
    return new Job(
        id,
        version + 1,
        newState,
        origin,
        precedence,
        newDelivery,
        newWait,
        triggerState,
        newTicket,
        Transition.append(transitions, new Transition(now, newState, reason)));
  }
}
