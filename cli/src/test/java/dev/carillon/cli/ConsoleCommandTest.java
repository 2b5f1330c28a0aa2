package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of the command line, before a local engine in the place of a deployment. */
class ConsoleCommandTest {

  /** Opens the address as a browser does, and calls the API below it. */
  private static String visited(String address) {
    try {
      HttpClient http =
          HttpClient.newBuilder()
              .cookieHandler(new CookieManager())
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
      URI page = URI.create(address);
      var opened = http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
      var status =
          http.send(
              HttpRequest.newBuilder(page.resolve("../v1/status")).build(),
              BodyHandlers.ofString());
      return opened.statusCode() + opened.body() + status.statusCode() + status.body();
    } catch (IOException fault) {
      return fault.toString();
    } catch (InterruptedException fault) {
      Thread.currentThread().interrupt();
      return fault.toString();
    }
  }

  @Test
  void theAddressServesThePageAndTheApiUntilItIsEnded(@TempDir Path directory) throws Exception {
    Path opened = directory.resolve("address");
    Path browser = directory.resolve("browser");
    Files.writeString(
        browser,
        "#!/bin/sh\nprintf %s \"$1\" > " + opened + ".new\nmv " + opened + ".new " + opened + "\n");
    assertThat(browser.toFile().setExecutable(true)).isTrue();
    CompletableFuture<String> visit = new CompletableFuture<>();
    FakeTerminal terminal = new FakeTerminal(false, 0);
    terminal.onPause =
        () -> {
          if (Files.exists(opened)) {
            visit.complete(visited(read(opened)));
            Thread.currentThread().interrupt();
          }
        };
    Result result =
        Call.to(Engine.shared().http())
            .with("BROWSER", browser.toString())
            .on(terminal)
            .run("console --open");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.code()).isZero();
    assertThat(result.out().strip()).isEqualTo(Files.readString(opened));
    assertThat(result.err()).contains("the console of " + Engine.shared().http());
    assertThat(visit.join()).startsWith("200").contains("main.js", "200{", "lagSeconds");
    assertThat(visited(result.out().strip())).contains("ConnectException");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new AssertionError(fault);
    }
  }

  @Test
  void withoutABrowserTheAddressIsThereAllTheSame() throws Exception {
    FakeTerminal terminal = new FakeTerminal(false, 0);
    terminal.onPause = () -> Thread.currentThread().interrupt();
    Result result =
        Call.to(Engine.shared().http())
            .with("BROWSER", "/nowhere/browser")
            .on(terminal)
            .run("console --open");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.out()).startsWith("http://127.0.0.1:");
    assertThat(result.err()).contains("no browser was opened", "open the address yourself");
  }

  @Test
  void withoutAnApiItFails() throws IOException {
    Stub stub = new Stub();
    URI absent = stub.uri();
    stub.close();
    Result result = Call.to(absent).run("console");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("no answer from " + absent);
  }
}
