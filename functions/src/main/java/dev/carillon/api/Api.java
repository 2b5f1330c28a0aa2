package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.Fanout;
import dev.carillon.app.Apps;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.checker.CheckQueue;
import dev.carillon.checker.Hold;
import dev.carillon.gate.Gates;
import dev.carillon.ingest.Collector;
import dev.carillon.ingest.IngestQueue;
import dev.carillon.job.Jobs;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import dev.carillon.master.Expander;
import dev.carillon.master.StatusStore;
import dev.carillon.master.Timers;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API. Whatever a caller sends, the answer says what is wrong with it; a 5xx only says
 * that a store or queue failed.
 */
public final class Api {

  private static final String SCHEDULES = "/v1/namespaces/{ns}/schedules";
  private static final String SCHEDULE = SCHEDULES + "/{name}";
  private static final String APP = "/v1/namespaces/{ns}/apps/{app}";
  private static final String PROGRAM = "/v1/namespaces/{ns}/programs/{program}";
  private static final String CALENDARS = "/v1/namespaces/{ns}/calendars";
  private static final String RESOURCES = "/v1/namespaces/{ns}/resources";
  private static final String JOB = "/v1/namespaces/{ns}/jobs/{id}";
  private static final Logger LOG = LoggerFactory.getLogger(Api.class);

  private final Map<String, Map<String, Route>> routes;
  private final Predicate<RuntimeException> throttled;

  @FunctionalInterface
  private interface Route {
    APIGatewayProxyResponseEvent answer(Call call);
  }

  /** Everything outside that the API reads and writes. */
  public record Ports(
      Schedules schedules,
      Apps apps,
      Calendars calendars,
      Timers timers,
      Jobs jobs,
      Gates gates,
      StatusStore status,
      CheckQueue checks,
      IngestQueue ingest,
      TargetQueues targets,
      Queues queues) {}

