package dev.carillon.api;

import java.util.List;

/** What waits in Carillon's own queues. */
public interface Queues {

  List<Depth> depths();

  /**
   * @param name as the status shows it, like {@code ingest} or {@code ingestDeadLetters}
   * @param visible how many messages can be received now, about
   */
  record Depth(String name, String url, long visible) {}
}
