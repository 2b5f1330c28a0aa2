package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.backfill.Backfills;
import dev.carillon.checker.PassPools;
import dev.carillon.checker.PoolPatterns;
import dev.carillon.decision.JobPools;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.launch.Requests;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.StoredSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and explains jobs, and explains schedules. */
final class JobRoutes {

  /** How long the fires of a backlog are counted at most. */
  private static final Duration LONGEST_COUNT = Duration.ofSeconds(2);

  private static final List<String> STATES =
      Arrays.stream(JobState.values()).map(JobState::name).toList();

  /** The number of newest jobs that the explanation of a schedule counts. */
  private static final int MOST_EXPLAINED = 100;

  /** How many reads find them among skipped jobs. */
  private static final int MOST_READS = 10;

  private final Lookup lookup;
  private final Jobs jobs;
  private final Backfills backfills;
  private final Pools pools;
  private final Requests requests;
  private final PoolPatterns patterns = new PoolPatterns();
  private final JobHistory history;
  private final GateViews gates;
  private final InstantSource clock;

  JobRoutes(
      Lookup lookup,
      Jobs jobs,
      Backfills backfills,
      Pools pools,
      Requests requests,
      JobHistory history,
      GateViews gates,
      InstantSource clock) {
    this.lookup = lookup;
    this.jobs = jobs;
    this.backfills = backfills;
    this.pools = pools;
    this.requests = requests;
    this.history = history;
    this.gates = gates;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    JobId id = jobId(call);
    Optional<CollectingJob> open = openJob(id);
    ObjectNode view = open.isPresent() ? history.view(open.get()) : JobView.of(required(id));
    return Answer.of(200, view);
  }

  APIGatewayProxyResponseEvent explain(Call call) {
    JobId id = jobId(call);
    Optional<CollectingJob> open = openJob(id);
    Launching read = lookup.forLaunch(id.schedule());
    StoredSchedule stored = lookup.find(id.schedule()).orElse(null);
    Compiled compiled = stored == null ? null : lookup.compiled(stored.definition());
    Explained explained = new Explained(read.heads().get(id.schedule()), compiled, clock.instant());
    if (open.isPresent()) {
      return Answer.of(200, new CollectingExplanation(explained, jobs).of(open.get()));
    }
    Job job = find(id).orElseThrow(() -> neverOpened(id, stored));
    String namespace = id.schedule().namespace();
    LimitedPrograms limited = read.limited().getOrDefault(namespace, LimitedPrograms.NONE);
    boolean isWanted = id.backfill().isEmpty() || isLaunchedByBackfill(id);
    ReadyExplanation ready = ReadyExplanation.read(pools, job, explained.now());
    JobPools own = new PassPools(pools, requests, patterns);
    return Answer.of(
        200, new JobExplanation(job, explained, gates, isWanted, limited, own, ready).of());
  }

  private boolean isLaunchedByBackfill(JobId id) {
    return id.backfill()
        .flatMap(name -> Optional.ofNullable(backfills.backfills(List.of(name)).get(name)))
        .filter(backfill -> backfill.launches(id))
        .isPresent();
  }

  /**
   * The problem for an absent job. If calendars exclude the fire of the job, the problem names
   * them.
   */
  private Problem neverOpened(JobId id, @Nullable StoredSchedule stored) {
    if (stored != null && id.isFire() && stored.head().generation() == id.generation()) {
      Compiled compiled = lookup.compiled(stored.definition());
      Set<String> calendars = compiled.excludedBy(id.at());
      if (compiled.isExcluded(id.at()) && !calendars.isEmpty()) {
        return Problem.notFound(
            "there is no job %s: the calendars %s exclude its fire"
                .formatted(Faults.quoted(id.toString()), String.join(", ", calendars)));
      }
    }
    return missing(id.toString());
  }

  APIGatewayProxyResponseEvent explainSchedule(Call call) {
    StoredSchedule stored = lookup.required(call.scheduleId());
    Instant now = clock.instant();
    Deadline deadline = new Deadline(now.plus(LONGEST_COUNT), clock);
    ScheduleExplanation explanation =
        new ScheduleExplanation(lookup, jobs, gates, stored, now, deadline);
    CollectingJob counted = collectingJob(stored.head().id()).orElse(null);
    List<Job> newest = newestNotSkipped(stored.head().id());
    return Answer.of(
        200, explanation.of(lookup.nextFire(lookup.parsing(stored), now), counted, newest));
  }

  /** While a job waits, its schedule can skip any number of fires. */
  private List<Job> newestNotSkipped(ScheduleId schedule) {
    List<Job> newest = new ArrayList<>();
    String next = null;
    for (int read = 0; read < MOST_READS; read++) {
      Page<Job> page = jobs.ofSchedule(schedule, null, MOST_EXPLAINED, next);
      page.items().stream().filter(job -> job.state() != JobState.SKIPPED).forEach(newest::add);
      next = page.next();
      if (next == null || newest.size() >= MOST_EXPLAINED) {
        break;
      }
    }
    return newest.subList(0, Math.min(newest.size(), MOST_EXPLAINED));
  }

  /**
   * The collecting job with this id. The job moves from the item of the collecting job to an item
   * of its own, so the item of its own must be read last.
   */
  private Optional<CollectingJob> openJob(JobId id) {
    return id.isFire()
        ? Optional.empty()
        : collectingJob(id.schedule()).filter(counted -> isOpen(counted, id));
  }

  private static boolean isOpen(CollectingJob collectingJob, JobId id) {
    OpenJob open = collectingJob.open();
    return open != null && open.id().equals(id);
  }

  private Optional<CollectingJob> collectingJob(ScheduleId schedule) {
    return jobs.collectingJob(schedule, clock.instant())
        .map(Jobs.StoredCollectingJob::collectingJob);
  }

  boolean isCollecting(JobId id) {
    return openJob(id).isPresent();
  }

  private Job required(JobId id) {
    return find(id).orElseThrow(() -> missing(id.toString()));
  }

  private Optional<Job> find(JobId id) {
    return Optional.ofNullable(jobs.find(List.of(id)).get(id));
  }

  static Problem missing(String id) {
    return Problem.notFound(
        "there is no job " + Faults.quoted(id) + "; list the jobs of its schedule");
  }

  static JobId jobId(Call call) {
    String namespace = call.namespace();
    String given = call.path("id");
    try {
      JobId id = JobId.parse(given);
      if (id.schedule().namespace().equals(namespace)) {
        return id;
      }
    } catch (IllegalArgumentException noJobId) {
      throw missing(given);
    }
    throw missing(given);
  }

  /** The jobs of a schedule, newest first. The schedule may be deleted. */
  APIGatewayProxyResponseEvent ofSchedule(Call call) {
    ScheduleId schedule = call.scheduleId();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    JobState state = state(query);
    int limit = Listing.limit(query);
    String list = "jobs " + schedule + " " + state;
    String from = Cursor.open(query, list, JobHistory::isPosition);
    Problem.refuse(faults);
    if (lookup.head(schedule) == null) {
      throw Lookup.missing(schedule);
    }
    return Answer.of(
        200,
        Listing.fitting(
            limit,
            items -> {
              Page<ObjectNode> page = history.page(List.of(schedule), state, items, from);
              return Listing.page("jobs", page.items(), Cursor.seal(list, page.next()));
            }));
  }

  /** The state that a query filters by; null for any. */
  static @Nullable JobState state(Fields query) {
    return query.has("state")
        ? query.choice("state", STATES).map(JobState::valueOf).orElse(null)
        : null;
  }
}
