package dev.carillon.decision;

import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.Head.Suspension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The next step of a job, decided for one instant. {@link #decide} is the only function that
 * determines it: the checker carries it out; {@code explain} and launch-now show it.
 */
public sealed interface JobDecision {

  /**
   * How long to wait before a definition that was unreadable or of another generation is read
   * again.
   */
  Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

  /**
   * The job is launched.
   *
   * @param counted the gates that count the launch in the same transaction, with what each counts
   * @param reason why the job is launched although a condition does not hold; null if all
   *     conditions hold
   */
  record Launch(Map<GateKey, Counted> counted, @Nullable Reason reason) implements JobDecision {}

  /**
   * The job waits in a pool until the pool chooses it.
   *
   * @param pool its name
   * @param counted as for {@link Launch}
   * @param reason as for {@link Launch}
   */
  record Enter(String pool, Map<GateKey, Counted> counted, @Nullable Reason reason)
      implements JobDecision {}

  /**
   * The job is READY and waits until its pool chooses it. The checker adds the job to the pool
   * again, because a crash may have prevented this. If the job's entry in the attention index is
   * due, the job is stored without it, or with that of its time-out.
   */
  record AwaitChoice() implements JobDecision {}

  /**
   * The job's pool has chosen the job: its request is sent, or handed to the worker that pulls it.
   */
  record TakeOut() implements JobDecision {}

  /**
   * An interrupted launch is repeated with the same attempt.
   *
   * @param counted the gates with a rate. The interrupted launch may have sent its request, so
   *     these gates count the repeated launch too
   */
  record Relaunch(Map<GateKey, Counted> counted) implements JobDecision {}

  /** Constraints of the clock do not hold before {@code opening}. */
  record WaitForOpening(Instant opening, Reason reason) implements JobDecision {}

  /**
   * The job starts to wait at a gate, behind the jobs that wait there.
   *
   * @param wake the latest instant at which the gate must be served because of this job
   */
  record WaitAtGate(GateKey gate, Instant wake, Reason reason) implements JobDecision {}

  /** The job keeps waiting at its gate: the gate was served and did not let the job pass. */
  record KeepPlace(GateKey gate, Reason reason) implements JobDecision {}

  /**
   * The job waits at a gate, and nothing but the gate prevents its launch. The gate serves its
   * waiting jobs in their order.
   *
   * @param isTimedOut whether the job's time-out discards it if the gate does not let it pass now
   */
  record AwaitTurn(GateKey gate, boolean isTimedOut) implements JobDecision {}

  /**
   * The job is suspended with its schedule. A job that is suspended already is recorded again.
   * Another suspension may have suspended it, and the end of the present suspension must find the
   * job.
   */
  record Suspend(Reason reason) implements JobDecision {}

  /** The job ends without a (further) launch. */
  record End(JobState state, Reason reason) implements JobDecision {}

  /** The attempt of a tracked job has failed, and the next one is launched at {@code at}. */
  record Retry(Instant at, Reason reason) implements JobDecision {}

  /** The job has ended, and its end is announced. */
  record Conclude() implements JobDecision {}

  /**
   * The check changes nothing. The job has ended; or an event, the end of its run, or a check that
   * is already planned continues it.
   */
  record Leave() implements JobDecision {}

  /** No decision is possible now; the job is checked again at {@code at}. */
  record Recheck(Instant at) implements JobDecision {}

  /**
   * Decides on a job as it is stored or, if it has no item, as it would be stored.
   *
   * <pre>
   * state               condition, the first that holds                      decision
   * ------------------  ---------------------------------------------------  ------------------
   * ENQUEUED, CLAIMED,  the next report is not overdue: tracked / not        Recheck then / Leave
   * RUNNING             not tracked                                          End FAILED
   *                     head unreadable                                      Recheck
   *                     a caller asked the worker to stop                    End CANCELLED
   *                     the schedule wants the job, and attempts are left    Retry
   *                     -                                                    End FAILED
   * ended               its refused callback is not due                      Leave
   *                     its end is to be announced / is not                  Conclude / Leave
   * collecting          -                                                    Leave
   * PENDING_LAUNCH      another checker's lease lasts                        Recheck at its end
   * PENDING_*, READY,   head unreadable                                      Recheck
   * RETRY_WAIT          schedule deleted, changed, suspended (discard) or
   *                     backfill cancelled                                   End CANCELLED
   *                     scheduledFor has not come (another clock is ahead)   Recheck then
   *                     a constraint of the clock or a retry is not due      Leave
   *                     definition unreadable                                Recheck
   *                     schedule suspended (backlog, hold)                   Suspend
   * READY               time-out discards                                    End TIMED_OUT
   *                     its pool has chosen it / has not                     TakeOut / AwaitChoice
   * PENDING_LAUNCH      a gate, its pool, or a limit of the program,
   *                     unreadable                                           Recheck
   *                     -                                                    Relaunch
   * PENDING_CONSTRAINT, (for the first attempt:)
   * RETRY_WAIT          time-out discards, and clock or refusal blocks       End TIMED_OUT
   *                     the clock blocks: skip / wait                        End SKIPPED / WaitForOpening
   *                     (for each attempt:) waits at a gate that is not      AwaitTurn
   *                     being served
   *                     a gate, or a limit of the program, unreadable        Recheck
   *                     a gate blocks, first attempt: skip / time-out        End SKIPPED / TIMED_OUT
   *                     discards
   *                     a gate blocks: the same as before / another          KeepPlace / WaitAtGate
   *                     schedule has a pool / matches none / has none        Enter / End FAILED / Launch
   * </pre>
   *
   * A job that ends, is retried or is suspended leaves its gates. If one of these cannot be read,
   * the decision is Recheck.
   */
  static JobDecision decide(Job job, JobSnapshot given, Instant now) {
    JobDecision decision =
        switch (job.state()) {
          case ENQUEUED, CLAIMED, RUNNING -> ofRun(job, given, now);
          case PENDING_CONSTRAINT, PENDING_LAUNCH, RETRY_WAIT, READY ->
              beforeLaunch(job, given, now);
          default -> isToBeAnnounced(job, now) ? new Conclude() : new Leave();
        };
    boolean leavesGates =
        decision instanceof End || decision instanceof Retry || decision instanceof Suspend;
    return leavesGates && !canLeaveGates(job, given)
        ? new Recheck(now.plus(UNREADABLE_PAUSE))
        : decision;
  }

  /**
   * Whether the gates can be read at which the job waits or holds slots. While one of them cannot
   * be read, the job stays as it is, because it is stored together with them.
   */
  private static boolean canLeaveGates(Job job, JobSnapshot given) {
    try {
      given.gates().of(GateChanges.concerned(job));
      return true;
    } catch (UnreadableItems gates) {
      return false;
    }
  }

  private static boolean isToBeAnnounced(Job job, Instant now) {
    Instant callback = job.callbackAt();
    return job.isConcluding() && (callback == null || !callback.isAfter(now));
  }

  private static JobDecision ofRun(Job job, JobSnapshot given, Instant now) {
    Instant reportBy = Objects.requireNonNull(job.reportBy());
    if (reportBy.isAfter(now)) {
      return job.run() == null ? new Leave() : new Recheck(reportBy);
    }
    return job.run() != null && given.isUnreadable()
        ? new Recheck(now.plus(UNREADABLE_PAUSE))
        : RunEnding.withoutReport(job, job.run() != null && given.refusal(job) == null, now);
  }

  private static JobDecision beforeLaunch(Job job, JobSnapshot given, Instant now) {
    if (job.isBeingLaunched(now)) {
      return new Recheck(Objects.requireNonNull(job.launchingUntil()));
    }
    if (given.isUnreadable()) {
      return new Recheck(now.plus(UNREADABLE_PAUSE));
    }
    ReasonCode refusal = given.refusal(job);
    if (refusal != null) {
      return new End(JobState.CANCELLED, whyCancelled(job, refusal));
    }
    if (job.scheduledFor().isAfter(now)) {
      return new Recheck(job.scheduledFor());
    }
    if (job.notBefore() != null && job.notBefore().isAfter(now)) {
      return new Leave();
    }
    if (given.compiled() == null) {
      return new Recheck(now.plus(UNREADABLE_PAUSE));
    }
    if (given.isSuspended(job)) {
      return new Suspend(whySuspended(given));
    }
    if (job.isReady()) {
      return inPool(job, given, now);
    }
    try {
      return job.state() == JobState.PENDING_LAUNCH
          ? relaunch(job, given)
          : ConstraintDecision.of(job, given, now);
    } catch (UnreadableItems gatesOrPools) {
      return new Recheck(now.plus(UNREADABLE_PAUSE));
    }
  }

  private static JobDecision inPool(Job job, JobSnapshot given, Instant now) {
    TimeoutPolicy timeouts = given.timeouts();
    if (job.attempt() == 1 && timeouts.discards(job.id(), now)) {
      String waits = "it waited in the pool " + Objects.requireNonNull(job.place()).pool();
      return new End(JobState.TIMED_OUT, timeouts.whyTooLate(waits));
    }
    return given.isChosenByPool(job) ? new TakeOut() : new AwaitChoice();
  }

  private static Reason whyCancelled(Job job, ReasonCode refusal) {
    return job.state() == JobState.PENDING_LAUNCH
        ? Reason.of(refusal, Reason.INTERRUPTED)
        : Reason.of(refusal);
  }

  private static Reason whySuspended(JobSnapshot given) {
    Suspension suspension =
        Objects.requireNonNull(Objects.requireNonNull(given.head()).suspension());
    return Reason.of(ReasonCode.HELD_BY_SUSPENSION, suspension.description());
  }

  private static JobDecision relaunch(Job job, JobSnapshot given) {
    Map<GateKey, Counted> counted = new LinkedHashMap<>();
    if (job.place() != null) {
      given.pools().requirePoolOf(job);
      return new Relaunch(counted);
    }
    given
        .programs()
        .gatesOf(job.program())
        .forEach(
            (gate, count) -> {
              if (count.launches() > 0) {
                counted.put(gate, count.rate());
              }
            });
    return new Relaunch(counted);
  }

  /**
   * Every constraint of a job's schedule that does not hold at {@code now}; {@link #decide} shows
   * only the decisive one. The result is empty for a job that waits for no constraint.
   */
  static List<Unmet> unmet(Job job, JobSnapshot given, Instant now) {
    if (given.compiled() == null || given.head() == null || job.ignoresConstraints()) {
      return List.of();
    }
    List<Unmet> unmet = new ArrayList<>();
    if (job.attempt() == 1) {
      unmet.addAll(given.compiled().schedule().constraints().unmetByClock(job.triggeredAt(), now));
    }
    unmet.addAll(GateAdmission.of(job, given, now).unmet());
    return unmet;
  }
}
