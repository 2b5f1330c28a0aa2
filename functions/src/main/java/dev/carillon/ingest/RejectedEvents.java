package dev.carillon.ingest;

import java.util.List;

/** The queue that keeps the events nobody can count. */
public interface RejectedEvents {

  /**
   * Keeps each as it came, with why nobody can count it.
   *
   * @throws RuntimeException unless every one was accepted; some may have been
   */
  void reject(List<Rejection> rejections);

  /**
   * A message that is no event.
   *
   * @param body as it came
   */
  record Rejection(String body, String reason) {}
}
