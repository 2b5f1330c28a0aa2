package dev.carillon.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Api;
import dev.carillon.api.ApiPorts;
import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.checker.Checker;
import dev.carillon.checker.PoolPulls;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.memory.MemoryApps;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryStatus;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.simulation.Scenario.ProgramId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All functions, on stores and queues in memory and one virtual clock. Everything that is due at an
 * instant happens before the clock advances.
 */
final class World {

  private static final int SHARDS = 1;

  private final VirtualClock clock;
  private final MemoryTimers timers = new MemoryTimers(SHARDS);
  private final MemoryCalendars calendars = new MemoryCalendars();
  private final MemoryJobs jobs = new MemoryJobs(SHARDS);
  private final MemoryGates gates = new MemoryGates(jobs);
  private final MemorySchedules schedules = new MemorySchedules(timers, gates);
  private final ExactChecks checks = new ExactChecks();
  private final Runs runs;
  private final SimulatedWorkers workers;
  private final MemoryIngestQueue events = new MemoryIngestQueue();
  private final MemoryStatus status = new MemoryStatus();
  private final Fanout fanout = new Fanout(Runnable::run);
  private final RecordingTargets targets;
  private final Deadline deadline;
  private final SimulatedMaster master;
  private final SimulatedIngest ingest;
  private final Checker checker;
  private final ScenarioCalls calls;
  private Instant stoppedUntil = Instant.MIN;

  /**
   * @param deadline on the real clock; the functions stop once it has passed
   */
  World(Scenario scenario, ScheduleParser parser, TargetPolicy policy, Deadline deadline) {
    this.clock = new VirtualClock(scenario.from());
    this.runs = new Runs(scenario.programs());
    this.deadline = WholeDeadline.of(deadline::hasPassed);
    OptimisticUpdate updates = OptimisticUpdate.uncounted();
    Shared shared = shared(parser, updates);
    Requests requests = new Requests(policy);
    this.workers =
        new SimulatedWorkers(
            jobs,
            runs,
            new RunReports(shared, clock),
            new PoolPulls(shared, requests, clock),
            scenario.pools(),
            this.deadline,
            clock);
    this.targets = new RecordingTargets(clock, workers::receive);
    jobs.observe(workers::follow);
    this.master =
        new SimulatedMaster(
            shared, parser, timers, jobs, gates, checks, status, this.deadline, clock);
    this.ingest = new SimulatedIngest(shared, jobs, this.deadline, clock);
    this.checker =
        new Checker(shared, requests, targets, fanout, clock, World::refuseToWait, Duration.ZERO);
    this.calls = new ScenarioCalls(api(parser, policy, updates));
  }

  private Shared shared(ScheduleParser parser, OptimisticUpdate updates) {
    return new Shared(
        schedules,
        new CompiledSchedules(schedules, calendars, parser),
        timers,
        jobs,
        jobs,
        gates,
        gates.pools(),
        checks,
        events,
        updates);
  }

  private Api api(ScheduleParser parser, TargetPolicy policy, OptimisticUpdate updates) {
    return new Api(
        ports(),
        parser,
        policy,
        fanout,
        updates,
        clock,
        World::refuseToWait,
        () -> new UUID(0, 0),
        any -> false,
        World::refuseToSimulate);
  }

  private ApiPorts ports() {
    return new ApiPorts(
        schedules,
        new MemoryApps(),
        calendars,
        gates.pools(),
        timers,
        jobs,
        new MemoryJobLists(jobs),
        jobs,
        gates,
        status,
        checks,
        events,
        targets,
        List::of,
        Duration.ofMinutes(1));
  }

  private static void refuseToWait(Duration rest) {
    throw new IllegalStateException(
        "a function waits for " + rest + ", but a virtual clock does not advance by waiting");
  }

  private static ObjectNode refuseToSimulate(JsonNode scenario, Deadline deadline) {
    throw new IllegalStateException("a simulation cannot run within a simulation");
  }

  Instant now() {
    return clock.instant();
  }

  void advanceTo(Instant instant) {
    clock.advanceTo(instant);
  }

  /** When something happens next if no step follows; empty if nothing happens. */
  Optional<Instant> nextInstant() {
    Optional<Instant> tick = master.nextTick();
    Optional<Instant> message = ingest.hasCounted() ? Optional.empty() : Optional.of(now());
    Stream<Instant> ofFunctions =
        Stream.of(checks.nextDue(), tick, message)
            .flatMap(Optional::stream)
            .map(instant -> instant.isBefore(earliest()) ? earliest() : instant);
    return Stream.concat(ofFunctions, runs.nextEnd().stream()).min(Instant::compareTo);
  }

  /** The first instant at which a function can run. */
  private Instant earliest() {
    return isStopped() ? stoppedUntil : now();
  }

  private boolean isStopped() {
    return now().isBefore(stoppedUntil);
  }

  /** Stops all functions except the API for a time; they do their work when it has passed. */
  void stopFor(Duration outage) {
    Instant end = now().plus(outage);
    stoppedUntil = end.isAfter(stoppedUntil) ? end : stoppedUntil;
  }

  /**
   * Processes everything that is due: runs end, events are counted, and jobs are checked. Checks
   * the limits after each round, because jobs can cause each other without end at one instant.
   */
  void settle(Runnable checkLimits) {
    runs.endDue(now());
    boolean busy = true;
    while (busy) {
      boolean hasWorked = workers.work();
      takeEvents();
      busy =
          hasWorked
              || (!isStopped()
                  && (ingest.count(checkLimits)
                      || master.tick(now())
                      || check(checks.take(now()), checkLimits)));
      if (busy) {
        checkLimits.run();
      }
    }
  }

  /**
   * Takes the status events of runs. Messages that ingest sends to itself for a later instant are
   * dropped.
   */
  private void takeEvents() {
    runs.takeEvents().forEach(event -> ingest.receive("", event));
    events.takeSent().stream()
        .filter(sent -> sent.delay().isZero())
        .forEach(sent -> ingest.receive("", sent.body()));
  }

  private boolean check(List<Check> due, Runnable checkLimits) {
    List<Checker.Received> received = new ArrayList<>();
    due.forEach(
        check -> received.add(new Checker.Received(Integer.toString(received.size()), check, 1)));
    if (!checker.handle(received, deadline).isEmpty()) {
      // A deadline that has passed is the caller's limit, not a fault.
      checkLimits.run();
      throw new IllegalStateException("a check failed; read the log");
    }
    return !due.isEmpty();
  }

  /** Adds a message to the ingest queue. */
  void send(String message, String messageId, Runnable checkLimits) {
    ingest.receive(messageId, message);
    countNow(checkLimits);
  }

  /** Counts the messages of a step, because the steps of one instant take effect in their order. */
  private void countNow(Runnable checkLimits) {
    if (!isStopped()) {
      ingest.count(checkLimits);
    }
  }

  /** The API, as the steps of a scenario call it. */
  ScenarioCalls calls() {
    return calls;
  }

  /**
   * Ends the oldest run of a program, and counts its end.
   *
   * @return false if the program has no run
   */
  boolean finish(ProgramId program, @Nullable String outcome, Runnable checkLimits) {
    boolean isFinished = runs.finish(program, outcome, now());
    workers.work();
    takeEvents();
    countNow(checkLimits);
    return isFinished;
  }

  int jobs() {
    return jobs.size();
  }

  Timeline timeline() {
    return new Timeline(jobs, targets, runs);
  }
}
