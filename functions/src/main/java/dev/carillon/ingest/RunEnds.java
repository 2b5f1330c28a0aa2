package dev.carillon.ingest;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.event.Event;
import dev.carillon.event.SeenHash;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.gate.Passage;
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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the jobs that hold slots when the end of their run is announced: the job first, then the
 * slots, then those who wait for them. Each step may be repeated; the event is acknowledged after
 * all of them.
 */
final class RunEnds {

  private static final String PREFIX = "program:";

  /** From the end of a launcher's lease until another has taken its job over. */
  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(3);

  private static final Logger LOG = LoggerFactory.getLogger(RunEnds.class);

  private final Jobs jobs;
  private final Gates gates;
  private final CheckQueue checks;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  RunEnds(Shared shared, InstantSource clock) {
    this.jobs = shared.jobs();
    this.gates = shared.gates();
    this.checks = shared.checks();
    this.updates = shared.updates();
    this.clock = clock;
  }

  /** The run is not known to have begun: its end has to come again. */
  static final class TooEarlyException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The end of a run of a program. */
  private record End(GateKey program, JobState state, Event event, long hash) {}

  /** Whether an event says anything about the end of a run. */
  static boolean concerns(Event event) {
    return event.weights().keySet().stream().anyMatch(key -> end(key, event).isPresent());
  }

  /**
   * Carries out what an event says about the end of a run; others are left alone.
   *
   * @throws RuntimeException if not everything could be stored; repeating the call ends nothing
   *     twice
   */
  public void accept(Event event) {
    for (String key : event.weights().keySet()) {
      end(key, event).ifPresent(this::accept);
    }
  }

  private static Optional<End> end(String key, Event event) {
    int colon = key.lastIndexOf(':');
    if (!key.startsWith(PREFIX) || colon < PREFIX.length()) {
      return Optional.empty();
    }
    GateKey program = GateKey.ofProgram(event.namespace(), key.substring(PREFIX.length(), colon));
    return switch (key.substring(colon + 1)) {
      case "SUCCEEDED" -> Optional.of(end(program, JobState.SUCCEEDED, event));
      case "FAILED" -> Optional.of(end(program, JobState.FAILED, event));
      case "CANCELLED" -> Optional.of(end(program, JobState.CANCELLED, event));
      default -> Optional.empty();
    };
  }

  private static End end(GateKey program, JobState state, Event event) {
    return new End(program, state, event, SeenHash.of(event.id()));
  }

