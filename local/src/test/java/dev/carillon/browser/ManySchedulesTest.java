package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long list loads by pages. */
@Timeout(600)
class ManySchedulesTest {

  private static final String NS = "many";
  private static final int SCHEDULES = 1000;

  @BeforeAll
  static void fill() throws InterruptedException {
    Stage.set();
    IntStream.range(0, SCHEDULES)
        .parallel()
        .forEach(
            n ->
                Stage.put(
                    NS,
                    "schedule-%04d".formatted(n),
                    Samples.HOURLY.replace("ACTIVE", "SUSPENDED")));
  }

  @Test
  void aThousandSchedulesLoadByPages() {
    try (Visit visit = Visit.of("")) {
      visit.shows("Last tick");
      long begin = System.nanoTime();
      visit.page().evaluate("location.hash = '#/" + NS + "/schedules'");
      Locator rows = visit.table("Schedules").locator("tbody tr");
      assertThat(rows).hasCount(100);
      rows.first().locator("a").first().focus();
      long millis = (System.nanoTime() - begin) / 1_000_000;
      System.out.printf(
          "the list of %d schedules was interactive after %d ms%n", SCHEDULES, millis);

      visit.button("Load more").click();
      assertThat(rows).hasCount(200);
      visit.go(NS + "/schedules?q=0987");
      assertThat(rows).hasCount(1);
      rows.locator("a").first().click();
      assertThat(visit.page().locator("h1")).hasText(NS + " / schedule-0987");
    }
  }
}
