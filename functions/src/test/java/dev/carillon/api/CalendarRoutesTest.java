package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tests run at noon on Tuesday, 10 March 2026. */
class CalendarRoutesTest {

  private static final String CALENDARS = "/v1/namespaces/default/calendars";
  private static final String TOMORROW = "{\"dates\": [\"2026-03-11\"]}";

  private final Caller caller = new Caller();

  private Reply put(String name, String document) {
    return put(name, document, Map.of());
  }

  private Reply put(String name, String document, Map<String, String> headers) {
    return caller.send("PUT", CALENDARS + "/" + name, document, headers);
  }

  private Reply delete(String name) {
    return caller.send("DELETE", CALENDARS + "/" + name, null, Map.of());
  }

  private static String dailyBut(String... calendars) {
    return DAILY.replace("}", ", \"exclude\": [\"" + String.join("\", \"", calendars) + "\"]}");
  }

  private List<String> fires(String name) {
    return caller
        .get(Caller.SCHEDULES + "/" + name + "/preview?count=2")
        .is(200)
        .json()
        .path("fires")
        .findValuesAsText("scheduledFor");
  }

  @Test
  void aCalendarIsCreatedReadReplacedAndDeleted() {
    Reply created = put("us", TOMORROW).is(201);
    assertThat(created.json().path("namespace").asText()).isEqualTo("default");
    assertThat(created.json().path("name").asText()).isEqualTo("us");
    assertThat(created.json().path("createdBy").asText()).isEqualTo("local");
    assertThat(created.json().path("etag").asText()).isEqualTo(created.etag());
    assertThat(created.json().at("/calendar/zone").asText()).isEqualTo("Z");
    assertThat(caller.get(CALENDARS + "/us").is(200).body()).isEqualTo(created.body());

    assertThat(put("us", TOMORROW).is(200).body()).isEqualTo(created.body());
    caller.world.runFor(Duration.ofSeconds(1));
    Reply replaced = put("us", "{\"zone\": \"America/New_York\"}").is(200);
    assertThat(replaced.etag()).isNotEqualTo(created.etag());
    assertThat(replaced.json().path("createdAt")).isEqualTo(created.json().path("createdAt"));
    assertThat(replaced.json().path("updatedAt").asText()).isEqualTo("2026-03-10T12:00:01.000Z");

    delete("us").is(204);
    caller.get(CALENDARS + "/us").is(404);
    delete("us").is(404);
  }

  @Test
  void preconditionsOfTheCallerAreChecked() {
    put("us", TOMORROW, Map.of("If-Match", "*")).is(412);
    Reply created = put("us", TOMORROW, Map.of("If-None-Match", "*")).is(201);
    assertThat(put("us", "{}", Map.of("If-None-Match", "*")).is(412).body()).contains("calendar");
    put("us", "{}", Map.of("If-Match", "\"1\"")).is(412);
    put("us", "{}", Map.of("If-Match", created.etag())).is(200);
    caller.send("DELETE", CALENDARS + "/us", null, Map.of("If-Match", created.etag())).is(412);
  }

  @Test
  void aDryRunStoresNothing() {
    assertThat(put("us?dryRun=true", TOMORROW).is(201).json().at("/calendar/dates/0").asText())
        .isEqualTo("2026-03-11");
    caller.get(CALENDARS + "/us").is(404);
    String stored = put("us", TOMORROW).is(201).body();
    assertThat(put("us?dryRun=true", TOMORROW).is(200).body()).isEqualTo(stored);
    assertThat(put("us?dryRun=true", "{}").is(200).json().at("/calendar/dates").size()).isZero();
    put("us?dryRun=true", "{}", Map.of("If-None-Match", "*")).is(412);
    assertThat(caller.get(CALENDARS + "/us").is(200).body()).isEqualTo(stored);
  }

