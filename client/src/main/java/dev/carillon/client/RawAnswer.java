package dev.carillon.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An unchanged answer, which can be a refusal. */
@SuppressWarnings("ArrayRecordComponent") // fine, because answers are never compared
public record RawAnswer(int status, Map<String, List<String>> headers, byte[] body) {

  public RawAnswer {
    headers = Map.copyOf(headers);
  }

  /** The first value of a header, whatever the case of its name. */
  Optional<String> header(String name) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .flatMap(header -> header.getValue().stream())
        .findFirst();
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
