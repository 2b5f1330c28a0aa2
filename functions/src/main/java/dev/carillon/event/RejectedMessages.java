package dev.carillon.event;

import java.util.List;

/** The queue in which the operator finds the messages that no function can process. */
public interface RejectedMessages {

  /**
   * Stores each message as it was received, with the reason why it cannot be processed.
   *
   * @throws RuntimeException unless all messages were accepted; some of them may have been accepted
   */
  void reject(List<Rejection> rejections);

  /**
   * A message that is not a valid event, check or report.
   *
   * @param body the body as it was received
   */
  record Rejection(String body, String reason) {}
}
