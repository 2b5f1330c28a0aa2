package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.check.Check;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.memory.MemoryApps;
import dev.carillon.memory.MemoryJobLists;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.simulation.Simulation;
import dev.carillon.system.World;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls the API on a world's stores and queues with requests in the form of API Gateway. */
final class Caller {

  static final String NOW = "2026-03-10T12:00:00Z";
  static final String SCHEDULES = "/v1/namespaces/default/schedules";
  static final String RESERVED_ARN = "arn:aws:sqs:eu-west-1:000000000000:carillon-check";

  /** API Gateway prefers a path without parameters. */
  private static final List<String> LITERAL_FIRST =
      OpenApi.paths().stream()
          .sorted(Comparator.comparing(path -> path.chars().filter(one -> one == '{').count()))
          .toList();

  final World world;
  final Api api;

  /** The total time that the API has waited for an index or a pool. */
  Duration paused = Duration.ZERO;

  /** Runs whenever the API waits. */
  Runnable onPause = () -> {};

  /** The messages in the API's own queues. */
  List<Queues.Depth> depths =
      List.of(
          new Queues.Depth("ingest", "http://localhost/ingest", 3),
          new Queues.Depth("checkDeadLetters", "http://localhost/dead", 0));

  /** Whether the ingest queue fails. */
  boolean ingestFails;

  /** Whether the check queue fails. */
  boolean checksFail;

  /** Whether each change of a calendar loses a race. */
  boolean calendarsLoseRaces;

  /** Whether each change of a pool loses a race. */
  boolean poolsLoseRaces;

  /** Whether each change of a gate loses a race. */
  boolean gatesLoseRaces;

  /** Whether each change of a backfill loses a race. */
  boolean backfillsLoseRaces;

  /** Whether the reply to the next insert is lost, so that the insert is repeated minutes later. */
  boolean losesReplyToInsert;

  /** How far the API's clock moves whenever the API reads it. */
  Duration perReading = Duration.ZERO;

  /** By how much the readings have moved the API's clock. */
  Duration read = Duration.ZERO;

  /** The jobs that the API cannot read. */
  final Set<JobId> unreadable = new HashSet<>();

  /** Runs whenever the API reads the history of a schedule. */
  Runnable onHistory = () -> {};

  /** Counts the documents that the API parses. */
  final CountingParser parser = new CountingParser();

  private long uuids;

  Caller() {
    this(new World(NOW), UnaryOperator.identity());
  }

  /**
   * @param around wraps the stored schedules that the API uses
   */
  Caller(World world, UnaryOperator<Schedules> around) {
    this(world, new MemoryApps(), around);
  }

  Caller(World world, Apps apps, UnaryOperator<Schedules> around) {
    this(world, apps, around, Duration.ofMinutes(1));
  }

  /**
   * @param masterPeriod how often the API expects the master to tick
   */
  Caller(World world, Apps apps, UnaryOperator<Schedules> around, Duration masterPeriod) {
    this.world = world;
    ApiPorts ports =
        new ApiPorts(
            around.apply(world.schedules),
            apps,
            calendars(),
            pools(),
            world.timers,
            losingReplies(Jobs.class),
            new MemoryJobLists(world.jobs),
            losingReplies(Backfills.class),
            gates(),
            world.status,
            this::check,
            this::ingest,
            world.targets,
            () -> depths,
            masterPeriod);
    this.api =
        new Api(
            ports,
            parser,
            new TargetPolicy(
                "eu-west-1",
                "000000000000",
                "",
                List.of("arn:aws:sqs:eu-west-1:000000000000:*"),
                Set.of(RESERVED_ARN)),
            new Fanout(Runnable::run),
            world.updates,
            this::now,
            this::pause,
            () -> new UUID(0x4000L, 0x8000000000000000L + ++uuids),
            failure -> failure instanceof Throttled,
            new Simulation(
                new ScheduleParser(ZoneOffset.UTC),
                new TargetPolicy("eu-west-1", "000000000000", "", List.of("*"), Set.of())));
  }

  private void pause(Duration rest) {
    paused = paused.plus(rest);
    onPause.run();
  }

  private Instant now() {
    Instant now = world.now().plus(read);
    read = read.plus(perReading);
    return now;
  }

  private Gates gates() {
    return (Gates)
        Proxy.newProxyInstance(
            Gates.class.getClassLoader(),
            new Class<?>[] {Gates.class},
            (proxy, method, arguments) ->
                gatesLoseRaces && method.getName().equals("update")
                    ? false
                    : method.invoke(world.gates, arguments));
  }

