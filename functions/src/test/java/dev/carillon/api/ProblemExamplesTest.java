package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Schedules;
import dev.carillon.system.World;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The examples of problems, on their page and in the OpenAPI document, are what the API answers.
 */
class ProblemExamplesTest {

  private static final Path PAGE = Path.of("../docs/reference/problems.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```json\\n(.*?)^```$");

  @ParameterizedTest
  @EnumSource
  void thePageShowsTheAnswer(ProblemType type) throws IOException {
    assertThat(provoked(type)).isEqualTo(onThePage().get(type.uri()));
  }

  private static JsonNode provoked(ProblemType type) {
    return switch (type) {
      case INVALID_REQUEST ->
          new Caller()
              .put("nightly", Docs.of(Docs.DAILY.replace("0 0 3", "0 0 25")))
              .is(400)
              .json();
      case NOT_FOUND -> new Caller().schedule("nightly").is(404).json();
      case UNKNOWN_ROUTE -> new Caller().get("/v1/nothing").is(404).json();
      case METHOD_NOT_ALLOWED -> new Caller().post("/v1/status", "{}").is(405).json();
      case STATE_CONFLICT -> calendarInUse();
      case SUPERSEDED -> ofARun(JobState.CLAIMED, "claim", "{\"worker\": \"encoder-2\"}");
      case NOT_YET -> ofARun(null, "claim", "{\"worker\": \"encoder-2\"}");
      case STALE_CLAIM -> ofARun(JobState.CLAIMED, "heartbeat", "{\"claimToken\": \"of-before\"}");
      case CONCURRENT_CHANGE -> lostRaces();
      case PRECONDITION_FAILED ->
          stored().put("nightly", Docs.of(Docs.DAILY), Map.of("If-Match", "\"2\"")).is(412).json();
      case BODY_TOO_LARGE -> new Caller().put("nightly", " ".repeat(70_000)).is(413).json();
      case UNSUPPORTED_MEDIA_TYPE ->
          new Caller().put("nightly", "{}", Map.of("Content-Type", "text/plain")).is(415).json();
      case THROTTLED -> failing(Caller.Throttled::new).schedule("nightly").is(429).json();
      case INTERNAL_ERROR ->
          failing(() -> new IllegalStateException("broken")).schedule("nightly").is(500).json();
      case INCOMPLETE -> withoutIngestQueue();
    };
  }

  private static Caller stored() {
    Caller caller = new Caller();
    caller.put("nightly", Docs.of(Docs.DAILY)).is(201);
    return caller;
  }

  private static JsonNode calendarInUse() {
    Caller caller = new Caller();
    String calendar = "/v1/namespaces/default/calendars/us-holidays";
    caller.send("PUT", calendar, "{\"dates\": [\"2026-12-25\"]}", Map.of()).is(201);
    String excluding = Docs.DAILY.replace("}", ", \"exclude\": [\"us-holidays\"]}");
    caller.put("nightly", Docs.of(excluding)).is(201);
    return caller.send("DELETE", calendar, null, Map.of()).is(409).json();
  }

  /**
   * @param state the state of the job; null for one that has not been sent
   */
  private static JsonNode ofARun(JobState state, String action, String body) {
    Caller caller = new Caller();
    caller.put("nightly", Docs.active(Docs.DAILY)).is(201);
    String job = caller.act("nightly", "launch", "").is(202).json().path("jobId").asText();
    if (state != null) {
      TrackedJobs.put(caller.world, JobId.parse(job), state);
    }
    return caller.post("/v1/namespaces/default/jobs/" + job + "/" + action, body).is(409).json();
  }

  private static JsonNode lostRaces() {
    Caller caller = new Caller();
    caller.poolsLoseRaces = true;
    return caller
        .send("PUT", "/v1/namespaces/default/pools/encode", "{\"queue\": \"work\"}", Map.of())
        .is(409)
        .json();
  }

  private static JsonNode withoutIngestQueue() {
    Caller caller = new Caller();
    caller.ingestFails = true;
    return caller
        .post("/v1/namespaces/default/events", "{\"events\": [{\"eventType\": \"arrived\"}]}")
        .is(503)
        .json();
  }

  private static Caller failing(Supplier<RuntimeException> failure) {
    return new Caller(
        new World(Caller.NOW),
        stored ->
            (Schedules)
                Proxy.newProxyInstance(
                    Schedules.class.getClassLoader(),
                    new Class<?>[] {Schedules.class},
                    (proxy, method, arguments) -> {
                      throw failure.get();
                    }));
  }

  @Test
  void theOtherExamplesAreThoseOfTheGateway() throws IOException {
    Map<String, JsonNode> examples = onThePage();
    Set<String> ofTheCode = new TreeSet<>();
    for (ProblemType type : ProblemType.values()) {
      ofTheCode.add(type.uri());
    }
    Set<String> checked = new TreeSet<>(ofTheCode);
    for (JsonNode response : OpenApi.DOCUMENT.path("x-amazon-apigateway-gateway-responses")) {
      String template = response.at("/responseTemplates/application~1json").asText();
      String type =
          Caller.json(template.replace("$context.error.messageString", "0")).path("type").asText();
      if (checked.add(type)) {
        JsonNode example = examples.get(type);
        String message = example.path("detail").toString();
        assertThat(Caller.json(template.replace("$context.error.messageString", message)))
            .isEqualTo(example);
      }
    }
    assertThat(checked).isEqualTo(examples.keySet());
  }

  @Test
  void theOpenApiDocumentHasTheExamplesOfThePage() throws IOException {
    Map<String, JsonNode> inTheDocument = new TreeMap<>();
    for (JsonNode example : OpenApi.DOCUMENT.at("/components/examples")) {
      JsonNode value = example.path("value");
      inTheDocument.put(value.path("type").asText(), value);
    }
    assertThat(inTheDocument).isEqualTo(onThePage());
  }

  private static Map<String, JsonNode> onThePage() throws IOException {
    Map<String, JsonNode> examples = new TreeMap<>();
    BLOCK
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> Caller.json(block.group(1)))
        .forEach(example -> examples.put(example.path("type").asText(), example));
    return examples;
  }
}
