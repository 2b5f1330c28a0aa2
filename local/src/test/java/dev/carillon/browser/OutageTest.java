package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import dev.carillon.local.LocalEngine;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
      assertThat(visit.page().locator(".lost")).containsText("does not answer since");
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
}
