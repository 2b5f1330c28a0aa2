package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fires to come are shown with what moves or excludes them. */
@Timeout(600)
@InBrowser
class ComingWeekTest {

  private static final String NIGHT =
      """
      {"zone": "Europe/Berlin", "trigger": {"type": "cron", "dialect": "unix", "expression": "%s"},
       "target": {"queue": "nights", "template": {}}, "state": "ACTIVE"}
      """;

  private static final String RATE =
      """
      {"zone": "UTC", "target": {"queue": "rates", "template": {}}, "state": "ACTIVE",
       "trigger": {"type": "rate", "every": "PT6H", "flexible": "PT4H", "exclude": ["weekend"]}}
      """;

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  @Test
  void theComingWeekMarksClocksAndCalendars() {
    Stage.call("PUT", "namespaces/line/calendars/weekend", "{\"weekly\": [{\"days\": [\"SAT\"]}]}");
    String excluding = NIGHT.replace("\"unix\"", "\"unix\", \"exclude\": [\"weekend\"]");
    Stage.put("line", "night", excluding.formatted("30 2 * * *"));
    Stage.put("line", "data", Samples.ON_DATA);
    try (Visit visit = Visit.of("")) {
      // The clocks of Berlin change on Sunday, 31 March 2030.
      visit.page().clock().setFixedTime("2030-03-28T12:00:00Z");
      visit.go("line/schedules/night");
      Locator line = visit.page().getByLabel("The coming week:");
      assertThat(line)
          .hasAttribute(
              "aria-label",
              Pattern.compile(
                  "6 fires; 1 at a change of clocks; 1 excluded by weekend; clocks change 31 Mar"
                      + " 2030.*"));
      assertThat(line.locator(".dst")).hasCount(1);
      assertThat(line.locator("circle")).hasCount(1);
      assertThat(line.locator(".clocks")).hasCount(1);
      visit.go("line/schedules/data");
      visit.shows("sales.orders");
      assertThat(visit.page().getByText("Coming week")).hasCount(0);
    }
  }

  /** With another anchor or offset, all fires without the calendar would seem to be excluded. */
  @Test
  void firesOfARateThatItsCalendarExcludesAreMarked() {
    Stage.call(
        "PUT", "namespaces/rated/calendars/weekend", "{\"weekly\": [{\"days\": [\"SAT\"]}]}");
    Stage.put("rated", "often", RATE);
    try (Visit visit = Visit.of("")) {
      visit.page().clock().setFixedTime("2030-03-28T12:00:00Z");
      visit.go("rated/schedules/often");
      Locator line = visit.page().getByLabel("The coming week:");
      assertThat(line)
          .hasAttribute(
              "aria-label", Pattern.compile("The coming week: 24 fires; 4 excluded by weekend.*"));
      assertThat(line.locator("circle")).hasCount(4);
    }
  }

  /**
   * One page of the API holds all of them, so no further page shows that the view leaves some out.
   */
  @Test
  void aWeekOfMoreSchedulesThanItCountsSaysSo() {
    String stored =
        IntStream.range(0, 501)
            .mapToObj("{\"name\": \"s-%d\", \"nextFire\": \"2030-03-28T12:00:00.000Z\"}"::formatted)
            .collect(Collectors.joining(", ", "{\"schedules\": [", "]}"));
    try (Visit visit = Visit.of("")) {
      answer(visit, "**/namespaces/crowded/schedules?*", stored);
      answer(visit, "**/namespaces/crowded/schedules/*/preview?*", "{\"fires\": []}");
      visit.go("crowded/week");
      // Each of the 500 previews is answered by this test, which takes long beside other tests.
      assertThat(visit.page().getByRole(AriaRole.MAIN))
          .containsText(
              "0 fires of 500 schedules. Further schedules are not counted.",
              new ContainsTextOptions().setTimeout(240_000));
    }
  }

  private static void answer(Visit visit, String address, String body) {
    Route.FulfillOptions answer =
        new Route.FulfillOptions().setContentType("application/json").setBody(body);
    visit.page().route(address, route -> route.fulfill(answer));
  }

  @Test
  void firesThatAChangeOfClocksMovesAreMarked() {
    Stage.put("clocks", "night", NIGHT.formatted("30 2 * * *"));
    try (Visit visit = Visit.of("clocks/schedules/night")) {
      assertThat(visit.table("Coming fires").locator("tbody tr")).hasCount(20);
      visit
          .page()
          .route(
              "**/preview*",
              route ->
                  route.resume(
                      new Route.ResumeOptions()
                          .setUrl(route.request().url() + "&from=2030-03-29T00:00:00Z")));
      visit.page().reload();
      assertThat(visit.table("Coming fires")).containsText("moved: the clocks skip its time");
    }
  }

  @Test
  void aSkippedFireIsNotMarkedAsExcluded() {
    String ns = "skipped";
    Stage.call("PUT", "namespaces/" + ns + "/calendars/past", "{\"dates\": [\"2020-01-01\"]}");
    Stage.put(ns, "hourly", RATE.replace("weekend", "past"));
    Stage.call("POST", "namespaces/" + ns + "/schedules/hourly/skip", "{}");
    try (Visit visit = Visit.of(ns + "/schedules/hourly")) {
      assertThat(visit.page().getByLabel("The coming week:"))
          .hasAttribute("aria-label", Pattern.compile("The coming week: 2[678] fires$"));
    }
  }

  /** Another process can delete a calendar that a schedule has just begun to exclude. */
  @Test
  void theWeekIsShownAlthoughACalendarIsMissing() {
    String ns = "missing";
    Stage.call(
        "PUT", "namespaces/" + ns + "/calendars/weekend", "{\"weekly\": [{\"days\": [\"SAT\"]}]}");
    Stage.put(ns, "often", RATE);
    String refusal = "{\"title\": \"The request is invalid\", \"detail\": \"no calendar\"}";
    try (Visit visit = Visit.of("")) {
      visit
          .page()
          .route(
              "**/preview",
              route -> {
                if (route.request().postData().contains("exclude")) {
                  route.fulfill(new Route.FulfillOptions().setStatus(400).setBody(refusal));
                } else {
                  route.resume();
                }
              });
      visit.page().clock().setFixedTime("2030-03-28T12:00:00Z");
      visit.go(ns + "/schedules/often");
      assertThat(visit.page().getByLabel("The coming week:"))
          .hasAttribute("aria-label", Pattern.compile(".* 24 fires; 4 excluded by weekend.*"));
    }
  }
}
