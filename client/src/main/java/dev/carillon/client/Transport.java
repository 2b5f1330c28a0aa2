package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and reads answers. It does not retry, because only the caller knows which requests
 * are safe to repeat.
 */
final class Transport {

  /** The longest time to wait for an answer; API Gateway answers within 29 s. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(35);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
  private static final Duration USUAL_RETRY = Duration.ofSeconds(1);

  /** Headers that the HTTP client sets itself. */
  private static final List<String> OF_THE_CONNECTION = List.of("host", "content-length");

  private static final int FIRST_ERROR = 400;
  private static final BodyHandler<String> TEXT = BodyHandlers.ofString(StandardCharsets.UTF_8);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(LONGEST_CONNECT)
          .build();
  private final String endpoint;
  private final @Nullable Signature signature;

  Transport(URI endpoint, @Nullable Signature signature) {
    String text = endpoint.toString();
    this.endpoint = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    this.signature = signature;
  }

  /**
   * A request.
   *
   * @param path the encoded path, from {@code /v1}
   * @param query the query parameters, not encoded; null values are omitted
   * @param body null for none
   */
  record Call(
      String method,
      String path,
      Map<String, @Nullable String> query,
      Map<String, String> headers,
      @Nullable JsonNode body) {

    Call(String method, String path, @Nullable JsonNode body) {
      this(method, path, Map.of(), Map.of(), body);
    }

    private String target() {
      String given =
          new TreeMap<>(query)
              .entrySet().stream()
                  .filter(it -> it.getValue() != null)
                  .map(it -> encoded(it.getKey()) + "=" + encoded(it.getValue()))
                  .collect(Collectors.joining("&"));
      return given.isEmpty() ? path : path + "?" + given;
    }
  }

  /** A path segment or query parameter, encoded by RFC 3986 as signatures require. */
  static String encoded(@Nullable String text) {
    return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /** The answer as a value; JSON null if it is empty. */
  <T> T send(Call call, Class<T> type) {
    return send(call, type, LONGEST_ANSWER);
  }

  /**
   * The answer as a value; JSON null if it is empty.
   *
   * @param longest the longest time to wait for it
   */
  <T> T send(Call call, Class<T> type, Duration longest) {
    HttpResponse<String> answer = exchange(request(call, longest), TEXT);
    String where = call.method() + " " + call.path();
    if (answer.statusCode() >= FIRST_ERROR) {
      throw CarillonException.of(where, problem(answer), retryAfter(answer));
    }
    try {
      String body = answer.body().isEmpty() ? "null" : answer.body();
      return Json.read(body, type);
    } catch (IllegalArgumentException strange) {
      throw new CarillonException.Unintelligible(
          where + " got an answer that is not Carillon's JSON", strange);
    }
  }

  /** The answer as it came. */
  RawAnswer send(RawRequest raw) {
    URI uri = URI.create(endpoint + raw.target());
    byte[] body = raw.body().length == 0 ? null : raw.body();
    HttpRequest request = request(raw.method(), uri, raw.headers(), body, LONGEST_ANSWER);
    HttpResponse<byte[]> answer = exchange(request, BodyHandlers.ofByteArray());
    return new RawAnswer(answer.statusCode(), answer.headers().map(), answer.body());
  }

  /** The server's clock as an answer shows it, to the second; empty if the answer does not. */
  Optional<Instant> date(Call call) {
    return exchange(request(call, LONGEST_ANSWER), TEXT)
        .headers()
        .firstValue("Date")
        .map(Transport::date);
  }

  private static @Nullable Instant date(String text) {
    try {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
    } catch (DateTimeException strange) {
      return null;
    }
  }

  private HttpRequest request(Call call, Duration longest) {
    URI uri = URI.create(endpoint + call.target());
    byte[] body =
        call.body() == null ? null : Json.write(call.body()).getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = new TreeMap<>(call.headers());
    headers.put("Accept", "application/json");
    if (body != null) {
      headers.put("Content-Type", "application/json");
    }
    return request(call.method(), uri, headers, body, longest);
  }

  private HttpRequest request(
      String method,
      URI uri,
      Map<String, String> headers,
      byte @Nullable [] body,
      Duration longest) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(longest)
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (signature == null) {
      headers.forEach(request::header);
    } else {
      signature
          .sign(method, uri, headers, body)
          .forEach((name, values) -> values.forEach(value -> add(request, name, value)));
    }
    return request.build();
  }

  private static void add(HttpRequest.Builder request, String name, String value) {
    if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
      request.header(name, value);
    }
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> body) {
    try {
      return http.send(request, body);
    } catch (IOException unreachable) {
      throw new CarillonException.Unreachable(
          request.method() + " " + request.uri() + " got no answer", unreachable);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new CarillonException.Unreachable(
          "interrupted while waiting for " + request.uri(), interruption);
    }
  }

  /**
   * The problem document of an answer. Answers of API Gateway itself may lack members or be only a
   * message.
   */
  private static Problem problem(HttpResponse<String> answer) {
    int status = answer.statusCode();
    try {
      JsonNode body = Json.read(answer.body(), JsonNode.class);
      if (body.has("detail")) {
        Problem problem = Json.read(body, Problem.class);
        return new Problem(
            problem.title(), status, problem.detail(), problem.errors(), problem.type());
      }
      return new Problem("", status, body.path("message").asText(""), List.of(), "about:blank");
    } catch (IllegalArgumentException noProblem) {
      return new Problem("", status, "", List.of(), "about:blank");
    }
  }

  private static Duration retryAfter(HttpResponse<String> answer) {
    return answer
        .headers()
        .firstValue("Retry-After")
        .filter(seconds -> seconds.matches("[0-9]{1,6}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(USUAL_RETRY);
  }
}
