package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotScale;
import dev.carillon.document.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each view shows what the API knows, is fit for screen readers and for every width. */
@Timeout(600)
@InBrowser
class ViewsTest {

  private static final String NS = "views";
  private static final Path PICTURES = Path.of("target/console");
  private static String running;
  private static String waiting;

  @BeforeAll
  static void fill() throws InterruptedException {
    Stage.set();
    Samples.fill(NS);
    running = Samples.launch(NS, "nightly-export");
    String token = Samples.claim(NS, running);
    Samples.report(
        NS,
        running,
        "heartbeat",
        "{\"claimToken\": \"" + token + "\", \"progress\": {\"rows\": 4711}}");
    waiting = Samples.launch(NS, "nightly-export");
  }

  @Test
  void theOverviewShowsTicksJobsAndQueues() {
    try (Visit visit = Visit.of("")) {
      assertThat(visit.page()).hasTitle("Overview · Carillon");
      visit.shows("Last tick");
      assertThat(visit.table("Queues")).containsText("rejected");
      assertThat(visit.table("Jobs by state")).containsText("PENDING_CONSTRAINT");
      assertThat(visit.page().locator(".chart canvas")).hasCount(2);
    }
  }

  @Test
  void theListShowsHowTheLastJobsEnded() throws InterruptedException {
    Stage.put("ends", "counts", Samples.ON_DEMAND);
    Stage.put("ends", "never", Samples.ON_DEMAND);
    for (int n = 0; n < 2; n++) {
      Samples.await("ends", Samples.launch("ends", "counts"), "LAUNCHED");
    }
    try (Visit visit = Visit.of("ends/schedules")) {
      Locator rows = visit.table("Schedules").locator("tbody tr");
      assertThat(rows).hasCount(2);
      assertThat(rows.first().getByLabel("Last 2 jobs: 2 LAUNCHED")).isVisible();
      assertThat(rows.first().locator(".last")).hasText("LAUNCHED");
      assertThat(rows.last().locator(".last")).hasText("");
    }
  }

  @Test
  void onlyRowsOnTheScreenAskForTheirJobs() {
    for (int n = 0; n < 40; n++) {
      Stage.put("rows", "schedule-" + (100 + n), Samples.HOURLY);
    }
    List<String> asked = new CopyOnWriteArrayList<>();
    try (Visit visit = Visit.of("")) {
      visit
          .page()
          .onRequest(
              request -> {
                if (request.url().endsWith("/jobs?limit=50")) {
                  asked.add(request.url());
                }
              });
      visit.go("rows/schedules");
      Locator rows = visit.table("Schedules").locator("tbody tr");
      assertThat(rows).hasCount(40);
      visit
          .page()
          .waitForCondition(() -> asked.stream().anyMatch(it -> it.contains("schedule-100")));
      assertThat(asked).noneMatch(it -> it.contains("schedule-139"));
      rows.last().scrollIntoViewIfNeeded();
      visit
          .page()
          .waitForCondition(() -> asked.stream().anyMatch(it -> it.contains("schedule-139")));
    }
  }

  @Test
  void aJobShowsItsRequestAsThePreviewRendersIt() throws InterruptedException {
    String often = Samples.HOURLY.replace("0 0/20", "* *");
    Stage.put(
        "requests", "often", often.replace("\"hour\":", "\"id\": 1234567890123456789, \"hour\":"));
    JsonNode jobs = Stage.get("namespaces/requests/schedules/often/jobs").path("jobs");
    while (jobs.isEmpty()) {
      jobs = Stage.get("namespaces/requests/schedules/often/jobs").path("jobs");
    }
    String fired = jobs.path(0).path("jobId").asText();
    Samples.await("requests", fired, "LAUNCHED");
    try (Visit visit = Visit.of("requests/jobs/" + fired)) {
      visit.shows("Rendered now, by the preview of the stored document");
      assertThat(visit.page().getByLabel("Body of the request")).containsText("\"hour\": \"20");
      assertThat(visit.page().getByLabel("Body of the request"))
          .containsText("\"id\": 1234567890123456789");

      visit.go(NS + "/jobs/" + waiting);
      visit.shows("The template of the stored document, not rendered");
      assertThat(visit.page().getByLabel("Template of the request")).containsText("yesterdaysDate");

      Stage.put("requests", "often", Samples.HOURLY);
      visit.go("requests/jobs/" + fired);
      visit.shows("is not the one of this job");
      Stage.call("DELETE", "namespaces/requests/schedules/often", null);
      visit.page().reload();
      visit.shows("The schedule is deleted");
    }
  }

