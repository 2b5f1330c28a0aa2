package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scenario is played, and its jobs are shown. */
@Timeout(600)
@InBrowser
class SimulateTest {

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  @Test
  void aScenarioIsPlayed() {
    try (Visit visit = Visit.of("simulate")) {
      visit.button("Run").click();
      assertThat(visit.table("Jobs of the simulation")).containsText("default/after-it");
      assertThat(visit.page().locator(".timeline rect").first()).isVisible();

      Locator source = visit.page().getByLabel("Scenario");
      source.fill(source.inputValue().replace("0 0 0/6 * * ?", "never"));
      visit.button("Run").click();
      visit.shows("/schedules/default~1every-six-hours/trigger/expression");
      assertThat(visit.page().locator(".numbers .wrong")).hasCount(1);
      source.fill("{");
      visit.button("Run").click();
      visit.shows("JSON");
    }
  }

  @Test
  void allTimesOfTheOutcomeAreInTheZoneOfTheBrowser() {
    var newYork = new Browser.NewContextOptions().setTimezoneId("America/New_York");
    try (Visit visit = Visit.of("simulate", newYork)) {
      visit.button("Run").click();
      visit.shows("In your time, America/New_York.");
      assertThat(visit.page().locator(".timeline text").first()).hasText("28 Feb, 19:00");
      Locator cells =
          visit
              .table("Jobs of the simulation")
              .locator("tbody tr")
              .filter(new Locator.FilterOptions().setHasText("default/every-six-hours"))
              .last()
              .locator("td");
      assertThat(cells.nth(1)).hasText("01 Mar 2026, 19:00:00");
      assertThat(cells.last()).containsText("01 Mar 2026, 19:00:00 PENDING_LAUNCH");
      assertThat(visit.page().locator(".timeline title").first())
          .containsText("01 Mar 2026, 01:00:00");
    }
  }

  @Test
  void theOutcomeNamesTheStatesOfEachJob() {
    try (Visit visit = Visit.of("simulate")) {
      visit.button("Run").click();
      Locator rows = visit.table("Jobs of the simulation").locator("tbody tr");
      assertThat(rows.first()).containsText("default/every-six-hours");
      assertThat(rows.first()).containsText("SUCCEEDED");
      int jobs = rows.count();
      visit.shows(jobs + " jobs");
      assertThat(visit.page().getByLabel(jobs + " jobs of 2 schedules")).isVisible();
      assertThat(rows.filter(new Locator.FilterOptions().setHasText("default/after-it")))
          .not()
          .hasCount(0);

      Locator source = visit.page().getByLabel("Scenario");
      source.fill(
          "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-02T00:00:00Z\", \"schedules\": {}}");
      visit.button("Run").click();
      visit.shows("The scenario makes no job.");
    }
  }

  /** A browser rounds numbers of more than 53 bits. */
  @Test
  void aLongNumberIsSentAsItWasTyped() {
    try (Visit visit = Visit.of("simulate")) {
      Locator source = visit.page().getByLabel("Scenario");
      source.fill(source.inputValue().replaceFirst("\\{", "{\"unknown\": 12345678901234567890,"));
      Request request =
          visit.page().waitForRequest("**/simulate", () -> visit.button("Run").click());
      assertThat(request.postData()).isEqualTo(source.inputValue());
    }
  }
}
