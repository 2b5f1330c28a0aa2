package dev.carillon.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A queue of launch requests. */
interface RequestQueue {

  /** The time for which a received message is invisible to other receivers. */
  Duration VISIBILITY = Duration.ofSeconds(60);

  /**
   * @param sentAt when the queue accepted it, by the queue's clock
   */
  record Message(
      String receiptHandle, String body, Map<String, String> attributes, Instant sentAt) {}

  /** The name in logs and error texts. */
  String name();

  /**
   * Waits for messages.
   *
   * @param most the most messages to return, at least 1
   * @return the messages; empty if no message came
   * @throws DeniedException if a permission is missing
   */
  List<Message> receive(int most);

  /**
   * Deletes messages.
   *
   * @throws RuntimeException if some of them were possibly not deleted
   */
  void delete(List<String> receiptHandles);

  /** Makes messages visible to other receivers after the given time from now. */
  void setVisibility(List<String> receiptHandles, Duration after);
}
