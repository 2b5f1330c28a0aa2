package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Documents are written with the server's help, and never over another caller's change. */
@Timeout(600)
class EditorTest {

  private static final String NS = "edited";

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  private static Locator document(Page page) {
    return page.getByLabel("Document");
  }

  private static void replace(Page page, String text, String other) {
    Locator document = document(page);
    document.fill(document.inputValue().replace(text, other));
  }

  @Test
  void faultsAreShownBesideTheirPointers() {
    try (Visit visit = Visit.of(NS + "/new")) {
      assertThat(visit.table("Next ten fires").locator("tbody tr")).hasCount(10);
      replace(visit.page(), "0 0 3 * * ?", "0 0 3 * *");
      visit.shows("/trigger/expression");
      assertThat(visit.page().locator(".numbers .wrong")).hasText("6");
      visit.button("line 6").click();
      assertThat(document(visit.page())).isFocused();

      replace(visit.page(), "\"queue\": \"jobs\"", "\"queue\": \"\"");
      visit.page().locator("input[name=name]").fill("refused");
      visit.button("Save").click();
      visit.shows("/target/queue");
      visit.shows("/trigger/expression");
      assertThat(visit.page().locator(".numbers .wrong")).hasCount(2);

      document(visit.page()).fill("{\"trigger\"");
      visit.shows("JSON");
    }
    assertThat(Stage.get("namespaces/" + NS + "/schedules?program=refused").path("schedules"))
        .isEmpty();
  }

  @Test
  void aNewScheduleIsSavedOnceUnderItsName() {
    try (Visit visit = Visit.of(NS + "/new")) {
      visit.page().locator("input[name=name]").fill("fresh");
      visit.button("Save").click();
      assertThat(visit.page().locator("h1")).hasText(NS + " / fresh");
      visit.shows("At 03:00");

      visit.go(NS + "/new");
      visit.page().locator("input[name=name]").fill("fresh");
      visit.button("Save").click();
      visit.shows("The stored schedule is not the one that was edited here.");
    }
  }

  @Test
  void ofTwoTabsTheSecondDoesNotOverwriteTheFirst() {
    Stage.put(NS, "shared", Samples.HOURLY);
    String edit = NS + "/schedules/shared/edit";
    try (Visit visit = Visit.of(edit)) {
      Page other = visit.newPage();
      visit.go(other, edit);
      assertThat(document(other)).hasValue(java.util.regex.Pattern.compile("Counts what came in"));
      replace(visit.page(), "Counts what came in", "first");
      visit.button("Save").click();
      assertThat(visit.page().locator("h1")).hasText(NS + " / shared");

      replace(other, "Counts what came in", "second");
      other.getByText("Save", new Page.GetByTextOptions().setExact(true)).click();
      other.getByText("Load the stored one").click();
      assertThat(document(other)).hasValue(java.util.regex.Pattern.compile("\"first\""));
      replace(other, "\"first\"", "\"second\"");
      other.getByText("Save", new Page.GetByTextOptions().setExact(true)).click();
      visit.page().bringToFront();
      visit.shows("second");
    }
  }
}
