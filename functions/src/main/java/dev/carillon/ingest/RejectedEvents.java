package dev.carillon.ingest;

/** The queue that keeps the events nobody can count. */
public interface RejectedEvents {

  /**
   * @param body the message as it came
   * @throws RuntimeException if it was not accepted
   */
  void reject(String body, String reason);
}
