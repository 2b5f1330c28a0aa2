package dev.carillon.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.simulation.Scenario.Behaviour;
import dev.carillon.simulation.Scenario.ProgramId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Simulates workers: the runs of those programs for which the scenario gives a behaviour. */
final class Runs {

  private final Map<ProgramId, Behaviour> programs;
  private final Map<JobId, Run> all = new LinkedHashMap<>();
  private final Map<ProgramId, List<Run>> running = new LinkedHashMap<>();
  private final Map<JobId, Run> tracked = new HashMap<>();
  private final PriorityQueue<Run> byEnd =
      new PriorityQueue<>(Comparator.comparing(Run::plannedEnd).thenComparing(Run::number));
  private final List<String> events = new ArrayList<>();
  private final List<Ended> ended = new ArrayList<>();
  private long started;

  Runs(Map<ProgramId, Behaviour> programs) {
    this.programs = programs;
  }

  /**
   * A tracked attempt that has ended.
   *
   * @param token the token of its claim
   */
  record Ended(JobId job, String token, String outcome) {}

  /** One run of a program. A tracked job has one run for each attempt. */
  static final class Run {
    final JobId job;
    private final @Nullable String token;
    final ProgramId program;
    final Instant startedAt;
    private final long number;
    private final Instant plannedEnd;
    @Nullable Instant endedAt;
    @Nullable String outcome;

    private Run(
        JobId job,
        @Nullable String token,
        ProgramId program,
        Instant startedAt,
        long number,
        Instant plannedEnd) {
      this.job = job;
      this.token = token;
      this.program = program;
      this.startedAt = startedAt;
      this.number = number;
      this.plannedEnd = plannedEnd;
    }

    /** Whether the run is of the attempt that a worker now runs. */
    private boolean isClaimed(Job now) {
      return now.isRunning() && now.claim() != null && now.claim().token().equals(token);
    }

    private long number() {
      return number;
    }

    private Instant plannedEnd() {
      return plannedEnd;
    }
  }

  /** Starts a run for a request that was sent, because a simulated worker claims it at once. */
  void start(JobId job, ProgramId program, Instant now) {
    Behaviour behaviour = programs.get(program);
    if (behaviour == null || all.containsKey(job)) {
      return;
    }
    Run run = add(job, null, program, behaviour, now);
    all.put(job, run);
    report(run, "STARTED", now);
  }

  /** Whether the scenario gives a behaviour for the program. */
  boolean isSimulated(ProgramId program) {
    return programs.containsKey(program);
  }

  /**
   * Starts the run of an attempt that was claimed. The worker of such a run reports start and end
   * itself.
   */
  void startTracked(JobId job, ProgramId program, String token, Instant now) {
    Behaviour behaviour = programs.get(program);
    if (behaviour != null) {
      tracked.put(job, add(job, token, program, behaviour, now));
    }
  }

  /**
   * Stops the run of a tracked job if its attempt has lost its claim, because it has timed out.
   *
   * @param job as it is stored now
   * @return whether a run was stopped
   */
  boolean stopUnclaimed(Job job, Instant now) {
    Run run = tracked.get(job.id());
    if (run == null || run.isClaimed(job)) {
      return false;
    }
    leave(run, now);
    return true;
  }

  private Run add(
      JobId job, @Nullable String token, ProgramId program, Behaviour behaviour, Instant now) {
    Instant end = behaviour.runsFor() == null ? Instant.MAX : now.plus(behaviour.runsFor());
    Run run = new Run(job, token, program, now, ++started, end);
    running.computeIfAbsent(program, any -> new ArrayList<>()).add(run);
    byEnd.add(run);
    return run;
  }

  Optional<Run> of(JobId job) {
    return Optional.ofNullable(all.get(job));
  }

  /** When the next run ends by itself; empty if no run does. */
  Optional<Instant> nextEnd() {
    while (!byEnd.isEmpty() && byEnd.element().endedAt != null) {
      byEnd.remove();
    }
    return Optional.ofNullable(byEnd.peek())
        .map(Run::plannedEnd)
        .filter(end -> end.isBefore(Instant.MAX));
  }

  /** Ends the runs that are due to end. */
  void endDue(Instant now) {
    for (Optional<Instant> next = nextEnd();
        next.isPresent() && !next.get().isAfter(now);
        next = nextEnd()) {
      Run run = byEnd.remove();
      end(run, behaviour(run).outcome(), now);
    }
  }

  /**
   * Ends the oldest run of a program.
   *
   * @return false if the program has no run
   */
  boolean finish(ProgramId program, @Nullable String outcome, Instant now) {
    List<Run> runs = running.getOrDefault(program, List.of());
    if (runs.isEmpty()) {
      return false;
    }
    Run oldest = runs.get(0);
    end(oldest, outcome == null ? behaviour(oldest).outcome() : outcome, now);
    return true;
  }

  private Behaviour behaviour(Run run) {
    Behaviour behaviour = programs.get(run.program);
    if (behaviour == null) {
      throw new IllegalStateException("no behaviour is given for the program " + run.program);
    }
    return behaviour;
  }

  private void leave(Run run, Instant now) {
    run.endedAt = now;
    running.getOrDefault(run.program, new ArrayList<>()).remove(run);
    tracked.remove(run.job);
  }

  private void end(Run run, String outcome, Instant now) {
    leave(run, now);
    run.outcome = outcome;
    if (run.token == null) {
      report(run, outcome, now);
    } else {
      ended.add(new Ended(run.job, run.token, outcome));
    }
  }

  private void report(Run run, String status, Instant now) {
    ObjectNode event =
        Json.object()
            .put("id", run.job + "." + status)
            .put("namespace", run.program.namespace())
            .put("timestamp", now.toEpochMilli())
            .put("eventType", "PROGRAM_STATUS");
    event
        .putObject("payload")
        .put("programId", run.program.program())
        .put("status", status)
        .put("runId", run.job.toString());
    events.add(Json.write(event));
  }

  /** Removes and returns the tracked attempts that have ended, in order. */
  List<Ended> takeEnded() {
    List<Ended> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }

  /** Removes and returns the status events of the runs, in order. */
  List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }
}
