package dev.carillon.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends one request over HTTP and waits for its answer. */
interface Exchange {

  Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /**
   * @param body null for none
   * @param longest the longest time to wait for the answer
   */
  @SuppressWarnings("ArrayRecordComponent") // fine, because requests are never compared
  record Request(
      String method,
      URI uri,
      Map<String, List<String>> headers,
      byte @Nullable [] body,
      Duration longest) {}

  /**
   * @throws IOException if no answer arrived
   */
  RawAnswer send(Request request) throws IOException, InterruptedException;
}