  private void accept(End end) {
    String runId = end.event().payload().path("runId").asText("");
    if (runId.isEmpty()) {
      endOldest(end);
      return;
    }
    Optional<Job> named = named(runId, end.program());
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

  private void endNamed(Job named, End end) {
    Job job = updates.runFrom(named.id(), named, stored -> endedByName(stored, end));
    tellBackfill(job);
  }

  private Attempt<Job> endedByName(Job job, End end) {
    if (!isOpen(job)) {
      if (job.isEnded() && job.isSlotted()) {
        free(job, null);
      }
      return Attempt.done(job);
    }
    Job ended = ended(job, end, null);
    Optional<Job> other = stored(job, ended);
    if (other.isEmpty()) {
      free(ended, null);
    }
    return other.map(Attempt::lostRaceTo).orElseGet(() -> Attempt.done(ended));
  }

  /**
   * One that holds slots, or held them until its request was refused, as it seemed, after which a
   * suspension may hold it back: who names the job has received it.
   */
  private static boolean isOpen(Job job) {
    boolean holds = job.state() == JobState.ENQUEUED || job.state() == JobState.PENDING_LAUNCH;
    return (holds && job.isSlotted())
        || job.isRefused()
        || job.isSuspended()
        || job.waitsAt() != null;
  }

  /** Empty if it was stored, else the job as it is; one that waits gives up its place. */
  private Optional<Job> stored(Job before, Job ended) {
    GateKey queue = before.waitsAt();
    if (queue == null) {
      return jobs.update(List.of(new Update(before, ended))).get(0);
    }
    return updates.run(
        queue,
        () -> {
          Gate gate = gate(queue);
          Outcome outcome =
              gates.commit(
                  new Step(
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

  private Job ended(Job job, End end, @Nullable Long hash) {
    Reason reason = Reason.of(ReasonCode.RUN_ENDED, end.event().id(), end.state());
    return job.reported(end.state(), clock.instant(), reason, hash);
  }

  /** The oldest that is open; what others have ended and not freed is freed on the way. */
  private void endOldest(End end) {
    Gate gate = gate(end.program());
    if (gate.version() == 0 || gate.knowsEnd(end.hash())) {
      wake(gate);
      return;
    }
    for (Slot slot : gate.slots()) {
      Job job = jobs.find(List.of(slot.job())).get(slot.job());
      if (job == null) {
        change(end.program(), held -> held.freed(slot.job()));
      } else if (isEnded(job, end)) {
        return;
      } else if (isAboutToBeLaunched(job)) {
        throw new TooEarlyException();
      }
    }
    noteSuccess(end, end.hash());
  }

  /** Not if nobody has come to launch it for long: it may be one that cannot be read. */
  private boolean isAboutToBeLaunched(Job job) {
    Instant leaseEnd = job.launchingUntil();
    return job.state() == JobState.PENDING_LAUNCH
        && leaseEnd != null
        && leaseEnd.plus(LONGEST_REPAIR).isAfter(clock.instant());
  }

  /** Whether the event has ended this job, now or before. */
  private boolean isEnded(Job found, End end) {
    Job job = updates.runFrom(found.id(), found, stored -> endedIfLaunched(stored, end));
    if (!job.isEnded()) {
      return false;
    }
    Passage passage = job.passage();
    boolean byThis =
        passage != null && passage.endedBy() != null && passage.endedBy() == end.hash();
    free(job, byThis ? end.hash() : null);
    tellBackfill(job);
    return byThis;
  }

  private Attempt<Job> endedIfLaunched(Job job, End end) {
    if (job.state() != JobState.ENQUEUED) {
      return Attempt.done(job);
    }
    Job ended = ended(job, end, end.hash());
    Optional<Job> other = jobs.update(List.of(new Update(job, ended))).get(0);
    return other.map(Attempt::lostRaceTo).orElseGet(() -> Attempt.done(ended));
  }

  /** A run that no job stands for ended well. */
  private void noteSuccess(End end, @Nullable Long hash) {
    Gate gate = gate(end.program());
    if (gate.version() == 0 || end.state() != JobState.SUCCEEDED) {
      return;
    }
    Instant now = clock.instant();
    Instant told = end.event().timestamp();
    Instant at = told.isAfter(now) ? now : told;
    change(
        end.program(),
        before -> {
          Gate after = before.succeeded(at);
          return hash == null ? after : after.endedBy(hash, now);
        });
  }

  /**
   * Frees what an ended job held; one that held nothing any more changes nothing.
   *
   * @param hash of the event that ended it without naming it
   */
  private void free(Job job, @Nullable Long hash) {
    Passage passage = job.passage();
    if (passage == null) {
      return;
    }
    Instant now = clock.instant();
    for (GateKey key : passage.gates()) {
      boolean isOwn = key.kind() == GateKey.Kind.PROGRAM;
      change(
          key,
          before -> {
            Gate after = before.freed(job.id());
            if (isOwn && job.state() == JobState.SUCCEEDED && job.endedAt() != null) {
              after = after.succeeded(job.endedAt());
            }
            if (isOwn && hash != null && !before.knowsEnd(hash)) {
              after = after.endedBy(hash, now);
            }
            return after.equals(before) ? before : after.wokenBy(now);
          });
    }
  }

  /** Its backfill goes on; if the message cannot be sent the event comes again. */
  private void tellBackfill(Job job) {
    if (job.isEnded()) {
      Instant now = clock.instant();
      job.id().backfill().ifPresent(backfill -> checks.send(Check.of(now, List.of(backfill)), now));
    }
  }

  private Gate gate(GateKey key) {
    return gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
  }

  private void change(GateKey key, UnaryOperator<Gate> change) {
    Gate changed =
        updates.run(
            key,
            () -> {
              Gate before = gate(key);
              Gate after = change.apply(before);
              return Attempt.of(after.equals(before) || gates.update(before, after), after);
            });
    wake(changed);
  }

  /** A message that cannot be sent now is no loss: the gate needs attention by itself. */
  private void wake(Gate gate) {
    Instant now = clock.instant();
    if (gate.wakeAt() == null || gate.wakeAt().isAfter(now)) {
      return;
    }
    try {
      checks.send(Check.of(now, List.of(gate.key())), now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the check queue took no message; {} waits for the master", gate.key(), unavailable);
    }
  }
}
