package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long list loads by pages. */
@Timeout(240)
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

  @Tag("proof")
  @Test
  @Timeout(1800)
  void tenThousandSchedulesLoadByPagesWithoutFreezing() {
    int all = 10_000;
    fill("most", all);
    try (Visit visit = Visit.of("")) {
      visit
          .page()
          .evaluate(
              "window.longest = 0; new PerformanceObserver((list) => list.getEntries().forEach("
                  + "(task) => window.longest = Math.max(window.longest, task.duration)))"
                  + ".observe({type: 'longtask'})");
      open(visit, "most", all);
      long begin = System.nanoTime();
      for (int loaded = PAGE; loaded < all; loaded += PAGE) {
        visit.button("Load more").click();
        assertThat(rows(visit)).hasCount(loaded + PAGE);
      }
      System.out.printf(
          "the other %d pages of %d schedules loaded in %d ms; the page was busy for at most %s ms"
              + " at a time%n",
          all / PAGE - 1,
          all,
          millisSince(begin),
          visit.page().evaluate("Math.round(window.longest)"));
      assertThat(visit.button("Load more")).hasCount(0);
      visit.shows("10000 schedules.");
      rows(visit).last().locator("a").first().focus();
      find(visit, "most", "09876");
    }
  }
}
