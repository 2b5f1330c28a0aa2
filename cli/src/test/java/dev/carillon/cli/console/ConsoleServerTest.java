package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.client.CarillonClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Which requests the console of a deployment serves, and what it sends to the API. */
class ConsoleServerTest {

  private static final String SECRET_KEY = "a-secret-key-of-the-user";
  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDEXAMPLE", SECRET_KEY));

  private final List<Map<String, String>> received = new CopyOnWriteArrayList<>();
  private HttpServer api;
  private ConsoleServer console;
  private String host;
  private String root;

  /** What the browser gets. */
  private record Got(int status, String head, String body) {

    String header(String name) {
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase() + ": "))
          .map(line -> line.substring(name.length() + 2))
          .collect(Collectors.joining(", "));
    }
  }

  @BeforeEach
  void start() throws IOException {
    api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    api.createContext("/", this::answer);
    api.start();
    serve(CREDENTIALS);
  }

  private void serve(AwsCredentialsProvider credentials) throws IOException {
    console = ConsoleServer.start(CarillonClient.signed(apiUri(), "eu-west-1", credentials));
    host = console.address().getAuthority();
    root = console.address().getPath().replace("/console/", "");
  }

  private URI apiUri() {
    return URI.create("http://127.0.0.1:" + api.getAddress().getPort() + "/live");
  }

  @AfterEach
  void stop() {
    console.close();
    api.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> request = new TreeMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> request.put(name, values.get(0)));
    request.put("request", exchange.getRequestMethod() + " " + exchange.getRequestURI());
    byte[] body = exchange.getRequestBody().readAllBytes();
    request.put("body", new String(body, StandardCharsets.UTF_8));
    received.add(request);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("ETag", "\"7\"");
    exchange.getResponseHeaders().set("Set-Cookie", "of=the-api");
    byte[] answer = "{\"answer\": 1}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** Sends a request as it is written, also one that no HTTP client would send. */
  private Got send(String line, String body, String... headers) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(line + " HTTP/1.1\r\nConnection: close\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    text.append("Content-Length: ").append(content.length).append("\r\n\r\n");
    try (Socket socket = new Socket("127.0.0.1", console.address().getPort())) {
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(content);
      String got = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String[] parts = got.split("\r\n\r\n", 2);
      return new Got(Integer.parseInt(parts[0].substring(9, 12)), parts[0], parts[1]);
    }
  }

  private Got get(String path, String... headers) throws IOException {
    return send("GET " + path, "", headers);
  }

  private String host() {
    return "Host: " + host;
  }

  /** Opens the address that is shown, as a browser does; the cookie. */
  private String entered() throws IOException {
    URI address = console.address();
    Got got = get(address.getPath() + "?" + address.getQuery(), host(), "Sec-Fetch-Site: none");
    assertThat(got.status()).isEqualTo(303);
    assertThat(got.header("Location")).isEqualTo(root + "/console/");
    assertThat(got.header("Set-Cookie"))
        .endsWith("; Path=" + root + "/; HttpOnly; SameSite=Strict")
        .doesNotContain(address.getQuery());
    return "Cookie: theme=dark; " + got.header("Set-Cookie").split(";")[0];
  }

  @Test
  void theAddressOpensThePageAndItsCallsReachTheApi() throws IOException {
    String cookie = entered();
    Got page = get(root + "/console/", host(), cookie);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("main.js");
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'self'");
    assertThat(get(root + "/console/main.js", host(), cookie).header("Content-Type"))
        .startsWith("text/javascript");

    Got status = get(root + "/v1/status", host(), cookie, "Sec-Fetch-Site: same-origin");
    assertThat(status.status()).isEqualTo(200);
    assertThat(status.body()).isEqualTo("{\"answer\": 1}");
    assertThat(status.header("ETag")).isEqualTo("\"7\"");
    assertThat(received).hasSize(1);
    assertThat(received.get(0)).containsEntry("request", "GET /live/v1/status");
  }

  @Test
  void callsAreSignedAndThePageNeverHasCredentials() throws IOException {
    Got put =
        send(
            "PUT " + root + "/v1/namespaces/a/schedules/b",
            "{\"x\": 1.50}",
            host(),
            entered(),
            "Origin: http://" + host,
            "Content-Type: application/json",
            "If-Match: \"6\"",
            "Authorization: Basic of-the-page");
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.head() + put.body())
        .doesNotContain(SECRET_KEY, "AKIDEXAMPLE", "AWS4", "the-api");
    assertThat(received.get(0))
        .containsEntry("body", "{\"x\": 1.50}")
        .containsEntry("If-match", "\"6\"")
        .doesNotContainKeys("Cookie", "Origin");
    assertThat(received.get(0).get("Authorization"))
        .startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
        .contains("/eu-west-1/execute-api/");
  }

  @Test
  void namesAndParametersKeepTheirMeaning() throws IOException {
    get(root + "/v1/namespaces/a%2Fb/schedules/c%20d+e?q=f+g&next=h%2Bi%3D", host(), entered());
    assertThat(received.get(0))
        .containsEntry(
            "request", "GET /live/v1/namespaces/a%2Fb/schedules/c%20d%2Be?next=h%2Bi%3D&q=f%20g");
  }

  @ParameterizedTest
  @ValueSource(strings = {"attacker.example", "localhost:%d", "127.0.0.1", "[::1]:%d", ""})
  void aForeignHostIsRefused(String name) throws IOException {
    String named = "Host: " + name.formatted(console.address().getPort());
    String cookie = entered();
    assertThat(get(root + "/console/", named, cookie).status()).isEqualTo(403);
    assertThat(get(root + "/v1/status", named, cookie).status()).isEqualTo(403);
    assertThat(get(root + "/v1/status", host(), named, cookie).status()).isEqualTo(403);
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://attacker.example", "null", "http://127.0.0.1:1", "http://%s.x"})
  void aForeignOriginIsRefused(String origin) throws IOException {
    String foreign = "Origin: " + origin.formatted(host);
    String cookie = entered();
    assertThat(get(root + "/v1/status", host(), cookie, foreign).status()).isEqualTo(403);
    assertThat(send("POST " + root + "/v1/preview", "{}", host(), cookie, foreign).status())
        .isEqualTo(403);
    assertThat(received).isEmpty();
  }

  @Test
  void aChangeThatDoesNotComeFromThePageIsRefused() throws IOException {
    String cookie = entered();
    for (String method : List.of("POST", "PUT", "DELETE")) {
      Got got = send(method + " " + root + "/v1/preview", "", host(), cookie);
      assertThat(got.status()).as(method).isEqualTo(403);
    }
    for (String site : List.of("cross-site", "same-site")) {
      Got got = get(root + "/v1/status", host(), cookie, "Sec-Fetch-Site: " + site);
      assertThat(got.status()).as(site).isEqualTo(403);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void withoutTheTokenOrTheCookieNothingIsServed() throws IOException {
    String page = root + "/console/";
    String wrong = "0".repeat(48);
    for (String query : List.of("", "?token=", "?token=" + wrong, "?tokens=x", "?x&token=y")) {
      assertThat(get(page + query, host()).status()).as(query).isEqualTo(401);
    }
    String query = console.address().getQuery();
    assertThat(get(page + "main.js", host()).status()).isEqualTo(401);
    assertThat(get(page + "main.js?" + query, host()).status()).isEqualTo(401);
    assertThat(get(root + "/v1/status?" + query, host()).status()).isEqualTo(401);
    for (String cookie : List.of("carillon=", "carillon=" + wrong, "x=carillon=" + wrong)) {
      Got got = get(root + "/v1/status", host(), "Cookie: " + cookie);
      assertThat(got.status()).as(cookie).isEqualTo(401);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void theTokenWorksOnceAndTheBrowserThatUsedItStaysKnown() throws IOException {
    URI address = console.address();
    String shown = address.getPath() + "?" + address.getQuery();
    String cookie = entered();
    assertThat(get(shown, host()).status()).isEqualTo(401);
    Got again = get(shown, host(), cookie);
    assertThat(again.status()).isEqualTo(303);
    assertThat(again.header("Set-Cookie")).isEmpty();
  }

  @Test
  void eachConsoleHasItsOwnSecrets() throws IOException {
    try (ConsoleServer other = ConsoleServer.start(CarillonClient.local(apiUri()))) {
      assertThat(other.address().getPath()).isNotEqualTo(console.address().getPath());
      assertThat(other.address().getQuery())
          .matches("token=[0-9a-f]{48}")
          .isNotEqualTo(console.address().getQuery());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/status",
        "/console/",
        "/",
        "%s",
        "%s/",
        "%s/v2/status",
        "%s/v1",
        "%sx/v1/status",
        "%s/console",
        "%s/console/../v1/status",
        "%s/console/Console.class",
        "%s/v1/../other",
        "%s/v1/%%2e%%2e/other",
        "%s/v1/%%2E/other",
        "%s/v1//status",
        "%s/v1/",
        "%s/V1/status",
        "%s/%%76%%31/status",
        "%s//attacker.example/v1/status"
      })
  void nothingElseIsServedOrAsked(String path) throws IOException {
    String cookie = entered();
    assertThat(get(path.formatted(root), host(), cookie).status()).isIn(400, 404);
    assertThat(received).isEmpty();
  }

  @Test
  void onlyTheMethodsOfTheApiArePassedOn() throws IOException {
    String cookie = entered();
    String own = "Origin: http://" + host;
    for (String method : List.of("PATCH", "OPTIONS", "TRACE", "CONNECTED")) {
      Got got = send(method + " " + root + "/v1/status", "", host(), cookie, own);
      assertThat(got.status()).as(method).isEqualTo(405);
    }
    assertThat(received).isEmpty();
  }

  @Test
  void anApiThatIsAwayIsSaidToBeSo() throws IOException {
    String cookie = entered();
    api.stop(0);
    Got got = get(root + "/v1/status", host(), cookie);
    assertThat(got.status()).isEqualTo(502);
    assertThat(got.body()).isEmpty();
  }

  @Test
  void credentialsThatHaveExpiredAreReported() throws IOException {
    console.close();
    serve(
        () -> {
          throw SdkClientException.create("The SSO session has expired");
        });
    Got got = get(root + "/v1/status", host(), entered());
    assertThat(got.status()).isEqualTo(500);
    assertThat(got.body()).contains("The SSO session has expired", "log in again");
  }

  @Test
  void aBodyThatNoApiTakesIsRefused() throws IOException {
    Got got =
        send(
            "POST " + root + "/v1/preview",
            " ".repeat(10 * 1024 * 1024 + 1),
            host(),
            entered(),
            "Origin: http://" + host);
    assertThat(got.status()).isEqualTo(413);
    assertThat(received).isEmpty();
  }
}
