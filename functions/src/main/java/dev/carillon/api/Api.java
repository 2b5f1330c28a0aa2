package dev.carillon.api;

import static dev.carillon.api.Paths.APP;
import static dev.carillon.api.Paths.CALENDARS;
import static dev.carillon.api.Paths.JOB;
import static dev.carillon.api.Paths.JOBS;
import static dev.carillon.api.Paths.POOLS;
import static dev.carillon.api.Paths.PROGRAM;
import static dev.carillon.api.Paths.RESOURCES;
import static dev.carillon.api.Paths.SCHEDULE;
import static dev.carillon.api.Paths.SCHEDULES;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.check.Shared;
import dev.carillon.checker.PoolPulls;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.report.PoolWakeups;
import dev.carillon.report.RunReports;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.runtime.Sleeper;
import dev.carillon.schedule.ScheduleParser;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The HTTP API. A 4xx answer names the request's fault; a 5xx means that a service failed. */
public final class Api {

  private final ApiPorts ports;
  private final ScheduleParser parser;
  private final TargetPolicy policy;
  private final Fanout fanout;
  private final OptimisticUpdate updates;
  private final InstantSource clock;
  private final Supplier<UUID> random;
  private final FailureAnswers failures;
  private final Simulator simulator;
  private final Lookup lookup;
  private final Changes changes;
  private final AllowedQueues queues;
  private final Shared shared;
  private final Sleeper pause;
  private final ExcludedCalendars excluded;
  private final DesiredState desired;

  @FunctionalInterface
  private interface Route {
    APIGatewayProxyResponseEvent answer(Call call);
  }

  /**
   * @param fanout runs independent changes of many schedules in parallel
   * @param pause waits between reads of an index
   * @param random makes the ids of events and backfills, and of jobs that a caller launches
   * @param throttled whether a failure means that a store or a queue throttles its callers
   * @param simulator runs the scenarios that callers submit
   */
  public Api(
      ApiPorts ports,
      ScheduleParser parser,
      TargetPolicy policy,
      Fanout fanout,
      OptimisticUpdate updates,
      InstantSource clock,
      Sleeper pause,
      Supplier<UUID> random,
      Predicate<RuntimeException> throttled,
      Simulator simulator) {
    this.ports = ports;
    this.parser = parser;
    this.policy = policy;
    this.fanout = fanout;
    this.updates = updates;
    this.clock = clock;
    this.random = random;
    this.failures = new FailureAnswers(throttled);
    this.simulator = simulator;
    this.lookup = new Lookup(ports.schedules(), ports.calendars(), ports.jobs(), parser);
    this.changes =
        new Changes(
            ports.schedules(),
            lookup,
            new ChangeEffects(ports, lookup, updates, clock),
            new IndexWait(ports.schedules(), pause),
            updates,
            clock);
    this.shared = ports.shared(parser, updates);
    this.pause = pause;
    this.queues = new AllowedQueues(policy, ports.targets());
    this.excluded = new ExcludedCalendars(lookup, ports.calendars());
    this.desired = new DesiredState(parser, excluded, queues, ports.pools());
  }

  /**
   * The routes at a path, by method; empty for an unknown path. Creates only the classes of one
   * path, because creating all of them slows a cold start.
   */
  private Map<String, Route> at(String path) {
    if (path.startsWith(SCHEDULES)) {
      return ofSchedules(path);
    }
    return path.startsWith(JOBS) ? ofJobs(path) : ofOthers(path);
  }

  private Map<String, Route> ofSchedules(String path) {
    return switch (path) {
      case SCHEDULES -> Map.of("GET", new ScheduleList(ports.schedules(), lookup, clock)::list);
      case SCHEDULE ->
          Map.of("GET", schedule()::get, "PUT", schedule()::put, "DELETE", schedule()::delete);
      case SCHEDULE + "/suspend" -> Map.of("POST", schedule()::suspend);
      case SCHEDULE + "/resume" -> Map.of("POST", schedule()::resume);
      case SCHEDULE + "/launch" -> Map.of("POST", launches()::launch);
      case SCHEDULE + "/skip" -> Map.of("POST", launches()::skip);
      case SCHEDULE + "/backfill" -> Map.of("POST", backfills()::start);
      case SCHEDULE + "/backfills/{id}" ->
          Map.of("GET", backfills()::get, "DELETE", backfills()::cancel);
      case SCHEDULE + "/preview" ->
          Map.of("GET", previews()::ofStored, "POST", previews()::ofNamedDocument);
      case SCHEDULE + "/explain" -> Map.of("GET", jobs()::explainSchedule);
      case SCHEDULE + "/jobs" -> Map.of("GET", jobs()::ofSchedule);
      default -> Map.of();
    };
  }

  private Map<String, Route> ofJobs(String path) {
    return switch (path) {
      case JOBS -> Map.of("GET", new JobList(sources(), clock)::list);
      case JOBS + "/cancel" -> Map.of("POST", manyJobs()::cancel);
      case JOBS + "/retry" -> Map.of("POST", manyJobs()::retry);
      case JOB -> Map.of("GET", jobs()::get);
      case JOB + "/explain" -> Map.of("GET", jobs()::explain);
      case JOB + "/claim" -> Map.of("POST", runs()::claim);
      case JOB + "/heartbeat" -> Map.of("POST", runs()::heartbeat);
      case JOB + "/succeed" -> Map.of("POST", runs()::succeed);
      case JOB + "/fail" -> Map.of("POST", runs()::fail);
      case JOB + "/cancel" -> Map.of("POST", runs()::cancel);
      case JOB + "/retry" -> Map.of("POST", runs()::retry);
      default -> Map.of();
    };
  }

