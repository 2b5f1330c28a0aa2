package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Documents are written with the server's help, and never over another caller's change. */
@Timeout(600)
@InBrowser
class EditorTest {

  private static final String NS = "edited";
  private static final Pattern ANY = Pattern.compile(".+");

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
  void calendarsAreThoseOfItsNamespace() {
    Stage.call("PUT", "namespaces/" + NS + "/calendars/mondays", "{\"dates\": [\"2026-01-05\"]}");
    try (Visit visit = Visit.of(NS + "/new")) {
      String expression = "\"0 0 3 * * ?\"";
      replace(visit.page(), expression, expression + ", \"exclude\": [\"fridays\"]");
      visit.shows("there is no calendar \"fridays\" in namespace \"edited\"");
      replace(visit.page(), "fridays", "mondays");
      visit.shows("No faults.");
      assertThat(visit.table("Next ten fires").locator("tbody tr")).hasCount(10);
    }
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
      assertThat(document(other)).hasValue(Pattern.compile("Counts what came in"));
      replace(visit.page(), "Counts what came in", "first");
      visit.button("Save").click();
      assertThat(visit.page().locator("h1")).hasText(NS + " / shared");

      replace(other, "Counts what came in", "second");
      other.getByText("Save", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(other.locator("main")).containsText("Load the stored one");
      other.getByText("Load the stored one").click();
      assertThat(document(other)).hasValue(Pattern.compile("\"first\""));
      replace(other, "\"first\"", "\"second\"");
      other.getByText("Save", new Page.GetByTextOptions().setExact(true)).click();
      visit.page().bringToFront();
      visit.shows("second");
    }
  }

  private static final String WITH_NUMBERS =
      Samples.HOURLY.replace(
          "\"hour\":", "\"account\": 9007199254740993, \"rate\": 1.50, \"hour\":");

  /** JavaScript's own numbers would make them 9007199254740992 and 1.5. */
  @Test
  void numbersThatTheUserDoesNotChangeAreStoredAsTheyWere() {
    Stage.put(NS, "exact", WITH_NUMBERS);
    try (Visit visit = Visit.of(NS + "/schedules/exact/edit")) {
      replace(visit.page(), "Counts what came in", "Counts exactly");
      visit.button("Save").click();
      assertThat(visit.page().locator("h1")).hasText(NS + " / exact");
      visit.shows("Counts exactly");
      Object stored =
          visit
              .page()
              .evaluate(
                  "fetch('../v1/namespaces/edited/schedules/exact').then((answer) => answer.text())");
      assertThat((String) stored)
          .contains("Counts exactly")
          .containsPattern("\"account\"\\s*:\\s*9007199254740993\\b")
          .containsPattern("\"rate\"\\s*:\\s*1\\.50\\b");
    }
  }

  @Test
  void aBrowserThatWouldChangeNumbersNamesThem() {
    Stage.put(NS, "rounded", WITH_NUMBERS);
    Stage.put(NS, "short", Samples.HOURLY);
    try (Visit visit = Visit.of("")) {
      visit.page().addInitScript("delete JSON.rawJSON;");
      visit.page().reload();
      visit.go(NS + "/schedules/rounded/edit");
      visit.shows("This browser changes numbers of this document: 9007199254740993, 1.50.");
      visit.go(NS + "/schedules/short/edit");
      assertThat(document(visit.page())).hasValue(Pattern.compile("Counts what came in"));
      assertThat(visit.page().getByText("This browser changes")).hasCount(0);
    }
  }

  /** The browser names a place for some faults only. No line is better than a wrong one. */
  @Test
  void aFaultOfTheTextIsShownAtTheLineThatTheBrowserNames() {
    try (Visit visit = Visit.of(NS + "/new")) {
      Locator document = document(visit.page());
      Locator wrong = visit.page().locator(".numbers .wrong");
      String text = document.inputValue();
      document.fill(text.replace("\"zone\": \"UTC\",", "\"zone\": \"UTC\""));
      visit.button("line 4").click();
      assertThat(wrong).hasText("4");
      document.fill("{\n  \"zone\": \"UTC\",\n  \"target\": {");
      assertThat(wrong).hasText("3");
      document.fill(text.replace("\"zone\": \"UTC\"", "\"zone\": 'UTC'"));
      visit.shows("is not valid JSON");
      assertThat(wrong).hasCount(0);
      document.fill(text);
      visit.shows("No faults.");
    }
  }

  private static Locator proposals(Page page) {
    return page.getByRole(AriaRole.LISTBOX).getByRole(AriaRole.OPTION);
  }

  @Test
  void whatFitsAtTheCursorIsProposed() {
    try (Visit visit = Visit.of(NS + "/new")) {
      visit.shows("Ctrl+Space proposes");
      Page page = visit.page();
      document(page).fill("{\"trigger\": {\"type\": \"cron\", \"expression\": \"0 0 3 * * ?\"");
      page.keyboard().press("Control+End");
      page.keyboard().type(", dia");
      assertThat(proposals(page)).hasCount(1);
      page.keyboard().press("Enter");
      assertThat(document(page)).hasValue(Pattern.compile("\"dialect\": $"));
      page.keyboard().press("Control+Space");
      assertThat(proposals(page)).hasText(new String[] {"\"quartz\"", "\"unix\"", "\"aws\""});
      page.keyboard().press("ArrowDown");
      assertThat(document(page)).hasAttribute("aria-activedescendant", ANY);
      page.keyboard().press("ArrowUp");
      page.keyboard().press("Tab");
      page.keyboard().type("}, ");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page).first()).containsText("target required");
      page.keyboard().press("Escape");
      assertThat(proposals(page)).hasCount(0);
      assertThat(document(page)).isFocused();
      page.keyboard().type("\"tar");
      proposals(page).first().click();
      page.keyboard().type("{\"queue\": \"jobs\", \"template\": {}}}");
      assertThat(visit.table("Next ten fires").locator("tbody tr")).hasCount(10);

      page.keyboard().press("Tab");
      assertThat(visit.button("Save")).isFocused();
    }
  }

  @Test
  void aTargetNeedsAQueueUnlessItsScheduleHasAPool() {
    try (Visit visit = Visit.of(NS + "/new")) {
      visit.shows("Ctrl+Space proposes");
      Page page = visit.page();
      document(page).fill("{\"target\": {");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page).first()).containsText("queue required");
      document(page).fill("{\"pool\": \"encode\", \"target\": {");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page).first()).containsText("template required");
    }
  }

  @Test
  void aScenarioHasProposalsOfItsOwn() {
    try (Visit visit = Visit.of("simulate")) {
      visit.shows("Ctrl+Space proposes");
      Page page = visit.page();
      Locator scenario = page.getByLabel("Scenario");
      scenario.fill("{");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page).first()).containsText("from required");
      scenario.fill("{\"schedules\": {\"default/a\": {\"trigger\": {\"type\": \"q");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page)).hasText("\"quiet\"");
      scenario.fill("{\"programs\": {\"default/a\": {");
      page.keyboard().press("Control+Space");
      assertThat(proposals(page).first()).containsText("runsFor");
    }
  }
}
