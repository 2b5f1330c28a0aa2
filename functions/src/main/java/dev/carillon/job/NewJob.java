package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.JobId;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates jobs: one method for each way in which a job can begin. */
public final class NewJob {

  private NewJob() {}

  /**
   * The job of a fire that is due. It is not stored yet; the checker first stores it in the state
   * that it decides on.
   */
  public static Job dueFire(JobId id, long activation, String program) {
    Origin origin = new Origin(activation, program, id.at(), id.at(), null);
    return new Job(
        id,
        0,
        JobState.PENDING_CONSTRAINT,
        origin,
        Precedence.USUAL,
        Delivery.NONE,
        new Wait.Check(null),
        null,
        null,
        List.of());
  }

  /**
   * The job of a fire. It waits, so that further fires of its schedule are merged into it or
   * skipped.
   */
  public static Job waitingFire(JobId id, long activation, String program, Instant now) {
    Job due = dueFire(id, activation, program);
    return new Job(
        id,
        1,
        due.state(),
        due.origin(),
        due.precedence(),
        due.delivery(),
        due.waitsFor(),
        null,
        null,
        List.of(new Transition(now, JobState.PENDING_CONSTRAINT, null)));
  }

  /** The job of a fire that a checker leases until {@code leaseEnd}. */
  public static Job launchingFire(
      JobId id, long activation, String program, Instant now, Instant leaseEnd) {
    return dueFire(id, activation, program).launching(now, leaseEnd);
  }

  /**
   * A job that has ended its collecting with the counts in {@code triggerState}. It waits for its
   * check.
   *
   * @param reason why the job proceeds although its trigger was not satisfied; null if it was
   *     satisfied
   */
  public static Job triggered(
      JobId id,
      long activation,
      String program,
      Instant scheduledFor,
      Instant openedAt,
      Instant now,
      TriggerState triggerState,
      @Nullable Reason reason) {
    List<Transition> transitions =
        List.of(
            new Transition(openedAt, JobState.PENDING_TRIGGER, null),
            new Transition(now, JobState.PENDING_CONSTRAINT, reason));
    Origin origin = new Origin(activation, program, scheduledFor, now, null);
    return waitingForCheck(id, origin, now, triggerState, transitions);
  }

  /** A job that a caller of launch-now requested. */
  public static Job launchedNow(
      JobId id, long activation, String program, Instant now, ObjectNode launchNow) {
    Reason reason = Reason.of(ReasonCode.LAUNCHED_BY_HAND);
    Origin origin = new Origin(activation, program, now, now, launchNow);
    return waitingForCheck(
        id, origin, now, null, List.of(new Transition(now, JobState.PENDING_CONSTRAINT, reason)));
  }

  private static Job waitingForCheck(
      JobId id,
      Origin origin,
      Instant now,
      @Nullable TriggerState triggerState,
      List<Transition> transitions) {
    return new Job(
        id,
        1,
        JobState.PENDING_CONSTRAINT,
        origin,
        Precedence.USUAL,
        Delivery.NONE,
        new Wait.Check(Wakeup.plan(now, now).attentionAt()),
        triggerState,
        null,
        transitions);
  }

  /** A job that is stored directly in a final state, to record why nothing launched. */
  public static Job endedBeforeLaunch(
      JobId id,
      long activation,
      String program,
      JobState end,
      @Nullable TriggerState triggerState,
      Instant now,
      Reason reason) {
    return new Job(
        id,
        1,
        end,
        new Origin(activation, program, id.at(), id.at(), null),
        Precedence.USUAL,
        Delivery.NONE,
        null,
        triggerState,
        null,
        List.of(new Transition(now, end, reason)));
  }
}
