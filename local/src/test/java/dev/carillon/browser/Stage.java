package dev.carillon.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.carillon.document.Json;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed browser and a local engine, for all tests of this JVM. They end with the JVM; each
 * test has its own namespace.
 */
final class Stage {

  private static final String NO_BROWSER =
      "SKIPPED: no Chromium is installed; install Debian's package chromium, or set CHROMIUM to a browser";
  private static final double TIMEOUT_MILLIS = 30_000;

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static Browser browser;
  private static LocalEngine engine;

  private Stage() {}

  /** Starts both; without a browser the test is skipped. */
  static synchronized void set() throws InterruptedException {
    Optional<Path> executable = executable();
    if (executable.isEmpty()) {
      System.err.println(NO_BROWSER);
    }
    assumeTrue(executable.isPresent(), NO_BROWSER);
    if (browser == null) {
      browser = launch(executable.get());
      PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
      engine = engine(0);
    }
  }

  static LocalEngine engine(int port) throws InterruptedException {
    LocalEngine engine =
        LocalEngine.start(new LocalEngine.Options(Path.of("../template.yaml"), port, 0, 0, null));
    engine.awaitReady();
    return engine;
  }

  private static Optional<Path> executable() {
    return Stream.of(
            System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium"),
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Browser launch(Path executable) {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    return playwright
        .chromium()
        .launch(new BrowserType.LaunchOptions().setExecutablePath(executable));
  }

  static Browser browser() {
    return browser;
  }

  static URI console() {
    return engine.http().resolve("/console/");
  }

  /** Calls the API; fails if it refuses. */
  static JsonNode call(String method, String path, String body) {
    return call(engine.http(), method, path, body);
  }

  static JsonNode call(URI engine, String method, String path, String body) {
    try {
      HttpResponse<String> answer = send(engine, method, path, body);
      if (answer.statusCode() >= 300) {
        throw new AssertionError(method + " " + path + ": " + answer.body());
      }
      return answer.body().isEmpty() ? Json.object() : Json.read(answer.body());
    } catch (IOException fault) {
      throw new AssertionError(fault);
    } catch (InterruptedException fault) {
      throw new AssertionError("interrupted", fault);
    }
  }

  private static HttpResponse<String> send(URI engine, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(engine.resolve("/v1/" + path));
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .method(method, BodyPublishers.ofString(body))
          .header("Content-Type", "application/json");
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  static JsonNode put(String ns, String name, String document) {
    return call("PUT", "namespaces/" + ns + "/schedules/" + name, document);
  }

  static JsonNode get(String path) {
    return call("GET", path, null);
  }
}