  @Test
  void calendarsAreListedByName() {
    for (String name : List.of("c", "a", "b")) {
      put(name, TOMORROW).is(201);
    }
    caller.send("PUT", "/v1/namespaces/other/calendars/d", "{}", Map.of()).is(201);
    JsonNode first = caller.get(CALENDARS + "?limit=2").is(200).json();
    assertThat(first.path("calendars").findValuesAsText("name")).containsExactly("a", "b");
    JsonNode last = caller.get(CALENDARS + "?next=" + first.path("next").asText()).json();
    assertThat(last.path("calendars").findValuesAsText("name")).containsExactly("c");
    assertThat(last.path("next").isNull()).isTrue();
    String noName = Cursor.seal("calendars default", "no name");
    assertThat(caller.get(CALENDARS + "?next=" + noName).is(400).pointers())
        .containsExactly("/query/next");
    assertThat(caller.get(CALENDARS + "?next=x&of=us").is(400).pointers())
        .containsExactlyInAnyOrder("/query/next", "/query/of");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"dates": ["noon"], "zone": "Mars"} | /zone /dates/0
          {"weekly": [{}]}                    | /weekly
          []                                  | ''
          """)
  void allFaultsOfADocumentAreReportedAtOnce(String document, String pointers) {
    assertThat(String.join(" ", put("us", document).is(400).pointers())).isEqualTo(pointers);
  }

  @Test
  void aBadNameIsRefused() {
    assertThat(put("a%20b", "{}").is(400).pointers()).containsExactly("/path/name");
  }

  @Test
  void aScheduleCanExcludeOnlyExistingCalendarsThatLeaveItAFire() {
    put("us", TOMORROW).is(201);
    String trigger = Docs.or(Docs.partition("d", 1), Docs.or(DAILY, dailyBut("us", "de", "fr")));
    Reply refused = caller.put("a", Docs.of(trigger, ", \"priority\": 10")).is(400);
    assertThat(refused.pointers())
        .containsExactlyInAnyOrder(
            "/priority",
            "/trigger/triggers/1/triggers/1/exclude/1",
            "/trigger/triggers/1/triggers/1/exclude/2");
    assertThat(refused.body())
        .contains("there is no calendar \\\"de\\\" in namespace \\\"default\\\"; create it");

    put("nights", "{\"weekly\": [{\"from\": \"22:00\", \"to\": \"06:00\"}]}").is(201);
    Reply never = caller.put("a", Docs.of(Docs.or(DAILY, dailyBut("us", "nights")))).is(400);
    assertThat(never.pointers()).containsExactly("/trigger/triggers/1/exclude");
    assertThat(never.body()).contains("the calendars us, nights exclude every fire");
    caller.put("a", Docs.of(dailyBut("us"))).is(201);
  }

  @Test
  void previewAndNextFireOmitExcludedFires() {
    put("us", TOMORROW).is(201);
    caller.put("a", Docs.active(dailyBut("us"))).is(201);
    assertThat(fires("a")).containsExactly("2026-03-12T03:00:00.000Z", "2026-03-13T03:00:00.000Z");
    assertThat(caller.schedule("a").json().path("nextFire").asText())
        .isEqualTo("2026-03-12T03:00:00.000Z");
    JsonNode listed = caller.get(Caller.SCHEDULES).json().path("schedules").path(0);
    assertThat(listed.path("nextFire").asText()).isEqualTo("2026-03-12T03:00:00.000Z");
    put("us", "{\"dates\": [\"2026-03-12\"]}").is(200);
    assertThat(fires("a")).containsExactly("2026-03-11T03:00:00.000Z", "2026-03-13T03:00:00.000Z");

    String body = "{\"schedule\": %s, \"count\": 2}";
    JsonNode preview =
        caller.post("/v1/preview", body.formatted(Docs.of(dailyBut("us")))).is(200).json();
    assertThat(preview.path("fires").findValuesAsText("scheduledFor"))
        .containsExactly("2026-03-11T03:00:00.000Z", "2026-03-13T03:00:00.000Z");
    assertThat(
            caller.post("/v1/preview", body.formatted(Docs.of(dailyBut("de")))).is(400).pointers())
        .containsExactly("/schedule/trigger/exclude/0");
  }

  @Test
  void theNextFireThatCanBeSkippedIsNotExcluded() {
    put("us", TOMORROW).is(201);
    caller.put("a", Docs.active(dailyBut("us"))).is(201);
    assertThat(caller.act("a", "skip", "").is(200).json().path("skipped").asText())
        .isEqualTo("2026-03-12T03:00:00.000Z");
  }

  @Test
  void aCalendarInUseCannotBeDeleted() {
    put("us", TOMORROW).is(201);
    for (int number = 10; number < 22; number++) {
      caller.put("s" + number, Docs.of(dailyBut("us"))).is(201);
    }
    assertThat(delete("us").is(409).json().path("detail").asText())
        .isEqualTo(
            "the calendar us is still in use; remove it from \"exclude\" in the triggers of: s10, s11,"
                + " s12, s13, s14, s15, s16, s17, s18, s19 and 2 more");
    for (int number = 10; number < 21; number++) {
      caller.delete("s" + number).is(204);
    }
    caller.put("s21", Docs.of(DAILY)).is(200);
    delete("us").is(204);
  }

  @Test
  void explanationsNameTheCalendarThatExcludesAFire() {
    put("us", TOMORROW).is(201);
    put("deleted", "{}").is(201);
    caller.put("plain", Docs.active(DAILY)).is(201);
    caller.put("a", Docs.active(dailyBut("us", "deleted"))).is(201);
    assertThat(explained("plain").isNull()).isTrue();
    assertThat(explained("a").toString())
        .isEqualTo(
            "{\"calendars\":[\"deleted\",\"us\"],\"missing\":[],\"lastFire\":null,"
                + "\"nextFire\":{\"at\":\"2026-03-11T03:00:00.000Z\",\"by\":[\"us\"]}}");

    caller.world.runUntil("2026-03-11T12:00:00.000Z");
    assertThat(explained("a").at("/lastFire/at").asText()).isEqualTo("2026-03-11T03:00:00.000Z");
    assertThat(explained("a").path("nextFire").isNull()).isTrue();
    JobId id =
        JobId.ofFire(new ScheduleId("default", "a"), 1, Instant.parse("2026-03-11T03:00:00.000Z"));
    String path = "/v1/namespaces/default/jobs/" + id + "/explain";
    assertThat(caller.get(path).is(404).json().path("detail").asText())
        .endsWith("the calendars us exclude its fire");
  }

  private JsonNode explained(String name) {
    return caller.get(Caller.SCHEDULES + "/" + name + "/explain").is(200).json().path("excluded");
  }
}
