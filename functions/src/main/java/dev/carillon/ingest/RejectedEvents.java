package dev.carillon.ingest;

import java.util.List;

/** The queue that keeps the events nobody can count. */
public interface RejectedEvents {

  /**
   * @param body the message as it came
   * @throws RuntimeException if it was not accepted
   */
  void reject(String body, String reason);

  /**
   * Rejects all, in fewer requests where the queue takes several at once.
   *
   * @throws RuntimeException unless every one was accepted; some may have been
   */
  default void reject(List<Rejection> rejections) {
    rejections.forEach(one -> reject(one.body(), one.reason()));
  }

  /**
   * A message that is no event.
   *
   * @param body as it came
   */
  record Rejection(String body, String reason) {}
}
