package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The jobs of a namespace are found by what they have in common, and changed together. */
@Timeout(120)
@InBrowser
class JobListTest {

  private static final String NS = "lists";
  private static final String TABLE = "Jobs of the namespace";

  /** One job runs, the others wait for it. */
  private static final String ONE_AT_A_TIME =
      """
      {"program": "%s", "zone": "UTC", "trigger": {"type": "manual"},
       "constraints": [{"type": "concurrency", "max": 1}],
       "target": {"queue": "q", "template": {}}, "properties": {"linkId": "%s"},
       "tracking": {"claimTimeout": "PT1H", "heartbeatTimeout": "PT1H"}, "retry": {"maxAttempts": 1}, "state": "ACTIVE"}
      """;

  private static String first;

  @BeforeAll
  static void fill() throws InterruptedException {
    Stage.set();
    Stage.put(NS, "press", ONE_AT_A_TIME.formatted("printer", "order-81"));
    Stage.put(NS, "bind", ONE_AT_A_TIME.formatted("binder", "order-81"));
    first = launch(NS, "press", "acme");
    Samples.await(NS, first, "ENQUEUED");
    Samples.await(NS, launch(NS, "press", "umbrella"), "PENDING_CONSTRAINT");
    Samples.await(NS, launch(NS, "bind", "acme"), "ENQUEUED");
  }

  private static String launch(String ns, String schedule, String customer) {
    return Stage.call(
            "POST",
            "namespaces/" + ns + "/schedules/" + schedule + "/launch",
            "{\"customer\": \"" + customer + "\"}")
        .path("jobId")
        .asText();
  }

  private static Locator rows(Visit visit) {
    return visit.table(TABLE).locator("tbody tr");
  }

  @Test
  void jobsAreFoundByStateCustomerProgramAndLink() {
    try (Visit visit = Visit.of(NS + "/schedules")) {
      visit.link("Jobs").click();
      assertThat(rows(visit)).hasCount(3);

      visit.page().getByLabel("State").selectOption("PENDING_CONSTRAINT");
      visit.button("Filter").click();
      assertThat(rows(visit)).hasCount(1);
      assertThat(visit.table(TABLE)).containsText("umbrella");
      assertThat(visit.table(TABLE))
          .containsText("printer is at its limit of unfinished jobs: 1 of at most 1");

      visit.link("Clear").click();
      assertThat(rows(visit)).hasCount(3);
      visit.page().getByLabel("Customer").fill("acme");
      visit.page().getByLabel("Program").fill("printer");
      visit.button("Filter").click();
      assertThat(rows(visit)).hasCount(1);
      visit.link(first).click();
      visit.link("order-81").click();
      visit.shows("All jobs of the link");
      assertThat(rows(visit)).hasCount(3);

      visit.go(NS + "/jobs?linkId=none");
      visit.shows("No job has this link.");
      visit.go(NS + "/jobs?state=HAPPY");
      assertThat(visit.page().locator(".fault")).containsText("state");
    }
  }

  @Test
  void aListOfSeveralPagesIsReloadedByItsButton() {
    String answer = "namespaces/" + NS + "/jobs?limit=100";
    try (Visit visit = Visit.of("")) {
      visit
          .page()
          .route(
              "**/" + NS + "/jobs?**",
              route -> {
                ObjectNode page = (ObjectNode) Stage.get(answer);
                if (route.request().url().contains("next=")) {
                  page.putArray("jobs");
                }
                page.put("next", "further");
                route.fulfill(new Route.FulfillOptions().setBody(page.toString()));
              });
      visit.go(NS + "/jobs").shows("3 jobs so far.");
      assertThat(visit.button("Reload")).hasCount(0);
      visit.button("Load more").click();
      visit.shows("As of ");
      visit.page().unroute("**/" + NS + "/jobs?**");
      visit.button("Reload").click();
      visit.shows("3 jobs.");
      assertThat(visit.button("Reload")).hasCount(0);
    }
  }

  @Test
  void aJobThatWaitsInAPoolIsFoundByItsState() throws InterruptedException {
    String ns = "lists-pooled";
    Stage.call(
        "PUT", "namespaces/" + ns + "/pools/encode", "{\"queue\": \"encode\", \"paused\": true}");
    Stage.put(
        ns,
        "video",
        """
        {"zone": "UTC", "trigger": {"type": "manual"}, "pool": "encode",
         "target": {"template": {}}, "state": "ACTIVE"}
        """);
    String job = launch(ns, "video", "acme");
    Samples.await(ns, job, "READY");
    try (Visit visit = Visit.of(ns + "/jobs")) {
      assertThat(rows(visit)).hasCount(1);
      visit.page().getByLabel("State").selectOption("READY");
      visit.button("Filter").click();
      assertThat(visit.page()).hasURL(Pattern.compile("state=READY"));
      assertThat(rows(visit)).hasCount(1);
      assertThat(visit.table(TABLE)).containsText(job);
      visit.button("Cancel many jobs").click();
      assertThat(visit.dialog().locator("[name=state]")).hasValue("READY");
      visit.dismiss();

      visit.go(ns + "/schedules");
      assertThat(visit.page().locator(".ends .waiting")).hasAttribute("d", Pattern.compile("M.+"));
    }
  }