  private Map<String, Route> ofOthers(String path) {
    return switch (path) {
      case APP -> Map.of("GET", apps()::get, "PUT", apps()::put, "DELETE", apps()::delete);
      case PROGRAM -> Map.of("GET", programs()::get, "DELETE", programs()::delete);
      case PROGRAM + "/jobs" -> Map.of("GET", programs()::jobs);
      case CALENDARS -> Map.of("GET", calendars()::list);
      case CALENDARS + "/{name}" ->
          Map.of("GET", calendars()::get, "PUT", calendars()::put, "DELETE", calendars()::delete);
      case POOLS -> Map.of("GET", pools()::list);
      case POOLS + "/{pool}" ->
          Map.of("GET", pools()::get, "PUT", pools()::put, "DELETE", pools()::delete);
      case POOLS + "/{pool}/next" -> Map.of("POST", pulls()::next);
      case RESOURCES -> Map.of("GET", resources()::list);
      case RESOURCES + "/{name}" ->
          Map.of("GET", resources()::get, "PUT", resources()::put, "DELETE", resources()::delete);
      default -> ofService(path);
    };
  }

  private Map<String, Route> ofService(String path) {
    return switch (path) {
      case Paths.EVENTS -> Map.of("POST", new EventRoutes(ports.ingest(), clock, random)::accept);
      case Paths.PREVIEW -> Map.of("POST", previews()::ofDocument);
      case Paths.SIMULATE -> Map.of("POST", new SimulationRoute(simulator, clock)::simulate);
      case Paths.STATUS -> Map.of("GET", call -> status().report());
      case Paths.OPEN_API -> Map.of("GET", call -> OpenApiRoute.get());
      case Paths.SCHEMA -> Map.of("GET", call -> ScheduleSchema.answer());
      default -> Map.of();
    };
  }

  private ScheduleRoutes schedule() {
    return new ScheduleRoutes(lookup, changes, desired, repairs(), ports.timers(), clock);
  }

  private LaunchRoutes launches() {
    return new LaunchRoutes(lookup, ports.jobs(), gates(), ports.checks(), clock, random);
  }

  private BackfillRoutes backfills() {
    return new BackfillRoutes(lookup, ports.backfills(), ports.checks(), updates, clock, random);
  }

  private PreviewRoutes previews() {
    return new PreviewRoutes(lookup, parser, excluded, policy, clock);
  }

  private JobRoutes jobs() {
    return new JobRoutes(
        lookup,
        ports.jobs(),
        ports.backfills(),
        ports.pools(),
        new Requests(policy),
        history(),
        gates(),
        clock);
  }

  private ManyJobs manyJobs() {
    return new ManyJobs(lookup, sources(), reports(), fanout, clock);
  }

  private JobSources sources() {
    return new JobSources(
        ports.lists(), ports.jobs(), ports.schedules(), ports.status(), history(), fanout);
  }

  private RunRoutes runs() {
    return new RunRoutes(reports(), clock, random, jobs()::isCollecting);
  }

  private RunReports reports() {
    return new RunReports(shared, clock);
  }

  private JobHistory history() {
    return new JobHistory(lookup, ports.jobs(), clock, fanout);
  }

  private GateViews gates() {
    return new GateViews(ports.gates(), ports.jobs());
  }

  private AppRoutes apps() {
    Members members = new Members(ports.schedules(), changes, desired, clock, fanout);
    return new AppRoutes(ports.apps(), members, clock);
  }

  private ProgramRoutes programs() {
    return new ProgramRoutes(ports.schedules(), lookup, changes, gates(), history(), clock, fanout);
  }

  private CalendarRoutes calendars() {
    CalendarReader reader = new CalendarReader(parser.defaultZone());
    return new CalendarRoutes(ports.calendars(), ports.schedules(), reader, updates, clock);
  }

  private PullRoute pulls() {
    PoolPulls pulls = new PoolPulls(shared, new Requests(policy), clock);
    return new PullRoute(pulls, clock, pause, random);
  }

  private PoolRoutes pools() {
    return new PoolRoutes(
        ports.pools(), ports.schedules(), queues, new PoolWakeups(shared, clock), updates, clock);
  }

  private ResourceRoutes resources() {
    return new ResourceRoutes(ports.gates(), ports.checks(), updates, repairs(), clock);
  }

  private GateRepairs repairs() {
    return new GateRepairs(ports.gates(), ports.checks(), updates, clock);
  }

  private StatusRoute status() {
    return new StatusRoute(ports, clock);
  }

  /** The allowed methods of each path. */
  Map<String, Set<String>> routes() {
    Map<String, Set<String>> routes = new TreeMap<>();
    Paths.ALL.forEach(path -> routes.put(path, at(path).keySet()));
    return routes;
  }

  public APIGatewayProxyResponseEvent handle(APIGatewayProxyRequestEvent request) {
    try {
      return route(request).answer(Call.of(request));
    } catch (RuntimeException failure) {
      return failures.answer(request, failure);
    }
  }

  private Route route(APIGatewayProxyRequestEvent request) {
    String resource = String.valueOf(request.getResource());
    Map<String, Route> methods = at(resource);
    if (methods.isEmpty()) {
      throw Problem.unknownRoute();
    }
    String method = String.valueOf(request.getHttpMethod());
    Route route = methods.get(method);
    if (route == null) {
      throw Problem.wrongMethod(method, new TreeSet<>(methods.keySet()));
    }
    return route;
  }
}
