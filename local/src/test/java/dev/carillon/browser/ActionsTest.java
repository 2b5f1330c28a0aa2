package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each action of the console does what the API then shows. */
@Timeout(600)
@InBrowser
class ActionsTest {

  private static final String NS = "actions";

  /** Fires on one day of the year, so that no job of its own appears during a test. */
  private static final String ON_NEW_YEAR = Samples.HOURLY.replace("0/20 * * *", "0/20 * 1 1");

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  private static JsonNode schedule(String name) {
    return Stage.get("namespaces/" + NS + "/schedules/" + name);
  }

  private static JsonNode jobs(String name) {
    return Stage.get("namespaces/" + NS + "/schedules/" + name + "/jobs").path("jobs");
  }

  @Test
  void aScheduleIsSuspendedWithReasonAndUntilAndResumed() {
    Stage.put(NS, "paused", Samples.HOURLY);
    try (Visit visit = Visit.of(NS + "/schedules/paused")) {
      visit.button("Suspend").click();
      visit.dialog().locator("[name=mode]").selectOption("backlog");
      visit.dialog().locator("[name=reason]").fill("the warehouse moves");
      visit.dialog().locator("[name=until]").fill("2090-01-02T03:04");
      visit.confirm("Suspend");
      visit.shows("the warehouse moves");

      JsonNode suspended = schedule("paused").path("suspended");
      assertThat(suspended.path("mode").asText()).isEqualTo("backlog");
      assertThat(suspended.path("until").asText()).isEqualTo("2090-01-02T03:04:00.000Z");
      visit.button("Resume").click();
      visit.shows("Resumed.");
      assertThat(visit.button("Resume")).hasCount(0);
      assertThat(schedule("paused").path("state").asText()).isEqualTo("ACTIVE");
    }
  }

  @Test
  void aSuspensionIsChangedFromWhatItIs() {
    Stage.put(NS, "moving", Samples.HOURLY);
    Stage.call(
        "POST",
        "namespaces/" + NS + "/schedules/moving/suspend",
        "{\"mode\": \"hold\", \"reason\": \"move\", \"until\": \"2090-01-02T03:04:05Z\"}");
    try (Visit visit = Visit.of(NS + "/schedules/moving")) {
      visit.button("Change the suspension").click();
      visit.dialog().locator("[name=reason]").fill("a longer move");
      visit.confirm("Change");
      visit.shows("The suspension was changed.");
      visit.page().reload();
      visit.shows("a longer move");
      JsonNode suspended = schedule("moving").path("suspended");
      assertThat(suspended.path("mode").asText()).isEqualTo("hold");
      assertThat(suspended.path("until").asText()).isEqualTo("2090-01-02T03:04:05.000Z");

      visit.button("Change the suspension").click();
      visit.dialog().locator("[name=until]").fill("2091-01-02T03:04");
      visit.confirm("Change");
      visit.shows("2091");
      suspended = schedule("moving").path("suspended");
      assertThat(suspended.path("reason").asText()).isEqualTo("a longer move");
      assertThat(suspended.path("until").asText()).isEqualTo("2091-01-02T03:04:00.000Z");
    }
  }

  @Test
  void aScheduleIsLaunchedWithAPayload() {
    Stage.put(NS, "launched", ON_NEW_YEAR.replace("${startOfHour}", "${payload.by}"));
    try (Visit visit = Visit.of(NS + "/schedules/launched")) {
      visit.button("Launch now").click();
      visit.dialog().locator("[name=payload]").fill("{\"by\": ");
      visit.button("Launch").click();
      assertThat(visit.dialog()).containsText("the payload is not JSON");
      visit.dialog().locator("[name=payload]").fill("{\"by\": \"ann\"}");
      visit.dialog().locator("[name=priority]").fill("2");
      visit.confirm("Launch");
      visit.shows("was made.");
      assertThat(visit.table("Jobs").locator("tbody tr")).hasCount(1);

      JsonNode job = jobs("launched").path(0);
      assertThat(job.path("priority").asInt()).isEqualTo(2);
      visit.link(job.path("jobId").asText()).click();
      visit.shows("LAUNCHED");
    }
  }

