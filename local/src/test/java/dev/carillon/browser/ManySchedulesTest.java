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

  private static final int PAGE = 100;

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  private static void fill(String ns, int schedules) {
    long begin = System.nanoTime();
    String document = Samples.HOURLY.replace("ACTIVE", "SUSPENDED");
    IntStream.range(0, schedules)
        .parallel()
        .forEach(n -> Stage.put(ns, "schedule-%05d".formatted(n), document));
    System.out.printf("%d schedules were stored in %d ms%n", schedules, millisSince(begin));
  }

  private static long millisSince(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private static Locator rows(Visit visit) {
    return visit.table("Schedules").locator("tbody tr");
  }

  /** Opens the list from the overview, so that the page itself is loaded. */
  private static void open(Visit visit, String ns, int schedules) {
    visit.shows("Last tick");
    long begin = System.nanoTime();
    visit.page().evaluate("location.hash = '#/" + ns + "/schedules'");
    assertThat(rows(visit)).hasCount(PAGE);
    rows(visit).first().locator("a").first().focus();
    System.out.printf(
        "the list of %d schedules was interactive after %d ms%n", schedules, millisSince(begin));
  }

  private static void find(Visit visit, String ns, String name) {
    long begin = System.nanoTime();
    visit.go(ns + "/schedules?q=" + name);
    assertThat(rows(visit)).hasCount(1);
    System.out.printf("the search for %s took %d ms%n", name, millisSince(begin));
    rows(visit).locator("a").first().click();
    assertThat(visit.page().locator("h1")).hasText(ns + " / schedule-" + name);
  }

  @Test
  void aThousandSchedulesLoadByPages() {
    fill("many", 1000);
    try (Visit visit = Visit.of("")) {
      open(visit, "many", 1000);
      visit.button("Load more").click();
      assertThat(rows(visit)).hasCount(2 * PAGE);
      find(visit, "many", "00987");
    }
  }
}
