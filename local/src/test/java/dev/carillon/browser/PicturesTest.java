package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pictures of the documents show the console; with -Dconsole.pictures=write they are taken. */
@Timeout(120)
@InBrowser
class PicturesTest {

  private static final String NS = "sales";
  private static final Path TAKEN = Path.of("target/console");
  private static final Path SHOWN = Path.of("../docs/images");
  private static final int MOST_BYTES = 150 * 1024;

  private static final String EXPORT =
      """
      {"description": "Exports what was sold since the last run", "app": "exports", "program": "exporter",
       "tags": {"team": "data"}, "zone": "America/New_York",
       "trigger": {"type": "cron", "expression": "0 30 2,8,14,20 * * ?", "exclude": ["weekend"]},
       "constraints": [{"type": "concurrency", "max": 1}], "tracking": {"claimTimeout": "PT1H", "heartbeatTimeout": "PT1H"},
       "target": {"queue": "exports", "template": {"since": "${startOfHour}"}}, "state": "ACTIVE"}
      """;

  private static String waiting;

  @BeforeAll
  static void fill() throws InterruptedException {
    Stage.set();
    Stage.call(
        "PUT",
        "namespaces/" + NS + "/calendars/weekend",
        "{\"weekly\": [{\"days\": [\"SAT\", \"SUN\"]}]}");
    Stage.put(NS, "export", EXPORT);
    Stage.put(
        NS,
        "imports",
        EXPORT
            .replaceAll("\"constraints\".*}], ", "")
            .replace("Exports what was sold", "Imports what came in")
            .replace("exporter", "importer"));
    Stage.put(NS, "counts", Samples.HOURLY);
    Stage.put(NS, "load-orders", Samples.ON_DATA);
    Stage.put(NS, "backup", Samples.HOURLY.replace("\"ACTIVE\"", "\"SUSPENDED\""));
    Stage.call(
        "POST",
        "namespaces/" + NS + "/schedules/counts/backfill",
        "{\"from\": \"2026-01-01T00:00:00Z\", \"to\": \"2026-01-01T15:00:00Z\", \"concurrency\":"
            + " 50}");
    for (int run = 0; run < 12; run++) {
      end(Samples.launch(NS, "imports"), run % 5 == 3);
    }
    Samples.claim(NS, Samples.launch(NS, "export"));
    waiting = Samples.launch(NS, "export");
    Samples.await(NS, waiting, "PENDING_CONSTRAINT");
  }

  private static void end(String job, boolean isFailure) throws InterruptedException {
    String token = "{\"claimToken\": \"" + Samples.claim(NS, job) + "\"";
    if (isFailure) {
      Samples.report(NS, job, "fail", token + ", \"error\": \"disk full\"}");
    } else {
      Samples.report(NS, job, "succeed", token + "}");
    }
  }

  /** Takes a picture of the upper part of a view, and checks that the documents have one. */
  private static void take(Page page, String name) throws IOException {
    Files.createDirectories(TAKEN);
    Path taken = TAKEN.resolve("console-" + name + ".png");
    Path shown = SHOWN.resolve(taken.getFileName());
    page.screenshot(new Page.ScreenshotOptions().setPath(taken));
    if ("write".equals(System.getProperty("console.pictures"))) {
      Files.createDirectories(SHOWN);
      Files.copy(taken, shown, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(shown).isNotEmptyFile();
    assertThat(Files.size(shown)).as("bytes of %s", shown).isLessThan(MOST_BYTES);
  }

  private static Visit visit(String view, int height) {
    return Visit.of(NS + "/" + view, new Browser.NewContextOptions().setViewportSize(1200, height));
  }

  @Test
  void theListOfSchedulesIsPictured() throws IOException {
    try (Visit visit = visit("schedules", 640)) {
      assertThat(visit.page().locator(".ends")).hasCount(3);
      take(visit.page(), "schedules");
    }
  }

  @Test
  void aScheduleIsPictured() throws IOException {
    try (Visit visit = visit("schedules/export", 860)) {
      visit.shows("unfinished jobs");
      assertThat(visit.page().getByLabel("The coming week:")).isVisible();
      take(visit.page(), "schedule");
    }
  }

  @Test
  void aJobThatWaitsIsPictured() throws IOException {
    try (Visit visit = visit("jobs/" + waiting, 860)) {
      visit.shows("unfinished jobs");
      take(visit.page(), "job");
    }
  }
}
