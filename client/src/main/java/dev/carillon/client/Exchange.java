package dev.carillon.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends one request over HTTP and waits for its answer. */
interface Exchange {

  Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /**
   * @param body null for none
   * @param longest the longest time to wait for the answer
   */
  record Request(
      String method,
      URI uri,
      Map<String, List<String>> headers,
      @Nullable String body,
      Duration longest) {}

  /** An answer, whatever its status. */
  record Answer(int status, Optional<String> date, Optional<String> retryAfter, String body) {}

  /**
   * @throws IOException if no answer arrived
   */
  Answer send(Request request) throws IOException, InterruptedException;
}
