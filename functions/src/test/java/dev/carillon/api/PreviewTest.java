package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreviewTest {

  private static final String NEW_YORK = ", \"zone\": \"America/New_York\"";

  private static final String LARGE =
      "{\"trigger\": %s, \"target\": {\"queue\": \"work\", \"template\": \"%s\"}}"
          .formatted(Docs.MINUTELY, "x".repeat(50_000));

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private JsonNode preview(String name, String query) {
    return caller.get(Caller.SCHEDULES + "/" + name + "/preview" + query).is(200).json();
  }

  private static List<String> instants(JsonNode preview) {
    return preview.path("fires").findValuesAsText("scheduledFor");
  }

  @Test
  void aPreviewShowsTenFiresWithADescriptionAndTheirRequests() {
    caller.put("a", Docs.active(Docs.MINUTELY));
    JsonNode preview = preview("a", "");

    assertThat(preview.path("description").asText()).containsIgnoringCase("every minute");
    assertThat(instants(preview)).hasSize(10).startsWith("2026-03-10T12:01:00.000Z");
    world.runFor(Duration.ofSeconds(60));
    JsonNode request = preview.path("fires").path(0).path("request");
    var sent = world.arrivals.get(0).request();
    assertThat(request.path("body").asText()).isEqualTo(sent.body());
    assertThat(request.path("attributes").size()).isEqualTo(sent.attributes().size());
    sent.attributes()
        .forEach(
            (name, value) ->
                assertThat(request.path("attributes").path(name).asText()).isEqualTo(value));
  }

  @Test
  void aPreviewExcludesFromAndIsLimitedByCount() {
    caller.put("a", Docs.of(DAILY));
    assertThat(instants(preview("a", "?from=2026-01-01T03:00:00Z&count=2")))
        .containsExactly("2026-01-02T03:00:00.000Z", "2026-01-03T03:00:00.000Z");
  }

  @Test
  void aTimeInAGapIsMovedBehindTheGapAndMarked() {
    caller.put("a", Docs.of("{\"type\": \"cron\", \"expression\": \"0 30 2 * * ?\"}", NEW_YORK));
    JsonNode fires = preview("a", "?from=2026-03-07T12:00:00Z&count=2").path("fires");

    assertThat(fires.path(0).path("scheduledFor").asText()).isEqualTo("2026-03-08T07:00:00.000Z");
    assertThat(fires.path(0).path("local").asText()).isEqualTo("2026-03-08T03:00:00.000-04:00");
    assertThat(fires.path(0).path("dst").asText()).isEqualTo("gap");
    assertThat(fires.path(1).path("dst").isNull()).isTrue();
  }

  @Test
  void aTimeThatOccursTwiceIsMarked() {
    caller.put(
        "a",
        Docs.of(
            "{\"type\": \"cron\", \"expression\": \"0 30 1 * * ?\", \"dst\": {\"overlap\": \"both\"}}",
            NEW_YORK));
    JsonNode fires = preview("a", "?from=2026-10-31T12:00:00Z&count=3").path("fires");

    assertThat(fires.findValuesAsText("local"))
        .containsExactly(
            "2026-11-01T01:30:00.000-04:00",
            "2026-11-01T01:30:00.000-05:00",
            "2026-11-02T01:30:00.000-05:00");
    assertThat(fires.findValuesAsText("dst")).containsExactly("overlap", "overlap", "null");
  }

  @Test
  void simultaneousFiresOfLeavesAreOneFireAndOthersAreMerged() {
    String trigger =
        Docs.or(
            "{\"type\": \"cron\", \"expression\": \"0 0 * * * ?\"}",
            "{\"type\": \"cron\", \"expression\": \"0 0,30 * * * ?\"}",
            Docs.at("2026-03-10T12:45:00.000Z"));
    caller.put("a", Docs.of(trigger));
    JsonNode preview = preview("a", "?count=4");

    assertThat(instants(preview))
        .containsExactly(
            "2026-03-10T12:30:00.000Z",
            "2026-03-10T12:45:00.000Z",
            "2026-03-10T13:00:00.000Z",
            "2026-03-10T13:30:00.000Z");
    assertThat(preview.path("description").asText()).startsWith("Any of (");
  }

  @Test
  void valuesThatOnlyEventsProvideAreMissingInTheRequest() {
    String document =
        """
        {"trigger": %s, "target": {"queue": "work", "template":
          {"at": "${todaysDate}", "first": "${events[0].id}"}}}
        """
            .formatted(Docs.and(DAILY, Docs.partition("d", 2)));
    caller.put("a", document).is(201);
    JsonNode preview = preview("a", "?count=1");

    assertThat(preview.path("description").asText()).contains("All of (", "2 new partitions of d");
    assertThat(preview.path("fires").path(0).path("request").path("body").asText())
        .isEqualTo("{\"at\":\"2026-03-11\",\"first\":null}");
  }

  /** The CRC-32 of "default/report" modulo four hours is 9788 seconds, 2:43:08. */
  @Test
  void flexibleFiresAreShownAtTheInstantsOfTheSchedule() {
    String nightly =
        "{\"type\": \"cron\", \"expression\": \"0 30 2 * * ?\", \"flexible\": \"PT4H\"}";
    caller.put("report", Docs.of(nightly, NEW_YORK));
    JsonNode preview = preview("report", "?from=2026-03-07T12:00:00Z&count=2");

    assertThat(preview.path("description").asText()).endsWith(", shifted by PT2H43M8S");
    assertThat(instants(preview))
        .containsExactly("2026-03-08T09:43:08.000Z", "2026-03-09T09:13:08.000Z");
    assertThat(preview.path("fires").findValuesAsText("dst")).containsExactly("gap", "null");
  }

  @Test
  void aTriggerWithoutTimesHasNoFires() {
    caller.put("a", Docs.of(Docs.partition("d", 1)));
    assertThat(instants(preview("a", ""))).isEmpty();
  }

  @Test
  void aRequestThatCanNeverBeSentIsNull() {
    String text =
        "{\"trigger\": %s, \"target\": {\"queue\": \"work\", \"template\": \"${customer}\"}}"
            .formatted(DAILY);
    caller.put("a", text).is(201);
    assertThat(preview("a", "?count=1").path("fires").path(0).path("request").isNull()).isTrue();
  }

  @Test
  void aDocumentIsPreviewedWithoutBeingStored() {
    JsonNode preview =
        caller
            .post("/v1/preview", "{\"schedule\": %s, \"count\": 3}".formatted(Docs.of(DAILY)))
            .is(200)
            .json();

    assertThat(instants(preview)).hasSize(3).startsWith("2026-03-11T03:00:00.000Z");
    assertThat(preview.path("fires").path(0).path("request").path("body").asText())
        .isEqualTo("{\"at\":\"2026-03-11T03:00:00.000Z\"}");
    assertThat(world.targets.prepared()).isEmpty();
  }

  @Test
  void theCheckForAFutureFireStartsAtFrom() {
    String body =
        "{\"schedule\": %s, \"from\": \"%s\"}"
            .formatted(Docs.of(Docs.at("2020-01-01T00:00:00.000Z")), "%s");

    JsonNode past = caller.post("/v1/preview", body.formatted("2019-12-31T00:00:00.000Z")).json();
    assertThat(instants(past)).containsExactly("2020-01-01T00:00:00.000Z");
    assertThat(caller.post("/v1/preview", body.formatted("2020-01-02T00:00:00.000Z")).pointers())
        .containsExactly("/schedule/trigger/time");
  }

  @Test
  void ratesOfADocumentBeginAtFrom() {
    JsonNode preview =
        caller
            .post(
                "/v1/preview",
                "{\"schedule\": %s, \"from\": \"2026-05-01T00:00:00Z\", \"count\": 2}"
                    .formatted(Docs.of("{\"type\": \"rate\", \"every\": \"PT40M\"}")))
            .is(200)
            .json();
    assertThat(instants(preview))
        .containsExactly("2026-05-01T00:40:00.000Z", "2026-05-01T01:20:00.000Z");
  }

  private JsonNode previewAs(String ns, String name, String document) {
    String body = "{\"schedule\": %s, \"count\": 2}".formatted(document);
    String path = "/v1/namespaces/" + ns + "/schedules/" + name + "/preview";
    return caller.post(path, body).is(200).json();
  }

  @Test
  void aDocumentIsPreviewedUnderItsNameWithTheCalendarsOfItsNamespace() {
    String nightly =
        Docs.of(DAILY.replace("}", ", \"exclude\": [\"us\"], \"flexible\": \"PT4H\"}"));
    String body = "{\"schedule\": " + nightly + "}";
    assertThat(caller.post("/v1/namespaces/sales/schedules/report/preview", body).is(400).json())
        .asString()
        .contains("/schedule/trigger/exclude/0", "in namespace \\\"sales\\\"");

    String calendar = "{\"dates\": [\"2026-03-12\"]}";
    caller.send("PUT", "/v1/namespaces/sales/calendars/us", calendar, Map.of()).is(201);
    JsonNode preview = previewAs("sales", "report", nightly);
    caller.send("PUT", "/v1/namespaces/sales/schedules/report", nightly, Map.of()).is(201).json();
    JsonNode stored = caller.get("/v1/namespaces/sales/schedules/report/preview?count=2").json();
    assertThat(preview).isEqualTo(stored);
    assertThat(instants(preview)).first().asString().startsWith("2026-03-11T");
    assertThat(instants(preview)).last().asString().startsWith("2026-03-13T");
    caller.post("/v1/preview", body).is(400);
  }

  @Test
  void aDocumentThatChangesNothingKeepsTheInstantsOfItsRate() {
    String rate = Docs.of("{\"type\": \"rate\", \"every\": \"PT40M\"}");
    caller.put("a", rate).is(201);
    world.runFor(Duration.ofMinutes(10));
    String relabelled = rate.replaceFirst("\\{", "{\"description\": \"x\", ");
    assertThat(previewAs("default", "a", relabelled)).isEqualTo(preview("a", "?count=2"));

    JsonNode changed = previewAs("default", "a", rate.replace("PT40M", "PT30M"));
    assertThat(instants(changed)).first().isEqualTo("2026-03-10T12:40:00.000Z");
    assertThat(changed.findValuesAsText("carillon-job-id")).allMatch(id -> id.contains("~00002~"));
  }

  /** Also for the name that stands for a document without one. */
  @Test
  void aDocumentHasTheJobIdsAfterThoseOfADeletedSchedule() {
    caller.put("preview", Docs.of(DAILY)).is(201);
    caller.delete("preview").is(204);
    JsonNode again = previewAs("default", "preview", Docs.of(DAILY));
    assertThat(again.findValuesAsText("carillon-job-id")).allMatch(id -> id.contains("~00002~"));
    caller.put("preview", Docs.of(DAILY)).is(201);
    assertThat(again).isEqualTo(preview("preview", "?count=2"));
  }

  @Test
  void aDocumentIsNotPreviewedUnderAnInvalidName() {
    String body = "{\"schedule\": " + Docs.of(DAILY) + "}";
    assertThat(caller.post(Caller.SCHEDULES + "/a~b/preview", body).is(400).pointers())
        .containsExactly("/path/name");
  }

  @Test
  void aThousandLargeFiresStayWithinOneAnswer() {
    caller.put("a", LARGE).is(201);
    Caller.Reply reply = caller.get(Caller.SCHEDULES + "/a/preview?count=1000").is(200);

    assertThat(reply.body().length()).isLessThan(5 * 1024 * 1024);
    assertThat(reply.json().path("fires")).hasSize(1_000);
  }

  /** The clock moves with each fire that is found and with each request that is rendered. */
  @Test
  void aFullAnswerEndsTheRendering() {
    caller.put("a", LARGE).is(201);
    caller.perReading = Duration.ofMillis(1);
    JsonNode fires = preview("a", "?count=1000").path("fires");

    assertThat(fires.path(999).path("request").isNull()).isTrue();
    assertThat(caller.read).isLessThan(Duration.ofMillis(1_200));
  }

  @Test
  void requestsAreRenderedUpToTheDeadline() {
    caller.put("a", Docs.of(Docs.MINUTELY)).is(201);
    caller.perReading = PreviewRoutes.LONGEST.dividedBy(300);
    JsonNode fires = preview("a", "?count=200").path("fires");

    assertThat(fires).hasSize(200);
    assertThat(fires.path(50).path("request").isObject()).isTrue();
    assertThat(fires.path(199).path("request").isNull()).isTrue();
  }

  @Test
  void firesThatAreNotFoundByTheDeadlineAreRefused() {
    caller.put("a", Docs.of(Docs.MINUTELY)).is(201);
    caller.perReading = PreviewRoutes.LONGEST.dividedBy(300);
    String document = "{\"schedule\": %s, \"count\": 400}".formatted(Docs.of(Docs.MINUTELY));

    assertThat(caller.get(Caller.SCHEDULES + "/a/preview?count=400").is(400).pointers())
        .containsExactly("/query/count");
    assertThat(caller.post("/v1/preview", document).is(400).pointers()).containsExactly("/count");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ?count=0       | /query/count
          ?count=1001    | /query/count
          ?count=few     | /query/count
          ?from=tomorrow | /query/from
          ?from=5188-05-01T00:00:00Z | /query/from
          ?from=         | /query/from
          ?to=2026-01-01T00:00:00Z | /query/to
          """)
  void badParametersAreRefused(String query, String pointer) {
    caller.put("a", Docs.of(DAILY));
    assertThat(caller.get(Caller.SCHEDULES + "/a/preview" + query).is(400).pointers())
        .containsExactly(pointer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                       | /schedule
          {"schedule": {}, "count": 0}             | /count /schedule/trigger /schedule/target
          {"schedule": 5}                          | /schedule
          {"schedule": {"trigger": {"type": "manual"}, "target": {"queue": "a b", "template": 1}}} | /schedule/target/queue
          {"schedule": {"trigger": {"type": "manual"}, "target": {"queue": "a", "template": 1}, "onEnd": {"queue": "a b", "template": 1}}} | /schedule/onEnd/queue
          {"shcedule": {}}                         | /shcedule
          {"from": 5, "count": "x", "schedule": {"trigger": {"type": "manual"}, "target": {"queue": "q", "template": 1}}} | /from /count
          """)
  void allFaultsOfADocumentAreReportedAtOnce(String body, String pointers) {
    assertThat(String.join(" ", caller.post("/v1/preview", body).is(400).pointers()))
        .isEqualTo(pointers);
  }

  @Test
  void skippedFiresAreOmitted() {
    caller.put("a", Docs.active(Docs.MINUTELY));
    for (int skipped = 0; skipped < 3; skipped++) {
      caller.act("a", "skip", "{}").is(200);
    }
    assertThat(instants(preview("a", "?count=2")))
        .containsExactly("2026-03-10T12:04:00.000Z", "2026-03-10T12:05:00.000Z");
    List<String> many = instants(preview("a", "?count=250"));
    assertThat(many).hasSize(250).doesNotHaveDuplicates().startsWith("2026-03-10T12:04:00.000Z");

    caller.put("a", Docs.active(DAILY)).is(200);
    caller.put("a", Docs.active(Docs.MINUTELY)).is(200);
    assertThat(instants(preview("a", "?count=1"))).containsExactly("2026-03-10T12:01:00.000Z");
  }

  @Test
  void skippedFiresAreOmittedAlsoIfTheWindowBeginsInThePast() {
    caller.put("a", Docs.active(Docs.MINUTELY));
    caller.act("a", "skip", "{}").is(200);
    for (int past : new int[] {50, 99, 100, 250}) {
      String from = Instant.parse(Caller.NOW).minus(Duration.ofMinutes(past)).toString();
      assertThat(instants(preview("a", "?from=" + from + "&count=300")))
          .hasSize(300)
          .contains("2026-03-10T12:00:00.000Z", "2026-03-10T12:02:00.000Z")
          .doesNotContain("2026-03-10T12:01:00.000Z");
    }
  }

  @Test
  void unknownSchedulesAreNotFound() {
    caller.get(Caller.SCHEDULES + "/none/preview").is(404);
  }
}
