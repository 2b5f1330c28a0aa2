package dev.carillon.api;

import java.util.List;

/** The depths of Carillon's own queues. */
public interface Queues {

  List<Depth> depths();

  /**
   * @param name as the status shows it, like {@code ingest} or {@code ingestDeadLetters}
   * @param visible the approximate number of messages that can be received now
   */
  record Depth(String name, String url, long visible) {}
}
