package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import dev.carillon.local.LocalEngine;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine that goes away is reported, what it said stays, and its return is noticed. */
@Timeout(600)
@InBrowser
class OutageTest {

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  @Test
  void anEngineGoesAwayAndComesBack() throws InterruptedException {
    LocalEngine first = Stage.engine(0);
    URI address = first.http();
    try (Visit visit =
        Visit.of(address.resolve("/console/"), "", new Browser.NewContextOptions())) {
      visit.shows("Last tick");
      first.close();
      assertThat(visit.page().locator(".lost")).containsText("has not answered since");
      visit.shows("Last tick");
      visit.page().evaluate("location.hash = '#/back/schedules'");
      visit.shows("does not answer");

      try (LocalEngine second = Stage.engine(address.getPort())) {
        Stage.call(second.http(), "PUT", "namespaces/back/schedules/risen", Samples.HOURLY);
        assertThat(visit.table("Schedules")).containsText("risen");
        assertThat(visit.page().locator(".lost")).hasCount(0);
      }
    }
  }

  /** The page did not learn that the rows were deleted, only that it has no newer ones. */
  @ParameterizedTest
  @ValueSource(strings = {"back/schedules", "back/schedules?q=laid"})
  void theRowsOfAListStayUntilThereAreNewOnes(String view) throws InterruptedException {
    LocalEngine first = Stage.engine(0);
    URI address = first.http();
    Stage.call(address, "PUT", "namespaces/back/schedules/laid", Samples.HOURLY);
    try (Visit visit =
        Visit.of(address.resolve("/console/"), view, new Browser.NewContextOptions())) {
      assertThat(visit.table("Schedules")).containsText("laid");
      visit.shows("1 schedule.");
      first.close();
      // A list of found schedules is not polled, so this tab learns of the outage by a call.
      visit.page().evaluate("import('./api.js').then(({ get }) => get('status')).catch(() => {})");
      assertThat(visit.page().locator(".lost")).containsText("has not answered since");
      assertThat(visit.page().locator(".fault")).containsText("does not answer");
      assertThat(visit.table("Schedules")).containsText("laid");
      assertThat(visit.page().getByText("No schedule of this namespace matches.")).hasCount(0);
      assertThat(visit.page().getByText("1 schedule.")).hasCount(0);

      // A list of found schedules is read once when the engine is back, so the row must be there.
      visit.page().context().setOffline(true);
      try (LocalEngine second = Stage.engine(address.getPort())) {
        Stage.call(second.http(), "PUT", "namespaces/back/schedules/relaid", Samples.HOURLY);
        visit.page().context().setOffline(false);
        assertThat(visit.table("Schedules")).containsText("relaid");
        assertThat(visit.page().locator(".lost, .fault")).hasCount(0);
      }
    }
  }
}
