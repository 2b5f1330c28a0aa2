package dev.carillon.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.guide.GuidesTest;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The curl commands and JSON examples of the page of the API and of the guide, in their order, on a
 * local engine. Each page has a namespace of its own. {@code $api} is the address that {@code
 * five-minutes.md} gives it. {@link GuidesTest} runs the other pages.
 */
@Timeout(600)
class ExamplesTest {

  private static final String LOCAL = "http://localhost:8080";

  private static final Map<String, Pattern> IDS =
      Map.of(
          "JOB_ID", Pattern.compile("\"jobId\" ?: ?\"([^\"]+)\""),
          "BACKFILL_ID", Pattern.compile("\"backfillId\" ?: ?\"([^\"]+)\""));

  private static final Pattern API = Pattern.compile("(?m)^api=(http\\S+)/default$");

  private static final ObjectMapper JSON = new ObjectMapper();

  private static LocalEngine engine;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws InterruptedException {
    engine =
        LocalEngine.start(
            new LocalEngine.Options(Document.ROOT.resolve("template.yaml"), 0, 0, 0, null));
    engine.awaitReady();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  static List<Document> pages() throws IOException {
    return Stream.concat(
            Stream.of(Document.of("docs/api.md")),
            Document.all().stream().filter(page -> page.file().getParent().endsWith("guide")))
        .filter(page -> !GuidesTest.PAGES.contains(page.file().getFileName().toString()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachExampleOfAPageIsAccepted(Document page) throws Exception {
    Map<String, String> places = places(page);
    for (Document.Block block : page.blocks()) {
      if (block.language().equals("sh")) {
        runAll(block.text(), places);
      } else if (block.language().equals("json")) {
        store(block.text(), URI.create(places.get("$api")));
      }
    }
  }

  private static Map<String, String> places(Document page) {
    String namespace = page.file().getFileName().toString().replace(".md", "");
    Map<String, String> places = new HashMap<>();
    places.put("$api", namespaces() + "/" + namespace);
    places.put(LOCAL, engine.http().toString());
    places.put("http://localhost:9324", engine.sqs().toString());
    return places;
  }

  /** The address of all namespaces, as the reader sets it, on the engine of this test. */
  private static String namespaces() {
    return Document.of("docs/guide/five-minutes.md").blocks().stream()
        .filter(block -> block.language().equals("sh"))
        .flatMap(block -> API.matcher(block.text()).results())
        .map(address -> address.group(1).replace(LOCAL, engine.http().toString()))
        .findFirst()
        .orElseThrow();
  }

  private void runAll(String block, Map<String, String> places) throws Exception {
    for (List<String> command : Shell.commands(block)) {
      if (command.get(0).equals("curl")) {
        String answer = accepted(CurlCommand.of(command).request(places));
        IDS.forEach((place, id) -> remember(place, id.matcher(answer), places));
      }
    }
  }

  private static void remember(String place, Matcher id, Map<String, String> places) {
    if (id.find()) {
      places.put(place, id.group(1));
    }
  }

  private void store(String example, URI api) throws Exception {
    JsonNode json = JSON.readTree(example);
    if (json.has("trigger")) {
      accepted(put(api + "/schedules/example", example));
    } else if (json.has("eventType")) {
      accepted(post(api + "/events", "{\"events\": [" + example + "]}"));
    } else {
      assertThat(json.isContainerNode()).isTrue();
    }
  }

  private static HttpRequest put(String url, String body) {
    return json(url).PUT(BodyPublishers.ofString(body)).build();
  }

  private static HttpRequest post(String url, String body) {
    return json(url).POST(BodyPublishers.ofString(body)).build();
  }

  private static HttpRequest.Builder json(String url) {
    return HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json");
  }

  private String accepted(HttpRequest request) throws Exception {
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s: %s", request, answer.body()).isBetween(200, 299);
    return answer.body();
  }
}
