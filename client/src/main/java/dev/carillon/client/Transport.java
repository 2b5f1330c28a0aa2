package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Exchange.Request;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
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
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and reads answers. It does not retry, because only the caller knows which requests
 * are safe to repeat.
 */
final class Transport {

  /** The longest time to wait for an answer; API Gateway answers within 29 s. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(35);

  private static final Duration USUAL_RETRY = Duration.ofSeconds(1);

  /** The headers that the HTTP client sets itself. */
  private static final List<String> OF_THE_CONNECTION = List.of("host", "content-length");

  /** A surrogate without the other half of its pair. */
  private static final Pattern HALF_OF_A_PAIR = Pattern.compile("\\p{Cs}");

  private static final int FIRST_REDIRECTION = 300;
  static final int FIRST_ERROR = 400;

  private final Exchange exchange;
  private final String endpoint;
  private final @Nullable Signature signature;

  Transport(URI endpoint, @Nullable Signature signature, Exchange exchange) {
    this.exchange = exchange;
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
      StringBuilder target = new StringBuilder(path);
      char mark = '?';
      for (Map.Entry<String, @Nullable String> given : new TreeMap<>(query).entrySet()) {
        if (given.getValue() != null) {
          target.append(mark).append(encoded(given.getKey()));
          target.append('=').append(encoded(given.getValue()));
          mark = '&';
        }
      }
      return target.toString();
    }
  }

  /** A path segment or query parameter, encoded by RFC 3986 as signatures require. */
  static String encoded(@Nullable String text) {
    return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /**
   * The answer as a value. An empty answer is JSON null, which only a {@link JsonNode} can hold.
   */
  <T> T send(Call call, Class<T> type) {
    return send(call, type, LONGEST_ANSWER);
  }

  /**
   * The answer as a value. An empty answer is JSON null, which only a {@link JsonNode} can hold.
   *
   * @param longest the longest time to wait for it
   */
  <T> T send(Call call, Class<T> type, Duration longest) {
    return send(call, longest, answer -> value(answer, type));
  }

  /**
   * The answer as a value.
   *
   * @param read makes the value from the JSON of the answer; throws IllegalArgumentException if the
   *     JSON is not the expected one
   */
  <T> T send(Call call, Function<JsonNode, T> read) {
    return send(call, LONGEST_ANSWER, answer -> read.apply(value(answer, JsonNode.class)));
  }

  /** Deletes; returns the jobs that this cancels, or nothing if the server does not count them. */
  Optional<Cancelled> delete(String path, Map<String, String> headers) {
    return send(
        new Call("DELETE", path, Map.of(), headers, null),
        LONGEST_ANSWER,
        answer -> {
          value(answer, JsonNode.class);
          return answer.header(Cancelled.HEADER).map(Cancelled::ofHeader);
        });
  }

  private <T> T send(Call call, Duration longest, Function<RawAnswer, T> read) {
    RawAnswer answer = exchange(request(call, longest));
    String where = call.method() + " " + call.path();
    if (answer.status() >= FIRST_ERROR) {
      throw CarillonException.of(where, problem(answer), retryAfter(answer));
    }
    try {
      return read.apply(answer);
    } catch (IllegalArgumentException | DateTimeException strange) {
      throw new CarillonException.Unintelligible(
          where + " got an answer that is not Carillon's JSON", strange);
    }
  }

  private static <T> T value(RawAnswer answer, Class<T> type) {
    String body = answer.text();
    T value = Json.read(body.isEmpty() ? "null" : body, type);
    if (value == null || answer.status() >= FIRST_REDIRECTION) {
      throw new IllegalArgumentException(
          "the status %d with %d characters is no answer of the API"
              .formatted(answer.status(), body.length()));
    }
    return value;
  }

  /** Makes a call that reaches no server. */
  static void rehearse() {
    String body = "{\"a\": [true, 1, \"b\"]}";
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    Exchange stage = request -> PlainExchange.rehearse(request, answer);
    new Transport(URI.create("http://localhost:8080"), null, stage)
        .send(new Call("GET", "/v1/status", null), JsonNode.class);
  }

  /** The unchanged answer. */
  RawAnswer send(RawRequest raw) {
    URI uri = URI.create(endpoint + raw.target());
    byte[] body = raw.body().length == 0 ? null : raw.body();
    return exchange(request(raw.method(), uri, raw.headers(), body, LONGEST_ANSWER));
  }

  /**
   * The time of the server's clock, to the second, from the date in an answer; empty if the answer
   * has no date.
   */
  Optional<Instant> date(Call call) {
    return exchange(request(call, LONGEST_ANSWER)).header("Date").map(Transport::date);
  }

  private static @Nullable Instant date(String text) {
    try {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
    } catch (DateTimeException strange) {
      return null;
    }
  }

  private Request request(Call call, Duration longest) {
    URI uri = URI.create(endpoint + call.target());
    byte[] body = call.body() == null ? null : bytes(call.body());
    Map<String, String> headers = new TreeMap<>(call.headers());
    headers.put("Accept", "application/json");
    if (body != null) {
      headers.put("Content-Type", "application/json");
    }
    return request(call.method(), uri, headers, body, longest);
  }

  /**
   * The body in UTF-8. UTF-8 has no form for half of a surrogate pair, so it is escaped. Then the
   * server refuses it and names its place; otherwise the server would store a question mark.
   */
  private static byte[] bytes(JsonNode body) {
    return HALF_OF_A_PAIR
        .matcher(Json.write(body))
        .replaceAll(half -> "\\\\u%04x".formatted((int) half.group().charAt(0)))
        .getBytes(StandardCharsets.UTF_8);
  }

  private Request request(
      String method,
      URI uri,
      Map<String, String> headers,
      byte @Nullable [] body,
      Duration longest) {
    Map<String, List<String>> sent = new TreeMap<>();
    if (signature == null) {
      headers.forEach((name, value) -> sent.put(name, List.of(value)));
    } else {
      sent.putAll(signature.sign(method, uri, headers, body));
      sent.keySet().removeIf(name -> OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT)));
    }
    return new Request(method, uri, sent, body, longest);
  }

  private RawAnswer exchange(Request request) {
    try {
      return exchange.send(request);
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
   * The problem document of an answer. Answers of API Gateway itself may lack members, or consist
   * only of a message.
   */
  private static Problem problem(RawAnswer answer) {
    int status = answer.status();
    try {
      JsonNode body = Json.read(answer.text(), JsonNode.class);
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

  private static Duration retryAfter(RawAnswer answer) {
    return answer
        .header("Retry-After")
        .filter(seconds -> seconds.matches("[0-9]{1,6}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
        .orElse(USUAL_RETRY);
  }
}