  @Test
  void theListFilters() {
    try (Visit visit = Visit.of(NS + "/schedules")) {
      Locator table = visit.table("Schedules");
      assertThat(table.locator("tbody tr")).hasCount(4);
      assertThat(table).containsText("Exports what was sold yesterday");

      visit.page().getByLabel("State").selectOption("SUSPENDED");
      visit.button("Filter").click();
      assertThat(table.locator("tbody tr")).hasCount(1);
      assertThat(visit.page()).hasURL(Stage.console() + "#/views/schedules?state=SUSPENDED");

      visit.go(NS + "/schedules?tag=team%3Ddata");
      assertThat(table.locator("tbody tr")).hasCount(1);
      visit.go(NS + "/schedules?q=PARTITIONS");
      assertThat(table.locator("tbody tr")).hasCount(1);
      visit.go(NS + "/schedules?app=none");
      visit.shows("No schedule of this namespace matches.");
      visit.link("Clear").click();
      assertThat(table.locator("tbody tr")).hasCount(4);
    }
  }

  @Test
  void aScheduleShowsWhyItIsSo() {
    try (Visit visit = Visit.of(NS + "/schedules")) {
      visit.link("nightly-export").click();
      visit.shows("At 03:00");
      assertThat(visit.table("Limits"))
          .containsText("program exporter is at its limit of unfinished jobs: 1 of at most 1");
      assertThat(visit.table("Jobs")).containsText(running);
      assertThat(visit.table("Coming fires")).containsText("-0");
      assertThat(visit.table("Coming fires")).containsText("excluded by holidays");
      assertThat(visit.page().locator(".json .key").first()).isVisible();

      visit.go(NS + "/schedules/load-orders");
      visit.shows("2 of 5");
      visit.shows("sales.orders");
    }
  }

  @Test
  void aJobShowsWhyItWaits() {
    try (Visit visit = Visit.of(NS + "/jobs/" + waiting)) {
      visit.shows("It waits because");
      visit.shows("1 of 1");
      visit.link(running).click();
      visit.shows("crane-7");
      visit.shows("4711");
      assertThat(visit.table("Transitions")).containsText("CLAIMED");
      assertThat(visit.table("Attempts")).containsText("crane-7");
    }
  }

  @Test
  void theWeekCountsTheFiresByHour() {
    Stage.put("weeks", "counts", Samples.HOURLY);
    Stage.put("weeks", "often", Samples.HOURLY.replace("0 0/20", "0/2 *"));
    try (Visit visit = Visit.of("")) {
      visit.throttles("**/weeks/schedules/*/preview?**", 2);
      visit.go("weeks/week?from=2030-01-07");
      visit.shows("of 2 schedules.");
      assertThat(visit.table("Fires by day and hour").locator("td:not(.h0)")).not().hasCount(0);
      visit.shows("its fires are counted until 2030-01-07T01:39:58");
      assertThat(visit.page().getByTitle("2030-01-10 13:00, 3 fires")).isVisible();
      visit.link("Week after").click();
      assertThat(visit.page().getByTitle("2030-01-20 23:00, 3 fires")).isVisible();
    }
  }

