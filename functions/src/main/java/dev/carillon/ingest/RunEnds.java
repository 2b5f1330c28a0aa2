package dev.carillon.ingest;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.event.Event;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends the jobs whose runs are reported to have ended: stores the end of the job, frees its slots,
 * then sends checks of the jobs that wait for them. Each step can be repeated; the event is
 * acknowledged after all of them.
 */
final class RunEnds {

  /** After a lease has ended, another checker takes the job over within this time. */
  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(3);

  private final Jobs jobs;
  private final Gates gates;
  private final CheckQueue checks;
  private final HeldSlots slots;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  RunEnds(Shared shared, InstantSource clock) {
    this.jobs = shared.jobs();
    this.gates = shared.gates();
    this.checks = shared.checks();
    this.slots = new HeldSlots(shared, clock);
    this.updates = shared.updates();
    this.clock = clock;
  }

  /** The run is not known to have started: the event must be received again. */
  static final class TooEarlyException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Ends the runs whose end an event reports. Events of other kinds change nothing.
   *
   * @throws RuntimeException if not everything could be stored; repeating the call ends no run
   *     twice
   */
  void accept(Event event) {
    RunEnd.in(event).forEach(this::accept);
  }

  private void accept(RunEnd end) {
    if (end.runId().isEmpty()) {
      endOldest(end);
      return;
    }
    Optional<Job> named = named(end.runId(), end.program());
    if (named.isPresent()) {
      endNamed(named.get(), end);
    } else {
      noteSuccess(end, null);
    }
  }

  private Optional<Job> named(String runId, GateKey program) {
    try {
      JobId id = JobId.parse(runId);
      return Optional.ofNullable(jobs.find(List.of(id)).get(id))
          .filter(job -> id.schedule().namespace().equals(program.namespace()))
          .filter(job -> job.program().equals(program.name()));
    } catch (IllegalArgumentException noJobId) {
      return Optional.empty();
    }
  }

  private void endNamed(Job named, RunEnd end) {
    Job job = updates.runFrom(named.id(), named, present -> endNow(present, end));
    resumeBackfill(job);
  }

  private Attempt<Job> endNow(Job job, RunEnd end) {
    if (!isOpen(job)) {
      if (job.isEnded() && job.isSlotted()) {
        slots.free(job);
      }
      return Attempt.done(job);
    }
    Job ended = ended(job, end, null);
    Optional<Job> other = store(job, ended);
    if (other.isEmpty()) {
      slots.free(ended);
    }
    return other.map(Attempt::lostRaceTo).orElseGet(() -> Attempt.done(ended));
  }

  /**
   * Whether the end of its run can end this job. The end of a tracked job is reported with a token.
   * A job without slots can qualify: SQS seemed to refuse its request although it was accepted, and
   * since then the job waits again or is suspended. An event that names the job proves that its
   * worker received the request.
   */
  private static boolean isOpen(Job job) {
    boolean holds = job.state() == JobState.ENQUEUED || job.state() == JobState.PENDING_LAUNCH;
    return job.run() == null
        && ((holds && job.isSlotted())
            || job.isRefused()
            || job.isSuspended()
            || job.waitsAt() != null);
  }

  /**
   * Stores the end of a job. A waiting job gives up its place at the gate.
   *
   * @return the job that another writer stored first; empty if the end was stored
   */
  private Optional<Job> store(Job before, Job ended) {
    GateKey queue = before.waitsAt();
    if (queue == null) {
      return jobs.update(List.of(new Update(before, ended))).get(0);
    }
    return updates.run(
        queue,
        () -> {
          Gate gate = slots.gate(queue);
          Outcome outcome =
              gates.commit(
                  Step.of(
                      before,
                      ended,
                      List.of(new Change(gate, gate.left())),
                      List.of(),
                      List.of(before.placeAt(queue))));
          if (outcome instanceof JobLost lost) {
            return Attempt.done(Optional.of(lost.present()));
          }
          return Attempt.of(outcome instanceof Done, Optional.empty());
        });
  }

  private Job ended(Job job, RunEnd end, @Nullable Long hash) {
    Reason reason = Reason.of(ReasonCode.RUN_ENDED, end.event().id(), end.state());
    return job.reported(end.state(), clock.instant(), reason, hash);
  }

  /**
   * Ends the oldest launched job. Frees the slots of jobs on the way that have ended without
   * freeing theirs.
   */
  private void endOldest(RunEnd end) {
    Gate gate = slots.gate(end.program());
    if (gate.countsNothing() || gate.knowsEnd(end.hash())) {
      slots.wake(gate);
      return;
    }
    for (Slot slot : gate.slots()) {
      Job job = jobs.find(List.of(slot.job())).get(slot.job());
      if (job == null) {
        slots.change(end.program(), held -> held.freed(slot.job()));
      } else if (endIfLaunched(job, end)) {
        return;
      } else if (isAboutToBeLaunched(job)) {
        throw new TooEarlyException();
      }
    }
    noteSuccess(end, end.hash());
  }

  /** False once a takeover is long overdue: the job can be one that cannot be read. */
  private boolean isAboutToBeLaunched(Job job) {
    Instant leaseEnd = job.launchingUntil();
    return job.run() == null
        && job.state() == JobState.PENDING_LAUNCH
        && leaseEnd != null
        && leaseEnd.plus(LONGEST_REPAIR).isAfter(clock.instant());
  }

  /**
   * Ends a job if it is launched, and frees its slots if it has ended.
   *
   * @return whether this event has ended the job, now or earlier
   */
  private boolean endIfLaunched(Job found, RunEnd end) {
    Job job = updates.runFrom(found.id(), found, present -> endLaunched(present, end));
    if (!job.isEnded()) {
      return false;
    }
    GateTicket ticket = job.ticket();
    boolean byThis = ticket != null && ticket.endedBy() != null && ticket.endedBy() == end.hash();
    slots.free(job);
    resumeBackfill(job);
    return byThis;
  }

  private Attempt<Job> endLaunched(Job job, RunEnd end) {
    if (job.state() != JobState.ENQUEUED || job.run() != null) {
      return Attempt.done(job);
    }
    Job ended = ended(job, end, end.hash());
    Optional<Job> other = jobs.update(List.of(new Update(job, ended))).get(0);
    return other.map(Attempt::lostRaceTo).orElseGet(() -> Attempt.done(ended));
  }

  /** Records the success of a run that no job stands for. */
  private void noteSuccess(RunEnd end, @Nullable Long hash) {
    Gate gate = slots.gate(end.program());
    if (gate.countsNothing() || end.state() != JobState.SUCCEEDED) {
      return;
    }
    Instant now = clock.instant();
    Instant reported = end.event().timestamp();
    Instant at = reported.isAfter(now) ? now : reported;
    slots.change(
        end.program(),
        before -> {
          Gate after = before.succeeded(at);
          return hash == null ? after : after.endedBy(hash, now);
        });
  }

  /** Wakes the job's backfill. If the message cannot be sent, the event is received again. */
  private void resumeBackfill(Job job) {
    if (job.isEnded()) {
      Instant now = clock.instant();
      job.id().backfill().ifPresent(backfill -> checks.send(Check.of(now, List.of(backfill)), now));
    }
  }
}
