package dev.carillon.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.report.RunReports;
import dev.carillon.run.Report;
import dev.carillon.run.Tracking;
import dev.carillon.simulation.Runs.Ended;
import dev.carillon.simulation.Scenario.ProgramId;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The workers of the programs whose behaviour is given. Those of tracked jobs claim each attempt at
 * once, and report its start and its end.
 */
final class SimulatedWorkers {

  private static final String NAME = "simulated";

  private final MemoryJobs jobs;
  private final Runs runs;
  private final RunReports reports;
  private final InstantSource clock;
  private final Deque<Job> arrived = new ArrayDeque<>();
  private long claims;

  SimulatedWorkers(MemoryJobs jobs, Runs runs, RunReports reports, InstantSource clock) {
    this.jobs = jobs;
    this.runs = runs;
    this.reports = reports;
    this.clock = clock;
  }

  /**
   * The document of a schedule as it is simulated. Without a behaviour of its program, no run would
   * be reported, so none is tracked. Simulated workers send no heartbeats between start and end, so
   * only {@code runTimeout} bounds a run.
   */
  static ObjectNode document(ScheduleId id, ObjectNode given, Set<ProgramId> programs) {
    ObjectNode document = given.deepCopy();
    String named = given.path("program").asText(id.name());
    String bare = named.substring(named.indexOf('/') + 1);
    if (!programs.contains(new ProgramId(id.namespace(), bare))) {
      return document.without(List.of("tracking", "retry", "operations"));
    }
    if (document.get("tracking") instanceof ObjectNode tracking) {
      String usual = Tracking.USUAL.runTimeout().toString();
      tracking.put("heartbeatTimeout", tracking.path("runTimeout").asText(usual));
    }
    return document;
  }

  /** Receives a request. */
  void receive(JobId id) {
    Job job = jobs.find(List.of(id)).get(id);
    if (job == null) {
      return;
    }
    if (job.run() == null) {
      runs.start(id, program(job), clock.instant());
    } else {
      arrived.add(job);
    }
  }

  private static ProgramId program(Job job) {
    return new ProgramId(job.id().schedule().namespace(), job.program());
  }

  /** Claims what has arrived, and reports what has ended; false if that was nothing. */
  boolean work() {
    boolean isIdle = arrived.isEmpty();
    while (!arrived.isEmpty()) {
      claim(arrived.remove());
    }
    for (Ended ended : runs.takeEnded()) {
      isIdle = false;
      reports.report(ended.job(), report(ended));
    }
    return !isIdle;
  }

  private void claim(Job job) {
    String token = Long.toString(++claims);
    reports.claim(job.id(), NAME, job.attempt(), token);
    reports.report(job.id(), new Report.Heartbeat(token, null, Map.of()));
    runs.startTracked(job.id(), program(job), token, clock.instant());
  }

  private static Report report(Ended ended) {
    return switch (ended.outcome()) {
      case "SUCCEEDED" -> new Report.Success(ended.token(), null);
      case "FAILED" -> new Report.Failure(ended.token(), null, true);
      default -> new Report.Failure(ended.token(), null, false);
    };
  }
}
