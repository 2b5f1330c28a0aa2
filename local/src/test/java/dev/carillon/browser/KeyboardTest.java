package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every action can be reached and carried out by keys alone. */
@Timeout(180)
@InBrowser
class KeyboardTest {

  private static final String NS = "keys";
  private static final int MOST_TABS = 150;

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  /** Presses Tab until an element has the focus. */
  private static void reach(Visit visit, Locator wanted) {
    assertThat(wanted).isVisible();
    for (int tabs = 0; tabs < MOST_TABS; tabs++) {
      if ((boolean) wanted.evaluate("element => element === document.activeElement")) {
        return;
      }
      visit.page().keyboard().press("Tab");
    }
    throw new AssertionError("no key reaches " + wanted);
  }

  private static void press(Visit visit, Locator button) {
    reach(visit, button);
    visit.page().keyboard().press("Enter");
  }

  private static void write(Visit visit, String field, String text) {
    reach(visit, visit.dialog().locator("[name=" + field + "]"));
    Keyboard keyboard = visit.page().keyboard();
    keyboard.type(text);
  }

  private static String state(String schedule) {
    return Stage.get("namespaces/" + NS + "/schedules/" + schedule).path("state").asText();
  }

  @Test
  void aScheduleIsMadeChangedAndDeleted() {
    try (Visit visit = Visit.of(NS + "/schedules")) {
      press(visit, visit.link("New schedule"));
      reach(visit, visit.page().locator("input[name=name]"));
      visit.page().keyboard().type("written");
      press(visit, visit.button("Save"));
      assertThat(visit.page().locator("h1")).hasText(NS + " / written");
      press(visit, visit.link("Edit"));
      press(visit, visit.button("Save"));
      visit.shows("At 03:00");
      press(visit, visit.button("Delete"));
      press(visit, visit.dialog().getByText("Delete", exact()));
      assertThat(visit.page()).hasURL(Stage.console() + "#/" + NS + "/schedules");
      assertThat(visit.link("written")).hasCount(0);
    }
  }

  private static Locator.GetByTextOptions exact() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  private static void confirm(Visit visit, String action) {
    press(visit, visit.dialog().getByText(action, exact()).last());
    assertThat(visit.dialog()).hasCount(0);
  }

  @Test
  void aScheduleIsSuspendedResumedLaunchedSkippedAndBackfilled() {
    Stage.put(NS, "nightly", Samples.NIGHTLY);
    try (Visit visit = Visit.of(NS + "/schedules/nightly")) {
      press(visit, visit.button("Suspend"));
      write(visit, "reason", "the keys say so");
      confirm(visit, "Suspend");
      visit.shows("the keys say so");
      assertThat(state("nightly")).isEqualTo("SUSPENDED");
      press(visit, visit.button("Resume"));
      visit.shows("Resumed.");
      assertThat(state("nightly")).isEqualTo("ACTIVE");

      press(visit, visit.button("Skip the next fire"));
      confirm(visit, "Skip");
      visit.shows("is left out.");
      press(visit, visit.button("Launch now"));
      write(visit, "payload", "{}");
      confirm(visit, "Launch");
      visit.shows("was made.");
      press(visit, visit.button("Backfill"));
      press(visit, visit.button("Show the fires"));
      assertThat(visit.dialog()).containsText("1 fire, 1 at a time");
      press(visit, visit.button("Launch 1 fire"));
      visit.shows("was started.");
    }
  }