  @Test
  void poolsAreListedAndEachShowsWhatWaits() {
    try (Visit visit = Visit.of(NS + "/pools")) {
      Locator cells = visit.table("Pools").locator("tbody td");
      assertThat(cells)
          .hasText(new String[] {"encode", "ACTIVE", "encode", "20", "0", "0", "0", "–"});
      visit.link("encode").click();
      visit.shows("No job waits.");
      visit.shows("No job in the last hour.");

      visit
          .page()
          .route(
              "**/pools/encode",
              route ->
                  route.fulfill(
                      new com.microsoft.playwright.Route.FulfillOptions().setBody(crowded())));
      assertThat(visit.table("Waiting jobs").locator("tbody tr"))
          .hasText(new String[] {"acme700", "(no customer)40"});
      assertThat(visit.table("Waiting jobs").locator("progress").last())
          .hasAttribute("value", "40");
      visit.shows("at least 780 of 7 customers");
      visit.shows("40 jobs of 5 further customers.");
      assertThat(visit.table("Shares").locator("tbody tr"))
          .hasText(new String[] {"acme75, 75 %", "umbrella20, 20 %"});
      visit.shows("5 jobs of further customers.");
      visit.go(NS + "/pools");
      assertThat(cells.last()).containsText("2026");
    }
  }

  /** The pool as the API has it, with jobs in it. */
  private static String crowded() {
    ObjectNode pool = (ObjectNode) Stage.get("namespaces/" + NS + "/pools/encode");
    pool.set(
        "status",
        Json.readObject(
            """
            {"depth": 20, "visible": 20, "inFlight": 9, "moved": 100, "claimed": 80,
             "nextChoiceAt": null, "oldestReadyAt": "2026-03-10T11:42:10.000Z",
             "waiting": {"jobs": 780, "isAtLeast": true, "customers": 7, "byCustomer":
               [{"customer": "acme", "jobs": 700}, {"customer": null, "jobs": 40}]},
             "servedSince": "2026-03-10T11:00:00.000Z", "servedOthers": 5, "servedLastHour":
               [{"customer": "acme", "jobs": 75, "share": 0.75},
                {"customer": "umbrella", "jobs": 20, "share": 0.2}]}
            """));
    return pool.toString();
  }

  @Test
  void anAddressThatNamesNothingSaysSo() {
    try (Visit visit = Visit.of("a/b/c/d")) {
      visit.shows("No such view");
      visit.go(NS + "/schedules/absent");
      visit.shows("absent");
      assertThat(visit.page().getByRole(com.microsoft.playwright.options.AriaRole.ALERT).first())
          .isVisible();
      visit.go("%E0%A4/schedules");
      visit.shows("No such view");
    }
  }

  @Test
  void theKeyboardReachesEverything() {
    try (Visit visit = Visit.of(NS + "/schedules")) {
      assertThat(visit.table("Schedules").locator("tbody tr")).hasCount(4);
      visit.page().keyboard().press("Tab");
      assertThat(visit.link("To the content")).isFocused();
      visit.page().keyboard().press("Enter");
      assertThat(visit.page().locator("h1")).isFocused();
      visit.link("nightly-export").focus();
      visit.page().keyboard().press("Enter");
      assertThat(visit.page().locator("h1")).hasText("views / nightly-export");
      assertThat(visit.page().locator("h1")).isFocused();
      visit.button("Suspend").focus();
      visit.page().keyboard().press("Enter");
      visit.dismiss();
    }
  }

  private static Map<String, String> views() {
    Map<String, String> views = new LinkedHashMap<>(firstViews());
    views.put(NS + "/schedules?q=nightly", "Reload");
    views.put(NS + "/jobs", "PENDING_CONSTRAINT");
    views.put(NS + "/new", "Ctrl+Space");
    views.put(NS + "/programs", "exporter");
    views.put(NS + "/resources", "disk");
    views.put(NS + "/pools", "encode");
    views.put(NS + "/pools/encode", "No job waits.");
    return views;
  }

