package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The overview counts what the jobs of the last hours did. */
@Timeout(600)
@InBrowser
class OverviewTest {

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  @Test
  void theOverviewCountsTheLaunchesOfTheLastHours() throws InterruptedException {
    Stage.put("launches", "counts", Samples.ON_DEMAND);
    for (int n = 0; n < 3; n++) {
      Samples.await("launches", Samples.launch("launches", "counts"), "LAUNCHED");
    }
    try (Visit visit = Visit.of("launches/schedules")) {
      visit.link("Overview").click();
      visit.shows("active schedules of namespace launches");
      visit.shows("3 launches.");
      Samples.await("launches", Samples.launch("launches", "counts"), "LAUNCHED");
      visit.button("Count again").click();
      visit.shows("4 launches.");
    }
  }

  @Test
  void failuresComeFirstAmongTheEndsOfTheLastHours() throws InterruptedException, IOException {
    Stage.put("failing", "counts", Samples.ON_DEMAND);
    Samples.await("failing", Samples.launch("failing", "counts"), "LAUNCHED");
    Stage.put("failing", "export", Samples.NIGHTLY);
    String failed = Samples.launch("failing", "export");
    String token = Samples.claim("failing", failed);
    Samples.report(
        "failing", failed, "fail", "{\"claimToken\": \"" + token + "\", \"error\": \"disk full\"}");
    Samples.await("failing", failed, "FAILED");
    try (Visit visit = Visit.of("failing/schedules")) {
      visit.link("Overview").click();
      Locator ends = visit.table("Jobs by end").locator("tbody tr");
      assertThat(ends).hasText(new String[] {"FAILED1", "LAUNCHED1"});
      assertThat(visit.table("Newest failures").locator("tbody tr")).hasCount(1);
      assertThat(Axe.findings(visit.page(), ColorScheme.LIGHT, "overview")).isEmpty();
      visit.link(failed).click();
      visit.shows("disk full");
    }
  }
}
