package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No request causes a 5xx, and every response is complete. */
class FuzzTest {

  private static final int REQUESTS = 1_500;

  private static final List<String> PATHS =
      List.of(
          "/v1/namespaces/default/schedules",
          "/v1/namespaces/default/schedules/a",
          "/v1/namespaces/default/schedules/a/suspend",
          "/v1/namespaces/default/schedules/a/resume",
          "/v1/namespaces/default/schedules/a/launch",
          "/v1/namespaces/default/schedules/a/skip",
          "/v1/namespaces/default/schedules/a/preview",
          "/v1/namespaces/default/schedules/a/explain",
          "/v1/namespaces/default/schedules/a/jobs",
          "/v1/namespaces/default/jobs/default~a~00001~0kdl0d5c0",
          "/v1/namespaces/default/jobs/default~a~zzzzz~zzzzzzzzz~ezzzzz/explain",
          "/v1/namespaces/default/apps/exports",
          "/v1/namespaces/default/pools/encode",
          "/v1/namespaces/default/events",
          "/v1/preview",
          "/v1/status");

  private static final List<String> READS =
      List.of("/schedules", "/preview", "/explain", "/jobs", "/status");

  private static final List<String> DOCUMENTS =
      List.of(
          Docs.active(Docs.MINUTELY),
          Docs.active(Docs.and(Docs.MINUTELY, Docs.partition("d", 2))),
          Docs.of(Docs.or(Docs.DAILY, Docs.partition("d", 2)), ", \"tags\": {\"a\": \"b\"}"));

  private static final List<String> APPS =
      List.of(
          "{\"programs\": [\"b\"], \"schedules\": {\"b\": " + Docs.of(Docs.DAILY) + "}}",
          "{\"programs\": [], \"updateSchedules\": false, \"schedules\": {}}");

  /** The bodies that paths with these suffixes accept. */
  private static final Map<String, List<String>> BODIES =
      Map.of(
          "/a", DOCUMENTS,
          "/preview", List.of("{\"schedule\": " + Docs.of(Docs.DAILY) + ", \"count\": 3}"),
          "/suspend", List.of("{}", "{\"mode\": \"discard\", \"reason\": \"x\"}"),
          "/resume", List.of("{}"),
          "/exports", APPS,
          "/skip", List.of("{}"),
          "/launch",
              List.of(
                  "{}",
                  "{\"customer\": \"a\", \"priority\": 1, \"payload\": [{\"x\": 1}]}",
                  "{\"properties\": {\"a\": {\"b\": null}}, \"ignoreConstraints\": false}"),
          "/events",
              List.of(
                  "{\"events\": [{\"eventType\": \"PARTITION\", \"payload\":"
                      + " {\"datasetId\": \"d\", \"partitionKeys\": [1]}}]}",
                  "{\"events\": [{\"id\": \"1\", \"source\": \"s\", \"detail-type\": \"t\","
                      + " \"detail\": {}}]}"));