  private <P> P losingReplies(Class<P> port) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (backfillsLoseRaces && method.getName().equals("saveBackfill")) {
                return false;
              }
              if (losesReplyToInsert
                  && Set.of("insert", "saveBackfill").contains(method.getName())) {
                losesReplyToInsert = false;
                method.invoke(world.jobs, arguments);
                world.runFor(Duration.ofMinutes(3));
              }
              if (method.getName().equals("find")) {
                Set<JobId> damaged = new HashSet<>(unreadable);
                damaged.retainAll((Collection<?>) arguments[0]);
                if (!damaged.isEmpty()) {
                  throw new UnreadableJobs(damaged, new IllegalStateException("damaged"));
                }
              }
              if (method.getName().equals("ofSchedule")) {
                onHistory.run();
              }
              return method.invoke(world.jobs, arguments);
            }));
  }

  private Calendars calendars() {
    return (Calendars)
        Proxy.newProxyInstance(
            Calendars.class.getClassLoader(),
            new Class<?>[] {Calendars.class},
            (proxy, method, arguments) ->
                calendarsLoseRaces && method.getReturnType() == boolean.class
                    ? false
                    : method.invoke(world.calendars, arguments));
  }

  private Pools pools() {
    return (Pools)
        Proxy.newProxyInstance(
            Pools.class.getClassLoader(),
            new Class<?>[] {Pools.class},
            (proxy, method, arguments) ->
                poolsLoseRaces && method.getReturnType() == boolean.class
                    ? false
                    : method.invoke(world.gates.pools(), arguments));
  }

  private void check(List<Check> checks, Instant now) {
    if (checksFail) {
      throw new IllegalStateException("the check queue is unavailable");
    }
    world.checkQueue.send(checks, now);
  }

  private void ingest(List<String> bodies, Duration delay) {
    if (ingestFails) {
      throw new IllegalStateException("the ingest queue is unavailable");
    }
    world.ingestQueue.send(bodies);
  }

  /** Thrown by a store that throttles its callers. */
  static final class Throttled extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A response. */
  record Reply(int status, Map<String, String> headers, String body) {

    JsonNode json() {
      return Caller.json(body);
    }

    String etag() {
      return headers.get("ETag");
    }

    /** Asserts the kind of response. */
    Reply is(int expected) {
      assertThat(status).as(body).isEqualTo(expected);
      return this;
    }

    List<String> pointers() {
      return json().path("errors").findValuesAsText("pointer");
    }
  }

  static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException notJson) {
      throw new AssertionError("not JSON: " + text, notJson);
    }
  }

  Reply get(String path) {
    return send("GET", path, null, Map.of());
  }

  Reply post(String path, String body) {
    return send("POST", path, body, Map.of("content-type", "application/json; charset=utf-8"));
  }

  Reply put(String name, String document) {
    return put(name, document, Map.of());
  }

  Reply put(String name, String document, Map<String, String> headers) {
    return send("PUT", SCHEDULES + "/" + name, document, headers);
  }

  Reply delete(String name) {
    return send("DELETE", SCHEDULES + "/" + name, null, Map.of());
  }

  /** The schedule with a name. */
  Reply schedule(String name) {
    return get(SCHEDULES + "/" + name);
  }

  /** Calls an action of a schedule. */
  Reply act(String name, String action, String body) {
    return post(SCHEDULES + "/" + name + "/" + action, body);
  }

  Reply send(String method, String path, String body, Map<String, String> headers) {
    APIGatewayProxyRequestEvent request = request(method, path, body, headers);
    Reply reply = reply(api.handle(request));
    OpenApi.assertKnows(method, request.getResource(), reply);
    return reply;
  }

  static Reply reply(APIGatewayProxyResponseEvent response) {
    return new Reply(response.getStatusCode(), response.getHeaders(), response.getBody());
  }

  static APIGatewayProxyRequestEvent request(
      String method, String path, String body, Map<String, String> headers) {
    String[] parts = path.split("\\?", 2);
    APIGatewayProxyRequestEvent request =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withPath(parts[0])
            .withResource(parts[0])
            .withHeaders(headers)
            .withBody(body);
    addQuery(request, parts.length == 1 ? "" : parts[1]);
    for (String resource : LITERAL_FIRST) {
      Matcher match = pattern(resource).matcher(parts[0]);
      if (match.matches()) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name : List.of("ns", "name", "app", "program", "pool", "id")) {
          if (resource.contains("{" + name + "}")) {
            parameters.put(name, match.group(name));
          }
        }
        return request.withResource(resource).withPathParameters(parameters);
      }
    }
    return request;
  }

  private static Pattern pattern(String resource) {
    return Pattern.compile(resource.replaceAll("\\{(\\w+)}", "(?<$1>[^/]+)"));
  }

  private static void addQuery(APIGatewayProxyRequestEvent request, String query) {
    Map<String, String> last = new LinkedHashMap<>();
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      if (!pair.isEmpty()) {
        String[] sides = pair.split("=", 2);
        String value = sides.length == 1 ? "" : sides[1];
        last.put(sides[0], value);
        all.computeIfAbsent(sides[0], name -> new ArrayList<>()).add(value);
      }
    }
    request.withQueryStringParameters(last.isEmpty() ? null : last);
    request.withMultiValueQueryStringParameters(all.isEmpty() ? null : all);
  }
}
