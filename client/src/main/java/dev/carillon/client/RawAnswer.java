package dev.carillon.client;

import java.util.List;
import java.util.Map;

/** An answer as it came, a refusal too. */
@SuppressWarnings("ArrayRecordComponent") // answers are never compared
public record RawAnswer(int status, Map<String, List<String>> headers, byte[] body) {

  public RawAnswer {
    headers = Map.copyOf(headers);
  }
}