  @Test
  void theNumbersOfAPayloadAreSentAsTheyWereTyped() {
    Stage.put(NS, "paid", ON_NEW_YEAR);
    List<String> sent = new ArrayList<>();
    try (Visit visit = Visit.of(NS + "/schedules/paid")) {
      visit.page().onRequest(request -> sent.add(String.valueOf(request.postData())));
      visit.button("Launch now").click();
      visit
          .dialog()
          .locator("[name=payload]")
          .fill("{\"account\": 9007199254740993, \"rate\": 1.50}");
      visit.dialog().locator("[name=customer]").fill("acme");
      visit.confirm("Launch");
      visit.shows("was made.");
      assertThat(sent)
          .anySatisfy(
              body ->
                  assertThat(body.replace(" ", ""))
                      .contains("\"payload\":{\"account\":9007199254740993,\"rate\":1.50}")
                      .contains("\"customer\":\"acme\""));
    }
  }

  /** No further poll comes, because the page counts as hidden. */
  @Test
  void aViewIsLoadedAgainAfterAnActionEvenDuringAPoll() {
    Stage.put(NS, "polled", ON_NEW_YEAR);
    List<Route> held = new ArrayList<>();
    List<APIResponse> earlier = new ArrayList<>();
    try (Visit visit = Visit.of(NS + "/schedules/polled")) {
      assertThat(visit.button("Launch now")).isVisible();
      visit
          .page()
          .route(
              "**/schedules/polled",
              route -> {
                if (held.isEmpty()) {
                  held.add(route);
                  earlier.add(route.fetch());
                } else {
                  route.resume();
                }
              });
      visit.page().waitForCondition(() -> !earlier.isEmpty());
      visit.page().evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
      visit.button("Suspend").click();
      visit.confirm("Suspend");
      visit.shows("Suspended.");
      held.get(0).fulfill(new Route.FulfillOptions().setResponse(earlier.get(0)));
      assertThat(visit.button("Resume")).isVisible();
    }
  }

  @Test
  void aPoolIsPausedWithAReasonAndResumed() {
    String route = "namespaces/" + NS + "/pools/encode";
    String pattern = "\"match\": {\"account\": [9007199254740993]}, \"depth\"";
    JsonNode stored =
        Stage.call("PUT", route, Samples.POOL.replace("\"depth\"", pattern)).path("pool");
    try (Visit visit = Visit.of(NS + "/pools/encode")) {
      assertThat(visit.page().getByLabel("Pool encode")).containsText("9007199254740993");
      visit.button("Pause").click();
      visit.dialog().locator("[name=reason]").fill("the encoders move");
      visit.confirm("Pause");
      visit.shows("Paused.");
      visit.shows("the encoders move");
      JsonNode paused = Stage.get(route).path("pool");
      assertThat(paused.path("paused").asBoolean()).isTrue();
      assertThat(paused.path("reason").asText()).isEqualTo("the encoders move");
      assertThat(paused.path("match")).isEqualTo(stored.path("match"));

      visit.button("Resume").click();
      visit.shows("Resumed.");
      assertThat(visit.button("Pause")).isVisible();
      assertThat(Stage.get(route).path("pool")).isEqualTo(stored);
    }
  }

  @Test
  void aFireIsSkipped() {
    Stage.put(NS, "skipped", Samples.NIGHTLY);
    try (Visit visit = Visit.of(NS + "/schedules/skipped")) {
      visit.button("Skip the next fire").click();
      visit.confirm("Skip");
      visit.shows("is left out.");
      assertThat(visit.table("Jobs")).containsText("SKIPPED");
      assertThat(jobs("skipped").path(0).path("state").asText()).isEqualTo("SKIPPED");
    }
  }

