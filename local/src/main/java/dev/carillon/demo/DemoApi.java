package dev.carillon.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.StreamSupport;

/** The part of the HTTP API that the demo uses, in one namespace. */
final class DemoApi {

  /** The namespace of events that name none, such as those of EventBridge. */
  static final String NAMESPACE = "default";

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final int MOST_FIRES = 1_000;

  private final URI root;
  private final HttpClient client = HttpClient.newHttpClient();

  DemoApi(URI root) {
    this.root = root;
  }

  /**
   * A preview of a schedule.
   *
   * @param description a description of the trigger
   * @param fires the next fires in order; empty if the schedule has no time leaf
   */
  record Preview(String description, List<Fire> fires) {}

  /**
   * A future fire.
   *
   * @param local the time in the trigger's zone
   * @param request the body of its launch request
   */
  record Fire(Instant scheduledFor, String local, String request) {}

  /** Stores a schedule; returns the instant of its creation. */
  Instant put(String name, JsonNode document) {
    JsonNode stored = send("PUT", "schedules/" + name, document);
    return Instant.parse(stored.path("createdAt").asText());
  }

  /** Launches a schedule manually; returns the id of the job. */
  String launch(String name, ObjectNode launch) {
    return send("POST", "schedules/" + name + "/launch", launch).path("jobId").asText();
  }

  void send(List<JsonNode> events) {
    ObjectNode body = Json.object();
    body.putArray("events").addAll(events);
    send("POST", "events", body);
  }

  Preview preview(String name, Instant from) {
    String query = "/preview?count=" + MOST_FIRES + "&from=" + from.truncatedTo(ChronoUnit.MILLIS);
    JsonNode preview = answer(request("schedules/" + name + query).GET().build());
    return new Preview(
        preview.path("description").asText(),
        StreamSupport.stream(preview.path("fires").spliterator(), false)
            .map(DemoApi::fire)
            .toList());
  }

  private static Fire fire(JsonNode fire) {
    return new Fire(
        Instant.parse(fire.path("scheduledFor").asText()),
        fire.path("local").asText(),
        fire.path("request").path("body").asText());
  }

  private JsonNode send(String method, String path, JsonNode body) {
    return answer(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(Json.write(body)))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    URI address = root.resolve("/v1/namespaces/" + NAMESPACE + "/" + path);
    return HttpRequest.newBuilder(address).timeout(LONGEST_ANSWER);
  }

  private JsonNode answer(HttpRequest request) {
    String what = request.method() + " " + request.uri().getPath();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new DemoFault(what + " answered " + answer.statusCode() + ": " + answer.body());
      }
      return Json.read(answer.body());
    } catch (JsonProcessingException notJson) {
      throw new DemoFault(what + " returned a body that is not JSON", notJson);
    } catch (IOException fault) {
      throw new DemoFault(what + " got no answer: " + fault, fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new DemoFault("the demo was interrupted", stop);
    }
  }
}