  @Test
  void manyJobsAreCountedFirstThenCancelled() throws InterruptedException {
    String ns = "lists-cancel";
    Stage.put(ns, "press", ONE_AT_A_TIME.formatted("printer", "x"));
    List<String> jobs = new ArrayList<>(List.of(launch(ns, "press", "acme")));
    Samples.await(ns, jobs.get(0), "ENQUEUED");
    for (int n = 0; n < 3; n++) {
      jobs.add(launch(ns, "press", "acme"));
    }
    for (String job : jobs.subList(1, 4)) {
      Samples.await(ns, job, "PENDING_CONSTRAINT");
    }
    try (Visit visit = Visit.of(ns + "/jobs?customer=acme&program=printer")) {
      assertThat(rows(visit)).hasCount(4);
      visit.button("Cancel many jobs").click();
      assertThat(visit.dialog()).containsText("customer does not restrict");
      visit.dialog().locator("[name=state]").selectOption("PENDING_CONSTRAINT");
      visit.throttles("**/jobs/cancel?**", 1);
      visit.button("Count the jobs").click();
      assertThat(visit.dialog().getByText("Cancel 3 jobs?")).isVisible();
      for (String job : jobs.subList(1, 4)) {
        assertThat(Samples.state(ns, job)).isEqualTo("PENDING_CONSTRAINT");
      }
      visit.button("Cancel 3 jobs").click();
      assertThat(visit.dialog()).containsText("3 of 3 jobs cancelled");
      visit.dismiss();
      visit.shows("3 of 3 jobs cancelled.");
      for (String job : jobs.subList(1, 4)) {
        assertThat(Samples.state(ns, job)).isEqualTo("CANCELLED");
      }
      assertThat(Samples.state(ns, jobs.get(0))).isEqualTo("ENQUEUED");
    }
  }

  @Test
  void manyJobsThatFailedAreRetriedAndTheRefusedAreNamed() throws InterruptedException {
    String ns = "lists-retry";
    Stage.put(ns, "press", ONE_AT_A_TIME.formatted("printer", "x"));
    String failed = launch(ns, "press", "acme");
    String token = Samples.claim(ns, failed);
    Samples.report(
        ns, failed, "fail", "{\"claimToken\": \"" + token + "\", \"error\": \"no paper\"}");
    try (Visit visit = Visit.of(ns + "/jobs")) {
      visit.button("Retry many jobs").click();
      visit.button("Count the jobs").click();
      assertThat(visit.dialog()).containsText("schedule");
      visit.dialog().locator("[name=schedule]").fill("press");
      visit.dialog().locator("[name=from]").fill("2090-01-01T00:00");
      visit.button("Count the jobs").click();
      assertThat(visit.dialog()).containsText("No job matches");
      visit.button("Close").click();

      visit.button("Retry many jobs").click();
      visit.dialog().locator("[name=schedule]").fill("press");
      visit.button("Count the jobs").click();
      Stage.put(ns, "press", ONE_AT_A_TIME.formatted("printer", "y"));
      visit.button("Retry 1 job").click();
      assertThat(visit.dialog()).containsText("0 of 1 job retried");
      assertThat(visit.dialog()).containsText(failed);
      visit.button("Close").click();
      JsonNode job = Stage.get("namespaces/" + ns + "/jobs/" + failed);
      assertThat(job.path("state").asText()).isEqualTo("FAILED");
    }
  }

  @Test
  void aSlowAnswerIsAwaitedBeforeTheListIsReadAgain() {
    List<Route> held = new ArrayList<>();
    try (Visit visit = Visit.of("")) {
      visit.page().clock().install();
      visit.go(NS + "/jobs").shows("3 jobs.");
      visit.page().route("**/" + NS + "/jobs?**", held::add);
      visit.page().clock().runFor(20_000);
      visit.page().waitForCondition(() -> !held.isEmpty());
      ObjectNode page = (ObjectNode) Stage.get("namespaces/" + NS + "/jobs?limit=100");
      page.putArray("jobs");
      held.get(0).fulfill(new Route.FulfillOptions().setBody(page.toString()));
      visit.shows("No job waits or runs.");
    }
  }

  @Test
  void aJobThatMovesToALaterPageIsListedOnce() {
    ObjectNode last = (ObjectNode) Stage.get("namespaces/" + NS + "/jobs?limit=100");
    ObjectNode earlier = last.deepCopy().put("next", "further");
    AtomicReference<ObjectNode> page = new AtomicReference<>(earlier);
    try (Visit visit = Visit.of("")) {
      visit
          .page()
          .route(
              "**/" + NS + "/jobs?**",
              route -> route.fulfill(new Route.FulfillOptions().setBody(page.get().toString())));
      visit.go(NS + "/jobs").shows("3 jobs so far.");
      page.set(last);
      visit.button("Load more").click();
      visit.shows("3 jobs.");
      assertThat(rows(visit)).hasCount(3);
    }
  }
}
