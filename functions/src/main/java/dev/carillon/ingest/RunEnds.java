package dev.carillon.ingest;

import dev.carillon.check.Shared;
import dev.carillon.decision.RunEnding;
import dev.carillon.event.Event;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.gate.Slot;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the jobs whose runs are reported to have ended. It stores the end of the job, frees its
 * slots, and then sends checks of the jobs that wait for these slots. Each step can be repeated;
 * the event is acknowledged after all of them.
 */
final class RunEnds {

  private static final Logger LOG = LoggerFactory.getLogger(RunEnds.class);

  /** How many ends that name their runs are stored together. */
  static final int GROUP = 25;

  /** The time within which another checker takes over a job whose lease has ended. */
  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(3);

  private final Jobs jobs;
  private final Gates gates;
  private final NamedRuns namedRuns;
  private final FreedSlots slots;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  RunEnds(Shared shared, InstantSource clock) {
    this.jobs = shared.jobs();
    this.gates = shared.gates();
    this.slots = new FreedSlots(shared, clock);
    this.namedRuns = new NamedRuns(shared, slots, clock);
    this.updates = shared.updates();
    this.clock = clock;
  }

  /**
   * Ends the runs whose end events report. Events of other kinds change nothing.
   *
   * @return the events that must be received again; repeating them ends no run twice
   */
  Set<Event> accept(List<Event> events, Deadline deadline) {
    List<RunEnd> ends = events.stream().flatMap(event -> RunEnd.in(event).stream()).toList();
    Set<Event> left = new HashSet<>();
    List<RunEnd> named = byProgram(ends.stream().filter(end -> !end.runId().isEmpty()).toList());
    for (int from = 0; from < named.size(); from += GROUP) {
      List<RunEnd> group = named.subList(from, Math.min(named.size(), from + GROUP));
      left.addAll(attempt(group, deadline, () -> namedRuns.end(group)));
    }
    ends.stream()
        .filter(end -> end.runId().isEmpty())
        .forEach(end -> left.addAll(attempt(List.of(end), deadline, () -> endOldest(end))));
    return left;
  }

  /**
   * Groups ends by program. Programs with few ends come first, so that their ends need not wait for
   * the others.
   */
  private static List<RunEnd> byProgram(List<RunEnd> ends) {
    Map<GateKey, Long> counts =
        ends.stream().collect(Collectors.groupingBy(RunEnd::program, Collectors.counting()));
    return ends.stream()
        .sorted(
            Comparator.comparing((RunEnd end) -> counts.get(end.program()))
                .thenComparing(RunEnd::program, GateKey.ORDER))
        .toList();
  }

  /** Returns the events that must be received again. */
  private static Set<Event> attempt(
      List<RunEnd> ends, Deadline deadline, Supplier<Set<Event>> attempt) {
    Set<Event> events = ends.stream().map(RunEnd::event).collect(Collectors.toSet());
    if (deadline.hasPassed()) {
      return events;
    }
    try {
      return attempt.get();
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not end the runs that {} events report on; SQS delivers the events again",
          events.size(),
          unavailable);
      return events;
    }
  }

  /**
   * Ends the oldest launched job. It also frees the slots of older jobs that have ended without
   * freeing their slots. If no job is launched, the run can belong to a job whose request only
   * seemed to be refused. Then the event is received again, because no other event reports this
   * end. Carillon sends the request again, but a FIFO queue drops the repetition. The event is also
   * received again if another event has ended a job first, because the oldest job that is left may
   * have been launched later. A success counts at once for the constraint {@code sinceLastRun}.
   */
  private Set<Event> endOldest(RunEnd end) {
    Gate gate = slots.gate(end.program());
    if (gate.countsNothing() || gate.knowsEnd(end.hash())) {
      slots.wake(gate);
      return Set.of();
    }
    boolean isOutrun = false;
    for (Slot slot : gates.slots(gate)) {
      Job job = jobs.find(List.of(slot.job())).get(slot.job());
      if (job == null) {
        slots.change(end.program(), List.of(slot.job()), held -> held.freed(slot.job()));
      } else if (endIfLaunched(job, end)) {
        return Set.of();
      } else if (isAboutToBeLaunched(job)) {
        return Set.of(end.event());
      }
      isOutrun |= job != null && mayBeOutrun(job);
    }
    boolean isLeft = isOutrun || gate.isUnsure(clock.instant());
    slots.noteSuccess(end, isLeft ? null : end.hash());
    return isLeft ? Set.of(end.event()) : Set.of();
  }

  /**
   * Whether another event may have ended the job since its gate was read.
   *
   * @param job the job as it was first found: not ended, or ended by an event that named no run
   */
  private static boolean mayBeOutrun(Job job) {
    GateTicket ticket = job.ticket();
    return RunEnding.endsByEvent(job, false) || (ticket != null && ticket.endedBy() != null);
  }

  /**
   * Whether a checker is launching the job, or another checker is about to take it over. The result
   * is false once the takeover is long overdue, because the checker may be unable to read the job.
   */
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
    if (job.run() == null) {
      slots.free(job);
    }
    slots.announce(List.of(job));
    return byThis;
  }

  private Attempt<Job> endLaunched(Job job, RunEnd end) {
    if (!RunEnding.endsByEvent(job, false)) {
      return Attempt.done(job);
    }
    Job ended = end.ending(job, clock.instant(), end.hash());
    Optional<Job> other = jobs.update(List.of(new Update(job, ended))).get(0);
    return other.map(Attempt::lostRaceTo).orElseGet(() -> Attempt.done(ended));
  }
}
