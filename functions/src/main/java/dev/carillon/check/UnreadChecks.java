package dev.carillon.check;

/** Takes those parts of check queue messages that the checker cannot read. */
public interface UnreadChecks {

  /**
   * Sends a message to the check queue as it is, for a newer version of the checker.
   *
   * @throws RuntimeException unless the message was accepted
   */
  void passOn(String body);

  /**
   * Sends a message that no version can process to a queue that raises an alarm. There the operator
   * can read the message.
   *
   * @throws RuntimeException unless the message was accepted
   */
  void reject(String body, String reason);
}
