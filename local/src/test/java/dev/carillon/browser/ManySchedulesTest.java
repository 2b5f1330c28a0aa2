package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long list loads by pages. */
@Timeout(1_200)
@InBrowser
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

  /** Notes each piece of work that keeps the page from answering for 50 ms or longer. */
  private static void watch(Visit visit) {
    visit
        .page()
        .evaluate(
            """
            globalThis.blocked = [];
            new PerformanceObserver((list) =>
              list.getEntries().forEach((entry) => blocked.push(entry.duration)),
            ).observe({ entryTypes: ["longtask"] });
            """);
  }

  /** Prints how long the page did not answer since the last call. */
  private static void report(Visit visit, String what, long begin) {
    Object longest = visit.page().evaluate("Math.round(Math.max(0, ...blocked.splice(0)))");
    System.out.printf(
        "%s: %d ms, the page did not answer for up to %s ms%n", what, millisSince(begin), longest);
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
  void someSchedulesLoadByPages() {
    fill("many", 250);
    try (Visit visit = Visit.of("")) {
      open(visit, "many", 250);
      assertThat(visit.button("Reload")).hasCount(0);
      visit.button("Load more").click();
      assertThat(rows(visit)).hasCount(2 * PAGE);
      visit.shows("As of ");
      Stage.put("many", "schedule-00000", Samples.HOURLY);
      visit.button("Reload").click();
      assertThat(rows(visit)).hasCount(PAGE);
      assertThat(rows(visit).first()).containsText("ACTIVE");
      assertThat(visit.button("Reload")).hasCount(0);
      find(visit, "many", "00237");
    }
  }

  @Test
  void aSearchIsReloadedByItsButton() {
    fill("found", 2);
    try (Visit visit = Visit.of("found/schedules?q=00001")) {
      assertThat(rows(visit)).hasCount(1);
      visit.shows("As of ");
      Stage.put("found", "schedule-00001", Samples.HOURLY);
      visit.button("Reload").click();
      assertThat(rows(visit)).containsText("ACTIVE");
      assertThat(visit.button("Reload")).isVisible();
    }
  }

  /**
   * Each row of all pages is there in the end, and the list answers as before. The time grows with
   * the square of the number; {@code -Dschedules=10000} takes ten minutes on a busy machine.
   */
  @Test
  @Tag("proof")
  void thousandsOfSchedulesLoadByPagesWhileThePageAnswers() {
    int schedules = Integer.getInteger("schedules", 1_000);
    fill("very-many", schedules);
    try (Visit visit = Visit.of("")) {
      open(visit, "very-many", schedules);
      watch(visit);
      for (int shown = PAGE; shown < schedules; shown += PAGE) {
        long begin = System.nanoTime();
        visit.button("Load more").click();
        assertThat(rows(visit)).hasCount(shown + PAGE);
        if ((shown + PAGE) % 1000 == 0) {
          report(visit, "page %d".formatted(shown / PAGE + 1), begin);
        }
      }
      assertThat(visit.button("Load more")).hasCount(0);
      long begin = System.nanoTime();
      rows(visit).last().scrollIntoViewIfNeeded();
      assertThat(rows(visit).last()).isInViewport();
      report(visit, "scrolling to the end", begin);
      begin = System.nanoTime();
      find(visit, "very-many", "%05d".formatted(schedules - 13));
      report(visit, "a search of all", begin);
    }
  }
}
