package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadRequestTest {

  private static final String NAMESPACE = "/v1/namespaces/default";

  @Test
  void aWholeAnswerSentBackIsRefusedWithOneRemedy() {
    Caller caller = new Caller();
    caller.put("a", Docs.of(Docs.DAILY)).is(201);
    Caller.Reply refused = caller.put("a", caller.schedule("a").body()).is(400);
    assertThat(refused.pointers()).containsExactly("/schedule");
    assertThat(refused.json().path("detail").asText())
        .isEqualTo("the document is the whole answer of a GET; send only its member \"schedule\"");
    caller.put("a", caller.schedule("a").json().path("schedule").toString()).is(200);
  }

  private final Caller caller = new Caller();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"trigger": {"type": "cron", "expression": "0 0 2 31 2 ?"}}            | /trigger/expression
          {"trigger": {"type": "cron", "expression": "0 0 2 * * ? 2020"}}        | /trigger/expression
          {"trigger": {"type": "cron", "expression": "0 0 2 * * *"}}             | /trigger/expression
          {"trigger": {"type": "cron", "expression": "0 2 * * * *", "dialect": "aws"}} | /trigger/expression
          {"trigger": {"type": "at", "time": "2026-03-10T12:00:00Z"}}            | /trigger/time
          {"trigger": {"type": "rate", "every": "PT0.5S"}}                       | /trigger/every
          {"trigger": {"type": "partition", "dataset": "d", "count": 0}}         | /trigger/count
          {"trigger": {"type": "and", "triggers": []}}                           | /trigger/triggers
          {"trigger": {"type": "or", "triggers": [{"type": "sun"}]}}             | /trigger/triggers/0/type
          {"trigger": {"type": "quit"}}                                          | /trigger/type
          {"trigger": {"type": "manual"}, "zone": "Mars/Base"}                   | /zone
          {"trigger": {"type": "manual"}, "colour": "red"}                       | /colour
          {"trigger": {"type": "manual"}, "constraints": [{"type": "concurency", "max": 1}]} | /constraints/0/type
          {"trigger": {"type": "manual"}, "timeout": {"after": "P1D"}}           | /timeout/action
          {"trigger": {"type": "manual"}, "whilePending": "merged"}              | /whilePending
          {"trigger": {"type": "manual"}, "state": "COMPLETED"}                  | /state
          """)
  void aDocumentThatCannotBeServedIsRefusedWithAPointerAndARemedy(String part, String pointer) {
    String document =
        "{\"target\": {\"queue\": \"q\", \"template\": {}}, " + part.strip().substring(1);
    Reply refused = caller.put("a", document).is(400);

    assertThat(refused.pointers()).containsExactly(pointer);
    assertThat(refused.json().path("errors").path(0).path("detail").asText()).isNotBlank();
    caller.schedule("a").is(404);
  }

  @Test
  void allFaultsAreReportedAtOnceIncludingThoseOfTheTarget() {
    Reply refused =
        caller.put(
            "a",
            """
            {"trigger": {"type": "cron", "expression": "never"}, "zone": "Mars/Base", "x": 1,
             "target": {"queue": "carillon-check", "template": {"a": "${unknown}"}}}
            """);
    assertThat(refused.is(400).pointers())
        .containsExactlyInAnyOrder(
            "/trigger/expression", "/zone", "/x", "/target/queue", "/target/template/a");
  }

  @Test
  void aProblemDocumentSaysWhatIsWrong() {
    Reply refused = caller.put("a", Docs.of(DAILY, ", \"x\": 1")).is(400);
    JsonNode problem = refused.json();

    assertThat(refused.headers()).containsEntry("Content-Type", "application/problem+json");
    assertThat(problem.path("type").asText()).isEqualTo("urn:carillon:problem:invalid-request");
    assertThat(problem.path("title").asText()).isEqualTo("The request is invalid");
    assertThat(problem.path("status").asInt()).isEqualTo(400);
    assertThat(problem.path("detail").asText()).contains("\"x\"");
    assertThat(problem.path("errors").path(0).path("pointer").asText()).isEqualTo("/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "{",
        "nothing",
        "[]",
        "null",
        "5",
        "\"text\"",
        "{} {}",
        "{\"trigger\": 1, \"trigger\": 2}",
        "{\"trigger\": NaN}",
        "{\"a\": \"\\ud800\"}",
        "\u0000"
      })
  void aBodyThatIsNotADocumentIsRefused(String body) {
    caller.put("a", body).is(400);
  }

  @Test
  void aTooDeeplyNestedDocumentIsRefused() {
    for (int depth : new int[] {32, 40, 64, 100, 5_000}) {
      String deep = "[".repeat(depth) + "]".repeat(depth);
      caller.put("a", Docs.of(DAILY, ", \"properties\": {\"x\": " + deep + "}")).is(400);
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefused() {
    String most = Docs.of(DAILY, ", \"description\": \"%s\"".formatted(" ".repeat(10)));
    String filled = most + " ".repeat(64 * 1024 - most.length());
    caller.put("a", filled).is(201);
    caller.put("a", filled + " ").is(413);
    caller.act("a", "suspend", filled + " ").is(413);
    caller.post("/v1/preview", "{\"schedule\": {}, \"x\": \"" + "x".repeat(80_000) + "\"}").is(413);
    caller
        .post("/v1/namespaces/default/events", " ".repeat(6 * 1024 * 1024) + "{\"events\": []}")
        .is(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "",
        "application/json; charset=latin1",
        "application/json;v=1; charset=\"iso-8859-1\""
      })
  void aBodyOfAnotherTypeIsRefused(String type) {
    Map<String, String> headers = Map.of("CONTENT-TYPE", type);
    caller.put("a", Docs.of(DAILY), headers).is(415);
    caller.send("POST", "/v1/preview", "{}", headers).is(415);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON; Charset=UTF-8",
        "application/json;charset=\"utf-8\"; v=1",
        "application/json; charset=utf8"
      })
  void jsonInUtf8IsAccepted(String type) {
    caller.put("a", Docs.of(DAILY), Map.of("Content-Type", type)).is(201);
  }

  @Test
  void aDuplicateKeyIsNamed() {
    assertThat(detail(caller.put("a", "{\"tags\": {\"x\": 1, \"x\": 2}}").is(400)))
        .startsWith("the body has the key \"x\" twice at line 1");
  }

  @Test
  void aRefusalSaysThatNoFieldsAreAllowed() {
    caller.put("a", Docs.of(DAILY)).is(201);
    assertThat(detail(caller.act("a", "resume", "{\"reason\": \"x\"}").is(400)))
        .isEqualTo("\"reason\" is an unknown field; no fields are allowed here; remove it");
    assertThat(detail(caller.get("/v1/status?verbose=1").is(400)))
        .isEqualTo("\"verbose\" is an unknown field; no fields are allowed here; remove it");
  }

  private static String detail(Caller.Reply reply) {
    return reply.json().path("detail").asText();
  }

  @Test
  void aBodyWithoutATypeAndATypeWithoutABodyAreAccepted() {
    caller.put("a", Docs.of(DAILY), Map.of()).is(201);
    caller.send("POST", Caller.SCHEDULES + "/a/resume", "", Map.of("Content-Type", "a/b")).is(200);
  }

  @Test
  void bodiesInBase64AreDecoded() {
    String body = Docs.of(DAILY, ", \"description\": \"täglich\"");
    String encoded = Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8));
    String latin = Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.ISO_8859_1));

    Reply created = encoded(encoded).is(201);
    assertThat(created.json().path("schedule").path("description").asText()).isEqualTo("täglich");
    encoded(latin).is(400);
    encoded("no base64 at all!").is(400);
  }

  private Reply encoded(String body) {
    var request = Caller.request("PUT", Caller.SCHEDULES + "/a", body, Map.of());
    return Caller.reply(caller.api.handle(request.withIsBase64Encoded(true)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v2/status",
        "/v1/namespaces/default",
        "/v1/namespaces/default/programs",
        "/v1/namespaces/default/schedules/a/backfills",
        "/v1/simulations"
      })
  void unknownPathsAreNotFound(String path) {
    caller.get(path).is(404);
    caller.post(path, "{}").is(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST    | /v1/namespaces/default/schedules           | GET
          PATCH   | /v1/namespaces/default/schedules/a         | DELETE, GET, PUT
          GET     | /v1/namespaces/default/schedules/a/suspend | POST
          GET     | /v1/namespaces/default/schedules/a/launch  | POST
          PATCH   | /v1/namespaces/default/schedules/a/preview | GET, POST
          DELETE  | /v1/namespaces/default/jobs/x              | GET
          GET     | /v1/namespaces/default/events              | POST
          GET     | /v1/preview                                | POST
          OPTIONS | /v1/status                                 | GET
          PUT     | /v1/schedule.schema.json                   | GET
          """)
  void aWrongMethodIsRefusedAndTheAllowedOnesAreNamed(String method, String path, String allowed) {
    Reply refused = caller.send(method, path, null, Map.of()).is(405);
    assertThat(refused.headers()).containsEntry("Allow", allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/namespaces/a%20b/schedules, /path/ns",
    "/v1/namespaces/a.b/schedules/x, /path/ns",
    "/v1/namespaces/default/schedules/a%2Fb, /path/name",
    "/v1/namespaces/default/schedules/%zz, /path/name"
  })
  void invalidNamesAreRefused(String path, String pointer) {
    assertThat(caller.get(path).is(400).pointers()).containsExactly(pointer);
  }

  /** A policy that denies the path of a namespace does not match such a path. */
  @ParameterizedTest
  @CsvSource({
    "/v1/namespaces/d%65fault/schedules, /path/ns",
    "/v1/namespaces/d%65fault/schedules/a, /path/ns",
    "/v1/namespaces/default/schedules/%61, /path/name",
    "/v1/namespaces/default/apps/%61, /path/app",
    "/v1/namespaces/default/programs/%61, /path/program",
    "/v1/namespaces/default/calendars/%61, /path/name",
    "/v1/namespaces/default/resources/%61, /path/name",
    "/v1/namespaces/d%65fault/jobs/default~a~00001~0kdl0d5c0, /path/ns"
  })
  void percentEncodedLettersNameNothing(String path, String pointer) {
    caller.put("a", Docs.of(DAILY)).is(201);
    Reply refused = caller.get(path).is(400);
    assertThat(refused.pointers()).containsExactly(pointer);
    assertThat(refused.json().path("errors").path(0).path("detail").asText())
        .contains("is percent-encoded; write each letter of the name as it is");
  }

  @ParameterizedTest
  @CsvSource({"caf%C3%A9, café", "my%20job, my job", "a%2Fb, a/b", "100%, 100%"})
  void aNameThatMustBeEncodedIsNotValid(String written, String name) {
    String detail =
        caller
            .get("/v1/namespaces/default/schedules/" + written)
            .is(400)
            .json()
            .path("errors")
            .path(0)
            .path("detail")
            .asText();
    assertThat(detail).startsWith("\"" + name + "\" is not a valid name; give 1 to 64 letters");
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    caller.put("x".repeat(64), Docs.of(DAILY)).is(201);
    caller.put("x".repeat(65), Docs.of(DAILY)).is(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"mode": "off"}                      | /mode   | use
          {"until": "2026-03-10T12:00:00Z"}    | /until  | the instant has passed
          {"until": "tomorrow"}                | /until  | give an ISO-8601 instant
          {"until": "5188-05-01T00:00:00Z"}    | /until  | to 4999-12-31, because the id of a job
          {"reason": ""}                       | /reason | give
          {"reason": 5}                        | /reason | give
          {"why": "x"}                         | /why    | unknown
          []                                   | ''      | not an object
          """)
  void aSuspensionThatCannotBeServedIsRefused(String body, String pointer, String detail) {
    caller.put("a", Docs.active(DAILY));
    Reply refused = caller.act("a", "suspend", body).is(400);

    assertThat(refused.pointers()).containsExactly(pointer);
    assertThat(refused.json().path("errors").path(0).path("detail").asText()).contains(detail);
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("ACTIVE");
  }

  @Test
  void allFaultsOfASuspensionAreReported() {
    caller.put("a", Docs.active(DAILY));
    String body = "{\"mode\": \"off\", \"reason\": 5, \"until\": \"2026-01-01T12:00:00Z\"}";
    assertThat(caller.act("a", "suspend", body).is(400).pointers())
        .containsExactlyInAnyOrder("/mode", "/reason", "/until");
  }

  /** The body is JSON, but the parser stops before its end. */
  @Test
  void veryDeepNestingIsReportedAsSuch() {
    Reply refused = caller.put("a", "[".repeat(5_000) + "]".repeat(5_000)).is(400);
    assertThat(refused.json().path("errors").path(0).path("detail").asText())
        .startsWith("the body is nested more than 32 deep");
  }

  @Test
  void resumeAndSkipAcceptNoFields() {
    caller.put("a", Docs.active(DAILY));
    assertThat(caller.act("a", "resume", "{\"now\": true}").is(400).pointers())
        .containsExactly("/now");
    assertThat(caller.act("a", "skip", "{\"count\": 2}").is(400).pointers())
        .containsExactly("/count");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "..."})
  void namesOfDotsAloneAreRefused(String name) {
    assertThat(caller.put(name, Docs.of(DAILY)).is(400).pointers()).containsExactly("/path/name");
    String document = Docs.of(DAILY, ", \"program\": \"%1$s\", \"app\": \"%1$s\"".formatted(name));
    assertThat(caller.put("a", document).is(400).pointers()).containsExactly("/program", "/app");
    caller.put("..a" + name, Docs.of(DAILY)).is(201);
  }

  @Test
  void aNumberThatCouldNotBeReadBackIsRefused() {
    caller
        .put("a", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\", \"tracking\": {}"))
        .is(201);
    refusesNumber("/schedules/a/launch", "{\"payload\": {\"x\": %s}}", "/payload/x");
    refusesNumber("/events", "{\"events\": [{\"payload\": {\"x\": %s}}]}", "/events/0/payload/x");

    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
    String path = "/jobs/" + job;
    String claim =
        caller
            .post(NAMESPACE + path + "/claim", "{\"worker\": \"w\", \"attempt\": 1}")
            .is(200)
            .json()
            .path("claimToken")
            .asText();
    String report = "{\"claimToken\": \"" + claim + "\", \"%s\": [%%s]}";
    refusesNumber(path + "/heartbeat", report.formatted("progress"), "/progress/0");
    refusesNumber(path + "/succeed", report.formatted("output"), "/output/0");
  }

  private void refusesNumber(String path, String body, String pointer) {
    String number = "1".repeat(996) + "e-1001";
    Reply refused = caller.post(NAMESPACE + path, body.formatted(number)).is(400);
    assertThat(refused.pointers()).contains(pointer);
    assertThat(refused.body()).contains("the number has 996 digits; give at most 900, or a text");
    Reply huge = caller.post(NAMESPACE + path, body.formatted("12E2147483647")).is(400);
    assertThat(huge.pointers()).contains(pointer);
    assertThat(huge.body())
        .contains("the number has the exponent 2147483648; give at most 2147483647");
  }

  @Test
  void theAnswerToManyFaultsAtLongPointersFitsIntoOneAnswerOfLambda() {
    String key = "\"" + "k".repeat(30_000) + "\": ";
    String broken = "[" + "\"\\ud800\",".repeat(2_000) + "0]";
    String document = Docs.of(DAILY, ", \"properties\": {\"a\": {" + key + broken + "}}");
    Reply refused = caller.put("a", document).is(400);
    assertThat(refused.body().length()).isLessThan(1_000_000);
    assertThat(refused.pointers()).contains("/properties/a");

    String name = "\"" + "n".repeat(6_000) + "%d\": ";
    String named = "{\"properties\": {\"" + "k".repeat(2_000) + "\": " + broken + "}}";
    String schedules =
        IntStream.range(0, 20)
            .mapToObj(index -> name.formatted(index) + named)
            .collect(Collectors.joining(", ", "{", "}"));
    String app = "{\"programs\": [], \"schedules\": " + schedules + "}";
    Reply deployment = caller.send("PUT", NAMESPACE + "/apps/a", app, Map.of()).is(400);
    assertThat(deployment.body().length()).isLessThan(1_000_000);
  }
}
