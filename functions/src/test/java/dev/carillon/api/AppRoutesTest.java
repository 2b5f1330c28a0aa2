package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.memory.MemoryApps;
import dev.carillon.schedule.Schedules;
import dev.carillon.system.World;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppRoutesTest {

  private static final String APPS = "/v1/namespaces/default/apps";
  private static final String EXPORTS = APPS + "/exports";
  private static final AppId ID = new AppId("default", "exports");

  private final World world = new World(Caller.NOW);
  private final MemoryApps apps = new MemoryApps();
  private final Caller caller = new Caller(world, apps, it -> it);
  private App lateSees;

  private static String app(boolean updates, String programs, Map<String, String> schedules) {
    return "{\"programs\": %s, \"schedules\": {%s}, \"updateSchedules\": %s}"
        .formatted(
            programs,
            // Schedules are changed in the order of the document, and that of Map.of is random.
            new TreeMap<>(schedules)
                .entrySet().stream()
                    .map(it -> "\"" + it.getKey() + "\": " + it.getValue())
                    .collect(Collectors.joining(", ")),
            updates);
  }

  private static String app(Map<String, String> schedules) {
    return app(true, "[\"exporter\"]", schedules);
  }

  private static String exporter(String trigger, String more) {
    return Docs.of(trigger, ", \"program\": \"exporter\"" + more);
  }

  private static String exporter(String trigger) {
    return exporter(trigger, "");
  }

  private Reply deploy(String body) {
    return deploy(caller, body);
  }

  private static Reply deploy(Caller by, String body) {
    return by.send("PUT", EXPORTS, body, Map.of());
  }

  private List<String> stored() {
    return names(caller.get(Caller.SCHEDULES).is(200).json());
  }

  private static List<String> names(JsonNode page) {
    return page.path("schedules").findValuesAsText("name");
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String difference(String created, String replaced, String deleted, String equal) {
    return "{\"created\":[%s],\"replaced\":[%s],\"deleted\":[%s],\"unchanged\":[%s]}"
        .formatted(created, replaced, deleted, equal);
  }

  private static String dry(JsonNode answer) {
    return "{\"created\":%s,\"replaced\":%s,\"deleted\":%s,\"unchanged\":%s}"
        .formatted(
            answer.path("created"),
            answer.path("replaced"),
            answer.path("deleted"),
            answer.path("unchanged"));
  }

  // ---- effects of a deployment

  @Test
  void aRedeploymentDeletesOrKeepsSchedulesAccordingToItsMode() {
    Map<String, String> two = Map.of("a", exporter(DAILY), "b", exporter(MINUTELY));
    Map<String, String> one = Map.of("a", exporter(DAILY));
    String listed = "[\"exporter\"]";

    deploy(app(false, listed, two)).is(201);
    assertThat(stored()).isEmpty();
    deploy(app(true, listed, two)).is(200);
    assertThat(stored()).containsExactly("a", "b");
    deploy(app(false, listed, Map.of())).is(200);
    assertThat(stored()).containsExactly("a", "b");
    deploy(app(false, "[]", Map.of())).is(200);
    assertThat(stored()).isEmpty();
    deploy(app(false, listed, one)).is(200);
    assertThat(stored()).isEmpty();
    deploy(app(true, listed, one)).is(200);
    assertThat(stored()).containsExactly("a");
    deploy(app(false, listed, two)).is(200);
    assertThat(stored()).containsExactly("a");
    deploy(app(true, listed, two)).is(200);
    assertThat(stored()).containsExactly("a", "b");
  }

  @Test
  void aDeploymentThatDoesNotSayOtherwiseUpdatesSchedules() {
    String app = "{\"programs\": [\"exporter\"], \"schedules\": {%s}}";
    deploy(app.formatted("\"a\": " + exporter(DAILY))).is(201);
    assertThat(stored()).containsExactly("a");
    deploy(app.formatted("\"b\": " + exporter(DAILY))).is(200);
    assertThat(stored()).containsExactly("b");
  }

  @Test
  void schedulesAreCreatedReplacedDeletedOrLeftUnchanged() {
    deploy(
        app(
            Map.of(
                "changed", exporter(DAILY),
                "equal", exporter(DAILY),
                "labelled", exporter(DAILY),
                "unnamed", exporter(DAILY))));
    String next =
        app(
            Map.of(
                "changed", exporter(MINUTELY),
                "equal", exporter(DAILY),
                "labelled", exporter(DAILY, ", \"description\": \"other\""),
                "new", exporter(DAILY)));
    String expected = difference("\"new\"", "\"changed\",\"labelled\"", "\"unnamed\"", "\"equal\"");

    assertThat(caller.send("PUT", EXPORTS + "?dryRun=true", next, Map.of()).is(200).body())
        .isEqualTo(expected);
    assertThat(stored()).containsExactly("changed", "equal", "labelled", "unnamed");
    assertThat(dry(deploy(next).is(200).json())).isEqualTo(expected);

    assertThat(stored()).containsExactly("changed", "equal", "labelled", "new");
    assertThat(generation("changed")).isEqualTo(2);
    assertThat(generation("labelled")).isEqualTo(1);
    assertThat(caller.schedule("equal").etag()).isEqualTo("\"1\"");
    caller.schedule("unnamed").is(404);
    assertThat(dry(deploy(next).is(200).json()))
        .isEqualTo(difference("", "", "", "\"changed\",\"equal\",\"labelled\",\"new\""));
  }

  private long generation(String schedule) {
    return caller.schedule(schedule).is(200).json().path("generation").asLong();
  }

  private String state(String schedule) {
    return caller.schedule(schedule).is(200).json().path("state").asText();
  }

  @Test
  void onlyNewSchedulesGetTheStateOfTheirDocument() {
    String active = ", \"state\": \"ACTIVE\"";
    deploy(app(Map.of("a", exporter(DAILY, active), "b", exporter(DAILY))));
    assertThat(state("a")).isEqualTo("ACTIVE");
    assertThat(state("b")).isEqualTo("SUSPENDED");

    caller.act("a", "suspend", "{\"reason\": \"maintenance\"}").is(200);
    caller.act("b", "resume", "{}").is(200);
    deploy(app(Map.of("a", exporter(MINUTELY, active), "b", exporter(DAILY, active)))).is(200);
    deploy(app(Map.of("a", exporter(MINUTELY, active), "b", exporter(DAILY)))).is(200);

    assertThat(state("a")).isEqualTo("SUSPENDED");
    assertThat(caller.schedule("a").json().at("/suspended/reason").asText())
        .isEqualTo("maintenance");
    assertThat(state("b")).isEqualTo("ACTIVE");
    assertThat(generation("b")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep", "delete"})
  void aScheduleWhoseOnlyFireIsPastIsUnchanged(String afterCompletion) {
    String more = ", \"state\": \"ACTIVE\", \"afterCompletion\": \"" + afterCompletion + "\"";
    String body =
        app(Map.of("once", exporter(Docs.at("2026-03-10T12:00:05Z"), more), "b", exporter(DAILY)));
    deploy(body).is(201);
    world.runFor(Duration.ofMinutes(3));
    List<String> left = stored();
    assertThat(left).hasSize(afterCompletion.equals("keep") ? 2 : 1);

    String same = difference("", "", "", "\"b\",\"once\"");
    assertThat(caller.send("PUT", EXPORTS + "?dryRun=true", body, Map.of()).is(200).body())
        .isEqualTo(same);
    for (int again = 0; again < 2; again++) {
      JsonNode answer = deploy(body).is(200).json();
      assertThat(dry(answer)).isEqualTo(same);
      assertThat(texts(answer.path("schedules"))).isEqualTo(left);
      assertThat(stored()).isEqualTo(left);
      assertThat(texts(caller.get(EXPORTS).is(200).json().path("schedules"))).isEqualTo(left);
    }
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aPastTimeOfAScheduleThatTheAppNeverHadIsRefused() {
    String more = ", \"state\": \"ACTIVE\", \"afterCompletion\": \"delete\"";
    deploy(app(Map.of("b", exporter(DAILY)))).is(201);
    String past = exporter(Docs.at("2026-03-10T11:00:00Z"), more);
    assertThat(deploy(app(Map.of("once", past, "b", exporter(DAILY)))).is(400).pointers())
        .containsExactly("/schedules/once/trigger/time");
  }

  @Test
  void aPastTimeOfAScheduleThatACrashedDeploymentDidNotStoreIsRefused() {
    String body = appOfOneTime();
    crash(body, false);

    world.setClock("2026-03-10T12:03:00Z");
    assertThat(deploy(body).is(400).pointers()).containsExactly("/schedules/once/trigger/time");
    deploy(app(Map.of("b", exporter(DAILY)))).is(201);
    assertThat(deploy(body).is(400).pointers()).containsExactly("/schedules/once/trigger/time");
  }

  @Test
  void aPastTimeOfAScheduleThatACrashedDeploymentStoredIsUnchanged() {
    String body = appOfOneTime();
    crash(body, true);

    world.runFor(Duration.ofMinutes(3));
    assertThat(stored()).isEmpty();
    for (int again = 0; again < 2; again++) {
      JsonNode answer = deploy(body).json();
      assertThat(answer.path("unchanged")).as(answer.toString()).hasToString("[\"once\"]");
    }
  }

  /** An app whose only schedule fires once, and then deletes itself. */
  private static String appOfOneTime() {
    String more = ", \"state\": \"ACTIVE\", \"afterCompletion\": \"delete\"";
    return app(Map.of("once", exporter(Docs.at("2026-03-10T12:00:05Z"), more)));
  }

  /** Deploys with a process that dies when it stores the first schedule. */
  private void crash(String body, boolean diesAfter) {
    Caller mortal =
        new Caller(
            world,
            apps,
            real ->
                proxy(
                    Schedules.class,
                    (it, method, arguments) ->
                        method.getName().equals("save")
                            ? dying(real, new int[] {1}, diesAfter).invoke(it, method, arguments)
                            : method.invoke(real, arguments)));
    assertThatThrownBy(() -> deploy(mortal, body)).isInstanceOf(Killed.class);
  }

  @Test
  void manualChangesAreKeptOrReverted() {
    deploy(app(Map.of("a", exporter(DAILY))));
    caller.put("a", exporter(MINUTELY, ", \"app\": \"exports\"")).is(200);
    caller.put("own", exporter(MINUTELY, ", \"app\": \"exports\"")).is(201);

    deploy(app(false, "[\"exporter\"]", Map.of("a", exporter(DAILY)))).is(200);
    assertThat(generation("a")).isEqualTo(2);
    assertThat(stored()).containsExactly("a", "own");

    deploy(app(Map.of("a", exporter(DAILY)))).is(200);
    assertThat(caller.schedule("a").json().at("/schedule/trigger/expression").asText())
        .isEqualTo("0 0 3 * * ?");
    assertThat(stored()).containsExactly("a");
  }

  @Test
  void schedulesOfOtherAppsAndOfNoAppAreNotChanged() {
    caller.put("none", exporter(DAILY));
    caller.put("other", exporter(DAILY, ", \"app\": \"imports\""));
    caller
        .send(
            "PUT",
            "/v1/namespaces/team/apps/exports",
            app(Map.of("theirs", exporter(DAILY))),
            Map.of())
        .is(201);

    deploy(app(Map.of())).is(201);
    deploy(app(false, "[]", Map.of())).is(200);
    caller.send("DELETE", EXPORTS, null, Map.of()).is(204);

    assertThat(stored()).containsExactly("none", "other");
    assertThat(names(caller.get("/v1/namespaces/team/schedules").json())).containsExactly("theirs");
  }

  @Test
  void aDeployedScheduleNamesItsApp() {
    deploy(app(Map.of("a", exporter(DAILY))));
    assertThat(caller.schedule("a").json().at("/schedule/app").asText()).isEqualTo("exports");
    assertThat(names(caller.get(Caller.SCHEDULES + "?app=exports").json())).containsExactly("a");
  }

  @Test
  void aDeployedScheduleLaunches() {
    deploy(app(Map.of("a", exporter(MINUTELY, ", \"state\": \"ACTIVE\"")))).is(201);
    world.runUntil("2026-03-10T12:02:30Z");
    assertThat(world.bodies())
        .containsExactly(
            "{\"at\":\"2026-03-10T12:01:00.000Z\"}", "{\"at\":\"2026-03-10T12:02:00.000Z\"}");
  }

  @Test
  void anAppListsItsProgramsAndSchedules() {
    caller.get(EXPORTS).is(404);
    JsonNode made = deploy(app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)))).is(201).json();
    assertThat(texts(made.path("schedules"))).containsExactly("a", "b");
    caller.delete("b").is(204);
    caller.put("c", exporter(DAILY, ", \"app\": \"exports\""));

    assertThat(caller.get(EXPORTS).is(200).body())
        .isEqualTo(
            "{\"namespace\":\"default\",\"name\":\"exports\",\"programs\":[\"exporter\"],"
                + "\"schedules\":[\"a\",\"c\"],\"deployedAt\":\"2026-03-10T12:00:00.000Z\","
                + "\"deployedBy\":\"local\",\"deploying\":null}");
  }

  @Test
  void deletingAnAppDeletesItsSchedules() {
    deploy(app(Map.of("a", exporter(DAILY), "b", exporter(DAILY))));
    caller.put("own", exporter(DAILY, ", \"app\": \"exports\""));

    caller.send("DELETE", EXPORTS, null, Map.of()).is(204);

    assertThat(stored()).isEmpty();
    caller.get(EXPORTS).is(404);
    caller.send("DELETE", EXPORTS, null, Map.of()).is(404);
    deploy(app(Map.of("a", exporter(DAILY)))).is(201);
    assertThat(generation("a")).isEqualTo(2);
  }

  // ---- refusals, which change nothing

  private void changesNothing(String body, int status, String... pointers) {
    deploy(app(Map.of("kept", exporter(DAILY))));
    App before = apps.find(ID).orElseThrow();
    for (String query : List.of("?dryRun=true", "")) {
      Reply refused = caller.send("PUT", EXPORTS + query, body, Map.of()).is(status);
      assertThat(refused.pointers()).as(refused.body()).containsExactlyInAnyOrder(pointers);
      assertThat(stored()).contains("kept");
      assertThat(caller.schedule("kept").etag()).isEqualTo("\"1\"");
      caller.schedule("new").is(404);
      assertThat(apps.find(ID)).contains(before);
    }
  }

  @Test
  void allFaultsOfAllDocumentsAreReportedAtOnce() {
    changesNothing(
        """
        {"programs": ["exporter", "other/exporter", 5], "updateSchedule": true, "schedules": {
           "new": {"trigger": {"type": "manual"}, "program": "exporter",
                   "target": {"queue": "work", "template": {}}},
           "kept": {"trigger": {"type": "cron", "expression": "0 0 3 31 2 ?"}, "zon": "UTC",
                    "program": "exporter", "target": {"queue": "work"}},
           "b": {"trigger": {"type": "manual"}, "program": "importer", "app": "imports",
                 "target": {"queue": "carillon-check", "template": {}}},
           "exporter": {"trigger": {"type": "manual"}, "program": "default/exporter",
                        "state": "RUNNING", "target": {"queue": "work", "template": {}}},
           "unlisted": {"trigger": {"type": "manual"}, "target": {"queue": "work", "template": {}}},
           "no name!": {"trigger": {"type": "manual"}, "program": "exporter",
                        "target": {"queue": "work", "template": {}}},
           "d": null}}
        """,
        400,
        "/programs/1",
        "/programs/2",
        "/updateSchedule",
        "/schedules/kept/trigger/expression",
        "/schedules/kept/zon",
        "/schedules/kept/target/template",
        "/schedules/b/program",
        "/schedules/b/app",
        "/schedules/b/target/queue",
        "/schedules/exporter/state",
        "/schedules/unlisted",
        "/schedules/no name!",
        "/schedules/d",
        "/schedules/d");
  }

  @Test
  void programsThatAreNotAListAreTheOnlyFault() {
    changesNothing(
        "{\"programs\": \"exporter\", \"schedules\": {\"a\": %s}}".formatted(exporter(DAILY)),
        400,
        "/programs");
  }

  @Test
  void schedulesOfOtherAppsAreConflictsByName() {
    caller.put("none", exporter(DAILY));
    caller.put("other", exporter(DAILY, ", \"app\": \"imports\""));
    String body =
        app(
            Map.of(
                "new", exporter(DAILY),
                "none", exporter(DAILY),
                "other", exporter(DAILY, ", \"app\": \"exports\"")));
    changesNothing(body, 409, "/schedules/none", "/schedules/other");
    assertThat(deploy(body).body())
        .contains("default/none exists and belongs to no app")
        .contains("default/other exists and belongs to the app \\\"imports\\\"");
  }

  @Test
  void withoutUpdatesThereAreNoConflicts() {
    caller.put("none", exporter(DAILY));
    deploy(app(false, "[\"exporter\"]", Map.of("none", exporter(MINUTELY)))).is(201);
    assertThat(generation("none")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"schedules\": {}}",
        "{\"programs\": []}",
        "{\"programs\": [], \"schedules\": []}",
        "{\"programs\": \"a\", \"schedules\": {}}",
        "{\"programs\": [], \"schedules\": {}, \"updateSchedules\": \"yes\"}"
      })
  void requestsOfAnotherFormAreRefused(String body) {
    deploy(app(Map.of("a", exporter(DAILY))));
    deploy(body).is(400);
    assertThat(stored()).containsExactly("a");
  }

  @Test
  void anAppHasAtMostFiveHundredSchedules() {
    assertThat(deploy(many(501)).is(400).pointers()).containsExactly("/schedules");
    assertThat(stored()).isEmpty();
    deploy(many(500)).is(201);
    assertThat(texts(caller.get(EXPORTS).json().path("schedules"))).hasSize(500);
  }

  private static String many(int count) {
    Map<String, String> schedules = new TreeMap<>();
    IntStream.range(0, count).forEach(it -> schedules.put("s" + it, exporter(DAILY)));
    return app(schedules);
  }

  @Test
  void aBodyLargerThanLambdaAcceptsIsRefused() {
    deploy(app(Map.of("a", exporter(DAILY))) + " ".repeat(4 * 1024 * 1024)).is(413);
    caller.send("PUT", EXPORTS + "?dryRun=maybe", app(Map.of()), Map.of()).is(400);
    caller.send("PUT", EXPORTS + "?dry=true", app(Map.of()), Map.of()).is(400);
    caller.send("PUT", APPS + "/no name", app(Map.of()), Map.of()).is(400);
  }

  // ---- concurrent deployments and crashes

  @Test
  void aDeploymentIsRefusedWhileAnotherHoldsTheLease() {
    String two = app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)));
    List<Reply> others = new ArrayList<>();
    Caller slow =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 1) {
                others.add(deploy(app(Map.of("c", exporter(DAILY)))));
                others.add(caller.send("DELETE", EXPORTS, null, Map.of()));
                others.add(caller.send("PUT", EXPORTS + "?dryRun=true", app(Map.of()), Map.of()));
                others.add(caller.get(EXPORTS));
              }
            });

    deploy(slow, two).is(201);

    assertThat(others).extracting(Reply::status).containsExactly(409, 409, 200, 200);
    assertThat(others.get(0).headers()).containsEntry("Retry-After", "40");
    assertThat(others.get(0).body()).contains("local began to change the app default/exports at");
    assertThat(others.get(3).json().at("/deploying/by").asText()).isEqualTo("local");
    assertThat(stored()).containsExactly("a", "b");
    assertThat(caller.get(EXPORTS).json().path("deploying").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofTwoConcurrentDeploymentsOneIsRefused(boolean isNew) {
    if (!isNew) {
      deploy(app(Map.of("old", exporter(DAILY)))).is(201);
    }
    List<Reply> replies = new ArrayList<>();
    Caller first =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 1) {
                replies.add(deploy(lateCaller(), app(Map.of("second", exporter(DAILY)))));
              }
            });
    lateSees = apps.find(ID).orElse(null);
    deploy(first, app(Map.of("first", exporter(DAILY)))).is(isNew ? 201 : 200);

    assertThat(replies).extracting(Reply::status).containsExactly(409);
    assertThat(stored()).containsExactly("first");
  }

  /** A caller that has read the app before another caller leased it. */
  private Caller lateCaller() {
    Apps stale =
        proxy(
            Apps.class,
            (proxy, method, arguments) ->
                method.getName().equals("find")
                    ? Optional.ofNullable(lateSees)
                    : method.invoke(apps, arguments));
    return new Caller(world, stale, it -> it);
  }

  @Test
  void anOvertakenDeploymentIsNotReportedAsUnchanged() {
    Caller slow =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 2) {
                world.setClock("2026-03-10T12:00:41Z");
                deploy(app(Map.of("b", exporter(MINUTELY)))).is(201);
                world.setClock("2026-03-10T12:00:00Z");
              }
            });
    deploy(slow, app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)))).is(503);
    deploy(app(Map.of("b", exporter(MINUTELY)))).is(200);
    assertThat(stored()).containsExactly("b");
  }

  @Test
  void aScheduleCreatedConcurrentlyByAnotherCallerIsNotReplaced() {
    Caller slow =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 1) {
                caller.put("a", exporter(MINUTELY)).is(201);
              }
            });
    Reply refused = deploy(slow, app(Map.of("a", exporter(DAILY)))).is(409);
    assertThat(refused.pointers()).containsExactly("/schedules/a");
    assertThat(generation("a")).isEqualTo(1);
    assertThat(caller.get(EXPORTS).json().path("deploying").isNull()).isTrue();
  }

  @Test
  void aRefusalAfterTheFirstChangeSaysHowManySchedulesWereChanged() {
    Caller slow =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 2) {
                caller.put("b", exporter(MINUTELY)).is(201);
              }
            });
    Map<String, String> three =
        Map.of("a", exporter(DAILY), "b", exporter(DAILY), "c", exporter(DAILY));
    Reply refused = deploy(slow, app(three)).is(503);
    assertThat(refused.json().path("detail").asText())
        .startsWith(
            "2 of 3 schedules were changed; then: the schedule default/b exists and belongs to no app");
    assertThat(refused.pointers()).containsExactly("/schedules/b");
    assertThat(stored()).containsExactly("a", "b", "c");
    assertThat(caller.get(EXPORTS).json().path("deploying").isNull()).isTrue();
  }

  @Test
  void theNextRequestDoesTheWorkThatTimeDidNotAllow() {
    Caller slow =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save")) {
                world.setClock(world.now().plusSeconds(8).toString());
              }
            });
    String body = many(7);
    Reply first = deploy(slow, body).is(503);
    assertThat(first.headers()).containsKey("Retry-After");
    assertThat(first.body()).contains("3 of 7 schedules were changed");
    assertThat(stored()).hasSize(3);
    deploy(slow, body).is(503);
    deploy(slow, body).is(201);
    assertThat(stored()).hasSize(7);
  }

  @Test
  void anAppFindsAScheduleThatWasStoredAloneAndAsksNoIndex() {
    Caller blind =
        new Caller(
            world,
            apps,
            real ->
                proxy(
                    Schedules.class,
                    (it, method, arguments) ->
                        method.getName().equals("list")
                            ? new Page<>(List.of(), null)
                            : method.invoke(real, arguments)));
    deploy(blind, app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)))).is(201);
    blind.put("alone", Docs.of(DAILY, ", \"app\": \"exports\"")).is(201);
    assertThat(texts(blind.get(EXPORTS).is(200).json().path("schedules")))
        .containsExactly("a", "alone", "b");
    deploy(blind, app(Map.of("b", exporter(DAILY)))).is(200);
    assertThat(stored()).containsExactly("b");
    blind.put("alone", Docs.of(DAILY, ", \"app\": \"exports\"")).is(201);
    blind.send("DELETE", EXPORTS, null, Map.of()).is(204);
    assertThat(stored()).isEmpty();
  }

  /** Crashes before or after each single call to a store, then sends the same request again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextDeploymentRepairsACrashAtAnyCall(boolean diesAfter) {
    int calls = 0;
    boolean died = true;
    while (died) {
      AppRoutesTest attempt = new AppRoutesTest();
      died = attempt.isRepaired(++calls, diesAfter);
    }
    assertThat(calls).isGreaterThan(12);
  }

  private boolean isRepaired(int call, boolean diesAfter) {
    deploy(app(Map.of("dropped", exporter(DAILY), "old", exporter(DAILY))));
    String wanted = app(Map.of("new", exporter(DAILY), "old", exporter(MINUTELY)));
    int[] left = {call};
    InvocationHandler dying = dying(world.schedules, left, diesAfter);
    Caller mortal =
        new Caller(
            world,
            proxy(Apps.class, dying(apps, left, diesAfter)),
            real -> proxy(Schedules.class, dying));
    boolean died = false;
    try {
      deploy(mortal, wanted);
    } catch (Killed killed) {
      died = true;
    }
    for (String name : stored()) {
      assertThat(apps.find(ID).orElseThrow().schedules()).as("call " + call).contains(name);
    }
    world.setClock("2026-03-10T12:00:41Z");
    deploy(wanted).is(200);
    assertThat(stored()).as("call " + call).containsExactly("new", "old");
    assertThat(caller.schedule("old").json().at("/schedule/trigger/expression").asText())
        .isEqualTo("0 * * * * ?");
    assertThat(generation("old")).as("call " + call).isEqualTo(2);
    assertThat(texts(caller.get(EXPORTS).json().path("schedules"))).containsExactly("new", "old");
    return died;
  }

  @Test
  void aFailedDeploymentReleasesItsLease() {
    Caller unlucky =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save") && number == 2) {
                throw new Caller.Throttled();
              }
            });
    String body = app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)));
    Reply failed = deploy(unlucky, body).is(503);
    assertThat(failed.json().path("detail").asText())
        .isEqualTo(
            "1 of 2 schedules were changed; then: the request failed in Carillon; send the same request again");
    assertThat(failed.headers()).containsKey("Retry-After");
    deploy(body).is(201);
    assertThat(stored()).containsExactly("a", "b");
  }

  @Test
  void aFailureBeforeTheFirstChangeIsAnsweredAsItIs() {
    Caller unlucky =
        callerWhere(
            Schedules.class,
            (method, number) -> {
              if (method.equals("save")) {
                throw new Caller.Throttled();
              }
            });
    deploy(unlucky, app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)))).is(429);
    assertThat(stored()).isEmpty();
  }

  @Test
  void aFailureToStoreOrDeleteTheAppSaysThatItsSchedulesWereChanged() {
    String body = app(Map.of("a", exporter(DAILY), "b", exporter(DAILY)));
    Reply stored = deploy(failingOnce("save", 2), body).is(503);
    assertThat(stored.body()).contains("2 of 2 schedules were changed; then: ");
    deploy(body).is(201);
    deploy(failingOnce("save", 2), body).is(429);
    Reply deleted = failingOnce("delete", 1).send("DELETE", EXPORTS, null, Map.of()).is(503);
    assertThat(deleted.body()).contains("2 of 2 schedules were changed; then: ");
    caller.send("DELETE", EXPORTS, null, Map.of()).is(204);
  }

  /** A caller whose call of the store of apps fails once. */
  private Caller failingOnce(String call, int which) {
    return callerWhere(
        Apps.class,
        (method, number) -> {
          if (method.equals(call) && number == which) {
            throw new Caller.Throttled();
          }
        });
  }

  @Test
  void aDeletedAppIsNotStoredAgain() {
    deploy(app(Map.of("a", exporter(DAILY))));
    Caller late =
        callerWhere(
            Apps.class,
            (method, number) -> {
              if (method.equals("save") && number == 1) {
                caller.send("DELETE", EXPORTS, null, Map.of()).is(204);
              }
            });
    deploy(late, app(Map.of("a", exporter(MINUTELY)))).is(409);
    caller.get(EXPORTS).is(404);
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static InvocationHandler dying(Object real, int[] left, boolean after) {
    return (proxy, method, arguments) -> {
      boolean dies = --left[0] == 0;
      if (dies && !after) {
        throw new Killed();
      }
      Object answer = method.invoke(real, arguments);
      if (dies) {
        throw new Killed();
      }
      return answer;
    };
  }

  /** An action right before a call. */
  private interface Before {
    void call(String method, int number);
  }

  /**
   * A caller whose store runs an action before each call, with the number of calls of that method.
   */
  private Caller callerWhere(Class<?> port, Before before) {
    Map<String, Integer> numbers = new TreeMap<>();
    Apps appsOnTheWay = port == Apps.class ? before(Apps.class, apps, numbers, before) : apps;
    return new Caller(
        world,
        appsOnTheWay,
        real -> port == Apps.class ? real : before(Schedules.class, real, numbers, before));
  }

  private static <T> T before(Class<T> port, T real, Map<String, Integer> numbers, Before before) {
    return proxy(
        port,
        (proxy, method, arguments) -> {
          before.call(method.getName(), numbers.merge(method.getName(), 1, Integer::sum));
          return method.invoke(real, arguments);
        });
  }

  private static <T> T proxy(Class<T> port, InvocationHandler handler) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              try {
                return handler.invoke(proxy, method, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }
}