  private static final List<String> FRAGMENTS =
      List.of(
          "trigger",
          "target",
          "type",
          "cron",
          "rate",
          "at",
          "partition",
          "and",
          "or",
          "triggers",
          "expression",
          "0 0 3 * * ?",
          "* * * * * ?",
          "0 0 0 29 2 ? 2099",
          "every",
          "PT1S",
          "PT0S",
          "P9999999999D",
          "time",
          "2026-03-10T12:00:01Z",
          "+1000000000-12-31T23:59:59.999999999Z",
          "queue",
          "work",
          "carillon-check",
          "template",
          "${scheduledFor}",
          "${events[0].payload}",
          "${",
          "$${",
          "schedule",
          "from",
          "count",
          "events",
          "eventType",
          "PARTITION",
          "payload",
          "datasetId",
          "partitionKeys",
          "[1,2]",
          "SIZE",
          "bytes",
          "key",
          "mode",
          "discard",
          "reason",
          "priority",
          "properties",
          "state",
          "ACTIVE",
          "SUSPENDED",
          "zone",
          "Europe/Berlin",
          "limit",
          "next",
          "detail-type",
          "source",
          "detail",
          "Records",
          "s3",
          "eventSource",
          "aws:s3",
          "namespace",
          "id",
          "timestamp",
          "",
          " ",
          "\\u0000",
          "\\ud800",
          "ä€😀",
          "\\\"",
          "~1~0/",
          "constraints",
          "tags",
          "customer",
          "app",
          "program",
          "programs",
          "schedules",
          "updateSchedules",
          "dryRun",
          "dst",
          "gap",
          "anchor",
          "broken");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1",
          "3",
          "1e400",
          "-0.0",
          "1E-999999999",
          "9223372036854775808",
          "1.5",
          "9".repeat(400),
          "1e999999999",
          "1e2147483647",
          "100e2147483647",
          "1e99999999999",
          "2147483648",
          "1773144000000",
          "1e18");

  private final Caller caller = new Caller();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void noRequestCausesAServerError(long seed) {
    Random random = new Random(seed);
    caller.put("a", Docs.active(Docs.and(Docs.MINUTELY, Docs.partition("d", 2)))).is(201);
    for (int i = 0; i < REQUESTS; i++) {
      APIGatewayProxyRequestEvent request = request(random);
      var reply = Caller.reply(caller.api.handle(request));
      assertThat(reply.status())
          .as("seed %d, request %d: %s -> %s", seed, i, request, reply.body())
          .isBetween(200, 499);
      if (reply.status() >= 400) {
        assertThat(reply.json().path("status").asInt()).isEqualTo(reply.status());
        assertThat(reply.headers()).containsEntry("Content-Type", "application/problem+json");
      }
      if (i % 100 == 0) {
        caller.world.runFor(Duration.ofSeconds(1));
      }
    }
  }

  private static APIGatewayProxyRequestEvent request(Random random) {
    String path = pick(random, PATHS);
    String method = method(random, path);
    APIGatewayProxyRequestEvent request =
        Caller.request(method, path, body(random, path), Map.of());
    request.setHeaders(headers(random));
    if (random.nextInt(4) == 0) {
      Map<String, String> query = new HashMap<>();
      query.put(pick(random, FRAGMENTS), pick(random, random.nextBoolean() ? FRAGMENTS : NUMBERS));
      query.put(pick(random, FRAGMENTS), null);
      request.setQueryStringParameters(query);
    }
    if (random.nextInt(20) == 0) {
      request.setPathParameters(
          random.nextBoolean()
              ? null
              : Map.of("ns", text(random), "name", text(random), "app", text(random)));
    }
    request.setIsBase64Encoded(random.nextInt(20) == 0);
    return request;
  }

  /** A method, mostly one that the path allows. */
  private static String method(Random random, String path) {
    if (random.nextInt(10) == 0) {
      return pick(random, List.of("GET", "PUT", "POST", "DELETE", "PATCH", "", "get"));
    }
    if (path.endsWith("/schedules/a") || path.endsWith("/exports")) {
      return pick(random, List.of("GET", "PUT", "PUT", "PUT", "DELETE"));
    }
    if (path.endsWith("/a/preview")) {
      return pick(random, List.of("GET", "POST"));
    }
    boolean reads =
        READS.stream().anyMatch(path::endsWith) && !path.equals("/v1/preview")
            || path.contains("/jobs/");
    return reads ? "GET" : "POST";
  }

  private static Map<String, String> headers(Random random) {
    Map<String, String> headers = new HashMap<>();
    if (random.nextInt(10) == 0) {
      headers.put("If-Match", random.nextBoolean() ? "\"1\"" : text(random));
    }
    if (random.nextInt(10) == 0) {
      headers.put("If-None-Match", random.nextBoolean() ? "*" : text(random));
    }
    if (random.nextInt(10) == 0) {
      headers.put(null, null);
      headers.put("Content-Type", random.nextBoolean() ? null : text(random));
    }
    return random.nextInt(50) == 0 ? null : headers;
  }

  private static String body(Random random, String path) {
    List<String> taken = BODIES.getOrDefault(path.substring(path.lastIndexOf('/')), List.of("{}"));
    return switch (random.nextInt(12)) {
      case 0 -> null;
      case 1 -> text(random);
      case 2, 10, 11 -> pick(random, taken);
      case 3, 6, 7, 8, 9 -> mutated(random, pick(random, taken));
      case 4 -> "{\"events\": [" + json(random, 0) + ", " + json(random, 0) + "]}";
      case 5 -> "{\"trigger\": " + json(random, 1) + ", \"target\": " + json(random, 1) + "}";
      default -> json(random, 0);
    };
  }

  /** A document with some characters replaced, removed or doubled. */
  private static String mutated(Random random, String document) {
    StringBuilder mutated = new StringBuilder(document);
    for (int i = random.nextInt(3); i >= 0 && mutated.length() > 0; i--) {
      int place = random.nextInt(mutated.length());
      switch (random.nextInt(3)) {
        case 0 -> mutated.setCharAt(place, (char) random.nextInt(0x250));
        case 1 -> mutated.deleteCharAt(place);
        default -> mutated.insert(place, pick(random, NUMBERS));
      }
    }
    return mutated.toString();
  }

  private static String json(Random random, int depth) {
    int size = random.nextInt(5);
    return switch (random.nextInt(depth > 4 ? 4 : 7)) {
      case 0 -> pick(random, NUMBERS);
      case 1 -> "null";
      case 2 -> random.nextBoolean() ? "true" : "false";
      case 3 -> "\"" + pick(random, FRAGMENTS) + "\"";
      case 4 ->
          IntStream.range(0, size)
              .mapToObj(item -> json(random, depth + 1))
              .collect(Collectors.joining(",", "[", "]"));
      default ->
          IntStream.range(0, size)
              .mapToObj(item -> "\"" + pick(random, FRAGMENTS) + "\":" + json(random, depth + 1))
              .collect(Collectors.joining(",", "{", "}"));
    };
  }

  private static String text(Random random) {
    char[] characters = new char[random.nextInt(40)];
    for (int i = 0; i < characters.length; i++) {
      characters[i] =
          (char) (random.nextInt(5) == 0 ? random.nextInt(0x10000) : random.nextInt(128));
    }
    return new String(Arrays.copyOf(characters, characters.length));
  }

  private static <T> T pick(Random random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
