package dev.carillon.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The schedules of the test, and the HTTP API that creates them. */
final class Deployment {

  static final String NAMESPACE = "kill";
  static final String QUEUE = "launches";
  static final String DATASET = "kill.parts";

  /** The schedule that launches for each event. */
  static final String SINGLE = "by-one";

  /** The schedule that launches for three events. */
  static final String TRIPLE = "by-three";

  static final int TRIPLE_COUNT = 3;

  static final List<Clockwork> CLOCKWORKS =
      List.of(
          new Clockwork("each-second", "{'type': 'cron', 'expression': '* * * * * ?'}", 1, false),
          new Clockwork("even-second", "{'type': 'cron', 'expression': '0/2 * * * * ?'}", 2, false),
          new Clockwork("rate", "{'type': 'rate', 'every': 'PT3S'}", 3, true),
          new Clockwork(
              "mixed",
              """
              {'type': 'or', 'triggers': [{'type': 'cron', 'expression': '0/5 * * * * ?'},
                                          {'type': 'event', 'key': 'that never comes'}]}
              """,
              5,
              false));

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * A schedule that the clock launches.
   *
   * @param anchored whether its fires are counted from its creation instead of from whole seconds
   */
  record Clockwork(String name, String trigger, int everySeconds, boolean anchored) {

    /** The fires in (created, end]. */
    Set<Instant> fires(Instant created, Instant end) {
      long step = Duration.ofSeconds(everySeconds).toMillis();
      long first = created.toEpochMilli() + step;
      if (!anchored) {
        first -= Math.floorMod(first, step);
      }
      Set<Instant> fires = new TreeSet<>();
      for (long at = first; at <= end.toEpochMilli(); at += step) {
        fires.add(Instant.ofEpochMilli(at));
      }
      return fires;
    }
  }

  /** A schedule that was created. */
  record Created(Clockwork clockwork, Instant at) {}

  List<Created> createAll(URI http) throws IOException, InterruptedException {
    List<Created> created = new ArrayList<>();
    for (Clockwork clockwork : CLOCKWORKS) {
      created.add(new Created(clockwork, create(http, clockwork.name(), clockwork.trigger())));
    }
    create(http, SINGLE, partition(1));
    create(http, TRIPLE, partition(TRIPLE_COUNT));
    return created;
  }

  private static String partition(int count) {
    return "{'type': 'partition', 'dataset': '%s', 'count': %d}".formatted(DATASET, count);
  }

  private Instant create(URI http, String name, String trigger)
      throws IOException, InterruptedException {
    String document =
        """
        {'trigger': %s, 'state': 'ACTIVE',
         'target': {'queue': '%s', 'template': {'trigger': '${trigger}'}}}
        """
            .formatted(trigger, QUEUE)
            .replace('\'', '"');
    HttpResponse<String> answer = send(http, "PUT", "schedules/" + name, document);
    if (answer.statusCode() != 201) {
      throw new IllegalStateException(name + " was not created: " + answer.body());
    }
    return Instant.parse(Json.read(answer.body()).path("createdAt").textValue());
  }

  void suspend(URI http, String name) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(http, "POST", "schedules/" + name + "/suspend", "{}");
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(name + " was not suspended: " + answer.body());
    }
  }

  JsonNode get(URI http, String path) throws IOException, InterruptedException {
    HttpRequest request = request(http, path).GET().build();
    return Json.read(client.send(request, BodyHandlers.ofString()).body());
  }

  /**
   * Sends events; true if the API accepted them. After an exception, it is unknown whether the API
   * accepted them.
   */
  boolean post(URI http, String events) throws IOException, InterruptedException {
    return send(http, "POST", "events", "{\"events\": [" + events + "]}").statusCode() == 202;
  }

  private HttpResponse<String> send(URI http, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        request(http, "/v1/namespaces/" + NAMESPACE + "/" + path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(URI http, String path) {
    return HttpRequest.newBuilder(http.resolve(path)).timeout(LONGEST_ANSWER);
  }
}
