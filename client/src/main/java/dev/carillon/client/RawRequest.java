package dev.carillon.client;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A request that is sent unchanged. It serves for routes without a method in this library, and for
 * servers that pass on the requests of a page to the API.
 *
 * @param segments the segments of the path from {@code v1} on, not encoded
 * @param query the query parameters, not encoded
 * @param headers the headers, without those of the connection and the signature
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // fine, because requests are never compared
public record RawRequest(
    String method,
    List<String> segments,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  /**
   * @throws IllegalArgumentException for a segment that is empty, or that resolves to another path
   */
  public RawRequest {
    if (segments.stream().anyMatch(it -> it.isEmpty() || it.equals(".") || it.equals(".."))) {
      throw new IllegalArgumentException("the path has a segment that is empty, . or ..");
    }
    segments = List.copyOf(segments);
    query = Collections.unmodifiableMap(new TreeMap<>(query));
    headers = Map.copyOf(headers);
  }

  /** The encoded path and query. */
  String target() {
    String path =
        segments.stream().map(it -> "/" + Transport.encoded(it)).collect(Collectors.joining());
    return query.isEmpty()
        ? path
        : query.entrySet().stream()
            .map(it -> Transport.encoded(it.getKey()) + "=" + Transport.encoded(it.getValue()))
            .collect(Collectors.joining("&", path + "?", ""));
  }
}