  @Test
  void aScheduleIsDeletedAfterAConfirmation() {
    Stage.put(NS, "deleted", Samples.HOURLY);
    Stage.put(NS, "kept", Samples.HOURLY);
    try (Visit visit = Visit.of(NS + "/schedules/deleted")) {
      visit.button("Delete").click();
      visit.button("Close").click();
      assertThat(schedule("deleted").path("name").asText()).isEqualTo("deleted");
      visit.button("Delete").click();
      visit.confirm("Delete");
      assertThat(visit.page()).hasURL(Stage.console() + "#/" + NS + "/schedules");
      assertThat(visit.table("Schedules")).containsText("kept");
      assertThat(visit.link("deleted")).hasCount(0);
    }
  }

  @Test
  void aBackfillIsShownFirstThenStarted() {
    Stage.put(NS, "past", ON_NEW_YEAR);
    try (Visit visit = Visit.of(NS + "/schedules/past")) {
      visit.button("Backfill").click();
      visit.dialog().locator("[name=from]").fill("2026-01-01T00:00");
      visit.dialog().locator("[name=to]").fill("2026-01-01T02:00");
      visit.dialog().locator("[name=concurrency]").fill("5");
      visit.button("Show the fires").click();
      assertThat(visit.dialog()).containsText("6 fires, 5 at a time");
      assertThat(jobs("past")).isEmpty();
      visit.confirm("Launch 6 fires");
      visit.shows("was started.");
      visit.shows("6 LAUNCHED");
      assertThat(jobs("past")).hasSize(6);
    }
  }

  @Test
  void aBackfillIsCancelled() {
    Stage.put(NS, "long", Samples.NIGHTLY.replace("\"exporter\"", "\"longer\""));
    try (Visit visit = Visit.of(NS + "/schedules/long")) {
      visit.button("Backfill").click();
      visit.dialog().locator("[name=from]").fill("2026-01-01T00:00");
      visit.dialog().locator("[name=to]").fill("2026-01-10T00:00");
      visit.button("Show the fires").click();
      visit.confirm("Launch 9 fires");
      visit.shows("1 of 9");
      visit.button("Cancel the backfill").click();
      assertThat(visit.dialog()).containsText("Fires that were not launched yet are not launched.");
      String heading = visit.page().getByText(Pattern.compile("^Backfill \\w+$")).textContent();
      String id = heading.replace("Backfill ", "");
      String route = "namespaces/" + NS + "/schedules/long/backfills/" + id;
      visit.dismiss();
      assertThat(Stage.get(route).path("state").asText()).isEqualTo("RUNNING");
      visit.button("Cancel the backfill").click();
      visit.confirm("Cancel the backfill");
      assertThat(visit.button("Cancel the backfill")).hasCount(0);
      assertThat(Stage.get(route).path("state").asText()).isEqualTo("CANCELLED");
      visit.shows("CANCELLED");
    }
  }

  @Test
  void aJobThatWaitsIsCancelledAndOneThatFailedIsRetried() throws InterruptedException {
    Stage.put(NS, "runs", Samples.NIGHTLY.replace("\"exporter\"", "\"runner\""));
    String failing = Samples.launch(NS, "runs");
    String token = Samples.claim(NS, failing);
    String waiting = Samples.launch(NS, "runs");
    Samples.await(NS, waiting, "PENDING_CONSTRAINT");
    try (Visit visit = Visit.of(NS + "/jobs/" + waiting)) {
      visit.button("Cancel").click();
      visit.confirm("Cancel the job");
      visit.shows("The job is now CANCELLED.");
      assertThat(Samples.state(NS, waiting)).isEqualTo("CANCELLED");

      Samples.report(
          NS, failing, "fail", "{\"claimToken\": \"" + token + "\", \"error\": \"disk full\"}");
      visit.go(NS + "/jobs/" + failing).shows("disk full");
      visit.button("Retry").click();
      visit.confirm("Retry");
      visit.shows("The job is now RETRY_WAIT.");
    }
  }
}