  private static Map<String, String> firstViews() {
    return Map.of(
        "",
        "Since this page was opened",
        NS + "/schedules",
        "nightly-export",
        NS + "/schedules/nightly-export",
        "Document",
        NS + "/schedules/load-orders",
        "2 of 5",
        NS + "/schedules/nightly-export/edit",
        "Back without saving",
        NS + "/jobs/" + waiting,
        "It waits because",
        NS + "/week",
        " fires of 2 schedules.",
        "simulate",
        "Run",
        NS + "/programs/exporter",
        "Last runs",
        NS + "/calendars",
        "holidays");
  }

  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  void axeFindsNothingSerious(ColorScheme scheme) throws IOException {
    List<String> findings = new ArrayList<>();
    try (Visit visit = Visit.of("", new Browser.NewContextOptions().setColorScheme(scheme))) {
      for (Map.Entry<String, String> view : views().entrySet()) {
        visit.go(view.getKey()).shows(view.getValue());
        findings.addAll(Axe.findings(visit.page(), scheme, view.getKey()));
      }
      visit.go(NS + "/schedules/nightly-export");
      for (String action : List.of("Launch now", "Suspend", "Backfill", "Delete")) {
        visit.button(action).click();
        assertThat(visit.dialog()).isVisible();
        findings.addAll(Axe.findings(visit.page(), scheme, action));
        visit.dismiss();
      }
      visit.go(NS + "/jobs").shows("PENDING_CONSTRAINT");
      for (String action : List.of("Retry many jobs", "Cancel many jobs")) {
        visit.button(action).click();
        assertThat(visit.dialog()).isVisible();
        findings.addAll(Axe.findings(visit.page(), scheme, action));
        visit.dismiss();
      }
      visit.go(NS + "/new").shows("Ctrl+Space");
      visit.page().getByLabel("Document").fill("{");
      visit.page().keyboard().press("Control+Space");
      assertThat(visit.page().getByLabel("Proposals")).isVisible();
      findings.addAll(Axe.findings(visit.page(), scheme, "proposals"));

      visit.go("simulate");
      visit.button("Run").click();
      assertThat(visit.table("Jobs of the simulation")).isVisible();
      findings.addAll(Axe.findings(visit.page(), scheme, "outcome of a simulation"));
      visit.page().route("**/v1/**", route -> route.abort());
      visit.go(NS + "/resources");
      assertThat(visit.page().locator(".lost")).isVisible();
      findings.addAll(Axe.findings(visit.page(), scheme, "lost connection"));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void noViewIsWiderThanAPhone() throws IOException {
    var phone = new Browser.NewContextOptions().setViewportSize(360, 740).setDeviceScaleFactor(1);
    List<String> wide = new ArrayList<>();
    try (Visit visit = Visit.of("", phone)) {
      for (Map.Entry<String, String> view : views().entrySet()) {
        visit.go(view.getKey()).shows(view.getValue());
        Object width = visit.page().evaluate("document.documentElement.scrollWidth");
        if (((Number) width).intValue() > 360) {
          wide.add(view.getKey() + ": " + width);
        }
        picture(visit.page(), "phone-" + name(view.getKey()), true);
      }
    }
    assertThat(wide).isEmpty();
  }

  private static String name(String view) {
    return view.isEmpty() ? "overview" : view.replace(waiting, "waiting").replaceAll("[/?=]", "-");
  }

  @Tag("proof")
  @Test
  void eachViewIsPictured() throws IOException {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (Visit visit =
          Visit.of(
              "",
              new Browser.NewContextOptions().setViewportSize(1200, 800).setColorScheme(scheme))) {
        for (Map.Entry<String, String> view : views().entrySet()) {
          visit.go(view.getKey()).shows(view.getValue());
          picture(
              visit.page(),
              scheme.name().toLowerCase(java.util.Locale.ROOT) + "-" + name(view.getKey()),
              true);
        }
      }
    }
  }

  private static Path picture(Page page, String name, boolean whole) throws IOException {
    Files.createDirectories(PICTURES);
    Path file = PICTURES.resolve(name.endsWith(".png") ? name : name + ".png");
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(file)
            .setFullPage(whole)
            .setScale(ScreenshotScale.CSS));
    return file;
  }
}
