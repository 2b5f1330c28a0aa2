package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Json;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.world.World;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls the API on a world's stores and queues, in the form that API Gateway gives to requests. */
final class Caller {

  static final String NOW = "2026-03-10T12:00:00Z";
  static final String SCHEDULES = "/v1/namespaces/default/schedules";
  static final String RESERVED_ARN = "arn:aws:sqs:eu-west-1:000000000000:carillon-check";

  private static final List<String> RESOURCES =
      List.of(
          "/v1/namespaces/{ns}/schedules",
          "/v1/namespaces/{ns}/schedules/{name}",
          "/v1/namespaces/{ns}/schedules/{name}/suspend",
          "/v1/namespaces/{ns}/schedules/{name}/resume",
          "/v1/namespaces/{ns}/schedules/{name}/launch",
          "/v1/namespaces/{ns}/schedules/{name}/skip",
          "/v1/namespaces/{ns}/schedules/{name}/preview",
          "/v1/namespaces/{ns}/schedules/{name}/explain",
          "/v1/namespaces/{ns}/schedules/{name}/jobs",
          "/v1/namespaces/{ns}/calendars",
          "/v1/namespaces/{ns}/calendars/{name}",
          "/v1/namespaces/{ns}/jobs/{id}",
          "/v1/namespaces/{ns}/jobs/{id}/explain",
          "/v1/namespaces/{ns}/events",
          "/v1/preview",
          "/v1/status");

  final World world;
  final Api api;

  /** How long the API has waited for an index in all. */
  Duration paused = Duration.ZERO;

  /** What the API's own queues hold. */
  List<Queues.Depth> depths =
      List.of(
          new Queues.Depth("ingest", "http://localhost/ingest", 3),
          new Queues.Depth("checkDeadLetters", "http://localhost/dead", 0));

  private long uuids;

  Caller() {
    this(new World(NOW), UnaryOperator.identity());
  }

  /**
   * @param around stands between the API and the stored schedules
   */
  Caller(World world, UnaryOperator<Schedules> around) {
    this.world = world;
    Api.Ports ports =
        new Api.Ports(
            around.apply(world.schedules),
            world.calendars,
            world.timers,
            world.jobs,
            world.status,
            world.checkQueue,
            world.ingestQueue,
            world.targets,
            () -> depths);
    this.api =
        new Api(
            ports,
            new ScheduleParser(ZoneOffset.UTC),
            new TargetPolicy(
                "eu-west-1",
                "000000000000",
                List.of("arn:aws:sqs:eu-west-1:000000000000:*"),
                Set.of(RESERVED_ARN)),
            world::now,
            rest -> paused = paused.plus(rest),
            () -> new UUID(0x4000L, 0x8000000000000000L + ++uuids),
            failure -> failure instanceof Throttled);
  }

  /** What a store throws that takes no more. */
  static final class Throttled extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What came back. */
  record Reply(int status, Map<String, String> headers, String body) {

    JsonNode json() {
      return Caller.json(body);
    }

    String etag() {
      return headers.get("ETag");
    }

    /** Asserts what kind of answer it is. */
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

  /** A schedule, by its name. */
  Reply schedule(String name) {
    return get(SCHEDULES + "/" + name);
  }

  /** Does something with a schedule. */
  Reply act(String name, String action, String body) {
    return post(SCHEDULES + "/" + name + "/" + action, body);
  }

  Reply send(String method, String path, String body, Map<String, String> headers) {
    return reply(api.handle(request(method, path, body, headers)));
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
    for (String resource : RESOURCES) {
      Matcher match = pattern(resource).matcher(parts[0]);
      if (match.matches()) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name : List.of("ns", "name", "id")) {
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
