package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The questions that a job answers from its members. */
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

  default int attempt() {
    return delivery().attempt();
  }

  default @Nullable Instant launchedAt() {
    return delivery().launchedAt();
  }

  default int refusals() {
    return delivery().refusals();
  }

  /** When the master has it checked if nothing else did; null for never. */
  default @Nullable Instant attentionAt() {
    return waitsFor() == null ? null : waitsFor().attentionAt();
  }

  /** Until when no checker but the one that stored it acts on it; null if none holds it. */
  default @Nullable Instant launchingUntil() {
    return waitsFor() instanceof Wait.Lease lease ? lease.until() : null;
  }

  /** The earliest instant at which a constraint of the clock or a retry lets it go on. */
  default @Nullable Instant notBefore() {
    if (waitsFor() instanceof Wait.Opening opening) {
      return opening.at();
    }
    return waitsFor() instanceof Wait.Retry retry ? retry.at() : null;
  }

  /** The gate at which it waits; null if it does not. */
  default @Nullable GateKey waitsAt() {
    return waitsFor() instanceof Wait.AtGate atGate ? atGate.gate() : null;
  }

  /** Whether this version is the first that is stored. */
  default boolean isNew() {
    return version() == 1;
  }

  default boolean isEnded() {
    return state().isEnd();
  }

  /** Whether it waits because its request was not accepted the last time. */
  default boolean isRefused() {
    return waitsFor() instanceof Wait.Retry;
  }

  /** Whether its constraints did not hold when it was checked last. */
  default boolean isHeldBack() {
    return waitsFor() instanceof Wait.Opening || waitsFor() instanceof Wait.AtGate;
  }

  /** Whether it waits for the end of its schedule's suspension. */
  default boolean isSuspended() {
    return waitsFor() instanceof Wait.Suspended;
  }

  /** Whether something but its checker has to come first: a retry, a constraint, a resumption. */
  default boolean isWaiting() {
    return isRefused() || isHeldBack() || isSuspended();
  }

  /** Whether a checker may still be sending its request. */
  default boolean isBeingLaunched(Instant now) {
    return waitsFor() instanceof Wait.Lease lease && lease.until().isAfter(now);
  }

  /** Whether its request may have been sent although it waits: a refusal may be a lost answer. */
  default boolean mayHaveBeenSent() {
    return transitions().stream().anyMatch(one -> one.state() == JobState.PENDING_LAUNCH);
  }

  /** Its place at a gate, by its priority and age. */
  default Waiter placeAt(GateKey gate) {
    return new Waiter(gate, priority(), triggeredAt(), id());
  }

  /** Whether it holds a slot at some gate until its end; also when that has just come. */
  default boolean isSlotted() {
    return ticket() != null && ticket().slotted();
  }

  /** Whether gates have to learn that it is over. */
  default boolean hasStakeInGates() {
    boolean isCounted = ticket() != null && !ticket().gates().isEmpty();
    return !isEnded() && (isCounted || waitsAt() != null);
  }

  /** Whether a caller wants it launched whatever its schedule's constraints say. */
  default boolean ignoresConstraints() {
    ObjectNode given = launchNow();
    return given != null && given.path(Job.IGNORE_CONSTRAINTS).asBoolean();
  }

  /** Why it made its newest transition; null for nothing. */
  default @Nullable Reason newestReason() {
    return transitions().isEmpty() ? null : transitions().get(transitions().size() - 1).reason();
  }

  /** The same as users read it. */
  default @Nullable String lastReason() {
    Reason newest = newestReason();
    return newest == null ? null : newest.text();
  }

  /** When it ended; null while it has not. */
  default @Nullable Instant endedAt() {
    return isEnded() ? transitions().get(transitions().size() - 1).at() : null;
  }
}
