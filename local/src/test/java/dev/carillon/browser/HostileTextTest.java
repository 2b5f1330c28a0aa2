package dev.carillon.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Text of callers and workers is shown as text: no name, reason or payload becomes a script. */
@Timeout(600)
@InBrowser
class HostileTextTest {

  private static final String NS = "hostile";
  private static final String ATTACK =
      "<img src=x"
          + " onerror=\"window.attacked=1\"><script>window.attacked=1</script>javascript:alert(1)";

  @BeforeAll
  static void set() throws InterruptedException {
    Stage.set();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Filters keep the text in a field; the program is none, which the answer says. */
  private static String shownText(String view) {
    return view.startsWith("jobs?customer") ? "/query/program" : "<script>";
  }

  private static String quoted(String text) {
    return Json.write(Json.object().put("t", text)).replaceFirst("\\{\"t\":(.*)}$", "$1");
  }

  @Test
  void noTextBecomesAScript() throws InterruptedException {
    String attack = quoted(ATTACK);
    String link = "\"properties\": {\"linkId\": " + attack + "}";
    Stage.put(
        NS,
        "attack",
        Samples.NIGHTLY
            .replace("\"Exports what was sold yesterday\"", attack)
            .replace("\"data\"", attack)
            .replace("\"${yesterdaysDate}\"", attack)
            .replace("\"tracking\"", "\"customer\": " + attack + ", " + link + ", \"tracking\""));
    Stage.call(
        "PUT",
        "namespaces/" + NS + "/calendars/holidays",
        "{\"description\": " + attack + ", \"dates\": [\"2030-01-01\"]}");
    Stage.call(
        "PUT",
        "namespaces/" + NS + "/pools/attack",
        "{\"description\": " + attack + ", \"weights\": {" + attack + ": 2}, \"paused\": true}");
    String job = Samples.launch(NS, "attack");
    String claimed = Samples.claim(NS, job);
    Samples.report(
        NS,
        job,
        "heartbeat",
        "{\"claimToken\": \""
            + claimed
            + "\", \"progress\": {\"type\": \"script\", \"props\": {\"dangerouslySetInnerHTML\":"
            + " {\"__html\": "
            + attack
            + "}}}}");
    Samples.report(
        NS, job, "fail", "{\"claimToken\": \"" + claimed + "\", \"error\": " + attack + "}");
    Stage.call(
        "POST",
        "namespaces/" + NS + "/schedules/attack/suspend",
        "{\"mode\": \"drain\", \"reason\": " + attack + "}");

    List<String> views =
        List.of(
            "schedules",
            "schedules/attack",
            "schedules/attack/edit",
            "jobs/" + job,
            "calendars",
            "pools/attack",
            "jobs?linkId=" + encoded(ATTACK),
            "jobs?customer=" + encoded(ATTACK) + "&program=" + encoded(ATTACK),
            "programs/exporter");
    try (Visit visit = Visit.of("")) {
      for (String view : views) {
        visit.go(NS + "/" + view);
        if (view.endsWith("edit")) {
          assertThat(visit.page().getByLabel("Document"))
              .hasValue(java.util.regex.Pattern.compile("onerror"));
        } else {
          visit.shows(view.startsWith("programs") ? job : shownText(view));
        }
        assertThat(visit.page().evaluate("window.attacked")).as(view).isNull();
        assertThat(visit.page().locator("img[src=x]")).hasCount(0);
      }
      visit.go("%3Cimg%20src=x%20onerror=window.attacked=1%3E/schedules/<script>");
      visit.shows("No such view");
      visit.go(NS + "/schedules/" + encoded(ATTACK));
      visit.shows("onerror");
      visit.go(NS + "/jobs/..%2F..%2Fother");
      visit.shows("..");
      assertThat(visit.page().evaluate("window.attacked")).isNull();
    }
  }

  @Test
  void aScriptInThePageItselfWouldNotRun() {
    try (Visit visit = Visit.of("")) {
      visit.shows("Last tick");
      Object ran =
          visit
              .page()
              .evaluate(
                  "() => { const s = document.createElement('script'); s.textContent = 'window.ran"
                      + " = 1'; document.body.append(s); return window.ran === undefined; }");
      assertThat(ran).isEqualTo(true);
      visit.expectError("Content Security Policy");
    }
  }

  @Test
  void theServerRefusesOtherPagesAndOtherFiles() throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    for (String name : List.of("..%2f..%2fpom.xml", "Console.class", "%2e%2e/v1/status")) {
      var request = HttpRequest.newBuilder(java.net.URI.create(Stage.console() + name)).build();
      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).as(name).isIn(400, 404);
    }
    var foreign =
        HttpRequest.newBuilder(Stage.console()).header("Origin", "https://attacker.example");
    HttpResponse<String> refused = http.send(foreign.build(), BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    HttpResponse<String> page =
        http.send(HttpRequest.newBuilder(Stage.console()).build(), BodyHandlers.ofString());
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'self'");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    var post = HttpRequest.newBuilder(Stage.console()).POST(HttpRequest.BodyPublishers.noBody());
    assertThat(http.send(post.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }
}
