package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job shows what its trigger counted. */
@Timeout(600)
@InBrowser
class JobTriggerTest {

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  @Test
  void theConditionsAndTheEventsOfALaunchedJobAreShown() throws IOException {
    String two = Samples.ON_DATA.replace("\"count\": 5", "\"count\": 2");
    Stage.put("counted", "load", two);
    Stage.call(
        "POST",
        "namespaces/counted/events",
        """
        {"events": [{"eventType": "PARTITION", "id": "first-load", "payload":
          {"datasetId": "sales.orders", "partitionKeys": ["a", "b"]}}]}
        """);
    try (Visit visit = Visit.of("counted/schedules/load")) {
      assertThat(visit.table("Jobs")).containsText("LAUNCHED");
      visit.table("Jobs").getByRole(AriaRole.LINK).first().click();
      visit.shows("2 of 2, satisfied");
      assertThat(visit.page().locator(".leaves code")).hasText("partition:sales.orders");
      assertThat(visit.table("Events")).containsText("first-load");
      visit.table("Events").locator("summary").click();
      assertThat(visit.table("Events").locator("pre")).containsText("\"a\"");
      assertThat(Axe.findings(visit.page(), ColorScheme.LIGHT, "trigger")).isEmpty();
    }
  }

  /** JavaScript's own numbers would end with 800. */
  @Test
  void longNumbersAreShownAsTheyWereSent() throws InterruptedException {
    String number = "1234567890123456789";
    Stage.put(
        "long-numbers",
        "load",
        Samples.ON_DATA
            .replace("\"count\": 5", "\"count\": 1")
            .replace("\"why\":", "\"account\": " + number + ", \"why\":")
            .replace("\"state\"", "\"tracking\": {\"heartbeatTimeout\": \"PT1H\"}, \"state\""));
    Stage.call(
        "POST",
        "namespaces/long-numbers/events",
        """
        {"events": [{"eventType": "PARTITION", "payload":
          {"datasetId": "sales.orders", "partitionKeys": ["a"], "account": %s}}]}
        """
            .formatted(number));
    try (Visit visit = Visit.of("long-numbers/schedules/load")) {
      assertThat(visit.page().locator("[aria-label=Document]")).containsText(number);
      visit.table("Jobs").getByRole(AriaRole.LINK).first().click();
      visit.table("Events").locator("summary").click();
      assertThat(visit.table("Events").locator("pre")).containsText(number);
      assertThat(visit.page().getByLabel("Template of the request")).containsText(number);
      String job = visit.page().locator("h1 .id").textContent();
      String token = "{\"claimToken\": \"" + Samples.claim("long-numbers", job) + "\"";
      Samples.report("long-numbers", job, "succeed", token + ", \"output\": " + number + "}");
      assertThat(visit.page().getByLabel("Output")).containsText(number);
    }
  }
}