  /**
   * @param fanout for changes of many schedules side by side
   * @param pause how it waits for an index
   * @param random for ids of events, of backfills, and of jobs that are launched by hand
   * @param throttled whether a failure means that a store or queue takes no more just now
   * @param simulator plays what callers want to try
   */
  public Api(
      Ports ports,
      ScheduleParser parser,
      TargetPolicy policy,
      Fanout fanout,
      InstantSource clock,
      Hold pause,
      Supplier<UUID> random,
      Predicate<RuntimeException> throttled,
      Simulator simulator) {
    this.throttled = throttled;
    Lookup lookup = new Lookup(ports.schedules(), ports.calendars(), ports.jobs(), parser);
    Changes changes =
        new Changes(
            ports.schedules(),
            lookup,
            new Expander(ports.timers(), ports.checks(), clock),
            new Collector(ports.jobs(), ports.checks(), clock),
            new WaitingJobs(ports.jobs(), ports.checks(), clock),
            clock,
            pause);
    ExcludedCalendars excluded = new ExcludedCalendars(lookup, ports.calendars());
    Documents documents = new Documents(parser, excluded, policy);
    Wishes wishes = new Wishes(lookup, documents, ports.targets());
    ScheduleRoutes schedule = new ScheduleRoutes(lookup, changes, wishes, clock);
    AppRoutes apps =
        new AppRoutes(
            ports.apps(), new Members(ports.schedules(), changes, wishes, clock, fanout), clock);
    GateViews gates = new GateViews(ports.gates());
    LaunchRoutes launches =
        new LaunchRoutes(lookup, ports.jobs(), gates, ports.checks(), clock, random);
    BackfillRoutes backfills =
        new BackfillRoutes(lookup, ports.jobs(), ports.checks(), clock, random);
    PreviewRoutes previews = new PreviewRoutes(lookup, parser, excluded, policy, clock);
    JobHistory history = new JobHistory(lookup, ports.jobs(), clock, fanout);
    JobRoutes jobs = new JobRoutes(lookup, ports.jobs(), history, gates, clock);
    ProgramRoutes programs =
        new ProgramRoutes(
            ports.schedules(), lookup, changes, wishes, gates, history, clock, fanout);
    CalendarRoutes calendars =
        new CalendarRoutes(
            ports.calendars(), ports.schedules(), new CalendarReader(parser.defaultZone()), clock);
    ResourceRoutes resources = new ResourceRoutes(ports.gates(), ports.checks(), clock);
    ScheduleList list = new ScheduleList(ports.schedules(), lookup, clock);
    EventRoutes events = new EventRoutes(ports.ingest(), clock, random);
    SimulationRoute simulation = new SimulationRoute(simulator, clock);
    StatusRoute status =
        new StatusRoute(ports.status(), ports.timers(), ports.jobs(), ports.queues(), clock);
    this.routes =
        Map.ofEntries(
            Map.entry(SCHEDULES, Map.of("GET", list::list)),
            Map.entry(
                SCHEDULE,
                Map.of("GET", schedule::get, "PUT", schedule::put, "DELETE", schedule::delete)),
            Map.entry(SCHEDULE + "/suspend", Map.of("POST", schedule::suspend)),
            Map.entry(SCHEDULE + "/resume", Map.of("POST", schedule::resume)),
            Map.entry(SCHEDULE + "/launch", Map.of("POST", launches::launch)),
            Map.entry(SCHEDULE + "/skip", Map.of("POST", launches::skip)),
            Map.entry(SCHEDULE + "/backfill", Map.of("POST", backfills::start)),
            Map.entry(
                SCHEDULE + "/backfills/{id}",
                Map.of("GET", backfills::get, "DELETE", backfills::cancel)),
            Map.entry(SCHEDULE + "/preview", Map.of("GET", previews::ofStored)),
            Map.entry(SCHEDULE + "/explain", Map.of("GET", jobs::explainSchedule)),
            Map.entry(SCHEDULE + "/jobs", Map.of("GET", jobs::ofSchedule)),
            Map.entry(APP, Map.of("GET", apps::get, "PUT", apps::put, "DELETE", apps::delete)),
            Map.entry(PROGRAM, Map.of("GET", programs::get, "DELETE", programs::delete)),
            Map.entry(PROGRAM + "/jobs", Map.of("GET", programs::jobs)),
            Map.entry(CALENDARS, Map.of("GET", calendars::list)),
            Map.entry(
                CALENDARS + "/{name}",
                Map.of("GET", calendars::get, "PUT", calendars::put, "DELETE", calendars::delete)),
            Map.entry(RESOURCES, Map.of("GET", resources::list)),
            Map.entry(
                RESOURCES + "/{name}",
                Map.of("GET", resources::get, "PUT", resources::put, "DELETE", resources::delete)),
            Map.entry(JOB, Map.of("GET", jobs::get)),
            Map.entry(JOB + "/explain", Map.of("GET", jobs::explain)),
            Map.entry("/v1/namespaces/{ns}/events", Map.of("POST", events::accept)),
            Map.entry("/v1/preview", Map.of("POST", previews::ofDocument)),
            Map.entry("/v1/simulate", Map.of("POST", simulation::play)),
            Map.entry("/v1/status", Map.of("GET", status::report)),
            Map.entry("/v1/openapi.json", Map.of("GET", OpenApiRoute::get)),
            Map.entry("/v1/schedule.schema.json", Map.of("GET", ScheduleSchema::answer)));
  }

  /** The methods of each path. */
  Map<String, Set<String>> routes() {
    return routes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, route -> route.getValue().keySet()));
  }

  public APIGatewayProxyResponseEvent handle(APIGatewayProxyRequestEvent request) {
    try {
      return route(request).answer(new Call(request));
    } catch (Problem problem) {
      return Answer.of(problem);
    } catch (RuntimeException failure) {
      if (throttled.test(failure)) {
        LOG.warn("{} {} was throttled", request.getHttpMethod(), request.getResource());
        return Answer.of(Problem.throttled());
      }
      LOG.error(
          "{} {} could not be answered", request.getHttpMethod(), request.getResource(), failure);
      return Answer.of(Problem.internal());
    }
  }

  private Route route(APIGatewayProxyRequestEvent request) {
    String resource = String.valueOf(request.getResource());
    Map<String, Route> methods = routes.get(resource);
    if (methods == null) {
      throw Problem.notFound("there is nothing under this address");
    }
    String method = String.valueOf(request.getHttpMethod());
    Route route = methods.get(method);
    if (route == null) {
      throw Problem.wrongMethod(method, new TreeSet<>(methods.keySet()));
    }
    return route;
  }
}
