package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs, resources and calendars of a namespace are listed. */
@Timeout(600)
@InBrowser
class RegistersTest {

  private static final String NS = "registers";
  private static String running;

  @BeforeAll
  static void fill() throws InterruptedException {
    Stage.set();
    Samples.fill(NS);
    running = Samples.launch(NS, "nightly-export");
    Samples.await(NS, running, "ENQUEUED");
  }

  @Test
  void programsResourcesAndCalendarsAreShown() {
    try (Visit visit = Visit.of(NS + "/programs")) {
      visit.link("exporter").click();
      assertThat(visit.table("Limits")).containsText("program exporter");
      assertThat(visit.table("Jobs that hold program exporter")).containsText(running);
      visit.link("Resources").click();
      assertThat(visit.table("Resources")).containsText("12.5");
      visit.link("Calendars").click();
      visit.shows("Days off");
    }
  }

  @Test
  void programsAreListedWithTheSchedulesThatLaunchThem() {
    Stage.put("programs", "first", Samples.NIGHTLY);
    Stage.put("programs", "second", Samples.NIGHTLY);
    Stage.put("programs", "own", Samples.HOURLY);
    try (Visit visit = Visit.of("programs/programs")) {
      Locator rows = visit.table("Programs").locator("tbody tr");
      assertThat(rows).hasText(new String[] {"exporter2", "own1"});
      visit.link("2").click();
      assertThat(visit.table("Schedules").locator("tbody tr")).hasCount(2);
      visit.go("nothing/programs").shows("No schedule, so no program.");
    }
  }

  @Test
  void resourcesAreListedWithTheJobsThatWaitForThem() throws InterruptedException {
    Stage.put(
        "gauges",
        "copy",
        Samples.NIGHTLY.replace(
            "\"concurrency\", \"max\": 1", "\"resource\", \"name\": \"disk\", \"atLeast\": 10"));
    Stage.call("PUT", "namespaces/gauges/resources/disk", "{\"value\": 3.5}");
    Samples.await("gauges", Samples.launch("gauges", "copy"), "PENDING_CONSTRAINT");
    try (Visit visit = Visit.of("gauges/resources")) {
      Locator cells = visit.table("Resources").locator("tbody tr").first().locator("td");
      assertThat(cells.first()).hasText("disk");
      assertThat(cells.nth(1)).hasText("3.5");
      assertThat(cells.nth(2)).hasText("for ever");
      assertThat(cells.last()).hasText("1");
      visit.go("nothing/resources").shows("No resource is reported.");
    }
  }

  @Test
  void aListThatIsReadOnceIsReadAgainAfterAThrottledAnswer() {
    try (Visit visit = Visit.of("")) {
      visit.throttles("**/throttled/pools?**", 1);
      visit.go("throttled/pools").shows("No pool is stored.");
    }
  }

  @Test
  void aFurtherPageOfPoolsDoesNotCountThePoolsBeforeAgain() {
    for (int number = 0; number < 27; number++) {
      Stage.call("PUT", "namespaces/crowd/pools/p-%02d".formatted(number), Samples.POOL);
    }
    try (Visit visit = Visit.of("")) {
      List<String> counted = new ArrayList<>();
      visit.page().onRequest(request -> counted.add(request.url()));
      visit.go("crowd/pools");
      Locator rows = visit.table("Pools").locator("tbody tr");
      assertThat(rows).hasCount(25);
      visit.button("Load more").click();
      assertThat(rows).hasCount(27);
      assertThat(visit.button("Load more")).hasCount(0);
      Assertions.assertThat(counted).filteredOn(url -> url.endsWith("/pools/p-00")).hasSize(1);
      visit.button("Reload").click();
      assertThat(rows).hasCount(25);
    }
  }
}
