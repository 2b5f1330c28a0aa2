package dev.carillon.cli.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.RawAnswer;
import dev.carillon.client.RawRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/** Passes on the calls of the page to the API; the client library signs them. */
final class ApiCalls {

  /** The beginning of every path of the API. */
  static final String PATH = "/v1/";

  /** The largest body that API Gateway takes. */
  private static final int MOST_BYTES = 10 * 1024 * 1024;

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "DELETE");
  private static final List<String> ASKED =
      List.of("Accept", "Content-Type", "If-Match", "If-None-Match");
  private static final Set<String> ANSWERED = Set.of("content-type", "etag", "retry-after");

  private final CarillonClient client;

  ApiCalls(CarillonClient client) {
    this.client = client;
  }

  /**
   * The answer of the API.
   *
   * @param path the path of the request from {@link #PATH} on, encoded
   */
  Reply answer(HttpExchange exchange, String path) throws IOException {
    if (!METHODS.contains(exchange.getRequestMethod())) {
      return Reply.problem(405, "Method not allowed", "the console sends " + METHODS);
    }
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      return Reply.problem(413, "Body too large", "the body has more than 10 MB");
    }
    RawRequest request;
    try {
      request = request(exchange, path, body);
    } catch (IllegalArgumentException invalid) {
      return Reply.problem(400, "Invalid address", String.valueOf(invalid.getMessage()));
    }
    return answer(request);
  }

  private Reply answer(RawRequest request) {
    try {
      return reply(client.send(request));
    } catch (CarillonException.Unreachable away) {
      return new Reply(502, Map.of(), new byte[0]);
    } catch (SdkException unsigned) {
      String detail = unsigned.getMessage() + "; check --profile and --region, or log in again";
      return Reply.problem(500, "The request cannot be signed", detail);
    }
  }

  private static Reply reply(RawAnswer answer) {
    Map<String, String> headers = new TreeMap<>();
    answer
        .headers()
        .forEach(
            (name, values) -> {
              if (ANSWERED.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, values.get(0));
              }
            });
    return new Reply(answer.status(), headers, answer.body());
  }

  private static RawRequest request(HttpExchange exchange, String path, byte[] body) {
    List<String> segments =
        Arrays.stream(path.substring(1).split("/", -1)).map(ApiCalls::segment).toList();
    return new RawRequest(
        exchange.getRequestMethod(),
        segments,
        query(exchange.getRequestURI().getRawQuery()),
        headers(exchange.getRequestHeaders()),
        body);
  }

  /** Decodes a segment of a path. In a path, a plus sign is not a space. */
  private static String segment(String encoded) {
    return decoded(encoded.replace("+", "%2B"));
  }

  private static String decoded(String encoded) {
    return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
  }

  private static Map<String, String> query(@Nullable String encoded) {
    Map<String, String> query = new TreeMap<>();
    if (encoded != null) {
      for (String parameter : encoded.split("&", -1)) {
        String[] parts = parameter.split("=", 2);
        query.put(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
      }
    }
    return query;
  }

  private static Map<String, String> headers(Headers given) {
    Map<String, String> headers = new TreeMap<>();
    for (String name : ASKED) {
      String value = given.getFirst(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return headers;
  }
}
