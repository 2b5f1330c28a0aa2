package dev.carillon.ingest;

import java.util.List;

/** The queue that keeps events that cannot be counted. */
public interface RejectedEvents {

  /**
   * Stores each message as it was received, with the reason why it cannot be counted.
   *
   * @throws RuntimeException unless all messages were accepted; some of them can have been accepted
   */
  void reject(List<Rejection> rejections);

  /**
   * A message that is not a valid event.
   *
   * @param body the body as it was received
   */
  record Rejection(String body, String reason) {}
}
