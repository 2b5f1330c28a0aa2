package dev.carillon.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.checker.PoolPulls;
import dev.carillon.checker.PoolPulls.Pull;
import dev.carillon.checker.PoolPulls.Pulled;
import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.pool.PoolQueue;
import dev.carillon.report.RunReports;
import dev.carillon.run.Report;
import dev.carillon.run.Tracking;
import dev.carillon.runtime.Deadline;
import dev.carillon.simulation.Runs.Ended;
import dev.carillon.simulation.Scenario.ProgramId;
import dev.carillon.simulation.Scenario.SimulatedPool;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The workers of those programs for which the scenario gives a behaviour. The workers of tracked
 * jobs claim each attempt at once, and report its start and its end.
 */
final class SimulatedWorkers {

  private static final String NAME = "simulated";
  private static final int MOST_PULLED = 25;

  private final MemoryJobs jobs;
  private final Runs runs;
  private final RunReports reports;
  private final PoolPulls pulls;
  private final Map<PoolId, SimulatedPool> pools;
  private final Deadline deadline;
  private final InstantSource clock;
  private final Deque<Job> arrived = new ArrayDeque<>();
  private final Map<PoolId, Set<JobId>> busy = new HashMap<>();
  private long claims;

  /**
   * @param pools the pools of the scenario, each with its number of workers
   */
  SimulatedWorkers(
      MemoryJobs jobs,
      Runs runs,
      RunReports reports,
      PoolPulls pulls,
      Map<PoolId, SimulatedPool> pools,
      Deadline deadline,
      InstantSource clock) {
    this.jobs = jobs;
    this.runs = runs;
    this.reports = reports;
    this.pulls = pulls;
    this.pools = pools;
    this.deadline = deadline;
    this.clock = clock;
  }

  /**
   * The document of a schedule as the simulation stores it. If the scenario gives no behaviour for
   * its program, no worker would report a run, so its runs are not tracked. Simulated workers send
   * no heartbeats between start and end, so only {@code runTimeout} limits a run. Jobs of pools are
   * always tracked; if their program has no behaviour, they succeed at once.
   */
  static ObjectNode document(ScheduleId id, ObjectNode given, Set<ProgramId> programs) {
    ObjectNode document = given.deepCopy();
    String named = given.path("program").asText(id.name());
    String bare = named.substring(named.indexOf('/') + 1);
    if (document.hasNonNull("pool") && !document.hasNonNull("tracking")) {
      document.putObject("tracking");
    }
    boolean isSimulated = programs.contains(new ProgramId(id.namespace(), bare));
    if (!isSimulated && !document.hasNonNull("pool")) {
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

  /**
   * Claims the jobs that have arrived, and reports the runs that have ended; false if there were
   * neither.
   */
  boolean work() {
    boolean isIdle = true;
    for (Job job : takeArrived()) {
      if (hasRoom(job)) {
        isIdle = false;
        claim(job);
      } else {
        arrived.add(job);
      }
    }
    isIdle &= !pull();
    for (Ended ended : runs.takeEnded()) {
      isIdle = false;
      free(ended.job());
      report(ended);
    }
    return !isIdle;
  }

  private List<Job> takeArrived() {
    List<Job> taken = List.copyOf(arrived);
    arrived.clear();
    return taken;
  }

  /** Whether a worker is free. The number of workers is limited only for jobs of pools. */
  private boolean hasRoom(Job job) {
    return job.place() == null || room(PoolQueue.pool(job)) > 0;
  }

  private int room(PoolId pool) {
    SimulatedPool simulated = pools.get(pool);
    int workers = simulated == null ? Integer.MAX_VALUE : simulated.workers();
    return workers - busy.getOrDefault(pool, Set.of()).size();
  }

  /** Receives a job as it is stored. The worker of an attempt that has timed out stops. */
  void follow(Job job) {
    if (runs.stopUnclaimed(job, clock.instant())) {
      free(job.id());
    }
  }

  private void free(JobId job) {
    busy.values().forEach(jobsOfPool -> jobsOfPool.remove(job));
  }

  /** Pulls jobs from the pools without a queue; false if no pool had a job. */
  private boolean pull() {
    boolean hasPulled = false;
    for (Map.Entry<PoolId, SimulatedPool> pool : pools.entrySet()) {
      boolean isPulled = !pool.getValue().document().hasNonNull("queue");
      int most = Math.min(room(pool.getKey()), MOST_PULLED);
      if (isPulled && most > 0) {
        Pull pull = new Pull(pool.getKey(), most, NAME, Long.toString(++claims), false);
        List<Pulled> jobsOfPool = pulls.next(pull, deadline).orElse(List.of());
        jobsOfPool.forEach(
            one -> start(one.job(), Objects.requireNonNull(one.job().claim()).token()));
        hasPulled |= !jobsOfPool.isEmpty();
      }
    }
    return hasPulled;
  }

  /** Claims a request. If the claim is refused, another attempt has begun or the job has ended. */
  private void claim(Job job) {
    String token = Long.toString(++claims);
    boolean isClaimed =
        reports
            .claim(job.id(), NAME, job.attempt(), token)
            .filter(reported -> reported.result() instanceof Accepted)
            .isPresent();
    if (isClaimed) {
      start(job, token);
    }
  }

  private void start(Job job, String token) {
    reports.report(job.id(), new Report.Heartbeat(token, null, Map.of()));
    if (!runs.isSimulated(program(job))) {
      reports.report(job.id(), new Report.Success(token, null));
      return;
    }
    if (job.place() != null) {
      busy.computeIfAbsent(PoolQueue.pool(job), any -> new HashSet<>()).add(job.id());
    }
    runs.startTracked(job.id(), program(job), token, clock.instant());
  }

  /**
   * Reports the end of an attempt. A job is CANCELLED if a caller asked for that and its worker
   * then stops.
   */
  private void report(Ended ended) {
    if (ended.outcome().equals("CANCELLED")) {
      reports.cancel(ended.job(), NAME);
    }
    Report report =
        ended.outcome().equals("SUCCEEDED")
            ? new Report.Success(ended.token(), null)
            : new Report.Failure(ended.token(), null, ended.outcome().equals("FAILED"));
    reports.report(ended.job(), report);
  }
}