  @Test
  void jobsAreCancelledAndRetriedAloneAndTogether() throws InterruptedException {
    Stage.put(NS, "runs", Samples.NIGHTLY.replace("exporter", "runner"));
    String failing = Samples.launch(NS, "runs");
    String token = Samples.claim(NS, failing);
    String waiting = Samples.launch(NS, "runs");
    Samples.await(NS, waiting, "PENDING_CONSTRAINT");
    try (Visit visit = Visit.of(NS + "/jobs/" + waiting)) {
      press(visit, visit.button("Cancel"));
      confirm(visit, "Cancel the job");
      visit.shows("The job is now CANCELLED.");
      Samples.report(NS, failing, "fail", "{\"claimToken\": \"" + token + "\", \"error\": \"e\"}");
      visit.go(NS + "/jobs/" + failing).shows("FAILED");
      press(visit, visit.button("Retry"));
      confirm(visit, "Retry");
      visit.shows("The job is now RETRY_WAIT.");
      // A job whose request is being sent cannot be cancelled.
      Samples.await(NS, failing, "ENQUEUED");

      press(visit, visit.link("Jobs"));
      press(visit, visit.button("Cancel many jobs"));
      write(visit, "schedule", "runs");
      press(visit, visit.button("Count the jobs"));
      press(visit, visit.button("Cancel 1 job"));
      assertThat(visit.dialog()).containsText("1 of 1 job cancelled");
      press(visit, visit.button("Close"));
      assertThat(Samples.state(NS, failing)).isEqualTo("CANCELLED");

      press(visit, visit.button("Retry many jobs"));
      visit.dismiss();
    }
  }

  /** Before the page is drawn again, and so before any further key. */
  @Test
  void aDialogIsOpenAndAViewHasTheFocusAsSoonAsTheyAreThere() {
    Stage.put(NS, "quick", Samples.NIGHTLY);
    try (Visit visit = Visit.of(NS + "/schedules/quick")) {
      Object isOpen =
          visit
              .button("Suspend")
              .evaluate(
                  """
                  async (button) => {
                    button.click();
                    await null;
                    return document.querySelector("dialog").open;
                  }
                  """);
      assertThat(isOpen).isEqualTo(true);
      visit.dismiss();
      Object focused =
          visit
              .link("Pools")
              .evaluate(
                  """
                  async (link) => {
                    const change = new Promise((resolve) => addEventListener("hashchange", resolve));
                    link.click();
                    await change;
                    return document.activeElement.textContent;
                  }
                  """);
      assertThat(focused).isEqualTo(NS + " / Pools");
    }
  }

  @Test
  void aDialogReturnsTheFocusToTheButtonThatOpenedIt() {
    Stage.put(NS, "closed", Samples.NIGHTLY);
    try (Visit visit = Visit.of(NS + "/schedules/closed")) {
      press(visit, visit.button("Launch now"));
      press(visit, visit.button("Close"));
      assertThat(visit.dialog()).hasCount(0);
      assertThat(visit.button("Launch now")).isFocused();

      press(visit, visit.button("Launch now"));
      visit.dismiss();
      assertThat(visit.button("Launch now")).isFocused();

      press(visit, visit.button("Backfill"));
      press(visit, visit.button("Show the fires"));
      assertThat(visit.dialog()).containsText("1 fire, 1 at a time");
      press(visit, visit.button("Close"));
      assertThat(visit.dialog()).hasCount(0);
      assertThat(visit.button("Backfill")).isFocused();

      press(visit, visit.button("Suspend"));
      confirm(visit, "Suspend");
      assertThat(visit.button("Change the suspension")).isFocused();
    }
  }

  @Test
  void listsAreFilteredAndScenariosPlayed() {
    Stage.put("key-lists", "counts", Samples.HOURLY);
    try (Visit visit = Visit.of("key-lists/schedules")) {
      reach(visit, visit.page().getByLabel("Name or description"));
      visit.page().keyboard().type("nothing");
      visit.page().keyboard().press("Enter");
      visit.shows("No schedule of this namespace matches.");
      press(visit, visit.link("Clear"));
      press(visit, visit.table("Schedules").locator("tbody a").first());
      assertThat(visit.page().locator("h1")).hasText("key-lists / counts");
      for (String view :
          new String[] {"Week", "Programs", "Pools", "Resources", "Calendars", "Overview"}) {
        press(visit, visit.link(view));
        assertThat(visit.page().locator("h1")).containsText(view);
        assertThat(visit.page().locator("h1")).isFocused();
      }
      press(visit, visit.link("Simulate"));
      press(visit, visit.button("Run"));
      assertThat(visit.table("Jobs of the simulation")).containsText("default/after-it");
    }
  }
}
